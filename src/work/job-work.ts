import { isJobKey } from "./job-key.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { RunSessions } from "./run-sessions.ts";
import { SCHEDULE_KEY, type Scheduler } from "./scheduler.ts";

/** The work of the engine's keys of jobs. Where jobs are switched off, what an earlier process asked for does nothing. */
export function createJobWork({
  scheduler,
  heartbeat,
  handleJob,
  runSessions,
  isOn,
}: {
  readonly heartbeat: Pick<Heartbeat, "look">;
  readonly scheduler: Pick<Scheduler, "handle">;
  readonly handleJob: (key: string, signal: AbortSignal) => Promise<void>;
  readonly runSessions: RunSessions;
  readonly isOn: boolean;
}) {
  return {
    isKey: (key: string): boolean => key === SCHEDULE_KEY || isJobKey(key) || runSessions.isKey(key),
    /** Looks whether HEARTBEAT.md has something to do. */
    async look(): Promise<void> {
      if (isOn) await heartbeat.look();
    },
    async handle(key: string, signal: AbortSignal): Promise<void> {
      if (runSessions.isKey(key)) return runSessions.handle(key);
      if (!isOn) return;
      if (key !== SCHEDULE_KEY) return handleJob(key, signal);
      // Before it is fired: HEARTBEAT.md may have nothing to do any more.
      await heartbeat.look();
      await scheduler.handle();
    },
  };
}
