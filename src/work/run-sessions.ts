import type { Engine } from "../engine/index.ts";
import type { Runs } from "../schedule/index.ts";
import { type SessionLife, type Sessions, isWorkSession, parseRunSession } from "../session/index.ts";

const KEYS = "run-session:";

/**
 * @returns A function that schedules a check whether a session of work has ended: a run of an isolated job, a
 * sub-agent, a step of a workflow.
 * The check also happens after a crash. Other sessions are ignored.
 * To be called when the work, an approval request or a late result of the session has ended.
 */
export function createRunSessionWakes({ engine }: { readonly engine: Pick<Engine, "wake"> }) {
  return async function mayHaveEnded(sessionKey: string): Promise<void> {
    if (isWorkSession(sessionKey)) await engine.wake(KEYS + sessionKey);
  };
}

export interface RunSessionsDeps {
  readonly runs: Pick<Runs, "find">;
  readonly sessions: Pick<Sessions, "load">;
  /** Each returns whether a result that the session's turns asked for is still to come. */
  readonly waits: readonly ((sessionKey: string) => Promise<boolean>)[];
  readonly life: Pick<SessionLife, "close">;
}

export type RunSessions = ReturnType<typeof createRunSessions>;

/**
 * Closes sessions of work when their work, approval requests and late results have ended. Source: docs/events.md, "When
 * a session ends".
 */
export function createRunSessions({ runs, sessions, waits, life }: RunSessionsDeps) {
  async function isAtWork(sessionKey: string): Promise<boolean> {
    const of = parseRunSession(sessionKey);
    if (of === null) {
      const { open, waiting } = await sessions.load(sessionKey);
      return open !== undefined || waiting.length > 0;
    }
    const run = await runs.find(of.job, of.planned);
    // An unknown run was removed with its job.
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
