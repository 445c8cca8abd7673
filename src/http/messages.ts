import type * as v from "valibot";
import { AssistantError, messageOf } from "../errors.ts";
import { newId } from "../ids.ts";
import type { Attachment } from "../message.ts";
import { MAX_BODY_BYTES, MAX_FILES_BODY_BYTES, readJson } from "./body.ts";
import { answerChunks, approvalResponses } from "./chat-approvals.ts";
import type { HttpParts } from "./parts.ts";
import { ProblemError } from "./problem.ts";
import { type Input, messageInput, replyWithin } from "./reply-within.ts";
import { checked, json, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { uiChunks, uiStreamResponse } from "./ui-stream.ts";
import { AcceptedJson, ChatBody, MessageBody, ReplyJson, UserMessage, replyJson } from "./wire.ts";

export function messageRoutes(parts: HttpParts): readonly GuardedRoute[] {
  function describe(error: unknown): string {
    if (AssistantError.is(error)) return error.message;
    parts.logger.error("A stream failed", { error: messageOf(error) });
    return "Something went wrong inside: the server's log says more";
  }

  function stream(input: Input): Response {
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
        const input = messageInput(caller, body, id);
        if (body.wait === false) {
          const { turnId, sessionKey } = await parts.submit(input);
          return json({ turn_id: turnId, session_key: sessionKey }, 202);
        }
        if (acceptsEvents(request)) return stream(input);
        return json(replyJson(await replyWithin(parts, input, id)));
      },
    },
    {
      method: "POST",
      path: "/api/v1/chat",
      summary: "The server side of the AI SDK's `useChat`",
      access: ["owner", "user"],
      body: ChatBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: { 200: { description: "The reply as a UI message stream", mediaType: "text/event-stream" } },
      async handle({ request, caller }) {
        const body = checked(ChatBody, await readJson(request, parts.clock, MAX_FILES_BODY_BYTES));
        const responses = approvalResponses(body.messages);
        if (responses.length > 0)
          return uiStreamResponse(answerChunks(parts, responses, caller, describe), parts.clock);
        const at = body.messages.findLastIndex((message) => message.role === "user");
        if (at === -1)
          throw new ProblemError("OPTION_INVALID", "messages: Expected a message of the user", NO_USER_MESSAGE);
        const message = checked(UserMessage, body.messages[at], `messages.${at}`);
        const { text, attachments } = contentOf(message);
        const speaker = speakerOf(caller, { session: body.id });
        return stream({
          text,
          id: message.id,
          // As above: another user's call has the tools of the channel that they come from.
          ...(speaker.asOwner ? { channel: "web" } : {}),
          namespace: "web",
          ...(attachments.length > 0 ? { attachments } : {}),
          ...speaker,
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
  const text = texts.join("\n");
  // Only files have the room: a text goes into every prompt that follows.
  if (text.length > MAX_BODY_BYTES)
    throw new AssistantError(
      "BODY_TOO_LARGE",
      `The text is longer than ${MAX_BODY_BYTES} characters: send it as a file`,
    );
  return { text, attachments };
}
