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
 * Combines the writes of one turn of the event loop into one transaction with one fsync. A write that is refused (a
 * conflict, a wrong kind of key) throws before it changes anything, and the others continue.
 */
export function createGroupCommit(database: Driver, failed: (cause: unknown) => Error) {
  let queue: Job[] = [];
  let synchronous: "FULL" | "NORMAL" = "FULL";

  function commitQueue(): void {
    const jobs = queue;
    queue = [];
    const accepted: Job[] = [];
    try {
      // A transaction with nothing to flush only reaches the operating system; the next FULL transaction syncs it too.
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
      for (const job of jobs) job.reject(error); // no effect on the jobs refused above, which have settled
      return;
    }
    for (const job of accepted) job.commit();
  }

  return {
    /** Runs `work` inside the next transaction and resolves with its result after the commit. */
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
    /** Resolves when no write is waiting. */
    async idle(): Promise<void> {
      while (queue.length > 0) await new Promise<void>((resolve) => void setImmediate(resolve));
    },
  };
}

const isRefusal = (error: unknown) => AssistantError.is(error, "CONFLICT") || error instanceof TypeError;
