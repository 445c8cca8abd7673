/**
 * The engine of a Cloudflare Durable Object: `durableObjectsEngine(state)`, on the object's SQLite storage and its one alarm.
 *
 * @module
 */
import { AssistantError, systemClock } from "../../../mod.ts";
import { wakeBackoffMs, type Engine } from "../../../kit.ts";
import type { Clock } from "../../../mod.ts";

/**
 * The part of a Durable Object's `state` (`ctx`) that the engine uses. Source:
 * https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/
 */
export interface DurableObjectEngineState {
  /** The object's own SQLite database and its one alarm. */
  readonly storage: {
    /** The synchronous SQL API. The engine keeps its wakes there. */
    readonly sql: {
      /** Runs one statement with its `?` bound in order. Throws when SQLite refuses it. */
      exec(query: string, ...bindings: (string | number)[]): { toArray(): Record<string, unknown>[] };
    };
    /** When the alarm is due, in milliseconds since the epoch; `null` when none is set. */
    getAlarm(): Promise<number | null>;
    /** Sets the object's alarm, in milliseconds since the epoch. Replaces an earlier alarm. */
    setAlarm(timeMs: number): Promise<void>;
    /** Resolves when all writes so far are durable. */
    sync(): Promise<void>;
  };
  /** Keeps the object alive until the promise settles. Absent where the runtime has no such call. */
  waitUntil?(promise: Promise<unknown>): void;
}

/** Options of `durableObjectsEngine`. */
export interface DurableObjectsEngineOptions {
  /** Default: the wall clock. */
  readonly clock?: Pick<Clock, "now">;
  /** Gets every error of a handler (with its key) and every storage failure that no caller waits for. Default: no reports. */
  readonly onError?: (error: unknown, key: string | undefined) => void;
  /**
   * Milliseconds that a key waits after its handler threw `failures` times in a row. Default: 1 s, 5 s, 25 s, … at most
   * 5 minutes.
   */
  readonly backoffMs?: (failures: number) => number;
  /** While handlers run, an alarm this many milliseconds ahead revives the object if it dies. Default 5000. */
  readonly guardMs?: number;
}

/** An engine that is as durable as the object's storage. The object's alarm wakes it. */
export interface DurableObjectsEngine extends Engine {
  /**
   * The object's `alarm()` must call and await this.
   * Contract: never throws, since Cloudflare drops an alarm after six failures in a row; it sets the next alarm itself.
   */
  alarm(): Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  /** The rows that the run handles. */
  readonly taken: readonly number[];
  nudged: boolean;
}

/**
 * Wakes keys inside one Durable Object. A wake is a row in a table, and the object's alarm is set to the earliest row.
 *
 * A due wake is handled at once, in the same request. The alarm covers later times and the death of the object.
 * The object must call `alarm()` from its own `alarm()` and start the engine whenever it is constructed.
 *
 * Source: docs/decisions/0002-engine-only-wakes-keys.md.
 *
 * @example
 * ```ts
 * export class Tenant extends DurableObject {
 *   engine = durableObjectsEngine(this.ctx);
 *   override alarm() { return this.engine.alarm(); }
 * }
 * ```
 */
