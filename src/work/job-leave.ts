import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { messageOf } from "../errors.ts";
import type { Job, KnownRun, Runs } from "../schedule/index.ts";
import { jobKeyOf } from "./job-key.ts";

/**
 * Number of earlier runs that are read first. It grows tenfold, up to `MAX_LOOKED_AT`, while all of them were skipped
 * and an older run may still block this one.
 */
const LOOKED_AT = 50;
const MAX_LOOKED_AT = 5000;
/** Milliseconds until an open question is checked again. */
const LOOK_AGAIN_MS = 60_000;

interface Question {
  readonly tool: string;
  readonly input: unknown;
}

export interface JobLeaveDeps {
  readonly runs: Pick<Runs, "list">;
  /** Why this person's unattended work may not start now; undefined: it may. */
  budget(user: string): string | undefined;
  /** Why an unrequested result of this job would be dropped; undefined: it would be said now or later. */
  whyUnsaid(job: Job): Promise<string | undefined>;
  /**
   * The questions to the owner. Contract: the same question is asked once; `request` throws when there is no owner to
   * ask.
   */
  readonly questions: {
    request(question: Question): Promise<void>;
    find(question: Question): Promise<{
      readonly state: string;
      readonly outcome?: { readonly verdict: string; readonly reason?: string };
    } | null>;
  };
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Clock;
}

/** Whether a run may begin. `waits`: its key is woken again. */
export type JobLeave = (job: Job, run: KnownRun) => Promise<"given" | "waits" | { readonly refused: string }>;

/**
 * @returns The function that decides whether a claimed run begins. It checks the job, earlier runs, the budget, and the
 * owner's approval where the job needs it.
 */
export function createJobLeave({ runs, budget, whyUnsaid, questions, engine, clock }: JobLeaveDeps): JobLeave {
  async function whyNot(job: Job, run: KnownRun): Promise<string | undefined> {
    if (!run.byHand && (job.status === "paused" || job.status === "error")) return "it is paused";
    const isBegun = run.attempt > 0 || run.agreedTask !== undefined;
    const notYet = run.byHand || isBegun ? undefined : ((await whyNotYet(job, run)) ?? (await whyInVain(job)));
    return notYet ?? budget(job.user);
  }

  /** A review of a goal only exists to be said. When it would be dropped, skipping the run saves its tokens. */
  async function whyInVain(job: Job): Promise<string | undefined> {
    return job.source === "okr" && job.deliver.mode !== "none" ? whyUnsaid(job) : undefined;
  }

  async function whyNotYet(job: Job, { runId, planned }: KnownRun): Promise<string | undefined> {
    const before = await runsBefore(job, { runId, planned });
    const running = before.filter(({ ended }) => ended === undefined);
    if (running.length >= job.maxConcurrency) {
      // Wakes the runs under way: one whose wake was lost would block the job for good.
      await Promise.all(running.map((run) => engine.wake(jobKeyOf(job.id, run.planned.getTime()))));
      return `${running.length} of its runs are in progress`;
    }
    const last = before.find(({ status }) => status !== "skipped");
    const sinceMs = last === undefined ? Infinity : planned.getTime() - last.planned.getTime();
    if (sinceMs >= job.cooldownSeconds * 1000) return undefined;
    return `it is cooling down: ${sinceMs / 1000} of ${job.cooldownSeconds} s`;
  }

  /** Returns earlier runs, newest first. */
  async function runsBefore(job: Job, { runId, planned }: Pick<KnownRun, "runId" | "planned">) {
    for (let limit = LOOKED_AT; ; limit *= 10) {
      const found = await runs.list(job.id, limit);
      const before = found.filter((run) => run.runId !== runId && run.planned < planned);
      const seenMs = planned.getTime() - (before.at(-1)?.planned.getTime() ?? 0);
      const mayWait = job.approvalRequired || job.retryPolicy.maxRetries > 0;
      const isEnough = before.some(({ status }) => status !== "skipped") || found.length < limit;
      if (isEnough || limit >= MAX_LOOKED_AT || !(mayWait || seenMs < job.cooldownSeconds * 1000)) return before;
    }
  }

  /** Asks the owner, or reads how they answered. A given yes is recorded as a line of the run. */
  async function consent({ id, name, task, user }: Job, planned: Date) {
    const question = { tool: "job_start", input: { job: id, name, task, user, planned: planned.toISOString() } };
    const asked = await questions.find(question);
    // A crash came after the yes and before its line was written.
    if (asked?.outcome?.verdict === "interrupted") return "given";
    if (asked?.state === "ended" && asked.outcome?.verdict !== "done")
      return { refused: `it was not approved: ${asked.outcome?.reason ?? "no one approved it"}` };
    try {
      if (asked === null) await questions.request(question);
    } catch (error) {
      return { refused: `it could not be approved: ${messageOf(error)}` };
    }
    await engine.wake(jobKeyOf(id, planned.getTime()), new Date(clock.now() + LOOK_AGAIN_MS));
    return "waits";
  }

  return async function leave(job, run) {
    const refused = await whyNot(job, run);
    if (refused !== undefined) return { refused };
    if (!job.approvalRequired) return "given";
    if (run.agreedTask === undefined) return consent(job, run.planned);
    return run.agreedTask === job.task ? "given" : { refused: "its task is not the one that was approved" };
  };
}
