import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { storeKey } from "../store/index.ts";
import type { JsonValue, LogRecord, Store } from "../store/index.ts";
import type { Logger } from "./logger.ts";
import { silentLogger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Redactor } from "./redact.ts";
import { createRedactor } from "./redact.ts";

/** Format of the lines. */
const FORMAT = 1;

/** One act, or one refused act. Further JSON fields are stored as they are. */
export interface AuditEntry {
  /** The person, as `channel:id`, or the part of the program. */
  readonly who: string;
  /** `<room>.<act>`: `tool.call`, `tool.denied`, `access.refused`, `webhook.rejected`, … */
  readonly what: string;
  /** The object of the act: a tool, a path, a chat. */
  readonly target?: string | undefined;
  /**
   * `ok` and `failed`: the act was tried. `denied`: a person, a policy or a guard refused it. `refused`: it was not
   * valid, such as a wrong token or a forged webhook.
   */
  readonly verdict: "ok" | "failed" | "denied" | "refused";
  /** Why, for people. */
  readonly reason?: string | undefined;
  /** Number of bytes moved, if relevant. */
  readonly bytes?: number | undefined;
  readonly [field: string]: JsonValue | undefined;
}

/** A stored line: an entry and its time. */
export type AuditLine = AuditEntry & {
  /** Time of the line, in ISO 8601, UTC. */
  readonly at: string;
};

/** Selects audit lines. */
export interface AuditQuery {
  /** Day to read, as `YYYY-MM-DD` in UTC. Default: today. */
  readonly day?: string | undefined;
  /** Maximum number of lines. Default 100. */
  readonly limit?: number | undefined;
  /** Only lines of this actor, such as `telegram:42`. */
  readonly who?: string | undefined;
  /** Only acts of this name, such as `tool.denied`, or of this room, such as `tool`. */
  readonly what?: string | undefined;
}

/** The audit log: acts and refusals, one JSON line each, in `audit/YYYY-MM-DD.jsonl` (days in UTC). */
export interface Audit {
  /**
   * Writes a line. Contract: never throws and never waits; a line that cannot be written is counted and logged.
   * Secrets are redacted.
   */
  write(entry: AuditEntry): void;
  /** Returns the matching lines of one day, oldest first: the newest `limit` (default 100) of them. */
  read(options?: AuditQuery): Promise<readonly AuditLine[]>;
  /** Waits for the lines that are being written, before the store is closed. */
  settled(): Promise<void>;
}

export interface AuditOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: redacts only texts that look like a key. */
  readonly redact?: Redactor;
  /** Default: silent. */
  readonly logger?: Logger;
  readonly metrics?: Metrics;
}

/** Number of a day's newest lines that a filtered query searches before it reads the whole day. */
const NEAR = 10_000;

/** Creates the audit log. Each day in UTC is one log of the store. */
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
      // A filter reads the whole day only if too few of the newest lines match, and keeps at most `2 * limit` lines.
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

/** Prefix of the logs, one per day, in order. */
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
