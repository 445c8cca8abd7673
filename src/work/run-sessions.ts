import type { Engine } from "../engine/index.ts";
import type { Runs } from "../schedule/index.ts";
import { type SessionLife, parseRunSession } from "../session/index.ts";

const KEYS = "run-session:";

/**
 * @returns What looks whether the session of an isolated job's run has ended, soon and also after a crash; of any other session it does nothing. To be called
 * once the run, a request for approval or a late result of the session has ended.
 */
export function createRunSessionWakes({ engine }: { readonly engine: Pick<Engine, "wake"> }) {
  return async function mayHaveEnded(sessionKey: string): Promise<void> {
    if (parseRunSession(sessionKey) !== null) await engine.wake(KEYS + sessionKey);
  };
}

export interface RunSessionsDeps {
  readonly runs: Pick<Runs, "find">;
  /** Each says whether something that a session's turns asked for is to come. */
  readonly waits: readonly ((sessionKey: string) => Promise<boolean>)[];
  readonly life: Pick<SessionLife, "close">;
}

/** Ends of the sessions that runs of isolated jobs have for themselves. */
export type RunSessions = ReturnType<typeof createRunSessions>;

/** Ends the session of a run when the run, its requests for approval and its late results have ended. Source: docs/events.md, "When a session ends". */
export function createRunSessions({ runs, waits, life }: RunSessionsDeps) {
  return {
    isKey: (key: string): boolean => key.startsWith(KEYS),
    async handle(key: string): Promise<void> {
      const sessionKey = key.slice(KEYS.length);
      const of = parseRunSession(sessionKey);
      if (of === null) return;
      const run = await runs.find(of.job, of.planned);
      // A run that is not known any more went with its job.
      if (run !== undefined && run.ended === undefined) return;
      for (const isWaiting of waits) if (await isWaiting(sessionKey)) return;
      await life.close(sessionKey);
    },
  };
}
