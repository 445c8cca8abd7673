import { ConflictError, messageOf } from "../errors.ts";
import {
  type LogRecord,
  type ReadableRoom,
  type Store,
  areObjects,
  isObject,
  listKeys,
  readDocument,
  refuseNewer,
  rewriteLog,
  storeKey,
} from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { type DayTotals, type UsageTotals, createDayTotals, totalsOf } from "./totals.ts";

/** The sums of one day, and how much of its log they include. */
export interface Day {
  /** `2026-11-22`. */
  readonly name: string;
  readonly totals: DayTotals;
  /** The last log line that the sums include. */
  seq: number;
  /** The last line that the saved sums include, and their version. */
  savedSeq: number;
  version: string | null;
}

/** Format version of lines and sums. */
export const FORMAT = 1;

export type UsageLine = readonly [model: string, user: string, used: UsageTotals, purpose?: string];

export function newDay(name: string): Day {
  return { name, totals: createDayTotals(), seq: 0, savedSeq: 0, version: null };
}

/**
 * Usage per day: the log `usage/<day>.jsonl` has one line per call, and the document `usage/<day>.json` has
 * the sums up to one of its lines.
 */
export function createDayStore(store: Store, logger?: Pick<Logger, "error">) {
  /** @returns Null if the day cannot be read. The log reports it, and the other days count. */
  function read(name: string): Promise<Day | null> {
    return readWhole(name).catch((error: unknown) => {
      logger?.error("A document cannot be read and is left out", { day: name, error: messageOf(error) });
      return null;
    });
  }

  async function readWhole(name: string): Promise<Day> {
    // Unreadable sums are rebuilt from the log.
    const saved = await store.get(sumsOf(name)).catch(leftOut(logger));
    const value = saved !== null && !(saved.value instanceof Uint8Array) && isObject(saved.value) ? saved.value : {};
    refuseNewer(value["v"], FORMAT, sumsOf(name));
    const seq = typeof value["seq"] === "number" ? value["seq"] : 0;
    const day: Day = { name, totals: createDayTotals(value), seq, savedSeq: seq, version: saved?.version ?? null };
    for await (const line of store.read(logOf(name), { after: seq })) {
      refuseNewer(line.record["v"], FORMAT, logOf(name));
      day.totals.add(...lineOf(line.record));
      day.seq = line.seq;
    }
    return day;
  }

  /**
   * Contract: the log has all lines that the sums include. Sums are a fold of the log up to a line, so after a
   * conflict the other writer's are just as valid.
   */
  async function save(day: Day): Promise<void> {
    if (day.seq <= day.savedSeq) return;
    const { seq } = day;
    const { models, users } = day.totals.view();
    try {
      const unattended = day.totals.unattendedByUser();
      const value = {
        v: FORMAT,
        seq,
        models: jsonOf(models),
        users: jsonOf(users),
        ...(Object.keys(unattended).length > 0 && { unattended }),
      };
      day.version = await store.put(sumsOf(day.name), value, { expect: day.version });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
      day.version = typeof error.actual === "string" ? error.actual : null;
    }
    day.savedSeq = seq;
  }

  return {
    read,
    save,
    /** @returns Sequence number of the last line. */
    async append(day: Day, lines: readonly LogRecord[]): Promise<number> {
      const { seq } = await store.append(logOf(day.name), lines, { flush: false });
      return seq;
    },
    /** Yields the lines after those in the sums, up to `until`. */
    async *linesUntil(day: Day, until: number): AsyncIterable<UsageLine> {
      if (until <= day.seq) return;
      for await (const { record } of store.read(logOf(day.name), { after: day.seq, limit: until - day.seq }))
        yield lineOf(record);
    },
    /** See `UsageRecorder.rename`. Sums and lines keep their order and number. */
    async rename(
      isTheirs: (user: string) => boolean,
      to: string,
      isTheirSession: (session: string) => boolean = () => false,
    ): Promise<void> {
      const named = <User>(user: User) => (typeof user === "string" && isTheirs(user) ? to : user);
      for (const key of await listKeys(store, "usage/")) {
        if (key.endsWith(".jsonl")) {
          await rewriteLog(store, key, (line) => {
            const session = line["session"];
            const user = named(line["user"]);
            const isThere = typeof session === "string" && isTheirSession(session);
            return user === line["user"] && !isThere ? line : { ...line, user, session: to };
          });
          continue;
        }
        const saved = await store.get(key);
        if (saved === null || saved.value instanceof Uint8Array || !isObject(saved.value)) continue;
        const { users, unattended } = saved.value;
        if (!isObject(users) || !Object.keys(users).some(isTheirs)) continue;
        const spent: Record<string, number> = {};
        for (const [user, tokens] of Object.entries(isObject(unattended) ? unattended : {})) {
          const name = named(user);
          spent[name] = (spent[name] ?? 0) + Number(tokens);
        }
        const renamed = createDayTotals({ models: {}, users: {} });
        for (const [user, used] of Object.entries(users)) renamed.add("", named(user), totalsOf(used));
        const changed = { users: jsonOf(renamed.view().users), ...(isObject(unattended) && { unattended: spent }) };
        await store.put(key, { ...saved.value, ...changed }, { expect: saved.version });
      }
    },
    /** The days of a month, such as `2026-11`, that have records. */
    async daysOf(month: string): Promise<ReadonlySet<string>> {
      const names = new Set<string>();
      for await (const { key } of store.list(`usage/${month}`)) names.add(key.slice("usage/".length).slice(0, 10));
      return names;
    },
    /** Removes the logs of days before this one. Their sums stay. */
    async forgetLinesBefore(name: string): Promise<void> {
      const old: string[] = [];
      for await (const { key } of store.list("usage/")) {
        const day = /^usage\/(\d{4}-\d\d-\d\d)\.jsonl$/.exec(key)?.[1];
        if (day !== undefined && day < name) old.push(day);
      }
      for (const day of old) {
        const found = await read(day);
        if (found === null) continue;
        await save(found);
        await store.remove(logOf(day));
      }
    },
  };
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` if the value has no sums of a day. */
function readSums(value: unknown, key: string): unknown {
  return readDocument(value, key, FORMAT, ({ models, users }) => areObjects([models, users]));
}

export function lineOf(line: LogRecord): UsageLine {
  const { purpose } = line;
  const used = [nameIn(line["model"]), nameIn(line["user"]), totalsOf({ ...line, calls: 1 })] as const;
  return typeof purpose === "string" ? [...used, purpose] : used;
}

/** Logs of calls, and the sums of days. */
export const USAGE_FILES: ReadableRoom = ["usage/", readSums];
const logOf = (day: string): string => storeKey("usage", `${day}.jsonl`);
const sumsOf = (day: string): string => storeKey("usage", `${day}.json`);

function nameIn(value: LogRecord[string]): string {
  return typeof value === "string" ? value : "other";
}

function jsonOf(totals: Readonly<Record<string, UsageTotals>>) {
  return Object.fromEntries(Object.entries(totals).map(([name, used]) => [name, { ...used }]));
}