export function durableObjectsEngine(
  state: DurableObjectEngineState,
  options: DurableObjectsEngineOptions = {},
): DurableObjectsEngine {
  const { clock = systemClock(), onError, backoffMs = wakeBackoffMs, guardMs = 5000 } = options;
  const { storage } = state;
  const running = new Map<string, Running>();
  let handle: ((key: string, signal: AbortSignal) => Promise<void>) | undefined;
  let stopped = false;
  let tablesExist = false;
  /** When the alarm is due, as far as this instance of the object knows. */
  let alarmMs = Infinity;
  const onSettled: (() => void)[] = [];

  function report(error: unknown, key?: string): void {
    try {
      onError?.(error, key);
    } catch {
      // An error of the reporter must not stop the key that it reports about.
    }
  }

  function rows(query: string, ...bindings: (string | number)[]): Record<string, unknown>[] {
    if (!tablesExist) {
      storage.sql.exec(
        `CREATE TABLE IF NOT EXISTS wakeful_due (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL, at INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0);
         CREATE INDEX IF NOT EXISTS wakeful_due_key ON wakeful_due (key);
         CREATE INDEX IF NOT EXISTS wakeful_due_at ON wakeful_due (at)`,
      );
      tablesExist = true;
    }
    return storage.sql.exec(query, ...bindings).toArray();
  }

  /**
   * Sets the alarm to the earliest row that no run handles, and early enough to guard running handlers. An alarm that
   * is already set earlier stays and may fire without work.
   */
  function arm(notBeforeMs = 0): void {
    const taken = new Set<unknown>();
    for (const run of running.values()) for (const n of run.taken) taken.add(n);
    const next = rows("SELECT n, at FROM wakeful_due ORDER BY at LIMIT ?", taken.size + 1).find(
      ({ n }) => !taken.has(n),
    );
    const nowMs = clock.now();
    let dueMs = next === undefined ? Infinity : Math.max(Number(next["at"]), nowMs);
    // This request starts the due wakes, so only the guard alarm is needed.
    if (dueMs === nowMs && handle !== undefined) dueMs = nowMs + guardMs;
    if (running.size > 0) dueMs = Math.min(dueMs, nowMs + guardMs);
    dueMs = Math.max(dueMs, notBeforeMs);
    if (dueMs < alarmMs) setAlarm(dueMs);
  }

  function setAlarm(timeMs: number): void {
    alarmMs = timeMs;
    storage.setAlarm(timeMs).catch((error: unknown) => {
      alarmMs = Infinity;
      report(error);
    });
  }

  async function wake(key: string, at?: Date): Promise<void> {
    const nowMs = clock.now();
    const dueMs = at === undefined ? nowMs : Math.max(nowMs, at.getTime());
    if (Number.isNaN(dueMs)) throw new RangeError(`Cannot wake ${key} as its time is not a valid date`);
    const taken = running.get(key)?.taken ?? [];
    const covered = rows("SELECT n FROM wakeful_due WHERE key = ? AND at <= ?", key, dueMs);
    if (covered.every(({ n }) => taken.includes(Number(n)))) {
      // "Now" is stored as time 0, so that the wake stays due when the clock is set back.
      rows("INSERT INTO wakeful_due (key, at) VALUES (?, ?)", key, dueMs === nowMs ? 0 : dueMs);
    }
    arm(); // in the same tick, so that the row and the alarm become durable together
    await storage.sync();
    try {
      startIfDue(key);
    } catch (error) {
      report(error, key);
    }
  }

  function startIfDue(key: string): void {
    if (handle === undefined || stopped || running.has(key)) return;
    const taken = rows("SELECT n FROM wakeful_due WHERE key = ? AND at <= ?", key, clock.now()).map(({ n }) =>
      Number(n),
    );
    if (taken.length === 0) return;
    const run: Running = { controller: new AbortController(), taken, nudged: false };
    running.set(key, run);
    arm();
    let handling: Promise<void>;
    try {
      handling = Promise.resolve(handle(key, run.controller.signal));
    } catch (error) {
      handling = Promise.reject(error);
    }
    const ended = handling.then(
      () => settle(key, run, () => answered(key, run)),
      (error: unknown) => settle(key, run, () => failed(key, run, error)),
    );
    state.waitUntil?.(ended);
  }

  function settle(key: string, run: Running, write: () => void): void {
    running.delete(key);
    try {
      // A handler that `stop` aborted may have ended early, so the next start runs it again.
      if (run.nudged || !run.controller.signal.aborted) write();
      startIfDue(key);
      arm();
    } catch (error) {
      report(error, key);
    }
    if (running.size === 0) for (const resolve of onSettled.splice(0)) resolve();
  }

  function answered(key: string, run: Running): void {
    for (const n of run.taken) rows("DELETE FROM wakeful_due WHERE n = ?", n);
    rows("DELETE FROM wakeful_due WHERE key = ? AND failures > 0", key);
  }

  function failed(key: string, run: Running, error: unknown): void {
    if (run.nudged) return;
    report(error, key);
    const nowMs = clock.now();
    const [worst] = rows("SELECT MAX(failures) AS failures FROM wakeful_due WHERE key = ?", key);
    const [standing] = rows(
      "SELECT MIN(at) AS at FROM wakeful_due WHERE key = ? AND failures > 0 AND at > ?",
      key,
      nowMs,
    );
    // Many wakes during one cause of failure must not add up to a wait that outlasts it: the time of the next try stays.
    const standsAtMs = standing?.["at"] == null ? undefined : Number(standing["at"]);
    const failures = Number(worst?.["failures"] ?? 0) + (standsAtMs === undefined ? 1 : 0);
    const untilMs = Math.min(standsAtMs ?? Infinity, nowMs + backoffMs(failures));
    rows("UPDATE wakeful_due SET at = ?, failures = ? WHERE key = ? AND at <= ?", untilMs, failures, key, untilMs);
  }

  function startAllDue(): void {
    for (const { key } of rows("SELECT DISTINCT key FROM wakeful_due WHERE at <= ?", clock.now())) {
      if (typeof key === "string") startIfDue(key);
    }
  }

  return {
    async start(handler) {
      if (handle !== undefined && !stopped) {
        throw new TypeError("Cannot start the engine as it is already running: stop it first");
      }
      const standing = await storage.getAlarm();
      alarmMs = standing ?? Infinity;
      rows("UPDATE wakeful_due SET at = 0 WHERE failures > 0"); // a wake that waits after an error is tried at once
      handle = handler;
      stopped = false;
      startAllDue();
      arm();
    },
    wake,
    nudge(key) {
      const run = running.get(key);
      if (run === undefined) return;
      run.nudged = true;
      run.controller.abort(new AssistantError("ABORTED", `Nudged: ${key} has something newer to look at`));
    },
    async compact(isGone = () => false) {
      for (const { key } of rows("SELECT DISTINCT key FROM wakeful_due"))
        if (typeof key === "string" && !running.has(key) && isGone(key))
          rows("DELETE FROM wakeful_due WHERE key = ?", key);
    },
    async stop() {
      stopped = true;
      const reason = new AssistantError("STOPPED", "The engine stops: the key is handled again at the next start");
      for (const { controller } of running.values()) controller.abort(reason);
      if (running.size > 0) await new Promise<void>((resolve) => onSettled.push(resolve));
    },
    async alarm() {
      alarmMs = Infinity;
      try {
        if (handle === undefined || stopped) return arm(clock.now() + guardMs);
        startAllDue();
        arm();
      } catch (error) {
        report(error);
        setAlarm(clock.now() + guardMs);
      }
    },
  };
}
