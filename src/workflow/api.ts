import type { ConfigIssue } from "../settings/index.ts";
import type { JsonValue } from "../store/index.ts";
import type { Budget, InputDefinition, StepKind, WorkflowDefinition } from "./definition.ts";
import type { RunStatus, StepError, StepStatus } from "./run.ts";

/** `assistant.workflows`. Source: docs/workflows.md. */
export interface WorkflowsApi {
  /**
   * Starts a run, of a known definition by its name, of the text of one, or of one that is given as an object. Durable when this resolves.
   * @throws {AssistantError} `NOT_FOUND` for a name that there is none of; `OPTION_INVALID` for a wrong definition, inputs or budget, naming the field and what was expected.
   */
  run(definition: string | WorkflowDefinition, options?: RunOptions): Promise<{ readonly runId: string }>;
  /** One run, with its steps. @throws {AssistantError} `NOT_FOUND`. */
  get(runId: string): Promise<WorkflowRunView>;
  /** The newest runs first. `limit`: 1 to 100, default 20. */
  list(of?: {
    readonly user?: string;
    readonly name?: string;
    readonly limit?: number;
  }): Promise<readonly WorkflowRunView[]>;
  /** The run once it has ended. Rejects with the signal's reason when that aborts. @throws {AssistantError} `NOT_FOUND`; `STOPPED` when the assistant stops before. */
  finished(runId: string, signal?: AbortSignal): Promise<WorkflowRunView>;
  /** Ends a run, and what it started. One that has ended stays as it is. @throws {AssistantError} `NOT_FOUND`. */
  cancel(runId: string, options?: { readonly user?: string }): Promise<WorkflowRunView>;
  /**
   * Goes on with a run that failed or was cancelled: steps that are done stay done. A budget takes the place of the run's own.
   * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for one that is under way or done; `OPTION_INVALID` for a wrong budget.
   */
  resume(runId: string, options?: { readonly budget?: Partial<Budget> }): Promise<WorkflowRunView>;
  /**
   * Does a step of a run that has ended again, and what needs it.
   * @throws {AssistantError} `NOT_FOUND` for the run or the step; `CONFLICT` for a run that is under way; `OPTION_INVALID` for a wrong budget.
   */
  retry(runId: string, step: string, options?: { readonly budget?: Partial<Budget> }): Promise<WorkflowRunView>;
  /** Tells a run an event that it waits for, now or later. @throws {AssistantError} `NOT_FOUND`; `CONFLICT` for one that has ended. */
  signal(runId: string, event: string, data?: JsonValue): Promise<void>;
  /** Definitions: of the host, of files, and those that come with Wakeful; and chains of skills that `user` is offered, by default the host. */
  definitions(of?: { readonly user?: string }): Promise<readonly WorkflowSummary[]>;
  /** What is wrong with the files of definitions and of runs that cannot be read, which `definitions` and `list` leave out. */
  problems(): Promise<readonly ConfigIssue[]>;
  /** One definition, whole. @throws {AssistantError} `NOT_FOUND`, also for a chain of skills that `user` is not offered. */
  definition(
    name: string,
    of?: { readonly user?: string },
  ): Promise<{
    readonly definition: WorkflowDefinition;
    readonly yaml: string;
    readonly source: WorkflowSummary["source"];
  }>;
  /**
   * Keeps a definition as `workflows/defs/<name>.yaml`. @param definition YAML or an object. @param options.name What it must be called; a text may then leave its name out.
   * @throws {ConfigError} With the line, the field and what was expected.
   */
  save(definition: string | WorkflowDefinition, options?: { readonly name?: string }): Promise<WorkflowSummary>;
  /** Removes the file of a definition. @throws {AssistantError} `NOT_FOUND` for one that no file holds. */
  remove(name: string): Promise<void>;
}

export interface RunOptions {
  readonly inputs?: Readonly<Record<string, JsonValue>>;
  /** For whom it works, as `channel:id`, with that person's rights. Default `sdk`. */
  readonly user?: string;
  /** The name of a conversation, as in `send`, that is told how far it is. Default: the person's direct chat. */
  readonly session?: string;
  /** Takes the place of what the definition says. */
  readonly budget?: Partial<Budget>;
  /** The same id starts the same run once. */
  readonly id?: string;
}

/** A definition in a list. */
export interface WorkflowSummary {
  readonly name: string;
  readonly description: string;
  /** Where it comes from. */
  readonly source: "host" | "file" | "built-in" | "skill";
  readonly inputs: Readonly<Record<string, InputDefinition>>;
  readonly steps: number;
}

/** A run as people see it. */
export interface WorkflowRunView {
  /** Begins with `run-`. */
  readonly id: string;
  /** Of the workflow. */
  readonly name: string;
  /** `waiting`: for a time, an event, an approval or another run. */
  readonly status: RunStatus;
  /** For whom it works, as `channel:id`. */
  readonly user: string;
  /** The conversation that is told of it. */
  readonly sessionKey: string;
  /** What it was given, with the defaults of the rest. */
  readonly inputs: Readonly<Record<string, JsonValue>>;
  /** In the order of the definition. */
  readonly steps: readonly WorkflowStepView[];
  /** When it was started first. */
  readonly startedAt: Date;
  /** Absent: it has not ended. */
  readonly endedAt?: Date;
  /** Steps that have ended, and all. */
  readonly progress: { readonly done: number; readonly total: number };
  /** What it may use. */
  readonly budget: Budget;
  /** What it has used, what it started included. */
  readonly spent: {
    /** Of all models. */
    readonly tokens: number;
    /** Those within prompts too. */
    readonly toolCalls: number;
    /** In which something was done. */
    readonly seconds: number;
    /** What the models cost, at the price of the one that is asked first; absent where no price is known. */
    readonly cost?: number;
  };
  /** Of a run that is done: what it gives. */
  readonly output?: JsonValue;
  /** Why it failed or was cancelled. */
  readonly error?: StepError;
  /** Of a run that ended otherwise than done: what was done, what failed, how to go on. */
  readonly summary?: string;
  /** The step of another run that it is. */
  readonly parent?: { readonly run: string; readonly step: string };
}

/** A step of a run as people see it. */
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
  /** Of a step that waits: until when, for which event, for whose approval, or for which run. */
  readonly waitsFor?: {
    readonly until?: Date;
    readonly event?: string;
    readonly approval?: { readonly id: string; readonly code: string };
    readonly run?: string;
  };
  /** Of a step that is done for each item of a list: how many are in which state. */
  readonly items?: { readonly done: number; readonly failed: number; readonly total: number };
}
