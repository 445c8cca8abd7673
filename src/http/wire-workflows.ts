import * as v from "valibot";
import type { JsonValue } from "../store/index.ts";
import {
  type Budget,
  INPUT_TYPES,
  STEP_KINDS,
  type WorkflowRunView,
  type WorkflowStepView,
  type WorkflowSummary,
} from "../workflow/index.ts";
import { countParameter } from "./route.ts";
import { BOTH_SIDES, Count, FailureJson, filled, hasBothSides } from "./wire.ts";

/** Maximum text of a definition, in characters. */
const MAX_DEFINITION_CHARACTERS = 200_000;
/** A valid name of a definition. No definition text matches it. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const NAME_EXPECTED = "Expected a name of lower-case letters, digits, - and _";

const Time = v.pipe(v.string(), v.isoTimestamp());
const line = (most: number, what: string) =>
  v.pipe(
    v.string("Expected a text"),
    v.trim(),
    v.minLength(1, "Expected a text that is not blank"),
    v.maxLength(most, `Expected at most ${most} characters`),
    v.description(what),
  );
const person = (what: string) => v.pipe(line(300, what), v.check(hasBothSides, BOTH_SIDES));
const amount = (what: string) =>
  v.optional(
    v.pipe(
      v.number("Expected a number"),
      v.integer("Expected a whole number"),
      v.minValue(1, "Expected 1 or more"),
      v.maxValue(1_000_000_000, "Expected at most 1000000000"),
      v.description(what),
    ),
  );
const definitionText = filled(MAX_DEFINITION_CHARACTERS, "A definition as YAML");
const values = (what: string) =>
  v.pipe(
    v.unknown(),
    v.check((given) => !Array.isArray(given), "Expected an object of values by name"),
    v.record(v.string(), v.unknown(), "Expected an object of values by name"),
    v.description(what),
  );

const BudgetBody = v.pipe(
  v.strictObject({
    max_tokens: amount("Maximum number of tokens, of all models together"),
    max_seconds: amount("Maximum number of seconds at work. Waiting does not count"),
    max_tool_calls: amount("Maximum number of tool calls"),
  }),
  v.description("Replaces the budget that the run would have otherwise"),
);
const budget = v.optional(BudgetBody);

export const RunsQuery = v.object({
  user: v.optional(person("Only runs of this user, as `channel:id`. Requires an owner's token")),
  name: v.optional(line(64, "Only runs of this workflow")),
  limit: countParameter(100, "Maximum number of runs, newest first. Default 20"),
});
export const StartBody = v.pipe(
  v.strictObject({
    name: v.optional(
      v.pipe(v.string("Expected a text"), v.regex(NAME, NAME_EXPECTED), v.description("Name of the workflow")),
    ),
    definition: v.optional(
      v.pipe(
        v.union([definitionText, v.looseObject({})], "Expected the YAML of a definition, or an object"),
        v.description(
          "Instead of a name: a definition that is not saved, as YAML or an object. Requires an owner's token",
        ),
      ),
    ),
    inputs: v.optional(values("Inputs of the workflow, by name")),
    user: v.optional(
      person("The user whom the run works for, with that user's rights, as `channel:id`. Requires an owner's token"),
    ),
    session: v.optional(line(128, "Name of a conversation that receives progress messages")),
    budget,
    id: v.optional(line(200, "Idempotency key: the same id starts one run. The header Idempotency-Key does the same")),
  }),
  v.check(({ name, definition }) => (name === undefined) !== (definition === undefined), "Expected name or definition"),
);
export const GoOnBody = v.strictObject({ budget });
export const RetryBody = v.strictObject({ step: line(64, "The step's id"), budget });
export const EventBody = v.strictObject({
  event: line(100, "The event's name"),
  data: v.optional(v.pipe(v.unknown(), v.description("Data of the event"))),
});
/** The name of a definition to store. */
export const NamePath = v.strictObject({ name: v.pipe(v.string(), v.regex(NAME, NAME_EXPECTED)) });
export const SaveBody = v.strictObject({ yaml: definitionText });

const InputJson = v.strictObject({
  type: v.optional(v.picklist(INPUT_TYPES)),
  description: v.optional(v.string()),
  default: v.optional(v.unknown()),
  required: v.boolean(),
});
const DefinitionSummaryJson = v.strictObject({
  name: v.string(),
  description: v.string(),
  source: v.picklist(["host", "file", "built-in", "skill"]),
  inputs: v.record(v.string(), InputJson),
  steps: Count,
});
export const DefinitionJson = v.strictObject({
  definition: v.looseObject({ name: v.string() }),
  yaml: v.string(),
  source: DefinitionSummaryJson.entries.source,
});
export const SavedJson = DefinitionSummaryJson;
export const StartedJson = v.strictObject({ run_id: v.string() });

