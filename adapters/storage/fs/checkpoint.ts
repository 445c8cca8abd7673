import type { Clock } from "../../../mod.ts";
import { messageOf } from "../../../kit.ts";
import type { Logs } from "./logs.ts";
import type { Reporter } from "./report.ts";
import type { Wal } from "./wal.ts";

/** How far a log's file may lag behind the write-ahead log while the store is in use. */
const INTERVAL_MS = 2_000;
/** A longer segment ends at once. This bounds memory and the time that a start takes after a crash. */
const SEGMENT_BYTES = 8 * 1024 * 1024;
/** Small, since the file calls of each runtime share about four threads and the write-ahead log needs one of them. */
const FILES_AT_ONCE = 2;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Copies the write-ahead log into the logs' own files, then removes the segments that held it.
 *
 * In one tick the segment ends and every log hands over its buffer, so the ended segments hold exactly what was
 * handed over. A segment is removed only when all of that is durable in files. It is never truncated in place:
 * records appended in the meantime would be lost with it.
 */
export function createCheckpoints(parts: {
  logs: Logs;
  wal: Wal;
  clock: Clock;
  report: Reporter;
  /** Throws once another process has taken the store: this process must then write nothing more. */
  check(): void;
}) {
  const { logs, wal, clock, report, check } = parts;
  let running: Promise<void> | undefined;
  let cancelTimer: (() => void) | undefined;
  let stopped = false;
  let hasFailedAtEnd = false;
  let count = 0;

  async function runOnce(): Promise<void> {
    try {
      check();
    } catch (error) {
      stop();
      throw error;
    }
    let taken: ReturnType<Logs["takeDirty"]> = [];
    const segments = await wal.rotate(() => {
      taken = logs.takeDirty();
    });
    const failures: unknown[] = [];
    const left = taken.values();
    const worker = async () => {
      for (const state of left) await logs.writeOut(state).catch((error: unknown) => failures.push(error));
    };
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, worker));
    if (failures.length > 0) throw failures[0];
    await logs.syncNames();
    await wal.discard(segments);
    logs.evict();
    count++;
  }

  /**
   * Joins the run in progress, or starts one. Rejects with the disk's error; everything then stays in the write-ahead
   * log.
   */
  function run(): Promise<void> {
    cancelTimer?.();
    cancelTimer = undefined;
    running ??= runOnce().finally(() => {
      running = undefined;
      if (logs.hasDirty()) schedule();
    });
    return running;
  }

  function failed(cause: unknown): void {
    report({
      kind: "checkpoint-failed",
      level: "warning",
      cause,
      message: `Logs could not be written to their files; they are safe in the write-ahead log, and the write is retried: ${messageOf(cause)}`,
    });
  }

  const runReported = () => run().catch(failed);

  function schedule(): void {
    if (stopped || running !== undefined) return;
    if (wal.segmentBytes() > SEGMENT_BYTES) {
      void runReported();
      return;
    }
    cancelTimer ??= clock.at(clock.now() + INTERVAL_MS, () => {
      cancelTimer = undefined;
      void runReported();
    });
  }

  function stop(): void {
    stopped = true;
    cancelTimer?.();
    cancelTimer = undefined;
  }

  return {
    /** Called after each write. */
    schedule,
    failed,
    /** Starts a run without waiting for the timer. */
    start: () => void runReported(),
    /** When it resolves, everything appended before the call is in its file. */
    async complete(): Promise<void> {
      await running?.catch(() => undefined);
      await run();
    },
    stop,
    /**
     * Called at the end of a process that closed no store. Tries once: a process whose writes keep failing would
     * never end.
     */
    flush(): void {
      if (stopped || hasFailedAtEnd || !logs.hasDirty()) return;
      run().catch((cause: unknown) => {
        hasFailedAtEnd = true;
        failed(cause);
      });
    },
    count: () => count,
  };
}
