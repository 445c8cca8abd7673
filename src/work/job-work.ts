import { isJobKey } from "./job-key.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { RunSessions } from "./run-sessions.ts";
import { SCHEDULE_KEY, type Scheduler } from "./scheduler.ts";

/** Handles the engine's keys of jobs. When jobs are disabled, wakes of an earlier process do nothing. */
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
    /** Creates or removes the heartbeat job according to HEARTBEAT.md. */
    async look(): Promise<void> {
      if (isOn) await heartbeat.look();
    },
    async handle(key: string, signal: AbortSignal): Promise<void> {
      if (runSessions.isKey(key)) return runSessions.handle(key);
      if (!isOn) return;
      if (key !== SCHEDULE_KEY) return handleJob(key, signal);
      // Checked before jobs fire: HEARTBEAT.md may have become empty.
      await heartbeat.look();
      await scheduler.handle();
    },
  };
}
