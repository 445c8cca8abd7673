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
 * @returns The handler of `job:` keys: it does one run that was claimed, or ends it with the reason why not. What a crash cut off goes on by its journal: the
 * turn under its message's id, what is said under its run's.
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
    // Who is told of it and asks for the job gets it as it is then.
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
      // The process stops: the next one goes on.
      if (signal.aborted) throw error;
      return (await again(job, run, messageOf(error))) ?? { status: "failed", started, error: messageOf(error) };
    }
    const tokens = reply.usage.inputTokens + reply.usage.outputTokens;
    if (reply.error !== undefined) {
      const { code, message } = reply.error;
      // What a person stopped is not tried again.
      const isTried = code !== "ABORTED" && (await again(job, run, message, reply));
      return isTried || { status: "failed", started, error: message, tokens };
    }
    await results.tell(job, planned, reply);
    return { status: "success", started, tokens, output: reply.silent ? "" : reply.text };
  }

  /** Lets it be tried again later, if it may. */
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

  /** What the run's end means for its job, once. */
  async function settle(job: Job, { runId }: KnownRun, ended: KnownRun | undefined): Promise<RunMeant> {
    const asBefore = { consecFailures: job.consecFailures, isPaused: false };
    if (ended?.ended === undefined) return asBefore;
    const { status, error = "", reason = error } = ended;
    if (status !== "success" && status !== "failed" && status !== "skipped") return asBefore;
    // A result that nobody got counts once the next one is there: delivery is tried for a while.
    const lost = status === "success" ? await results.whyLost(job) : undefined;
    const isFailed = status === "failed" || lost !== undefined;
    const isFailure = isFailed && job.lastRunId !== runId;
    const broken = isFailure && job.consecFailures + 1 >= job.maxConsecFailures;
    // Before it is counted: under the run's id, saying it again does nothing.
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
      // Nobody sees them any more, and forgetting a person finds their runs by their jobs.
      await runs.remove(job.id);
    }
    return { consecFailures: changed?.consecFailures ?? 0, isPaused: broken };
  }
}

/** Its single time has come. */
function isOver({ schedule, nextRunAt, status }: Job): boolean {
  return schedule.kind === "at" && nextRunAt === null && status === "active";
}

function gone(started: number): RunEnd {
  return { status: "skipped", started, reason: "the job is not there any more" };
}
