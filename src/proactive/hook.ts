import type { Injection, IterationStarted, TaskCompleted, TaskStarted, ToolEnded } from "../events/index.ts";

/** What a hook is told besides what happens. */
export interface HookContext {
  /** The session of the turn. */
  readonly sessionKey: string;
  /** Nothing is about to happen, `explainContext` only wants to see what would be injected: write no record and start no cool-down. */
  readonly dryRun: boolean;
  /** Aborts when the hook's time is over; what it returns then is dropped. Made when it is first read. */
  readonly signal: AbortSignal;
}

/** A turn that begins. A hook returns what it adds, and so has no `inject`. */
export type HookTask = Omit<TaskStarted, "inject">;
/** A model call of a turn. A hook returns what it adds, and so has no `inject`. */
export type HookIteration = Omit<IterationStarted, "inject">;
/** A tool that has run. A hook returns what it adds, and so has no `inject`. */
export type HookTool = Omit<ToolEnded, "inject">;

/** What a hook wants the model to know; nothing is as good as an empty list. */
export type Injections = readonly Injection[] | void;

/**
 * Takes part in turns: says what the model should know before it is asked, and hears what became of it.
 * Contract: every function may throw, reject or take too long; the turn goes on without it.
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
  /** Unique among the hooks of an assistant: in reports, in metrics, and to remove it. */
  readonly name: string;
  /** A turn begins. What it returns stands before the newest message. */
  onTaskStart?(task: HookTask, context: HookContext): Promise<Injections> | Injections;
  /** The model is about to be asked, for the first time or again. What it returns stands behind everything else in this call. */
  onIterationStart?(iteration: HookIteration, context: HookContext): Promise<Injections> | Injections;
  /** A tool ended well. What it returns stands in the model call that comes next. */
  onToolCompleted?(tool: HookTool, context: HookContext): Promise<Injections> | Injections;
  /** A turn ended, its reply is durable; never in the reply's way. */
  onTaskCompleted?(task: TaskCompleted, context: HookContext): Promise<void> | void;
}
