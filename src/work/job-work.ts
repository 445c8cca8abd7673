import { isJobKey } from "./job-key.ts";
import { SCHEDULE_KEY, type Scheduler } from "./scheduler.ts";

/** The work of the engine's keys of jobs. Where jobs are switched off, what an earlier process asked for does nothing. */
export function createJobWork({
  scheduler,
  handleJob,
  isOn,
}: {
  readonly scheduler: Pick<Scheduler, "handle">;
  readonly handleJob: (key: string, signal: AbortSignal) => Promise<void>;
  readonly isOn: boolean;
}) {
  return {
    isKey: (key: string): boolean => key === SCHEDULE_KEY || isJobKey(key),
    async handle(key: string, signal: AbortSignal): Promise<void> {
      if (!isOn) return;
      await (key === SCHEDULE_KEY ? scheduler.handle() : handleJob(key, signal));
    },
  };
}
