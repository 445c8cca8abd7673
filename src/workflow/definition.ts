import type { JsonValue } from "../store/index.ts";

/** Kinds of steps. Source: docs/workflows.md, "Steps". */
export const STEP_KINDS = ["tool", "prompt", "skill", "workflow", "approve", "wait"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** What a run does when a step has failed for good. Source: docs/workflows.md, "When a step fails". */
export const ON_ERRORS = ["fail", "skip", "continue"] as const;
export type OnError = (typeof ON_ERRORS)[number];

export const INPUT_TYPES = ["string", "number", "boolean", "list", "object"] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** Formats of a prompt step's answer. */
export const OUTPUT_FORMATS = ["text", "json"] as const;

/** Default budget of a run. Only active time counts: waiting costs nothing. */
export const DEFAULT_BUDGET = { maxTokens: 200_000, maxSeconds: 3600, maxToolCalls: 200 } as const;
/** Default of the steps of one run that are done in parallel. */
export const DEFAULT_MAX_PARALLEL = 2;
/** Days that ended runs are kept. */
export const DEFAULT_KEEP_RUNS_DAYS = 90;
/** Seconds before the first retry; the wait doubles. */
export const DEFAULT_BACKOFF_SECONDS = 10;
/** Seconds until an approval request expires: a week. */
export const DEFAULT_APPROVAL_SECONDS = 7 * 86_400;

export interface Budget {
  /** Tokens of all models. */
  readonly maxTokens: number;
  /** Active seconds; waiting does not count. */
  readonly maxSeconds: number;
  /** Tool calls, including those within prompts. */
  readonly maxToolCalls: number;
}

export interface InputDefinition {
  /** Default: anything. */
  readonly type?: InputType;
  readonly description?: string;
  readonly default?: JsonValue;
  /** Default: true for an input without a default. */
  readonly required?: boolean;
}

interface CommonStep {
  readonly id: string;
  /** Steps that must have ended before. A step also needs the steps that it refers to, listed or not. */
  readonly needs?: readonly string[];
  /** `<reference> == <literal>` or `!=`. Otherwise the step is skipped, and steps that need it continue. */
  readonly if?: string;
  /** A reference to a list. The step runs for each item, which it reads as `${item}`. */
  readonly forEach?: string;
  readonly retry?: { readonly max: number; readonly backoffSeconds?: number };
  /** Limit of one try. For `approve`: time to answer. */
  readonly timeoutSeconds?: number;
  /** Default `fail`. */
  readonly onError?: OnError;
}

type Values = Readonly<Record<string, JsonValue>>;

/** One step. */
export type StepDefinition =
  | (CommonStep & { readonly run: "tool"; readonly tool: string; readonly with?: Values })
  | (CommonStep & {
      readonly run: "prompt";
      readonly prompt: string;
      /** The only tools that it may call. Default: all that its person may use. */
      readonly tools?: readonly string[];
      /** One of the agent's models. */
      readonly model?: string;
      /** `json`: the answer must be JSON, so that later steps can refer into it. Default `text`. */
      readonly format?: (typeof OUTPUT_FORMATS)[number];
    })
  | (CommonStep & { readonly run: "skill"; readonly skill: string; readonly with?: Values })
  | (CommonStep & { readonly run: "workflow"; readonly workflow: string; readonly with?: Values })
  | (CommonStep & { readonly run: "approve"; readonly with?: Values })
  | (CommonStep & { readonly run: "wait"; readonly with: WaitValues });

/** A span, a time, or an event to wait for. Numbers and times may be references. */
export type WaitValues = Values & {
  readonly seconds?: number | string;
  readonly minutes?: number | string;
  readonly hours?: number | string;
  readonly days?: number | string;
  /** ISO 8601. */
  readonly until?: string;
  /** Name of an event, which `workflows.signal` sends. With a time as well, that is the longest wait. */
  readonly event?: string;
};

/** A workflow: its steps, their order and their inputs. Source: docs/workflows.md. */
export interface WorkflowDefinition {
  /** Name by which it is run: letters, digits, `-` and `_` in lower case. */
  readonly name: string;
  /** Purpose, for people and the model. */
  readonly description?: string;
  /** Inputs at the start, by name. Default: any inputs are allowed. */
  readonly inputs?: Readonly<Record<string, InputDefinition>>;
  /** Limits of a run. Default 200,000 tokens, 3,600 seconds, 200 tool calls. */
  readonly budget?: Partial<Budget>;
  /** Steps. Those whose needs have ended run in parallel. */
  readonly steps: readonly StepDefinition[];
  /** Output of the run: a value with references. Default: the output of the last step. */
  readonly output?: JsonValue;
}
