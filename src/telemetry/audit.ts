import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { storeKey } from "../store/index.ts";
import type { JsonValue, LogRecord, Store } from "../store/index.ts";
import type { Logger } from "./logger.ts";
import { silentLogger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Redactor } from "./redact.ts";
import { createRedactor } from "./redact.ts";

/** The format of the lines. */
const FORMAT = 1;

/** One thing that somebody did, or was not let do. Further JSON fields are kept as they are. */
export interface AuditEntry {
  /** The person, as `channel:id`, or the part of the program. */
  readonly who: string;
  /** `<room>.<act>`: `tool.call`, `tool.denied`, `access.refused`, `webhook.rejected`, … */
  readonly what: string;
  /** What it was done to: a tool, a path, a chat. */
  readonly target?: string | undefined;
  /** `ok` and `failed`: it was tried. `denied`: a person, a policy or a guard said no. `refused`: it was not valid, as a wrong token or a forged webhook. */
  readonly verdict: "ok" | "failed" | "denied" | "refused";
  /** Why, for people. */
  readonly reason?: string | undefined;
  /** How much was moved, where that says something. */
  readonly bytes?: number | undefined;
  readonly [field: string]: JsonValue | undefined;
}

/** A line as it is kept: `at` is its time in ISO 8601, UTC. */
export type AuditLine = AuditEntry & {
  /** When it was written, in ISO 8601, UTC. */
  readonly at: string;
};

/** Which lines to read. */
export interface AuditQuery {
  /** `YYYY-MM-DD` in UTC. Default today. */
  readonly day?: string | undefined;
  /** Default 100. */
  readonly limit?: number | undefined;
  /** Only what this one did, as `telegram:42`. */
  readonly who?: string | undefined;
  /** Only such acts: one as `tool.denied`, or a room as `tool`. */
  readonly what?: string | undefined;
}

/** What was done and refused: one JSON line each, in `audit/YYYY-MM-DD.jsonl` (days in UTC). */
export interface Audit {
  /** Contract: never throws and never waits; a line that cannot be written is counted and logged. Secrets are redacted. */
  write(entry: AuditEntry): void;
  /** The lines of one day that fit, oldest first: the newest `limit` (default 100) of them. */
  read(options?: AuditQuery): Promise<readonly AuditLine[]>;
  /** Waits for the lines that are being written, before the store is closed. */
  settled(): Promise<void>;
}

export interface AuditOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: only what looks like a key. */
  readonly redact?: Redactor;
  /** Default: silent. */
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** So many lines of a day are in memory at once where a filter is looked for from the end. */
const NEAR = 10_000;

/** Makes the audit log, a log of the store for each day in UTC. */
export function createAudit(options: AuditOptions): Audit {
  const { store, clock, redact = createRedactor(), logger = silentLogger, metrics } = options;
  const writing = new Set<Promise<void>>();

  async function append(entry: AuditEntry): Promise<void> {
    try {
      const at = new Date(clock.now()).toISOString();
      const record: LogRecord = { v: FORMAT, at, ...redact(entry) };
      await store.append(logOf(at.slice(0, 10)), record, { flush: false });
    } catch (error) {
      metrics?.increment("audit.failure_total");
      logger.error("An audit line could not be written", { what: entry.what, error: messageOf(error) });
    }
  }

  return {
    write(entry) {
      const written = append(entry).finally(() => writing.delete(written));
      writing.add(written);
    },
    async read(query = {}) {
      const { day = new Date(clock.now()).toISOString().slice(0, 10), limit = 100 } = query;
      let lines: AuditLine[] = [];
      // A filter reads the whole day only when too few of the newest lines fit, and keeps no more than what may be answered.
      for (const part of [{ last: limit }, { last: NEAR }, {}]) {
        lines = [];
        for await (const { record } of store.read(logOf(day), part)) {
          if (isLine(record) && fits(record, query)) lines.push(record);
          if (lines.length > 2 * limit) lines.splice(0, lines.length - limit);
        }
        if (lines.length >= limit) break;
      }
      return lines.slice(-limit);
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

/** A log for each day, in their order. */
export const AUDIT = "audit/";
const logOf = (day: string): string => storeKey("audit", `${day}.jsonl`);

function fits(line: AuditLine, { who, what }: AuditQuery): boolean {
  return (
    (who === undefined || line.who === who) &&
    (what === undefined || line.what === what || line.what.startsWith(`${what}.`))
  );
}

function isLine(record: LogRecord): record is AuditLine {
  return typeof record["at"] === "string" && typeof record["who"] === "string" && typeof record["what"] === "string";
}
