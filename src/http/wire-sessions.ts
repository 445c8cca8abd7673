import * as v from "valibot";
import type {
  Conversation,
  OwnSettings,
  SessionSummary,
  SessionSummaryText,
  TranscriptEntry,
} from "../session/index.ts";
import type { Caller } from "./auth.ts";
import { failureFor } from "./failure.ts";
import { Count, FailureJson, notBlank } from "./wire.ts";

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
  next_after: v.optional(
    v.pipe(v.string(), v.description("Value of `after` for the next page. Absent on the last page")),
  ),
});

const entry = { seq: Count, at_ms: Millis };

export const ConversationListJson = v.strictObject({
  conversations: v.array(
    v.strictObject({
      id: v.pipe(v.string(), v.description("The id of the conversation; its session is `web:<id>`")),
      title: v.pipe(v.string(), v.description("The first words of the first message")),
      last_at: v.pipe(v.string(), v.description("ISO 8601")),
      entries: v.pipe(Count, v.description("Number of records in the conversation's log")),
    }),
  ),
  next_before: v.optional(
    v.pipe(v.string(), v.description("Value of `before` for the next page. Absent on the last page")),
  ),
});

const SummaryJson = v.strictObject({
  ...entry,
  summary: v.pipe(v.string(), v.description("Empty if the turns were dropped without a summary")),
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
    v.string("Expected the text of the summary"),
    notBlank,
    v.maxLength(16_000, "Expected at most 16000 characters"),
  ),
});

/** `PATCH /sessions/:key`. */
export const SettingsBody = v.strictObject({
  queue_mode: v.optional(
    v.nullable(
      v.picklist(
        ["collect", "followup", "steer", "interrupt"],
        "Expected collect, followup, steer, interrupt, or null for the configured mode",
      ),
    ),
  ),
  model: v.optional(v.nullable(v.string("Expected provider/model, or null for the configured model"))),
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
      v.strictObject({
        type: v.literal("note"),
        ...entry,
        text: v.string(),
        source: v.string(),
        origin: v.optional(v.string()),
      }),
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

export function entryJson(
  entry: TranscriptEntry,
  caller: Pick<Caller, "role">,
): v.InferOutput<typeof TranscriptJson>["entries"][number] {
  const { seq, atMs: at_ms } = entry;
  switch (entry.type) {
    case "user": {
      const sender = entry.senderName === undefined ? {} : { sender_name: entry.senderName };
      const kind = { ...(entry.heard && { heard: entry.heard }), ...(entry.command && { command: entry.command }) };
      return { type: "user", seq, at_ms, text: entry.text, user: entry.user, ...sender, ...kind };
    }
    case "note": {
      const origin = entry.origin === undefined ? {} : { origin: entry.origin };
      return { type: "note", seq, at_ms, text: entry.text, source: entry.source, ...origin };
    }
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
      return {
        type: "assistant",
        seq,
        at_ms,
        text: entry.text,
        turn_id: entry.turnId,
        ...failure(failureFor(caller, entry)),
        ...delivery,
      };
    }
  }
}

function failure(entry: { readonly error?: { readonly code: string; readonly message: string } }) {
  return entry.error ? { error: entry.error } : {};
}
