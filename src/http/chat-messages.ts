import * as v from "valibot";
import type { Attachment } from "../message.ts";
import type { StreamEvent } from "../reply.ts";
import {
  type InRecord,
  type OutRecord,
  type Sequenced,
  type StepRecord,
  type ToolRecord,
  callIdOf,
  replyOf,
} from "../session/index.ts";
import type { Caller } from "./auth.ts";
import { failureFor } from "./failure.ts";
import { type UiChunk, createUiTranslator } from "./ui-stream.ts";

const Part = v.looseObject({ type: v.string() });

/** A message of `useChat`. Source: https://ai-sdk.dev/docs/reference/ai-sdk-core/ui-message, "UIMessage". */
const UiMessage = v.strictObject({
  id: v.pipe(
    v.string(),
    v.description("For a person's message, the id it was sent with; for an answer, the id of its turn"),
  ),
  role: v.picklist(["user", "assistant"]),
  metadata: v.optional(v.record(v.string(), v.unknown())),
  parts: v.array(Part),
});

export const UiMessageListJson = v.array(UiMessage);

type UiMessage = v.InferOutput<typeof UiMessage>;
type Part = Record<string, unknown> & { type: string };

export interface ChatMessagesOptions {
  readonly sessionKey: string;
  readonly caller: Pick<Caller, "role">;
  /** Returns the URL of an artifact of the conversation. */
  artifactUrl(id: string): string;
}

/**
 * Returns a conversation as `useChat` would show it: people's messages, and finished answers built from the chunks of
 * their streams.
 */
export function chatMessages(
  records: readonly Sequenced[],
  { sessionKey, caller, artifactUrl }: ChatMessagesOptions,
): UiMessage[] {
  const messages: UiMessage[] = [];
  const calls = new Map<string, Part>();
  const turns = new Map<string, (StepRecord | ToolRecord)[]>();
  const files = new Map(records.flatMap((one) => (one.type === "files" ? [[one.of, one.attachments] as const] : [])));
  for (const record of records) {
    if (record.type === "in") {
      // The outcome of a call that waited is shown where it was requested.
      if (record.approval) endCall(calls.get(record.approval.id), record);
      if (record.source !== undefined || record.command !== undefined) continue;
      const attached = files.get(record.id) ?? record.attachments ?? [];
      const parts = [
        ...(record.text === "" ? [] : [{ type: "text", text: record.text }]),
        ...attached.map((one) => filePart(one, artifactUrl)),
      ];
      messages.push({ id: record.id.replace(/^send:/, ""), role: "user", parts });
    } else if (record.type === "step" || record.type === "tool") {
      turns.set(record.turn, [...(turns.get(record.turn) ?? []), record]);
    } else if (record.type === "out") {
      const answer = answerOf(sessionKey, turns.get(record.turn) ?? [], record, caller, calls);
      if (answer.parts.some(({ type }) => type !== "step-start")) messages.push(answer);
    }
  }
  return messages;
}

/**
 * For a file that could not be stored it keeps only the name as text: readers of the protocol reject messages without
 * parts.
 */
function filePart({ artifact, url, mediaType, name }: Attachment, artifactUrl: (id: string) => string): Part {
  const at = artifact === undefined ? url : artifactUrl(artifact);
  if (at === undefined) return { type: "text", text: name ?? mediaType };
  return { type: "file", mediaType, url: at, ...(name !== undefined && { filename: name }) };
}

/** Builds the message from the chunks of a turn's stream. */
function answerOf(
  sessionKey: string,
  log: readonly (StepRecord | ToolRecord)[],
  out: OutRecord,
  caller: Pick<Caller, "role">,
  calls: Map<string, Part>,
): UiMessage {
  const reply = failureFor(caller, replyOf(sessionKey, out));
  const translator = createUiTranslator();
  const events = [...log.flatMap((record) => eventsOf(record, out)), { type: "reply", reply } as const];
  const message: UiMessage = { id: out.turn, role: "assistant", parts: [] };
  for (const chunk of [...translator.start(), ...events.flatMap(translator.push), ...translator.end()])
    take(message, chunk, calls);
  return message;
}

function eventsOf(record: StepRecord | ToolRecord, { silent, steps }: OutRecord): StreamEvent[] {
  if (record.type === "step") {
    // The final text of a silent turn is a marker for the runtime, not for people.
    const text = silent && record.step === steps - 1 ? "" : record.text;
    return [
      { type: "text-delta", text },
      ...record.calls.map(
        ({ name, input }, index) =>
          ({ type: "tool-start", callId: callIdOf({ ...record, index }), name, input }) as const,
      ),
    ];
  }
  if (record.state === "started") return [];
  const { name, output = null, error, durationMs = 0, approvals = [] } = record;
  return [
    ...approvals.map((approval) => ({ type: "approval", ...approval }) as const),
    { type: "tool-end", callId: callIdOf(record), name, durationMs, ...(error ? { error } : { output }) },
  ];
}

/** Applies a chunk to the message, as readers of the protocol do. */
function take(message: UiMessage, chunk: UiChunk, calls: Map<string, Part>): void {
  const parts = message.parts as Part[];
  const call = "toolCallId" in chunk ? calls.get(chunk.toolCallId) : undefined;
  switch (chunk.type) {
    case "start-step":
      parts.push({ type: "step-start" });
      return;
    case "text-start":
      parts.push({ type: "text", text: "", state: "done" });
      return;
    case "text-delta": {
      const last = parts.findLast(({ type }) => type === "text");
      if (last) last["text"] += chunk.delta;
      return;
    }
    case "tool-input-available": {
      const { toolCallId, toolName, input } = chunk;
      const part = { type: "dynamic-tool", toolName, toolCallId, state: "input-available", input };
      calls.set(toolCallId, part);
      parts.push(part);
      return;
    }
    case "tool-output-available":
      if (call) Object.assign(call, { state: "output-available", output: chunk.output });
      return;
    case "tool-output-error":
      if (call) Object.assign(call, { state: "output-error", errorText: chunk.errorText });
      return;
    case "tool-approval-request":
      if (call) Object.assign(call, { state: "approval-requested", approval: { id: chunk.approvalId } });
      return;
    case "data-approval":
      parts.push({ type: "data-approval", id: chunk.id, data: chunk.data });
      return;
    case "finish":
      message.metadata = { ...chunk.messageMetadata };
  }
}

function endCall(call: Part | undefined, { text, approval }: InRecord): void {
  if (!call || !approval) return;
  const { id, verdict, reason } = approval;
  const answered = { id, approved: verdict !== "denied", ...(reason !== undefined && { reason }) };
  if (verdict === "done") Object.assign(call, { state: "output-available", output: text, approval: answered });
  else if (verdict === "denied") Object.assign(call, { state: "output-denied", approval: answered });
  else Object.assign(call, { state: "output-error", errorText: text, approval: answered });
}
