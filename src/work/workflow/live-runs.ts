import type { AssistantError } from "../../errors.ts";
import type { Platform } from "../../platform.ts";
import type { WorkflowRun } from "../../workflow/index.ts";

/**
 * Runs that this process works on, and the waiters for runs here. Their state is in their documents; this only signals
 * when to read them.
 */
export type LiveRuns = ReturnType<typeof createLiveRuns>;

/** @param keepAlive Keeps the process alive while a waiter exists. */
export function createLiveRuns(keepAlive: Platform["keepAlive"]) {
  const looking = new Map<string, () => void>();
  const waiting = new Map<string, Set<(run: WorkflowRun) => void>>();
  const closing = new AbortController();
  return {
    /**
     * Registers a run that is worked on here. `look` is called when another writer changed its document.
     * @returns A function that ends the registration.
     */
    enter(runId: string, look: () => void): () => void {
      looking.set(runId, look);
      return () => void looking.delete(runId);
    },
    /** To be called when a run's document was changed. */
    changed: (runId: string): void => looking.get(runId)?.(),
    ended(run: WorkflowRun): void {
      for (const tell of waiting.get(run.id) ?? []) tell(run);
      waiting.delete(run.id);
    },
    /** Rejects all waiters: no run ends in this process any more. */
    close: (reason: AssistantError): void => closing.abort(reason),
    /** Resolves with the run when it has ended. @param newest Reads the run, once the waiter is registered. */
    async whenEnded(
      runId: string,
      newest: () => Promise<WorkflowRun | undefined>,
      signal: AbortSignal | undefined,
    ): Promise<WorkflowRun> {
      const leaving = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      leaving.throwIfAborted();
      const release = keepAlive();
      let resolve: (run: WorkflowRun) => void = () => {};
      let reject: (reason: unknown) => void = () => {};
      const promise = new Promise<WorkflowRun>((...settle) => ([resolve, reject] = settle));
      const leave = () => reject(leaving.reason);
      const all = waiting.get(runId) ?? new Set();
      waiting.set(runId, all.add(resolve));
      leaving.addEventListener("abort", leave, { once: true });
      try {
        const known = await newest();
        if (known) resolve(known);
        return await promise;
      } finally {
        release();
        leaving.removeEventListener("abort", leave);
        all.delete(resolve);
        if (all.size === 0 && waiting.get(runId) === all) waiting.delete(runId);
      }
    },
  };
}
