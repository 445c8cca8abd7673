import type { JsonValue } from "../store/index.ts";

/** What a step can be. Source: docs/workflows.md, "Steps". */
export const STEP_KINDS = ["tool", "prompt", "skill", "workflow", "approve", "wait"] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** What becomes of a run when a step has failed for good. Source: docs/workflows.md, "When a step fails". */
export const ON_ERRORS = ["fail", "skip", "continue"] as const;
export type OnError = (typeof ON_ERRORS)[number];

export const INPUT_TYPES = ["string", "number", "boolean", "list", "object"] as const;
export type InputType = (typeof INPUT_TYPES)[number];

/** What prompt steps may answer with. */
export const OUTPUT_FORMATS = ["text", "json"] as const;

/** What a run may use when its definition says nothing. Time counts while something is done: waiting costs nothing. */
export const DEFAULT_BUDGET = { maxTokens: 200_000, maxSeconds: 3600, maxToolCalls: 200 } as const;
/** Steps of one run that are done side by side. */
export const DEFAULT_MAX_PARALLEL = 2;
/** Days that runs are kept which have ended. */
export const DEFAULT_KEEP_RUNS_DAYS = 90;
/** How long the first pause before another try is, in seconds; it doubles. */
export const DEFAULT_BACKOFF_SECONDS = 10;
/** How long somebody has to approve, in seconds: a week. */
export const DEFAULT_APPROVAL_SECONDS = 7 * 86_400;

export interface Budget {
  /** Tokens of all models. */
  readonly maxTokens: number;
  /** Seconds in which something is done. */
  readonly maxSeconds: number;
  /** Calls of tools, those within prompts too. */
  readonly maxToolCalls: number;
}

export interface InputDefinition {
  /** Default: anything. */
  readonly type?: InputType;
  readonly description?: string;
  readonly default?: JsonValue;
  /** Default: what has no default must be given. */
  readonly required?: boolean;
}

interface CommonStep {
  readonly id: string;
  /** Steps that must have ended before. What a step refers to is needed too, whether it is listed or not. */
  readonly needs?: readonly string[];
  /** `<reference> == <literal>` or `!=`; else the step is skipped, and what needs it goes on. */
  readonly if?: string;
  /** A reference to a list: the step is done for each of its items, which it reads as `${item}`. */
  readonly forEach?: string;
  readonly retry?: { readonly max: number; readonly backoffSeconds?: number };
  /** Of one try. Of `approve`: how long there is to answer. */
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
      /** Tools that it may call, at most. Default: those that its person may. */
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

/** For how long, until when, or for which event. Numbers and times may be references. */
export type WaitValues = Values & {
  readonly seconds?: number | string;
  readonly minutes?: number | string;
  readonly hours?: number | string;
  readonly days?: number | string;
  /** ISO 8601. */
  readonly until?: string;
  /** The name of an event; `workflows.signal` tells it. With a time beside it: the longest that is waited. */
  readonly event?: string;
};

/** A workflow: what is done, in which order, with what. Source: docs/workflows.md. */
export interface WorkflowDefinition {
  /** By which it is run: letters, digits, `-` and `_` in lower case. */
  readonly name: string;
  /** What it is good for, for people and the model. */
  readonly description?: string;
  /** What it is given when it starts, by name. Default: anything may be given. */
  readonly inputs?: Readonly<Record<string, InputDefinition>>;
  /** What a run may use. Default 200,000 tokens, 3,600 seconds, 200 calls of tools. */
  readonly budget?: Partial<Budget>;
  /** What is done; steps without open needs run side by side. */
  readonly steps: readonly StepDefinition[];
  /** What the run gives: a value with references. Default: the output of the last step. */
  readonly output?: JsonValue;
}