const StepJson = v.strictObject({
  id: v.string(),
  run: v.picklist(STEP_KINDS),
  what: v.pipe(
    v.string(),
    v.description("The tool, skill or workflow that the step runs, or the first words of its prompt"),
  ),
  needs: v.array(v.string()),
  status: v.picklist(["pending", "running", "waiting", "done", "failed", "skipped"]),
  attempt: Count,
  started_at: v.optional(Time),
  ended_at: v.optional(Time),
  output: v.optional(v.unknown()),
  artifact: v.optional(
    v.pipe(v.string(), v.description("Id of the artifact with the output, if it is too long to be shown here")),
  ),
  error: v.optional(FailureJson),
  tokens: v.optional(Count),
  tool_calls: v.optional(Count),
  waits_for: v.optional(
    v.strictObject({
      until: v.optional(Time),
      event: v.optional(v.string()),
      approval: v.optional(v.strictObject({ id: v.string(), code: v.string() })),
      run_id: v.optional(v.string()),
    }),
  ),
  items: v.optional(v.strictObject({ done: Count, failed: Count, total: Count })),
});
const brief = {
  run_id: v.string(),
  name: v.string(),
  status: v.picklist(["running", "waiting", "done", "failed", "cancelled"]),
  user: v.string(),
  session_key: v.string(),
  started_at: Time,
  ended_at: v.optional(Time),
  progress: v.strictObject({ done: Count, total: Count }),
  budget: v.strictObject({ max_tokens: v.number(), max_seconds: v.number(), max_tool_calls: v.number() }),
  spent: v.strictObject({
    tokens: Count,
    tool_calls: Count,
    seconds: v.number(),
    cost: v.optional(v.pipe(v.number(), v.description("In the currency of the configured prices"))),
  }),
  error: v.optional(FailureJson),
  parent: v.optional(
    v.pipe(v.strictObject({ run_id: v.string(), step: v.string() }), v.description("The step that started this run")),
  ),
};
const BriefRunJson = v.strictObject(brief);
export const RunJson = v.strictObject({
  ...brief,
  inputs: values("Inputs of the run, by name"),
  steps: v.array(StepJson),
  output: v.optional(v.unknown()),
  summary: v.optional(v.pipe(v.string(), v.description("What was done, what failed, and how to continue"))),
});
const ProblemJson = v.strictObject({ file: v.string(), line: v.number(), message: v.string() });
export const ListJson = v.strictObject({
  definitions: v.array(DefinitionSummaryJson),
  problems: v.optional(
    v.pipe(v.array(ProblemJson), v.description("Problems of files that cannot be read. Only with an owner's token")),
  ),
  runs: v.array(BriefRunJson),
});

export function budgetOf({
  max_tokens: maxTokens,
  max_seconds: maxSeconds,
  max_tool_calls: maxToolCalls,
}: v.InferOutput<typeof BudgetBody>): Partial<Budget> {
  return {
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxSeconds !== undefined && { maxSeconds }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
  };
}

/** For values from a JSON body. */
export function asJson(value: unknown): JsonValue {
  return value as JsonValue;
}

export function summaryJson(summary: WorkflowSummary): v.InferOutput<typeof DefinitionSummaryJson> {
  const { name, description, source, inputs, steps } = summary;
  return {
    name,
    description,
    source,
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([input, { required, ...rest }]) => [
        input,
        { ...rest, required: required ?? rest.default === undefined },
      ]),
    ),
    steps,
  };
}

/** A run in a list, without its inputs, steps and output. */
export function briefRunJson(run: WorkflowRunView): v.InferOutput<typeof BriefRunJson> {
  const { id, name, status, user, sessionKey, startedAt, endedAt, progress, spent, error, parent } = run;
  return {
    run_id: id,
    name,
    status,
    user,
    session_key: sessionKey,
    started_at: startedAt.toISOString(),
    ...(endedAt && { ended_at: endedAt.toISOString() }),
    progress,
    budget: {
      max_tokens: run.budget.maxTokens,
      max_seconds: run.budget.maxSeconds,
      max_tool_calls: run.budget.maxToolCalls,
    },
    spent: {
      tokens: spent.tokens,
      tool_calls: spent.toolCalls,
      seconds: spent.seconds,
      ...(spent.cost !== undefined && { cost: spent.cost }),
    },
    ...(error && { error }),
    ...(parent && { parent: { run_id: parent.run, step: parent.step } }),
  };
}

export function runJson(run: WorkflowRunView): v.InferOutput<typeof RunJson> {
  const { inputs, steps, output, summary } = run;
  return {
    ...briefRunJson(run),
    inputs,
    steps: steps.map(stepJson),
    ...(output !== undefined && { output }),
    ...(summary !== undefined && { summary }),
  };
}

function stepJson(step: WorkflowStepView): v.InferOutput<typeof StepJson> {
  const { id, run, what, needs, status, attempt, startedAt, endedAt, output, artifact, error, tokens, toolCalls } =
    step;
  return {
    id,
    run,
    what,
    needs: [...needs],
    status,
    attempt,
    ...(startedAt && { started_at: startedAt.toISOString() }),
    ...(endedAt && { ended_at: endedAt.toISOString() }),
    ...(output !== undefined && { output }),
    ...(artifact !== undefined && { artifact }),
    ...(error && { error }),
    ...(tokens !== undefined && { tokens }),
    ...(toolCalls !== undefined && { tool_calls: toolCalls }),
    ...(step.waitsFor && { waits_for: waitJson(step.waitsFor) }),
    ...(step.items && { items: step.items }),
  };
}

function waitJson({ until, event, approval, run }: NonNullable<WorkflowStepView["waitsFor"]>) {
  return {
    ...(until && { until: until.toISOString() }),
    ...(event !== undefined && { event }),
    ...(approval && { approval }),
    ...(run !== undefined && { run_id: run }),
  };
}
