import type * as v from "valibot";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { Submission } from "../inbox/index.ts";
import type { Attachment } from "../message.ts";
import { MAX_BODY_BYTES, MAX_FILES_BODY_BYTES, readJson } from "./body.ts";
import { type AnsweredApprovals, answerChunks, approvalResponses } from "./chat-approvals.ts";
import { ProblemError } from "./problem.ts";
import { checked, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import type { StreamReply } from "./stream-reply.ts";
import { uiStreamResponse } from "./ui-stream.ts";
import { ChatBody, UserMessage } from "./wire-chat.ts";

export interface ChatRoutesDeps {
  /** Makes the message durable and returns at once. */
  submit(input: Submission): Promise<unknown>;
  readonly streamReply: StreamReply;
  readonly approvals: AnsweredApprovals;
  readonly clock: Clock;
}

export function chatRoutes({ submit, streamReply, approvals, clock }: ChatRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/chat",
      summary: "The server side of the AI SDK's `useChat`",
      access: ["owner", "user"],
      body: ChatBody,
      maxBodyBytes: MAX_FILES_BODY_BYTES,
      answers: { 200: { description: "The reply as a UI message stream", mediaType: "text/event-stream" } },
      async handle({ request, caller }) {
        const body = checked(ChatBody, await readJson(request, clock, MAX_FILES_BODY_BYTES));
        const responses = approvalResponses(body.messages);
        if (responses.length > 0)
          return uiStreamResponse(answerChunks(approvals, responses, caller, streamReply.describe), clock);
        const at = body.messages.findLastIndex((message) => message.role === "user");
        if (at === -1)
          throw new ProblemError("OPTION_INVALID", "messages: Expected a message of the user", NO_USER_MESSAGE);
        const message = checked(UserMessage, body.messages[at], `messages.${at}`);
        const { text, attachments } = contentOf(message);
        const speaker = speakerOf(caller, { session: body.id });
        return streamReply.tell(
          {
            text,
            id: message.id,
            // As above: another user's call has the tools of the channel that they come from.
            ...(speaker.asOwner ? { channel: "web" } : {}),
            namespace: "web",
            ...(attachments.length > 0 ? { attachments } : {}),
            ...speaker,
          },
          caller,
        );
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/chat/:id/stream",
      summary: "Stops the turn that answers in this chat, and what waits behind it, as `/stop` does",
      access: ["owner", "user"],
      params: { id: CHAT_ID },
      answers: { 204: { description: "It was told to end at once" } },
      async handle({ params, caller }) {
        const speaker = speakerOf(caller, { session: params["id"] ?? "" });
        const stop = {
          text: "/stop",
          ...(speaker.asOwner ? { channel: "web" } : {}),
          namespace: "web" as const,
          ...speaker,
        };
        await submit(stop);
        return new Response(null, { status: 204 });
      },
    },
  ];
}

/** Of a conversation that `useChat` names; another person's is another one. */
const CHAT_ID = "The `id` of the chat, percent-encoded";

const NO_USER_MESSAGE = { errors: [{ field: "messages", message: "Expected a message of the user" }] };

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
