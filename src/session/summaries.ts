import type { Store } from "../store/index.ts";
import { type CompactRecord, SESSION_FORMAT, type Sequenced } from "./records.ts";
import { summariesOf } from "./sessions.ts";

/** Summaries that are read when nothing else is asked for. */
const STANDARD_LIMIT = 100;

/** One line of `summary.jsonl`. Source: docs/sessions.md, "Summaries". */
interface SummaryLine {
  readonly v: typeof SESSION_FORMAT;
  readonly role: "compact";
  readonly summary: string;
  readonly range: { readonly from: number; readonly to: number };
  readonly tokens_before: number;
  readonly tokens_after: number;
  /** ISO 8601, UTC. */
  readonly ts: string;
  readonly turns: number;
  readonly reason: CompactRecord["reason"];
  readonly problem?: string;
  readonly by?: string;
  /** Of the record in the session's log. */
  readonly seq: number;
}

/** What stood, or stands, for older turns of a session. */
export interface SessionSummaryText {
  /** Of the record in the session's log. */
  readonly seq: number;
  /** When it was written, milliseconds since the epoch. */
  readonly atMs: number;
  /** Empty when the turns were only dropped. */
  readonly summary: string;
  /** Turns whose reply lies in `from` (inclusive) to `to` (exclusive) came to it with this one. */
  readonly range: { readonly from: number; readonly to: number };
  /** Turns that it tells, with those of the summaries before it. */
  readonly turns: number;
  /** Estimated tokens of the history before and after. */
  readonly tokensBefore: number;
  /** As `tokensBefore`, with the summary in place of the turns. */
  readonly tokensAfter: number;
  /** `edit`: a person wrote it. */
  readonly reason: CompactRecord["reason"];
  /** Why no model wrote it, if none did. */
  readonly problem?: string;
  /** Of `edit`: who wrote it, as `channel:id`. */
  readonly by?: string;
}

export type Summaries = ReturnType<typeof createSummaries>;

/**
 * The summaries of a session, one a line in `summary.jsonl` beside its log, so that they can be read without it. The log is the truth: a line that a crash
 * kept back is added when they are listed.
 */
export function createSummaries({ store }: { readonly store: Store }) {
  /** Called when the record is in the session's log. Adding it twice is harmless. */
  async function add(key: string, record: Sequenced<CompactRecord>): Promise<void> {
    const { seq, at, summary, range, turns, reason, problem, by, tokensBefore, tokensAfter } = record;
    const line: SummaryLine = {
      v: SESSION_FORMAT,
      role: "compact",
      summary,
      range,
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
      ts: new Date(at).toISOString(),
      turns,
      reason,
      ...(problem !== undefined && { problem }),
      ...(by !== undefined && { by }),
      seq,
    };
    await store.append(summariesOf(key), { ...line }, { id: `compact:${seq}` });
  }

  /** Oldest first, the newest `limit` (default 100). `newest`: the session's own, which is added when its line is missing. */
  async function list(
    key: string,
    { newest, limit = STANDARD_LIMIT }: { newest?: Sequenced<CompactRecord> | undefined; limit?: number } = {},
  ): Promise<readonly SessionSummaryText[]> {
    const read = async () => {
      const bySeq = new Map<number, SessionSummaryText>();
      for await (const { record } of store.read(summariesOf(key), { last: limit })) {
        // Written by `add`; a store gives back what was put.
        const found = summaryOf(record as unknown as SummaryLine);
        bySeq.set(found.seq, found);
      }
      return bySeq;
    };
    let found = await read();
    if (newest && !found.has(newest.seq)) {
      await add(key, newest);
      found = await read();
    }
    return [...found.values()].sort((a, b) => a.seq - b.seq);
  }

  return { add, list };
}

function summaryOf(line: SummaryLine): SessionSummaryText {
  const { seq, ts, summary, range, turns, tokens_before, tokens_after, reason, problem, by } = line;
  return {
    seq,
    atMs: Date.parse(ts),
    summary,
    range,
    turns,
    tokensBefore: tokens_before,
    tokensAfter: tokens_after,
    reason,
    ...(problem !== undefined && { problem }),
    ...(by !== undefined && { by }),
  };
}
