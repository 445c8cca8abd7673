import * as v from "valibot";
import { type JsonValue, isObject } from "../store/index.ts";
import { INPUT_TYPES, type InputType, ON_ERRORS, OUTPUT_FORMATS, type OnError, STEP_KINDS } from "./definition.ts";
import { filledText } from "../settings/index.ts";

/** Limits of a definition. */
export const MAX_STEPS = 200;
const MAX_INPUTS = 50;
const MAX_TEXT = 20_000;

const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const NAME_EXPECTED = "expected a name of at most 64 lower-case letters, digits, - and _";

const text = (most: number, what: string) => v.pipe(filledText(most), v.description(what));
const whole = (least: number, most: number, what: string) => {
  const message = `expected a whole number from ${least} to ${most}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(least, message),
    v.maxValue(most, message),
    v.description(what),
  );
};
const choice = <const Values extends readonly string[]>(values: Values, what: string) =>
  v.pipe(v.picklist(values, `expected one of ${values.join(", ")}`), v.description(what));

/** A strict object whose errors list its keys. */
const group = <Keys extends v.ObjectEntries>(keys: Keys) =>
  v.strictObject(keys, ({ expected }) =>
    expected === "never"
      ? `unknown key: expected ${Object.keys(keys).join(", ")}`
      : expected === "Object"
        ? `expected a group of keys: ${Object.keys(keys).join(", ")}`
        : "is missing",
  );

/** The data that is checked here is JSON already. */
const json = v.any() as v.GenericSchema<JsonValue>;
const VALUES_EXPECTED = "expected an object of values by name";
/** Not valibot's `record`, which silently drops names such as `constructor`. */
const values = (what: string) =>
  v.pipe(v.any(), v.check(isObject, VALUES_EXPECTED), v.description(what)) as v.GenericSchema<Values>;

const name = v.pipe(
  v.string(NAME_EXPECTED),
  v.regex(NAME, NAME_EXPECTED),
  v.description("The workflow's name, by which it is started"),
);
const stepId = v.pipe(
  v.string(NAME_EXPECTED),
  v.regex(NAME, NAME_EXPECTED),
  v.description("The step's id, used in `needs` and in references of other steps"),
);

export const BudgetSchema = v.pipe(
  group({
    max_tokens: v.optional(whole(1, 1_000_000_000, "Maximum number of tokens, over all models. Default 200000")),
    max_seconds: v.optional(
      whole(1, 31_536_000, "Maximum number of active seconds; waiting does not count. Default 3600"),
    ),
    max_tool_calls: v.optional(
      whole(1, 1_000_000, "Maximum number of tool calls, including those within prompts. Default 200"),
    ),
  }),
  v.description("Limits of a run. A run that exceeds one fails, and can be resumed with a larger budget"),
);

const InputSchema = v.nullable(
  group({
    type: v.optional(choice(INPUT_TYPES, "Type of the value. Default: any")),
    description: v.optional(text(500, "Explains the input to the person or model that starts the workflow")),
    default: v.optional(json),
    required: v.optional(
      v.pipe(
        v.boolean("expected true or false"),
        v.description("Whether a value must be given. Default: true if there is no `default`"),
      ),
    ),
  }),
);

const common = {
  id: stepId,
  needs: v.optional(
    v.pipe(
      v.array(stepId, "expected a list of step ids"),
      v.maxLength(MAX_STEPS),
      v.description("Ids of steps that must end before this one starts; steps that it refers to are needed too"),
    ),
  ),
  if: v.optional(text(500, "A condition, `<reference> == <literal>` or `!=`; if it is false, the step is skipped")),
  for_each: v.optional(
    text(
      500,
      "A reference to a list. The step runs once for each item, which is `${item}`; its position is `${index}`",
    ),
  ),
  retry: v.optional(
    v.pipe(
      group({
        max: whole(0, 20, "Maximum number of retries"),
        backoff_seconds: v.optional(
          whole(1, 86_400, "Seconds before the first retry; the wait doubles with each retry. Default 10"),
        ),
      }),
      v.description("Retries when the step fails"),
    ),
  ),
  timeout_seconds: v.optional(
    whole(1, 31_536_000, "Maximum seconds for one try; for approve, the seconds that people have to answer"),
  ),
  on_error: v.optional(
    choice(
      ON_ERRORS,
      "fail: the run fails. skip: the step and the steps that need it are skipped. continue: the run goes on. Default fail",
    ),
  ),
};

const amount = v.union([v.number(), v.string()], "expected a number or a reference to a number");

const STEPS = {
  tool: group({
    ...common,
    run: v.literal("tool"),
    tool: text(128, "Name of the tool"),
    with: v.optional(values("Input of the tool")),
  }),
  prompt: group({
    ...common,
    run: v.literal("prompt"),
    prompt: text(MAX_TEXT, "The prompt for the model, in a separate conversation"),
    tools: v.optional(
      v.pipe(
        v.array(text(128, "A tool's name"), "expected a list of tool names"),
        v.description(
          "The only tools that the model may call; an empty list allows none. Default: all that the person may use",
        ),
      ),
    ),
    model: v.optional(text(200, "One of the agent's models")),
    format: v.optional(
      choice(OUTPUT_FORMATS, "json: the answer must be JSON, so that later steps can refer to its parts. Default text"),
    ),
  }),
  skill: group({
    ...common,
    run: v.literal("skill"),
    skill: text(128, "The skill's name"),
    with: v.optional(values("The skill's input")),
  }),
  workflow: group({
    ...common,
    run: v.literal("workflow"),
    workflow: text(64, "The other workflow's name"),
    with: v.optional(values("The other workflow's inputs")),
  }),
  approve: group({
    ...common,
    run: v.literal("approve"),
    with: v.optional(values("What the person who approves sees; `text` is the question")),
  }),
  wait: group({
    ...common,
    run: v.literal("wait"),
    with: v.pipe(
      group({
        seconds: v.optional(amount),
        minutes: v.optional(amount),
        hours: v.optional(amount),
        days: v.optional(amount),
        until: v.optional(text(200, "A time in ISO 8601")),
        event: v.optional(text(100, "The name of an event that is sent to the run")),
      }),
      v.description(
        "How long to wait, until when, or for which event. The earliest time counts; with an event, the step fails if the event has not come by then",
      ),
    ),
  }),
} as const;

const StepSchema = v.variant(
  "run",
  [STEPS.tool, STEPS.prompt, STEPS.skill, STEPS.workflow, STEPS.approve, STEPS.wait],
  `expected a step with run: one of ${STEP_KINDS.join(", ")}`,
);

const schema = group({
  name: v.optional(name),
  description: v.optional(text(2000, "The workflow's purpose, for people and the model")),
  inputs: v.optional(
    v.pipe(
      v.union(
        [v.record(v.string(), InputSchema), v.array(text(64, "An input's name"))],
        "expected a group of inputs by name, or a list of names",
      ),
      v.check((inputs) => Object.keys(inputs).length <= MAX_INPUTS, `expected at most ${MAX_INPUTS} inputs`),
      v.description("Inputs of the workflow. Default: any inputs are allowed"),
    ),
  ),
  budget: v.optional(BudgetSchema),
  steps: v.pipe(
    v.array(StepSchema, "expected a list of steps"),
    v.minLength(1, "expected at least one step"),
    v.maxLength(MAX_STEPS, `expected at most ${MAX_STEPS} steps`),
    v.description("The steps; those whose needs have ended run in parallel"),
  ),
  output: v.optional(
    v.pipe(json, v.description("The run's output, a value with references. Default: the output of the last step")),
  ),
});

interface CommonFile {
  readonly id: string;
  readonly needs?: readonly string[] | undefined;
  readonly if?: string | undefined;
  readonly for_each?: string | undefined;
  readonly retry?: { readonly max: number; readonly backoff_seconds?: number | undefined } | undefined;
  readonly timeout_seconds?: number | undefined;
  readonly on_error?: OnError | undefined;
}

type Values = Readonly<Record<string, JsonValue>>;

type StepFile = CommonFile &
  (
    | { readonly run: "tool"; readonly tool: string; readonly with?: Values | undefined }
    | {
        readonly run: "prompt";
        readonly prompt: string;
        readonly tools?: readonly string[] | undefined;
        readonly model?: string | undefined;
        readonly format?: (typeof OUTPUT_FORMATS)[number] | undefined;
      }
    | { readonly run: "skill"; readonly skill: string; readonly with?: Values | undefined }
    | { readonly run: "workflow"; readonly workflow: string; readonly with?: Values | undefined }
    | { readonly run: "approve"; readonly with?: Values | undefined }
    | { readonly run: "wait"; readonly with: Readonly<Record<string, JsonValue | undefined>> }
  );

interface InputFile {
  readonly type?: InputType | undefined;
  readonly description?: string | undefined;
  readonly default?: JsonValue | undefined;
  readonly required?: boolean | undefined;
}

/** A checked definition in the form of a file. */
export interface DefinitionFile {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly inputs?: Readonly<Record<string, InputFile | null>> | readonly string[] | undefined;
  readonly budget?:
    | {
        readonly max_tokens?: number | undefined;
        readonly max_seconds?: number | undefined;
        readonly max_tool_calls?: number | undefined;
      }
    | undefined;
  readonly steps: readonly StepFile[];
  readonly output?: JsonValue | undefined;
}

/**
 * Schema of a definition file. Its type is written out above, since the type that valibot infers for so many keys is
 * too large for importers. Source: docs/workflows.md.
 */
export const DefinitionSchema: v.GenericSchema<unknown, DefinitionFile> = schema;

/**
 * Returns the JSON Schema (draft 7) of a definition, for editors: `# yaml-language-server: $schema=…` as the file's
 * first line. Source: docs/workflows-definitions.md, "Help in the editor".
 */
export async function workflowJsonSchema(): Promise<Record<string, JsonValue>> {
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schema = toJsonSchema(DefinitionSchema, { errorMode: "ignore", typeMode: "input" });
  return { title: "Wakeful workflow", ...(schema as unknown as Record<string, JsonValue>) };
}
