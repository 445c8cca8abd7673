/**
 * Wakes keys, and nothing else: work is owned by keys (`session:…`, `outbox:…`), and the handler of a key finds out from the store what there is to do.
 * Source: ARCHITECTURE.md, "An engine only wakes keys".
 */
export interface Engine {
  /**
   * Sets the one handler, and begins: keys that were due or running when the last process ended are handled now.
   * Contract: the handler of one key never runs twice at a time; it runs again, with back-off, after a throw or a crash; a wake that arrives
   * while it runs is not lost: it runs once more after. `signal` aborts when the engine stops or the key is nudged.
   */
  start(handle: (key: string, signal: AbortSignal) => Promise<void>): Promise<void>;
  /**
   * Asks that `key` be handled at or after `at` (now when left out). Contract: resolved = durable. Wakes of one key merge: the earliest time holds,
   * and a handler that starts at or after a wake's time answers it. May be called before `start`.
   */
  wake(key: string, at?: Date): Promise<void>;
  /** Another process ended whose work this one takes over: what it left is handled here. Absent: no process has wakes of its own. */
  takeUp?(): Promise<void>;
  /** Best effort: aborts the handler of `key` if it runs here. Where absent, the handler looks for itself. */
  nudge?(key: string): void;
  /** Lets go of what it keeps of keys that owe nothing any more, and drops what is asked of keys that are gone. Absent: it keeps nothing of them. */
  compact?(isGone?: (key: string) => boolean): Promise<void>;
  /** Aborts what runs and waits for it. Contract: nothing is handled afterwards; wakes that were not answered are found by the next start. */
  stop(): Promise<void>;
}
