import * as v from "valibot";
import type { Reply } from "../reply.ts";
import type { SessionSummaryText } from "../session/index.ts";
import type { Conversation, OwnSettings, SessionSummary, TranscriptEntry } from "./parts.ts";

// The JSON of the API: the SDK's names in snake_case. The OpenAPI document is made of these same schemas.

/** `POST /messages`. */
export const MessageBody = v.strictObject({
  text: v.pipe(
    v.string("Expected what the assistant is told, as a text"),
    v.check((text) => text.trim() !== "", "Expected a text that is not blank"),
    v.description("What the assistant is told"),
  ),
  user: v.optional(name("Who speaks, as `channel:id`; roles come from the server's configuration")),
  session: v.optional(name("Names a conversation; default the user's direct chat")),
  id: v.optional(name("The same id again gets the first reply; nothing runs twice. Default a new one")),
  wait: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("False: answer 202 as soon as the message is durable. Default true"),
    ),
  ),
});

const TextPart = v.looseObject({ type: v.literal("text"), text: v.string("Expected a text") });
const FilePart = v.looseObject({
  type: v.literal("file"),
  mediaType: v.string("Expected a media type, as image/png"),
  url: v.string("Expected a URL; data: URLs are allowed"),
  filename: v.optional(v.string()),
});

/** A part that is not for the assistant: `data-…`, `step-start`. */
const OtherPart = v.looseObject({ type: v.string("Expected the kind of part, as text") });

const PARTS: Readonly<Record<string, typeof TextPart | typeof FilePart | undefined>> = {
  text: TextPart,
  file: FilePart,
};

function typeOf(part: unknown): string {
  return typeof part === "object" && part !== null && "type" in part ? String(part.type) : "";
}

/** `POST /chat`: what `useChat` sends. Of `messages` only the last one of the user is read, so only that one is checked in full. */
export const ChatBody = v.looseObject({
  id: name("The conversation"),
  messages: v.pipe(
    v.array(
      v.looseObject({
        id: v.optional(v.string("Expected a text")),
        role: v.picklist(["user", "assistant", "system"], "Expected user, assistant or system"),
        parts: v.array(OtherPart, "Expected a list of parts"),
      }),
      "Expected the list of messages of useChat",
    ),
    v.minLength(1, "Expected at least one message"),
    v.description(
      "UI messages; only the last one of the user is read, what came before is taken from the session's log",
    ),
  ),
  trigger: v.optional(v.string()),
  messageId: v.optional(v.string()),
});

/** The last user message of a `ChatBody`. */
export const UserMessage = v.looseObject({
  id: name("Identifies the message: sent again, it gets the first reply"),
  parts: v.pipe(
    v.array(v.lazy((part) => PARTS[typeOf(part)] ?? OtherPart)),
    v.check(
      (parts) =>
        parts.some((part) => part.type === "file" || (part.type === "text" && String(part["text"]).trim() !== "")),
      "Expected a text part that is not blank, or a file part",
    ),
  ),
});

function name(description: string) {
  return v.pipe(
    v.string("Expected a text"),
    v.check((text) => text.trim() !== "", "Expected a text that is not blank"),
    v.maxLength(512, "Expected at most 512 characters"),
    v.description(description),
  );
}

const FailureJson = v.strictObject({ code: v.string(), message: v.string() });
const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const ReplyJson = v.strictObject({
  turn_id: v.string(),
  session_key: v.string(),
  text: v.pipe(v.string(), v.description("Markdown; empty when silent")),
  silent: v.boolean(),
  tool_calls: v.array(
    v.strictObject({
      name: v.string(),
      input: v.unknown(),
      output: v.optional(v.unknown()),
      error: v.optional(FailureJson),
      duration_ms: v.number(),
    }),
  ),
  approvals: v.array(v.strictObject({ id: v.string(), code: v.string(), name: v.string(), input: v.unknown() })),
  usage: v.strictObject({ input_tokens: Count, output_tokens: Count, cached_input_tokens: v.optional(Count) }),
  steps: Count,
  error: v.optional(FailureJson),
});

