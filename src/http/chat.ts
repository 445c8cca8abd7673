import * as v from "valibot";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import type { ChatPlace, Chats, Submission } from "../inbox/index.ts";
import type { Attachment } from "../message.ts";
import { MAX_BODY_BYTES, MAX_FILES_BODY_BYTES } from "./body.ts";
import { type AnsweredApprovals, answerChunks, approvalResponses } from "./chat-approvals.ts";
import type { Caller } from "./auth.ts";
import { UiMessageListJson, chatMessages } from "./chat-messages.ts";
import { ProblemError } from "./problem.ts";
import { checked, checkedQuery, countParameter, type GuardedRoute, json } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import type { StreamReply } from "./stream-reply.ts";
import { uiStreamResponse } from "./ui-stream.ts";
import { ChatBody, UserMessage } from "./wire-chat.ts";
import { checkedBody } from "./checked-body.ts";

const ShowQuery = v.object({ limit: countParameter(1000, "Maximum number of messages, newest first. Default 200") });

/** Records of a session to read first for each requested message. */
const RECORDS_PER_MESSAGE = 4;

export interface ChatRoutesDeps {
  /** Makes the message durable and returns immediately. */
  submit(input: Submission): Promise<unknown>;
  readonly streamReply: StreamReply;
  readonly chats: Chats;
  readonly approvals: AnsweredApprovals;
  readonly clock: Clock;
}

export function chatRoutes({ submit, streamReply, chats, approvals, clock }: ChatRoutesDeps): readonly GuardedRoute[] {
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
        const body = await checkedBody(ChatBody, request, clock, MAX_FILES_BODY_BYTES);
        const responses = approvalResponses(body.messages);
        if (responses.length > 0)
          return uiStreamResponse(answerChunks(approvals, responses, caller, streamReply.describe), clock);
        const at = body.messages.findLastIndex((message) => message.role === "user");
        if (at === -1)
          throw new ProblemError("OPTION_INVALID", "messages: Expected a message with the role user", NO_USER_MESSAGE);
        const message = checked(UserMessage, body.messages[at], `messages.${at}`);
        const { text, attachments } = contentOf(message);
        const files = attachments.length > 0 ? { attachments } : {};
        return streamReply.tell({ text, id: message.id, ...files, ...placeOf(caller, body.id) }, caller);
      },
    },
    {
      method: "GET",
      path: "/api/v1/chat/:id",
      summary:
        "Shows a chat in the form that `useChat` starts with, oldest message first. An answer in progress is in the chat's stream",
      access: ["owner", "user"],
      params: { id: CHAT_ID },
      query: ShowQuery,
      answers: {
        200: { description: "The messages; an empty list if the chat has not begun", schema: UiMessageListJson },
      },
      async handle({ params, query, caller }) {
        const { limit = 200 } = checkedQuery(ShowQuery, query);
        const { id = "" } = params;
        const artifacts = `/api/v1/sessions/${encodeURIComponent(`web:${id}`)}/artifacts`;
        const artifactUrl = (artifact: string) => `${artifacts}/${artifact}`;
        for (let count = limit * RECORDS_PER_MESSAGE; ; count *= 2) {
          const { sessionKey, records } = await chats.read(placeOf(caller, id), count);
          const messages = chatMessages(records, { sessionKey, caller, artifactUrl });
          const isAll = records.length < count;
          // Where the log was cut, the first answer may be incomplete.
          const whole = isAll ? messages : messages.slice(messages.findIndex(({ role }) => role === "assistant") + 1);
          if (isAll || whole.length >= limit) return json(whole.slice(-limit));
        }
      },
    },
    {
      method: "GET",
      path: "/api/v1/chat/:id/stream",
      summary: "Streams the answer in progress in this chat from its beginning, in the form that `useChat` resumes",
      access: ["owner", "user"],
      params: { id: CHAT_ID },
      answers: {
        200: { description: "The answer as a UI message stream", mediaType: "text/event-stream" },
        204: { description: "No answer is in progress" },
      },
      async handle({ params, caller }) {
        const events = await chats.resume(placeOf(caller, params["id"]));
        return events ? streamReply.answer(events, caller) : new Response(null, { status: 204 });
      },
    },
    {
      method: "DELETE",
      path: "/api/v1/chat/:id/stream",
      summary: "Stops the current turn of this chat and drops the messages that wait behind it, as `/stop` does",
      access: ["owner", "user"],
      params: { id: CHAT_ID },
      answers: { 204: { description: "The turn is stopping" } },
      async handle({ params, caller }) {
        await submit({ text: "/stop", ...placeOf(caller, params["id"]) });
        return new Response(null, { status: 204 });
      },
    },
  ];
}

/**
 * Returns who speaks and where. The page's owner uses the program itself; another user's call gets the tools of that
 * user's channel.
 */
function placeOf(caller: Caller, id = ""): ChatPlace {
  const speaker = speakerOf(caller, { session: id });
  return { ...(speaker.asOwner ? { channel: "web" } : {}), namespace: "web", ...speaker };
}

/** A conversation id of `useChat`. The same id of another person names another conversation. */
const CHAT_ID = "The `id` of the chat, percent-encoded";

const NO_USER_MESSAGE = { errors: [{ field: "messages", message: "Expected a message with the role user" }] };

function contentOf(message: v.InferOutput<typeof UserMessage>): { text: string; attachments: Attachment[] } {
  const texts: string[] = [];
  const attachments: Attachment[] = [];
  for (const part of message.parts) {
    // The schema has already distinguished the kinds. Other parts (data-…, step-start) are not for the assistant.
    if (part.type === "text") texts.push(String(part["text"]));
    if (part.type === "file") {
      const { mediaType, url, filename } = part as { mediaType: string; url: string; filename?: string };
      attachments.push({ mediaType, url, ...(filename === undefined ? {} : { name: filename }) });
    }
  }
  const text = texts.join("\n");
  // Only files may use the larger limit: a text goes into every later prompt.
  if (text.length > MAX_BODY_BYTES)
    throw new AssistantError(
      "BODY_TOO_LARGE",
      `The text is longer than ${MAX_BODY_BYTES} characters: attach it as a file`,
    );
  return { text, attachments };
}
