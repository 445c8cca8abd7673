import type { Store } from "../store/index.ts";
import { type CompactRecord, SESSION_FORMAT, type Sequenced } from "./records.ts";
import { summariesOf } from "./sessions.ts";

/** Default number of summaries that are read. */
const STANDARD_LIMIT = 100;

/** A line of `summary.jsonl`. Source: docs/sessions.md, "Summaries". */
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
  /** Sequence number of the record in the session's log. */
  readonly seq: number;
}

/** A former or current summary of a session's older turns. */
export interface SessionSummaryText {
  /** Sequence number of the record in the session's log. */
  readonly seq: number;
  /** When it was written, milliseconds since the epoch. */
  readonly atMs: number;
  /** Empty if the turns were only dropped. */
  readonly summary: string;
  /** This summary added the turns whose reply lies in `from` (inclusive) to `to` (exclusive). */
  readonly range: { readonly from: number; readonly to: number };
  /** Number of turns in the summary, including those of earlier summaries. */
  readonly turns: number;
  /** Estimated tokens of the history before. */
  readonly tokensBefore: number;
  /** Estimated tokens of the history after, with the summary in place of the turns. */
  readonly tokensAfter: number;
  /** `edit`: a person wrote it. */
  readonly reason: CompactRecord["reason"];
  /** Why no model wrote it, if none did. */
  readonly problem?: string;
  /** The writer of an `edit`, as `channel:id`. */
  readonly by?: string;
}

export type Summaries = ReturnType<typeof createSummaries>;

/**
 * The summaries of a session, one per line in `summary.jsonl` next to its log, so that they can be read without it.
 * The log is the truth: a line that a crash prevented is added when the summaries are listed.
 */
export function createSummaries({ store }: { readonly store: Store }) {
  /** Called after the record is in the session's log. Idempotent. */
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

  /**
   * Lists the newest `limit` (default 100) summaries, oldest first. `newest`: the session's current one, which
   * is added if its line is missing.
   */
  async function list(
    key: string,
    { newest, limit = STANDARD_LIMIT }: { newest?: Sequenced<CompactRecord> | undefined; limit?: number } = {},
  ): Promise<readonly SessionSummaryText[]> {
    const read = async () => {
      const bySeq = new Map<number, SessionSummaryText>();
      for await (const { record } of store.read(summariesOf(key), { last: limit })) {
        // `add` wrote it, and a store returns what was put.
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
