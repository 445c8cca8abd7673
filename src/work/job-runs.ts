import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { messageOf } from "../errors.ts";
import type { Reply } from "../reply.ts";
import { type Job, type Jobs, type KnownRun, type RunEnd, type Runs } from "../schedule/index.ts";
import type { Metrics } from "../telemetry/index.ts";
import type { Claims } from "./claims.ts";
import { jobKeyOf, readJobKey } from "./job-key.ts";
import type { JobLeave } from "./job-leave.ts";
import type { JobResults, RunMeant } from "./job-results.ts";
import type { JobTurns } from "./job-turns.ts";

export interface JobRunsDeps {
  readonly jobs: Pick<Jobs, "get" | "change" | "remove">;
  readonly runs: Pick<Runs, "find" | "retry" | "end" | "remove">;
  readonly claims: Pick<Claims, "landed">;
  readonly leave: JobLeave;
  readonly turns: Pick<JobTurns, "run" | "ended">;
  readonly results: JobResults;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, "increment">;
}

/**
 * @returns The handler of `job:` keys. It does one claimed run, or ends it with the reason why not.
 * After a crash it continues from the journal: the turn under its message's id, notices under the run's id.
 */
export function createJobRuns(deps: JobRunsDeps) {
  const { jobs, runs, claims, leave, turns, results, engine, clock, metrics } = deps;

  return async function handle(key: string, signal: AbortSignal): Promise<void> {
    await claims.landed(key);
    const { id, planned } = readJobKey(key);
    const run = await runs.find(id, planned);
    if (run === undefined) return;
    const job = await jobs.get(id);
    let ended: RunEnd | undefined;
    if (run.ended === undefined) {
      if (run.notBefore !== undefined && run.notBefore.getTime() > clock.now()) {
        await engine.wake(key, run.notBefore);
        return;
      }
      const taken = job === undefined ? gone(clock.now()) : await take(job, run, signal);
      if (taken === "later") return;
      await runs.end(id, planned, taken);
      metrics.increment("scheduler.job.run_total", { status: taken.status });
      ended = taken;
    }
    if (job === undefined) return;
    const meant = await settle(job, run, await runs.find(id, planned));
    await turns.ended(job, planned);
    // Published last, so that a listener that reads the job sees its new state.
    if (ended !== undefined) results.tellEnded(job, run.runId, ended, meant);
  };

  async function take(job: Job, run: KnownRun, signal: AbortSignal): Promise<RunEnd | "later"> {
    const planned = run.planned.getTime();
    const started = clock.now();
    const given = await leave(job, run);
    if (given === "waits") return "later";
    if (given !== "given") return { status: "skipped", started, reason: given.refused };
    let reply: Reply;
    try {
      reply = await turns.run(job, planned, run.attempt, signal);
    } catch (error) {
      // The process stops; the next one continues the run.
      if (signal.aborted) throw error;
      return (await again(job, run, messageOf(error))) ?? { status: "failed", started, error: messageOf(error) };
    }
    const tokens = reply.usage.inputTokens + reply.usage.outputTokens;
    if (reply.error !== undefined) {
      const { code, message } = reply.error;
      // A turn that a person stopped is not tried again.
      const isTried = code !== "ABORTED" && (await again(job, run, message, reply));
      return isTried || { status: "failed", started, error: message, tokens };
    }
    await results.tell(job, planned, reply);
    return { status: "success", started, tokens, output: reply.silent ? "" : reply.text };
  }

  /** Schedules another try if the job has retries left. */
  async function again(
    { id, retryPolicy }: Job,
    run: KnownRun,
    error: string,
    reply?: Reply,
  ): Promise<"later" | undefined> {
    if (run.attempt >= retryPolicy.maxRetries) return undefined;
    if (reply) await results.takeBackAsked(reply);
    const planned = run.planned.getTime();
    const notBefore = clock.now() + retryPolicy.backoffSeconds * 1000 * 2 ** run.attempt;
    await runs.retry(id, planned, run.attempt + 1, error, notBefore);
    await engine.wake(jobKeyOf(id, planned), new Date(notBefore));
    return "later";
  }

  /** Applies the end of a run to its job, once. */
  async function settle(job: Job, { runId }: KnownRun, ended: KnownRun | undefined): Promise<RunMeant> {
    const asBefore = { consecFailures: job.consecFailures, isPaused: false };
    if (ended?.ended === undefined) return asBefore;
    const { status, error = "", reason = error } = ended;
    if (status !== "success" && status !== "failed" && status !== "skipped") return asBefore;
    // Delivery retries for a while, so an undelivered result is counted only when the next run ends.
    const lost = status === "success" ? await results.whyLost(job) : undefined;
    const isFailed = status === "failed" || lost !== undefined;
    const isFailure = isFailed && job.lastRunId !== runId;
    const broken = isFailure && job.consecFailures + 1 >= job.maxConsecFailures;
    // Sent before the failure is counted: under the run's id, sending again after a crash does nothing.
    if (broken) await results.tellBroken({ ...job, consecFailures: job.consecFailures + 1 }, runId, error, lost);
    else if (status !== "success" && job.lastRunId !== runId && isOver(job)) await results.tellLost(job, runId, reason);
    const changed = await jobs.change(job.id, (newest) => {
      if (newest.lastRunId === runId) return null;
      const consecFailures = isFailed ? newest.consecFailures + 1 : status === "success" ? 0 : newest.consecFailures;
      const isBroken = isFailed && consecFailures >= newest.maxConsecFailures;
      return {
        lastRunId: runId,
        lastRunStatus: status,
        consecFailures,
        ...(isOver(newest) && { status: status === "success" ? "done" : "error" }),
        ...(isBroken && { status: "error", nextRunAt: null }),
      };
    });
    if (status === "success" && changed?.deleteAfterRun === true) {
      await jobs.remove(job.id);
      // Runs without a job are invisible, and erasing a person finds their runs by their jobs.
      await runs.remove(job.id);
    }
    return { consecFailures: changed?.consecFailures ?? 0, isPaused: broken };
  }
}

/** Whether a job with a single time has had it. */
function isOver({ schedule, nextRunAt, status }: Job): boolean {
  return schedule.kind === "at" && nextRunAt === null && status === "active";
}

function gone(started: number): RunEnd {
  return { status: "skipped", started, reason: "the job no longer exists" };
}