export const AcceptedJson = v.strictObject({ turn_id: v.string(), session_key: v.string() });

const Millis = v.pipe(v.number(), v.description("Milliseconds since the epoch"));

export const SessionListJson = v.strictObject({
  sessions: v.array(
    v.strictObject({
      key: v.string(),
      agent_id: v.string(),
      records: Count,
      last_at_ms: v.optional(Millis),
      title: v.optional(v.string()),
    }),
  ),
  next_after: v.optional(v.pipe(v.string(), v.description("Give it as `after` for the next page; absent on the last"))),
});

const entry = { seq: Count, at_ms: Millis };

export const ConversationListJson = v.strictObject({
  conversations: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.description("`web:<id>` is its session")),
      title: v.pipe(v.string(), v.description("The first words of what was said first")),
      last_at: v.pipe(v.string(), v.description("ISO 8601")),
      entries: v.pipe(Count, v.description("Records in its log")),
    }),
  ),
  next_before: v.optional(
    v.pipe(v.string(), v.description("Give it as `before` for the next page; absent on the last")),
  ),
});

const SummaryJson = v.strictObject({
  ...entry,
  summary: v.pipe(v.string(), v.description("Empty when the turns were only dropped")),
  range: v.strictObject({ from: Count, to: Count }),
  turns: Count,
  tokens_before: Count,
  tokens_after: Count,
  reason: v.string(),
  problem: v.optional(v.string()),
  by: v.optional(v.string()),
});

export const SummaryListJson = v.strictObject({ summaries: v.array(SummaryJson) });

/** `PUT /sessions/:key/summary`. */
export const SummaryBody = v.strictObject({
  text: v.pipe(
    v.string("Expected the summary, as a text"),
    v.check((text) => text.trim() !== "", "Expected a text that is not blank"),
    v.maxLength(16_000, "Expected at most 16000 characters"),
  ),
});

/** `PATCH /sessions/:key`. */
export const SettingsBody = v.strictObject({
  queue_mode: v.optional(
    v.nullable(
      v.picklist(
        ["collect", "followup", "steer", "interrupt"],
        "Expected collect, followup, steer, interrupt, or null for what is configured",
      ),
    ),
  ),
  model: v.optional(v.nullable(v.string("Expected provider/model as a text, or null for what is configured"))),
});

export const SettingsJson = v.strictObject({ queue_mode: v.optional(v.string()), model: v.optional(v.string()) });

export const ContextJson = v.object({
  parts: v.array(v.object({ name: v.string(), tokens: v.number(), source: v.string(), cut: v.optional(v.string()) })),
  total_tokens: v.number(),
});

export const TranscriptJson = v.strictObject({
  key: v.string(),
  entries: v.array(
    v.variant("type", [
      v.strictObject({
        type: v.literal("user"),
        ...entry,
        text: v.string(),
        user: v.string(),
        sender_name: v.optional(v.string()),
        heard: v.optional(v.literal(true)),
        command: v.optional(v.string()),
      }),
      v.strictObject({ type: v.literal("note"), ...entry, text: v.string(), source: v.string() }),
      v.strictObject({
        type: v.literal("tool"),
        ...entry,
        call_id: v.string(),
        name: v.string(),
        input: v.unknown(),
        output: v.optional(v.unknown()),
        error: v.optional(FailureJson),
      }),
      v.strictObject({
        type: v.literal("assistant"),
        ...entry,
        text: v.string(),
        turn_id: v.string(),
        error: v.optional(FailureJson),
        delivery: v.optional(v.string()),
      }),
      v.strictObject({
        type: v.literal("summary"),
        ...entry,
        text: v.string(),
        turns: Count,
        edited: v.boolean(),
        by: v.optional(v.string()),
        problem: v.optional(v.string()),
      }),
      v.strictObject({ type: v.literal("reset"), ...entry, by: v.string() }),
    ]),
  ),
});

