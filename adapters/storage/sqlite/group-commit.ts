import { setImmediate } from "node:timers";
import { AssistantError } from "../../../mod.ts";
import type { Driver } from "./driver.ts";
import { inTransaction } from "./schema.ts";

interface Job {
  readonly flush: boolean;
  run(): void;
  commit(): void;
  reject(error: unknown): void;
}

export type GroupCommit = ReturnType<typeof createGroupCommit>;

/**
 * Puts the writes of one turn of the event loop into one transaction, so that they share its one fsync.
 * A write that is refused (a conflict, a wrong kind of key) throws before it changes anything, and the others go on.
 */
export function createGroupCommit(database: Driver, failed: (cause: unknown) => Error) {
  let queue: Job[] = [];
  let synchronous: "FULL" | "NORMAL" = "FULL";

  function commitQueue(): void {
    const jobs = queue;
    queue = [];
    const accepted: Job[] = [];
    try {
      // A transaction with nothing to make durable is handed to the operating system only; the next FULL one syncs it too.
      const wanted = jobs.some((job) => job.flush) ? "FULL" : "NORMAL";
      if (wanted !== synchronous) database.exec(`PRAGMA synchronous = ${wanted}`);
      synchronous = wanted;
      inTransaction(database, () => {
        for (const job of jobs) {
          try {
            job.run();
            accepted.push(job);
          } catch (error) {
            if (!isRefusal(error)) throw error;
            job.reject(error);
          }
        }
      });
    } catch (cause) {
      const error = failed(cause);
      for (const job of jobs) job.reject(error); // those refused above have settled already
      return;
    }
    for (const job of accepted) job.commit();
  }

  return {
    /** Runs `work` inside the next transaction and resolves with its result when that is committed. */
    write<T>(work: () => T, options: { flush: boolean }): Promise<T> {
      return new Promise((resolve, reject) => {
        let result: { value: T } | undefined;
        queue.push({
          flush: options.flush,
          reject,
          run() {
            result = { value: work() };
          },
          commit() {
            if (result !== undefined) resolve(result.value);
          },
        });
        if (queue.length === 1) setImmediate(commitQueue);
      });
    },
    /** Resolves when nothing is waiting. */
    async idle(): Promise<void> {
      while (queue.length > 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    },
  };
}

const isRefusal = (error: unknown) => AssistantError.is(error, "CONFLICT") || error instanceof TypeError;
