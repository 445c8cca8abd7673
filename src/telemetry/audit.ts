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
  readonly verdict: "ok" | "failed" | "denied" | "refused";
  /** Why, for people. */
  readonly reason?: string | undefined;
  readonly bytes?: number | undefined;
  readonly [field: string]: JsonValue | undefined;
}

/** A line as it is kept: `at` is its time in ISO 8601, UTC. */
export type AuditLine = AuditEntry & { readonly at: string };

/** What was done and refused: one JSON line each, in `audit/YYYY-MM-DD.jsonl` (days in UTC). */
export interface Audit {
  /** Contract: never throws and never waits; a line that cannot be written is counted and logged. Secrets are redacted. */
  write(entry: AuditEntry): void;
  /** The lines of one day, oldest first: the newest `limit` (default 100) of them. `day` is `YYYY-MM-DD`, today in UTC when left out. */
  read(options?: { readonly day?: string; readonly limit?: number }): Promise<readonly AuditLine[]>;
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
    async read({ day = new Date(clock.now()).toISOString().slice(0, 10), limit = 100 } = {}) {
      const lines: AuditLine[] = [];
      for await (const { record } of store.read(logOf(day), { last: limit })) if (isLine(record)) lines.push(record);
      return lines;
    },
    async settled() {
      await Promise.all(writing);
    },
  };
}

const logOf = (day: string): string => storeKey("audit", `${day}.jsonl`);

function isLine(record: LogRecord): record is AuditLine {
  return typeof record["at"] === "string" && typeof record["who"] === "string" && typeof record["what"] === "string";
}
