import { embeddedEngine } from "../../entry.host.ts";
import type { Clock } from "../../src/clock.ts";
import { createJobs, createRuns } from "../../src/schedule/index.ts";
import type { Store } from "../../src/store/index.ts";
import { createMetrics, silentLogger } from "../../src/telemetry/index.ts";
import { createClaims, createScheduler } from "../../src/work/index.ts";
import { readJobKey } from "../../src/work/job-key.ts";
import { platform } from "./this-platform.ts";

/** A scheduler that runs. */
export interface KeptJobs {
  /** Whether something is due or runs at this moment of the clock. */
  isBusy(): boolean;
  /** Epoch milliseconds. */
  nextDue(): number;
  tick(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * One life of a scheduler over a store: every run succeeds at once.
 * @param onRun Told of a run whose end was written.
 */
export async function keepJobs(
  given: { readonly store: Store; readonly clock: Clock },
  onRun?: (runId: string) => void,
): Promise<KeptJobs> {
  const engine = embeddedEngine(given);
  const jobs = createJobs({ ...given, yaml: platform.yaml, logger: silentLogger });
  const runs = createRuns(given);
  const claims = createClaims({ runs, engine });
  const scheduler = createScheduler({ ...given, jobs, runs, claims, engine, metrics: createMetrics() });
  let running = 0;
  await engine.start(async (key) => {
    running += 1;
    try {
      await handle(key);
    } finally {
      running -= 1;
    }
  });
  await scheduler.start();

  async function handle(key: string): Promise<void> {
    if (key === "schedule") return scheduler.handle();
    await claims.landed(key);
    const { id, planned } = readJobKey(key);
    const run = await runs.find(id, planned);
    if (run === undefined || run.ended !== undefined) return;
    await runs.end(id, planned, { status: "success", started: given.clock.now() });
    onRun?.(run.runId);
  }

  const nextDue = () => jobs.nextDue() ?? Infinity;
  return {
    isBusy: () => running > 0 || nextDue() <= given.clock.now(),
    nextDue,
    tick: scheduler.handle,
    async stop() {
      await jobs.close();
      await engine.stop();
    },
  };
}
