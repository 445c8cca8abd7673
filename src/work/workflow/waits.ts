import type { Approvals } from "../../approvals/index.ts";
import { AssistantError } from "../../errors.ts";
import { type JsonValue, isObject } from "../../store/index.ts";
import {
  type AskedApproval,
  type Runs,
  type Spent,
  type StepDefinition,
  type StepPlace,
  type StepWait,
  type WorkflowRun,
  isEnded,
  placesOf,
  stateOf,
  stepOf,
} from "../../workflow/index.ts";
import { usedSince } from "./spent.ts";
import type { StepOutcome } from "./step-work.ts";
import type { Values } from "./values.ts";

export interface WaitsDeps {
  /** Reads the request of a call. */
  readonly approvals: Pick<Approvals, "of">;
  readonly runs: Pick<Runs, "find">;
  readonly values: Pick<Values, "outputOfRun">;
}

export interface WaitingStep {
  readonly place: StepPlace;
  readonly step: StepDefinition;
  readonly attempt: number;
  readonly wait: StepWait;
}

/** Reads the outcomes of a run's waiting steps. */
export type Waits = ReturnType<typeof createWaits>;

export function createWaits({ approvals, runs, values }: WaitsDeps) {
  /** The outcome of a waiting step; undefined: it still waits. */
  async function outcomeOf(run: WorkflowRun, { place, step, wait }: WaitingStep): Promise<StepOutcome | undefined> {
    if (wait.asked) return ofPrompt(wait, wait.asked);
    if (wait.approval) return ofApproval(wait.approval.id, step);
    if (wait.run !== undefined) return ofRun(wait.run, stateOf(run, place.id, place.item).child?.counted);
    return wait.data === undefined ? undefined : { status: "done", output: wait.data };
  }

  /** A prompt goes on when all of its requests have ended; until then it waits for the next one. */
  async function ofPrompt(wait: StepWait, asked: readonly AskedApproval[]): Promise<StepOutcome | undefined> {
    for (const approval of asked) {
      const request = await approvals.of(approval.id);
      // A missing request ended long ago.
      if (request === null || request.state === "ended") continue;
      return approval.id === wait.approval?.id ? undefined : { status: "waiting", wait: { approval, asked } };
    }
    return { status: "running", answered: asked.map(({ id }) => id) };
  }

  async function ofApproval(id: string, step: StepDefinition): Promise<StepOutcome | undefined> {
    const request = await approvals.of(id);
    // Requests are removed a month after they ended.
    if (request === null) return failure("NOT_APPROVED", "no one answered");
    const { outcome, answer } = request;
    if (request.state !== "ended" || outcome === undefined) return undefined;
    // Such a step needs only the yes, which came before the crash.
    const isCutOffYes = outcome.verdict === "interrupted" && step.run === "approve";
    if (outcome.verdict === "done" || isCutOffYes) {
      const output = isCutOffYes ? { approved: true } : (outcome.output ?? null);
      return { status: "done", output: withAnswerer(output, answer?.by), toolCalls: 1 };
    }
    if (outcome.verdict === "failed")
      return { ...failure("FAILED", "it failed"), ...(outcome.error && { error: outcome.error }) };
    if (outcome.verdict === "interrupted")
      return failure("INTERRUPTED", "The program stopped while it ran, so it may or may not have had its effect");
    const reason = outcome.reason === undefined ? "" : `: ${outcome.reason}`;
    return failure(
      "NOT_APPROVED",
      outcome.verdict === "expired" ? (outcome.reason ?? "no one answered in time") : `denied${reason}`,
    );
  }

  /** @param counted The use that was counted before the run was continued. */
  async function ofRun(id: string, counted?: Spent): Promise<StepOutcome | undefined> {
    const child = await runs.find(id);
    if (child === undefined) return failure("NOT_FOUND", `its run ${id} no longer exists`);
    if (!isEnded(child)) return undefined;
    const used = usedSince(child.spent, counted);
    if (child.status === "done") {
      try {
        return { status: "done", output: (await values.outputOfRun(child)) ?? null, ...used };
      } catch (error) {
        if (!AssistantError.is(error)) throw error;
        return { ...failure(error.code, error.message), ...used };
      }
    }
    const { code, message } = child.error ?? { code: "ABORTED", message: "it was cancelled" };
    return { ...failure(code, `${child.definition.name} (${id}): ${message}`), ...used };
  }

  return { outcomeOf };
}

/** All steps and items that wait. */
export function waitingSteps(run: WorkflowRun): readonly WaitingStep[] {
  return placesOf(run).flatMap((place) => {
    const { status, attempt, wait } = stateOf(run, place.id, place.item);
    return status === "waiting" && wait ? [{ place, step: stepOf(run, place.id), attempt, wait }] : [];
  });
}

/** The outcome of a wait that timed out. */
export function timedOut(wait: StepWait | undefined): StepOutcome {
  if (wait?.event !== undefined) return failure("TIMEOUT", `the event ${wait.event} did not arrive in time`);
  if (wait?.limitSeconds !== undefined) return failure("TIMEOUT", `The step took longer than ${wait.limitSeconds} s`);
  return { status: "done", output: null };
}

function failure(code: string, message: string): Extract<StepOutcome, { readonly status: "failed" }> {
  return { status: "failed", error: { code, message } };
}

function withAnswerer(output: JsonValue, by: string | undefined): JsonValue {
  return isObject(output) && by !== undefined && "approved" in output ? { ...output, by } : output;
}