export const ReadyJson = v.strictObject({
  ready: v.boolean(),
  checks: v.array(v.strictObject({ name: v.string(), ok: v.boolean(), detail: v.optional(v.string()) })),
});

export const ProblemJson = v.looseObject({
  type: v.pipe(v.string(), v.description("`urn:wakeful:error:<code>`")),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  code: v.string(),
  errors: v.optional(v.array(v.strictObject({ field: v.string(), message: v.string() }))),
});

export const WebhookReplyJson = v.strictObject({ id: v.string(), in_reply_to: v.string(), text: v.string() });

/** A reply as the API writes it. */
export function replyJson(reply: Reply): v.InferOutput<typeof ReplyJson> {
  const { usage } = reply;
  return {
    turn_id: reply.turnId,
    session_key: reply.sessionKey,
    text: reply.text,
    silent: reply.silent,
    tool_calls: reply.toolCalls.map((call) => ({
      name: call.name,
      input: call.input,
      ...(call.error === undefined ? { output: call.output ?? null } : { error: call.error }),
      duration_ms: call.durationMs,
    })),
    approvals: reply.approvals.map(({ id, code, name, input }) => ({ id, code, name, input })),
    usage: {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      ...(usage.cachedInputTokens === undefined ? {} : { cached_input_tokens: usage.cachedInputTokens }),
    },
    steps: reply.steps,
    ...(reply.error ? { error: reply.error } : {}),
  };
}

export function sessionJson(session: SessionSummary): v.InferOutput<typeof SessionListJson>["sessions"][number] {
  return {
    key: session.key,
    agent_id: session.agentId,
    records: session.records,
    ...(session.lastAtMs === undefined ? {} : { last_at_ms: session.lastAtMs }),
    ...(session.title === undefined ? {} : { title: session.title }),
  };
}

export function conversationJson({
  id,
  title,
  lastAt,
  entries,
}: Conversation): v.InferOutput<typeof ConversationListJson>["conversations"][number] {
  return { id, title, last_at: lastAt.toISOString(), entries };
}

export function summaryJson(summary: SessionSummaryText): v.InferOutput<typeof SummaryJson> {
  const { atMs: at_ms, tokensBefore: tokens_before, tokensAfter: tokens_after, range, ...rest } = summary;
  return { ...rest, at_ms, tokens_before, tokens_after, range: { ...range } };
}

export function settingsJson({ queueMode, model }: OwnSettings): v.InferOutput<typeof SettingsJson> {
  return { ...(queueMode && { queue_mode: queueMode }), ...(model && { model }) };
}

export function entryJson(entry: TranscriptEntry): v.InferOutput<typeof TranscriptJson>["entries"][number] {
  const { seq, atMs: at_ms } = entry;
  switch (entry.type) {
    case "user": {
      const sender = entry.senderName === undefined ? {} : { sender_name: entry.senderName };
      const kind = { ...(entry.heard && { heard: entry.heard }), ...(entry.command && { command: entry.command }) };
      return { type: "user", seq, at_ms, text: entry.text, user: entry.user, ...sender, ...kind };
    }
    case "note":
      return { type: "note", seq, at_ms, text: entry.text, source: entry.source };
    case "tool": {
      const { callId: call_id, name, input } = entry;
      const output = entry.output === undefined ? {} : { output: entry.output };
      return { type: "tool", seq, at_ms, call_id, name, input, ...output, ...failure(entry) };
    }
    case "summary": {
      const { atMs: _, ...rest } = entry;
      return { ...rest, at_ms };
    }
    case "reset":
      return { type: "reset", seq, at_ms, by: entry.by };
    case "assistant": {
      const delivery = entry.delivery === undefined ? {} : { delivery: entry.delivery };
      return { type: "assistant", seq, at_ms, text: entry.text, turn_id: entry.turnId, ...failure(entry), ...delivery };
    }
  }
}

function failure(entry: { readonly error?: { readonly code: string; readonly message: string } }) {
  return entry.error ? { error: entry.error } : {};
}
