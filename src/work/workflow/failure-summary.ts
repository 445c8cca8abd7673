import { type Language, languageOf } from "../../session/index.ts";
import { type StepPlace, type WorkflowRun, budgetUsedUp, isOver, stateOf } from "../../workflow/index.ts";
import { workflowText } from "./texts.ts";

/** The language in which a workflow is written. */
export function languageOfRun({ definition: { description = "", steps } }: Pick<WorkflowRun, "definition">): Language {
  const said = steps.filter(({ run }) => run === "prompt" || run === "approve");
  return languageOf(description + JSON.stringify(said));
}

/** Number of a run's steps that have ended, and of all its steps. */
export function progressOf(run: Pick<WorkflowRun, "definition" | "steps">): {
  readonly done: number;
  readonly total: number;
} {
  const ids = run.definition.steps.map(({ id }) => id);
  return { done: ids.filter((id) => isOver(stateOf(run, id))).length, total: ids.length };
}

/** Describes what was done, what failed, and how to continue. Source: docs/workflows.md, "When a run fails". */
export function failureSummary(run: WorkflowRun, failedAt?: StepPlace): string {
  const language = languageOfRun(run);
  const say = (name: Parameters<typeof workflowText>[0], values: Readonly<Record<string, string | number>> = {}) =>
    workflowText(name, { language }, values);
  const { definition, spent, id, error } = run;
  const ids = definition.steps.map((step) => step.id);
  const done = ids.flatMap((step) => doneOf(run, step));
  const left = ids.filter((step) => step !== failedAt?.id && !isOver(stateOf(run, step)));
  const join = (steps: readonly string[]) => steps.join(language === "zh" ? "、" : ", ");
  const next = failedAt?.id ?? left[0] ?? ids[0] ?? "";
  return [
    ...(error ? [say("WHAT_FAILED", { message: error.message })] : []),
    done.length > 0 ? say("WHAT_WAS_DONE", { steps: join(done) }) : say("NOTHING_DONE"),
    ...(left.length > 0 ? [say("LEFT", { steps: join(left) })] : []),
    say("SPENT", {
      tokens: spent.tokens,
      calls: spent.toolCalls,
      seconds: Math.round(spent.activeMs / 1000),
    }),
    error?.code === "BUDGET_EXCEEDED" && budgetUsedUp(run.budget, spent)
      ? say("HOW_TO_RESUME_BUDGET", { id, more: moreOf(run) })
      : say("HOW_TO_RESUME", { id, step: next }),
  ].join("\n");
}

/** A step that is done, or partly done: `send 2/5` when the other items failed or were not begun. */
function doneOf(run: WorkflowRun, step: string): readonly string[] {
  const { status, items = [] } = stateOf(run, step);
  const done = items.filter((item) => item.status === "done").length;
  if (status !== "done" && done === 0) return [];
  return [done === items.length ? step : `${step} ${done}/${items.length}`];
}

/**
 * The command-line option that extends the used-up part of a run's budget. The use so far still counts against the new
 * limit.
 */
function moreOf({
  budget: { maxTokens, maxSeconds, maxToolCalls },
  spent: { tokens, activeMs, toolCalls },
}: Pick<WorkflowRun, "budget" | "spent">): string {
  if (tokens >= maxTokens) return `--max-tokens ${tokens + maxTokens}`;
  const seconds = Math.ceil(activeMs / 1000);
  return seconds >= maxSeconds
    ? `--max-seconds ${seconds + maxSeconds}`
    : `--max-tool-calls ${toolCalls + maxToolCalls}`;
}
