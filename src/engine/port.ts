/**
 * Wakes keys, and nothing else: each piece of work has a key (`session:…`, `outbox:…`), and the key's handler reads
 * from the store what there is to do.
 * Source: ARCHITECTURE.md, "An engine only wakes keys".
 */
export interface Engine {
  /**
   * Sets the only handler, and starts: keys that were due or running when the last process ended are handled now.
   * Contract: the handler of one key never runs twice at a time. It runs again, with back-off, after a throw or a
   * crash. A wake that arrives while it runs is not lost: it runs once more afterwards. `signal` aborts when the
   * engine stops or the key is nudged.
   */
  start(handle: (key: string, signal: AbortSignal) => Promise<void>): Promise<void>;
  /**
   * Asks for `key` to be handled at or after `at`. Default: now. Contract: once it resolves, the wake is durable.
   * Wakes of one key merge: the earliest time applies, and a handler that starts at or after a wake's time answers
   * it. Can be called before `start`.
   */
  wake(key: string, at?: Date): Promise<void>;
  /**
   * Takes over the wakes of another process that ended, and handles them here. Absent: processes have no wakes of
   * their own.
   */
  takeUp?(): Promise<void>;
  /** Aborts the handler of `key` if it runs here, as best effort. Absent: the handler must check by itself. */
  nudge?(key: string): void;
  /**
   * Deletes what is stored about keys without pending wakes, and drops the wakes of keys for which `isGone` is true.
   * Absent: the engine stores nothing about them.
   */
  compact?(isGone?: (key: string) => boolean): Promise<void>;
  /**
   * Aborts the running handlers and waits for them. Contract: nothing is handled afterwards; the next start finds
   * unanswered wakes.
   */
  stop(): Promise<void>;
}
