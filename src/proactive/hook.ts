import type { Injection, IterationStarted, TaskCompleted, TaskStarted, ToolEnded } from "../events/index.ts";

/** Context of a hook call. */
export interface HookContext {
  /** The session of the turn. */
  readonly sessionKey: string;
  /**
   * Whether this is a dry run by `explainContext`, which only shows what would be injected. Write no record and start
   * no cool-down.
   */
  readonly dryRun: boolean;
  /** Aborts when the hook's time limit is over; later results are dropped. Created on first read. */
  readonly signal: AbortSignal;
}

/** A turn that starts. Without `inject`, since a hook returns its injections. */
export type HookTask = Omit<TaskStarted, "inject">;
/** A model call of a turn. Without `inject`, since a hook returns its injections. */
export type HookIteration = Omit<IterationStarted, "inject">;
/** A tool that has run. Without `inject`, since a hook returns its injections. */
export type HookTool = Omit<ToolEnded, "inject">;

/** What a hook adds to the prompt. Returning nothing is the same as an empty list. */
export type Injections = readonly Injection[] | void;

/**
 * Takes part in turns: adds to the prompt before the model is called, and is notified of results.
 * Contract: every function may throw, reject or time out; the turn continues without it.
 *
 * Source: docs/hooks.md.
 *
 * @example
 * ```ts
 * const hook: ProactiveHook = {
 *   name: "office-hours",
 *   onTaskStart: () => [{ type: "warning", content: "The office is closed", source: "office-hours", priority: 5 }],
 * };
 * ```
 */
export interface ProactiveHook {
  /** Unique name of the hook within an assistant, used in reports and metrics and to remove it. */
  readonly name: string;
  /** Called when a turn starts. The result stands before the newest message. */
  onTaskStart?(task: HookTask, context: HookContext): Promise<Injections> | Injections;
  /** Called before each model call of a turn. The result stands after everything else in that call. */
  onIterationStart?(iteration: HookIteration, context: HookContext): Promise<Injections> | Injections;
  /** Called when a tool succeeded. The result stands in the next model call. */
  onToolCompleted?(tool: HookTool, context: HookContext): Promise<Injections> | Injections;
  /** Called when a turn has ended and its reply is durable. Never delays the reply. */
  onTaskCompleted?(task: TaskCompleted, context: HookContext): Promise<void> | void;
}
