import type { JsonValue } from "../store/index.ts";
import { changeText } from "./changes.ts";
import type { HeardRecord, InRecord, MarkRecord, Sequenced, ToolRecord } from "./records.ts";

type ErrorReport = { readonly code: string; readonly message: string };
interface EntryBase {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** An entry of a session as people read it. */
export type TranscriptEntry =
  | (EntryBase & {
      readonly type: "user";
      readonly text: string;
      readonly user: string;
      readonly senderName?: string;
      /** The message was not meant for the assistant. It is context and gets no answer. */
      readonly heard?: true;
      /** The text is a command that the runtime executes, such as `compact`. */
      readonly command?: string;
    })
  | (EntryBase & {
      readonly type: "note";
      readonly text: string;
      readonly source: string;
      /** Set if the text told the assistant what to do, such as `job`. */
      readonly origin?: string;
    })
  | (EntryBase & {
      readonly type: "tool";
      readonly callId: string;
      readonly name: string;
      readonly input: JsonValue;
      readonly output?: JsonValue;
      readonly error?: ErrorReport;
    })
  | (EntryBase & {
      readonly type: "assistant";
      readonly text: string;
      readonly turnId: string;
      readonly error?: ErrorReport;
      /** Delivery state on a channel: `sent`, `pending`, `unknown` or `dead`. Absent if only the caller got it. */
      readonly delivery?: string;
    })
  /**
   * A summary replaces the turns before this entry. `edited`: a person wrote it. The text is empty if the turns were
   * only dropped; `problem` then says why.
   */
  | (EntryBase & {
      readonly type: "summary";
      readonly text: string;
      /** Number of turns in the summary. */
      readonly turns: number;
      readonly edited: boolean;
      readonly by?: string;
      readonly problem?: string;
    })
  /** `/new`: the assistant does not know what was said before. */
  | (EntryBase & { readonly type: "reset"; readonly by: string });

/** Makes a log readable: messages, tool calls, replies and their delivery. */
export function transcriptOf(records: readonly Sequenced[]): TranscriptEntry[] {
  const results = new Map<string, ToolRecord>();
  const marks: MarkRecord[] = [];
  for (const record of records) {
    if (record.type === "tool" && record.state === "done") results.set(callIdOf(record), record);
    if (record.type === "mark") marks.push(record);
  }
  return records.flatMap((record): TranscriptEntry[] => {
    const base = { seq: record.seq, atMs: record.at };
    switch (record.type) {
      case "in": {
        const { text, source, origin, command } = record;
        if (source !== undefined) return [{ ...base, type: "note", text, source, ...(origin && { origin }) }];
        return [{ ...said(record), ...(command !== undefined && { command }) }];
      }
      case "heard":
        return [{ ...said(record), heard: true }];
      case "compact": {
        const { summary, turns, reason, by, problem } = record;
        const more = { ...(by !== undefined && { by }), ...(problem !== undefined && { problem }) };
        return [{ ...base, type: "summary", text: summary, turns, edited: reason === "edit", ...more }];
      }
      case "reset":
        return [{ ...base, type: "reset", by: record.by }];
      case "note":
        return [{ ...base, type: "note", text: record.text, source: record.source }];
      case "change":
        return [{ ...base, type: "note", text: changeText(record), source: `${record.channel} edit` }];
      case "step":
        return record.calls.map((call, index) => {
          const callId = callIdOf({ turn: record.turn, step: record.step, index });
          const done = results.get(callId);
          const outcome = done?.error ? { error: done.error } : done ? { output: done.output ?? null } : {};
          return { ...base, type: "tool", callId, name: call.name, input: call.input, ...outcome };
        });
      case "out": {
        if (record.silent && !record.error) return [];
        const delivery =
          record.parts.length === 0 ? {} : { delivery: deliveryOf(record.parts.length, record.seq, marks) };
        return [
          {
            ...base,
            type: "assistant",
            text: record.text,
            turnId: record.turn,
            ...(record.error && { error: record.error }),
            ...delivery,
          },
        ];
      }
      default:
        return [];
    }
  });
}

function said({ seq, at, text, user, sender: { name } }: Sequenced<InRecord | HeardRecord>) {
  return { seq, atMs: at, type: "user" as const, text, user, ...(name !== undefined && { senderName: name }) };
}

/** Identifies a call by turn, step and index, because providers reuse their own ids. */
export function callIdOf({ turn, step, index }: { turn: string; step: number; index: number }): string {
  return `${turn}.${step}.${index}`;
}

function deliveryOf(parts: number, seq: number, marks: readonly MarkRecord[]): string {
  const states = Array.from(
    { length: parts },
    (_, part) => marks.findLast((mark) => mark.of === seq && mark.part === part)?.delivery ?? "pending",
  );
  return states.find((state) => state === "dead") ?? states.find((state) => state !== "sent") ?? "sent";
}
