import type { Engine } from "../engine/index.ts";
import type { Runs } from "../schedule/index.ts";
import { type SessionLife, type Sessions, isWorkSession, parseRunSession } from "../session/index.ts";

const KEYS = "run-session:";

/**
 * @returns What looks whether a session that work has for itself (a run of an isolated job, a sub-agent, a step of a workflow) has ended, soon and also after a
 * crash; of any other session it does nothing. To be called once the work, a request for approval or a late result of the session has ended.
 */
export function createRunSessionWakes({ engine }: { readonly engine: Pick<Engine, "wake"> }) {
  return async function mayHaveEnded(sessionKey: string): Promise<void> {
    if (isWorkSession(sessionKey)) await engine.wake(KEYS + sessionKey);
  };
}

export interface RunSessionsDeps {
  readonly runs: Pick<Runs, "find">;
  readonly sessions: Pick<Sessions, "load">;
  /** Each says whether something that a session's turns asked for is to come. */
  readonly waits: readonly ((sessionKey: string) => Promise<boolean>)[];
  readonly life: Pick<SessionLife, "close">;
}

/** Ends of the sessions that work has for itself. */
export type RunSessions = ReturnType<typeof createRunSessions>;

/** Ends such a session when its work, its requests for approval and its late results have ended. Source: docs/events.md, "When a session ends". */
export function createRunSessions({ runs, sessions, waits, life }: RunSessionsDeps) {
  async function isAtWork(sessionKey: string): Promise<boolean> {
    const of = parseRunSession(sessionKey);
    if (of === null) {
      const { open, waiting } = await sessions.load(sessionKey);
      return open !== undefined || waiting.length > 0;
    }
    const run = await runs.find(of.job, of.planned);
    // A run that is not known any more went with its job.
    return run !== undefined && run.ended === undefined;
  }

  return {
    isKey: (key: string): boolean => key.startsWith(KEYS),
    async handle(key: string): Promise<void> {
      const sessionKey = key.slice(KEYS.length);
      if (await isAtWork(sessionKey)) return;
      for (const isWaiting of waits) if (await isWaiting(sessionKey)) return;
      await life.close(sessionKey);
    },
  };
}
