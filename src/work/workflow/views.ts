import type { JsonValue } from "../../store/index.ts";
import {
  type StepDefinition,
  type StepState,
  type WorkflowRun,
  type WorkflowRunView,
  type WorkflowStepView,
  asText,
  fillKnown,
  isEnded,
  itemsGiven,
  stateOf,
  valueAt,
} from "../../workflow/index.ts";
import { progressOf } from "./failure-summary.ts";
import { shortened } from "../../short-text.ts";

const MAX_WORDS_CHARS = 80;

/** The public view of a run. */
export function viewOf(run: WorkflowRun): WorkflowRunView {
  const { definition, place, spent, startedAt, endedAt, output, error, summary, parent } = run;
  return {
    id: run.id,
    name: definition.name,
    status: run.status,
    user: place.user,
    sessionKey: place.home.sessionKey,
    inputs: run.inputs,
    steps: definition.steps.map((step) => stepViewOf(step, run)),
    startedAt: new Date(startedAt),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt) }),
    progress: progressOf(run),
    budget: run.budget,
    spent: {
      tokens: spent.tokens,
      toolCalls: spent.toolCalls,
      seconds: Math.round(spent.activeMs / 1000),
      ...(spent.cost !== undefined && { cost: spent.cost }),
    },
    ...(output !== undefined && { output }),
    ...(error && { error }),
    ...(summary !== undefined && { summary }),
    ...(parent && { parent }),
  };
}

function stepViewOf(step: StepDefinition, run: WorkflowRun): WorkflowStepView {
  const state = stateOf(run, step.id);
  const { status, attempt, startedAt, endedAt, artifact, error, wait, items } = state;
  const output = outputOf(run, step.id);
  const tokens = sumOf(state, "tokens");
  const toolCalls = sumOf(state, "toolCalls");
  // A step that was running or waiting when the run ended still has to be done.
  const isUnderWay = status === "running" || status === "waiting";
  const waiting = isEnded(run) ? undefined : (wait ?? items?.find((item) => item.wait)?.wait);
  return {
    id: step.id,
    run: step.run,
    what: whatOf(step, run),
    needs: step.needs ?? [],
    status: isUnderWay && isEnded(run) ? "pending" : status,
    attempt,
    ...(startedAt !== undefined && { startedAt: new Date(startedAt) }),
    ...(endedAt !== undefined && { endedAt: new Date(endedAt) }),
    ...(output !== undefined && { output }),
    ...(artifact !== undefined && { artifact }),
    ...(error && { error }),
    ...(tokens > 0 && { tokens }),
    ...(toolCalls > 0 && { toolCalls }),
    ...(waiting && {
      waitsFor: {
        ...(waiting.until !== undefined && { until: new Date(waiting.until) }),
        ...(waiting.event !== undefined && { event: waiting.event }),
        ...(waiting.approval && { approval: waiting.approval }),
        ...(waiting.run !== undefined && { run: waiting.run }),
      },
    }),
    ...(items && {
      items: {
        done: items.filter((item) => item.status === "done").length,
        failed: items.filter((item) => item.status === "failed").length,
        total: items.length,
      },
    }),
  };
}

/** The output of a step as the document has it; for a step that runs for each item, a list. */
function outputOf(run: WorkflowRun, id: string): JsonValue | undefined {
  return itemsGiven(run, id)?.map((item): JsonValue => item.output ?? null) ?? stateOf(run, id).output;
}

function sumOf(state: StepState, key: "tokens" | "toolCalls"): number {
  return (state[key] ?? 0) + (state.items ?? []).reduce((sum, item) => sum + (item[key] ?? 0), 0);
}

function whatOf(step: StepDefinition, run: WorkflowRun): string {
  if (step.run === "tool") return step.tool;
  if (step.run === "skill") return step.skill;
  if (step.run === "workflow") return step.workflow;
  return firstWords(
    fillKnown(wordsOf(step), ({ root, step: of, path }) => {
      if (root === "inputs") return valueAt({ ...run.inputs }, path) ?? null;
      if (root === "steps" && of !== undefined && path[0] === "output")
        return valueAt(outputOf(run, of), path.slice(1));
      return root === "run" ? valueAt({ id: run.id, name: run.definition.name }, path) : undefined;
    }),
  );
}

function wordsOf(step: Extract<StepDefinition, { readonly run: "prompt" | "approve" | "wait" }>): string {
  if (step.run === "prompt") return step.prompt;
  if (step.run === "approve") return asText(step.with?.["text"] ?? "");
  const waits = Object.entries(step.with).map(([name, value]) => `${name} ${asText(value)}`);
  return waits.join(", ");
}

function firstWords(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return shortened(line, MAX_WORDS_CHARS);
}
