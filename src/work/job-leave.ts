import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { messageOf } from "../errors.ts";
import type { Job, KnownRun, Runs } from "../schedule/index.ts";
import { jobKeyOf } from "./job-key.ts";

/** Of the runs before one so many are looked at first, and more while all of them were skipped and what stands in the way may lie before those. */
const LOOKED_AT = 50;
const MAX_LOOKED_AT = 5000;
/** How often a question that is open is looked at. */
const LOOK_AGAIN_MS = 60_000;

interface Question {
  readonly tool: string;
  readonly input: unknown;
}

export interface JobLeaveDeps {
  readonly runs: Pick<Runs, "list">;
  /** Why no unattended work is done for this person now; undefined: it may be. */
  budget(user: string): string | undefined;
  /** Why nothing that a run finds would be said, when nobody asked for it; undefined: it is said now or later. */
  whyUnsaid(job: Job): Promise<string | undefined>;
  /** What the owner is asked. Contract: the same question is asked once; `request` throws when nobody can be asked. */
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

/** May a run begin? `waits`: its key is woken again. */
export type JobLeave = (job: Job, run: KnownRun) => Promise<"given" | "waits" | { readonly refused: string }>;

/** @returns What decides whether a run that was claimed begins: its job, the runs before it, the budget, and the owner where the job needs their consent. */
export function createJobLeave({ runs, budget, whyUnsaid, questions, engine, clock }: JobLeaveDeps): JobLeave {
  async function whyNot(job: Job, run: KnownRun): Promise<string | undefined> {
    if (!run.byHand && (job.status === "paused" || job.status === "error")) return "it is paused";
    const isBegun = run.attempt > 0 || run.agreedTask !== undefined;
    const notYet = run.byHand || isBegun ? undefined : ((await whyNotYet(job, run)) ?? (await whyInVain(job)));
    return notYet ?? budget(job.user);
  }

  /** A review of a goal is there to be said: where it is dropped, its tokens are saved. */
  async function whyInVain(job: Job): Promise<string | undefined> {
    return job.source === "okr" && job.deliver.mode !== "none" ? whyUnsaid(job) : undefined;
  }

  async function whyNotYet(job: Job, { runId, planned }: KnownRun): Promise<string | undefined> {
    const before = await runsBefore(job, { runId, planned });
    const running = before.filter(({ ended }) => ended === undefined);
    if (running.length >= job.maxConcurrency) {
      // One whose wake was lost would stand in the way for good.
      await Promise.all(running.map((run) => engine.wake(jobKeyOf(job.id, run.planned.getTime()))));
      return `${running.length} of its runs are under way`;
    }
    const last = before.find(({ status }) => status !== "skipped");
    const sinceMs = last === undefined ? Infinity : planned.getTime() - last.planned.getTime();
    if (sinceMs >= job.cooldownSeconds * 1000) return undefined;
    return `it cools down: ${sinceMs / 1000} of ${job.cooldownSeconds} s`;
  }

  /** The newest first. */
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

  /** An answer that was given is a line of the run. */
  async function consent({ id, name, task, user }: Job, planned: Date) {
    const question = { tool: "job_start", input: { job: id, name, task, user, planned: planned.toISOString() } };
    const asked = await questions.find(question);
    // A crash came after the yes, and before it was a line.
    if (asked?.outcome?.verdict === "interrupted") return "given";
    if (asked?.state === "ended" && asked.outcome?.verdict !== "done")
      return { refused: `it was not approved: ${asked.outcome?.reason ?? "nobody agreed"}` };
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
