import type { ConfigIssue } from "../settings/index.ts";
import type { JsonValue } from "../store/index.ts";
import type { Budget, InputDefinition, StepKind, WorkflowDefinition } from "./definition.ts";
import type { RunStatus, StepError, StepStatus } from "./run.ts";

/** `assistant.workflows`. Source: docs/workflows.md. */
export interface WorkflowsApi {
  /**
   * Starts a run of a known definition by name, of the text of a definition, or of a definition object. Durable when
   * this resolves.
   * @throws {AssistantError} `NOT_FOUND` for an unknown name; `OPTION_INVALID` for an invalid definition, inputs or
   * budget, naming the field and what was expected.
   */
  run(definition: string | WorkflowDefinition, options?: RunOptions): Promise<{ readonly runId: string }>;
  /** Reads one run with its steps. @throws {AssistantError} `NOT_FOUND`. */
  get(runId: string): Promise<WorkflowRunView>;
  /** Lists runs, newest first. `limit`: 1 to 100, default 20. */
  list(of?: {
    readonly user?: string;
    readonly name?: string;
    readonly limit?: number;
  }): Promise<readonly WorkflowRunView[]>;
  /**
   * Waits until a run has ended and returns it. Rejects with the signal's reason when that aborts.
   * @throws {AssistantError} `NOT_FOUND`; `STOPPED` when the assistant stops before.
   */
  finished(runId: string, signal?: AbortSignal): Promise<WorkflowRunView>;
  /** Cancels a run and what it started. A run that has ended stays as it is. @throws {AssistantError} `NOT_FOUND`. */
  cancel(runId: string, options?: { readonly user?: string }): Promise<WorkflowRunView>;
  /**
   * Resumes a run that failed or was cancelled. Finished steps stay done. A given budget replaces the run's own.
   * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for a run that is under way or done; `OPTION_INVALID` for an
   * invalid budget.
   */
  resume(runId: string, options?: { readonly budget?: Partial<Budget> }): Promise<WorkflowRunView>;
  /**
   * Repeats a step of a run that has ended, and all steps that depend on it.
   * @throws {AssistantError} `NOT_FOUND` for the run or the step; `CONFLICT` for a run that is under way;
   * `OPTION_INVALID` for an invalid budget.
   */
  retry(runId: string, step: string, options?: { readonly budget?: Partial<Budget> }): Promise<WorkflowRunView>;
  /**
   * Gives a run an event that it waits for, now or later.
   * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for a run that has ended.
   */
  signal(runId: string, event: string, data?: JsonValue): Promise<void>;
  /**
   * Lists definitions: those of the host, of files and built-in ones, and the chains of skills that `user` is offered.
   * Default user: the host.
   */
  definitions(of?: { readonly user?: string }): Promise<readonly WorkflowSummary[]>;
  /** Lists problems of unreadable files of definitions and runs, which `definitions` and `list` leave out. */
  problems(): Promise<readonly ConfigIssue[]>;
  /**
   * Reads one definition.
   * @throws {AssistantError} `NOT_FOUND`, also for a chain of skills that `user` is not offered.
   */
  definition(
    name: string,
    of?: { readonly user?: string },
  ): Promise<{
    readonly definition: WorkflowDefinition;
    readonly yaml: string;
    readonly source: WorkflowSummary["source"];
  }>;
  /**
   * Saves a definition as `workflows/defs/<name>.yaml`.
   * @param definition YAML or an object.
   * @param options.name The name that it must have; YAML may then omit its name.
   * @throws {ConfigError} With the line, the field and what was expected.
   */
  save(definition: string | WorkflowDefinition, options?: { readonly name?: string }): Promise<WorkflowSummary>;
  /** Removes the file of a definition. @throws {AssistantError} `NOT_FOUND` when no file has it. */
  remove(name: string): Promise<void>;
}

export interface RunOptions {
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  /** The person that the run is for, as `channel:id`, with that person's rights. Default `sdk`. */
  readonly user?: string;
  /** Name of the conversation that gets the progress, as in `send`. Default: the person's direct chat. */
  readonly session?: string;
  /** Overrides the definition's budget. */
  readonly budget?: Partial<Budget>;
  /** Idempotency key: the same id starts one run. */
  readonly id?: string;
}

/** A definition in a list. */
export interface WorkflowSummary {
  readonly name: string;
  readonly description: string;
  /** Origin of the definition. */
  readonly source: "host" | "file" | "built-in" | "skill";
  readonly inputs: Readonly<Record<string, InputDefinition>>;
  readonly steps: number;
}

/** Public view of a run. */
export interface WorkflowRunView {
  /** Begins with `run-`. */
  readonly id: string;
  /** Name of the workflow. */
  readonly name: string;
  /** `waiting`: for a time, an event, an approval or another run. */
  readonly status: RunStatus;
  /** The person that the run is for, as `channel:id`. */
  readonly user: string;
  /** The conversation that gets its progress. */
  readonly sessionKey: string;
  /** The given inputs, with defaults for the rest. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** Steps in the order of the definition. */
  readonly steps: readonly WorkflowStepView[];
  /** When it was first started. */
  readonly startedAt: Date;
  /** Absent while the run has not ended. */
  readonly endedAt?: Date;
  /** Number of steps that have ended, and of all steps. */
  readonly progress: { readonly done: number; readonly total: number };
  /** Limits of the run. */
  readonly budget: Budget;
  /** Use of the run, including what it started. */
  readonly spent: {
    /** Tokens of all models. */
    readonly tokens: number;
    /** Tool calls, including those within prompts. */
    readonly toolCalls: number;
    /** Active seconds; waiting does not count. */
    readonly seconds: number;
    /** Cost of the models, at the price of the one that is asked first; absent when no price is known. */
    readonly cost?: number;
  };
  /** Output of a finished run. */
  readonly output?: JsonValue;
  /** Why the run failed or was cancelled. */
  readonly error?: StepError;
  /** For a run that failed or was cancelled: what was done, what failed, how to continue. */
  readonly summary?: string;
  /** The step of the outer run that started this run. */
  readonly parent?: { readonly run: string; readonly step: string };
}

/** Public view of a step. */
export interface WorkflowStepView {
  readonly id: string;
  readonly run: StepKind;
  /** The tool, skill or workflow that it runs, or the first words of its prompt. */
  readonly what: string;
  readonly needs: readonly string[];
  readonly status: StepStatus;
  readonly attempt: number;
  readonly startedAt?: Date;
  readonly endedAt?: Date;
  readonly output?: JsonValue;
  readonly artifact?: string;
  readonly error?: StepError;
  readonly tokens?: number;
  readonly toolCalls?: number;
  /** What a waiting step waits for: a time, an event, an approval or another run. */
  readonly waitsFor?: {
    readonly until?: Date;
    readonly event?: string;
    readonly approval?: { readonly id: string; readonly code: string };
    readonly run?: string;
  };
  /** For a step with `for_each`: number of items in each state. */
  readonly items?: { readonly done: number; readonly failed: number; readonly total: number };
}
