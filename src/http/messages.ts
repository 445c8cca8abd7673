import type * as v from "valibot";
import { AssistantError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Attachment } from "../message.ts";
import type { Reply, SendInput } from "../reply.ts";
import { readJson } from "./body.ts";
import type { HttpParts } from "./parts.ts";
import { ProblemError } from "./problem.ts";
import { checked, json, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { uiChunks, uiStreamResponse } from "./ui-stream.ts";
import { AcceptedJson, ChatBody, MessageBody, ReplyJson, UserMessage, replyJson } from "./wire.ts";

/** How long `POST /messages` waits for a reply, in milliseconds. A turn may take 300 s, and wait for the one before it. */
export const MAX_WAIT_MS = 600_000;

type Input = SendInput & { readonly asOwner?: boolean };

export function messageRoutes(parts: HttpParts): readonly GuardedRoute[] {
  /** Waits for the reply; the turn goes on when nobody waits any more. */
  async function replyWithin(input: Input, id: string): Promise<Reply> {
    const stopWaiting = new AbortController();
    try {
      const reply = await Promise.race([
        parts.send(input),
        parts.clock.sleep(MAX_WAIT_MS, stopWaiting.signal).then(() => null),
      ]);
      if (reply) return reply;
    } finally {
      stopWaiting.abort();
    }
    throw new ProblemError(
      "TURN_TIMEOUT",
      `The turn goes on, but took longer than ${MAX_WAIT_MS / 1000} seconds: send the same message with this id again to get its reply`,
      { members: { id } },
    );
  }

  function stream(input: Input): Response {
    const describe = (error: unknown) => {
      if (AssistantError.is(error)) return error.message;
      parts.logger.error("A stream failed", { error: messageOf(error) });
      return "Something went wrong inside: the server's log says more";
    };
    return uiStreamResponse(uiChunks(parts.stream(input), describe), parts.clock);
  }

  return [
    {
      method: "POST",
      path: "/api/v1/messages",
      summary: "Says something to the assistant and waits for its reply",
      access: ["owner", "user"],
      body: MessageBody,
      answers: {
        200: {
          description: "The reply; with `Accept: text/event-stream` its UI message stream",
          schema: ReplyJson,
          stream: true,
        },
        202: { description: "With `wait: false`: the message is durable and will be answered", schema: AcceptedJson },
      },
      async handle({ request, caller }) {
        const body = checked(MessageBody, await readJson(request, parts.clock));
        const id = body.id ?? newId(parts.clock);
        const speaker = speakerOf(caller, body);
        // Only the owner's own call stands for the host program; anybody else's has the tools of the channel that they come from.
        const channel = speaker.asOwner ? { channel: "sdk" } : {};
        const input: Input = { text: body.text, id, ...channel, ...speaker };
        if (body.wait === false) {
          const { turnId, sessionKey } = await parts.submit(input);
          return json({ turn_id: turnId, session_key: sessionKey }, 202);
        }
        if (acceptsEvents(request)) return stream(input);
        return json(replyJson(await replyWithin(input, id)));
      },
    },
    {
      method: "POST",
      path: "/api/v1/chat",
      summary: "The server side of the AI SDK's `useChat`",
      access: ["owner", "user"],
      body: ChatBody,
      answers: { 200: { description: "The reply as a UI message stream", mediaType: "text/event-stream" } },
      async handle({ request, caller }) {
        const body = checked(ChatBody, await readJson(request, parts.clock));
        const at = body.messages.findLastIndex((message) => message.role === "user");
        if (at === -1)
          throw new ProblemError("OPTION_INVALID", "messages: Expected a message of the user", NO_USER_MESSAGE);
        const message = checked(UserMessage, body.messages[at], `messages.${at}`);
        const { text, attachments } = contentOf(message);
        return stream({
          text,
          id: message.id,
          channel: "web",
          ...(attachments.length > 0 ? { attachments } : {}),
          ...speakerOf(caller, { session: body.id }),
        });
      },
    },
  ];
}

const NO_USER_MESSAGE = { errors: [{ field: "messages", message: "Expected a message of the user" }] };

function acceptsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.get("accept") ?? "");
}

function contentOf(message: v.InferOutput<typeof UserMessage>): { text: string; attachments: Attachment[] } {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of message.parts) {
    // The schema has told the kinds apart; the third one (data-…, step-start) is not for the assistant.
    if (part.type === "text") texts.push(String(part["text"]));
    if (part.type === "file") {
      const { mediaType, url, filename } = part as { mediaType: string; url: string; filename?: string };
      attachments.push({ mediaType, url, ...(filename === undefined ? {} : { name: filename }) });
    }
  }
  return { text: texts.join("\n"), attachments };
}
