import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Target } from "../channel.ts";
import type { Origin } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { Store, JsonValue } from "../store/index.ts";

/** Properties of a tool, for the rules that decide who may run it and when. */
export interface ToolMeta {
  /** Free words; tags that start with `group:` put the tool into that group. */
  readonly tags?: readonly string[];
  /** The tool's own group, as `fs` or `ui`. */
  readonly category?: string;
  /** Whether it has effects that the owner must allow. Default false. */
  readonly dangerous?: boolean;
  /**
   * Whether running it twice does the same as once, so that a call that a crash interrupted is run again. Default
   * false: the model is told instead.
   */
  readonly idempotent?: boolean;
  /**
   * Whether strangers wrote its output (a page, a search, another server): the prompt shows it as data inside a
   * boundary. Default false.
   */
  readonly untrusted?: boolean;
  /**
   * Secrets of the tool, such as its API key: redacted in logs, audit lines, errors and all tool output, as the
   * option `secrets` is. Default none.
   */
  readonly secrets?: readonly string[];
  /**
   * Returns a reason to refuse this call at once, as a guard of commands or addresses does. Runs before the owner is
   * asked, and again before an approved call runs. Contract: changes nothing. A guard that throws refuses.
   */
  guard?(input: never, context: ToolContext): Promise<string | undefined> | string | undefined;
  /**
   * For a dangerous tool: what decides the effect of a call besides its input, such as the working folder, the
   * environment or the machine. The owner sees it, and an approval holds for it alone. Computed again before an
   * approved call runs, with the context that `execute` then gets. Must be JSON. Default: nothing.
   */
  boundTo?(input: never, context: ToolContext): Promise<JsonValue> | JsonValue;
  /**
   * For a dangerous tool: compares a call with a pattern that the owner typed (`git log *`). Default: the owner can
   * permanently allow only the exact arguments.
   */
  readonly patterns?: {
    /** @returns What is wrong with a pattern. */
    check(pattern: string): Promise<string | undefined> | string | undefined;
    /** Whether a call fits a pattern. Contract: false if in doubt. */
    fits(input: never, pattern: string, context: ToolContext): Promise<boolean> | boolean;
  };
  /**
   * Whether the tool is shown. Called before each step and again at the call. Contract: pure and quick. Default:
   * visible to all.
   */
  visibleTo?(context: VisibilityContext): boolean;
}

/** Whom a tool would be shown to. All values come from the runtime, none from the message or the model. */
export interface VisibilityContext {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** The account of that channel, if it has several; `default` for the only one. */
  readonly accountId: string;
  /** The platform's id of the chat. */
  readonly chatId: string;
  /** `channel:id` of the person whom the turn answers. */
  readonly userId: string;
  /** Roles that the configuration gives that person, as `owner`. */
  readonly userRoles: readonly string[];
  /** The session of the turn. */
  readonly sessionKey: string;
}

/** What a running tool knows and can use. */
export interface ToolContext {
  /** Unique id of this call: `<turn>.<step>.<index>`; stays the same when the call is run again after a crash. */
  readonly callId: string;
  /** The turn that the call belongs to. */
  readonly taskId: string;
  /** The person whom the turn answers, the place, and the roles. */
  readonly speaker: Speaker;
  /** `channel:id` of the person whom the turn answers: `speaker.user`. */
  readonly user: string;
  /** `speaker.channel`. */
  readonly channel: string;
  /** `speaker.sessionKey`. */
  readonly sessionKey: string;
  /** Where replies of this turn go; absent if only its caller gets them. */
  readonly target?: Target;
  /** What began the turn, if not a person's message, as `job` or `heartbeat`. */
  readonly origin?: Exclude<Origin, "message">;
  /** For unattended work: the conversation that it is for. */
  readonly home?: Home;
  /** What started the calling session: no work has more rights than what started it. */
  readonly startedBy?: CallerLink;
  /** The only tools that the calling work may use. */
  readonly onlyTools?: readonly string[];
  /** Tools that the turn may not call although the policy allows them. */
  readonly withoutTools?: readonly string[];
  /** Users whose messages the turn answers, if it is not `user` alone. */
  readonly speakers?: readonly string[];
  /**
   * Set if a job, a heartbeat or a hook began the work, even if it was handed on since: it counts against the limits
   * of jobs.
   */
  readonly unattended?: true;
  /**
   * Whether the call is part of a turn. False if the host program runs the tool by itself: then no reply can carry
   * anything.
   */
  readonly inTurn: boolean;
  /** `speaker.agentId`. */
  readonly agentId: string;
  /** Aborts when the turn is stopped or out of time. */
  readonly signal: AbortSignal;
  /** The assistant's own store, with all its data. */
  readonly store: Store;
  /** Publishes `tool.progress` on the assistant's event bus, to show the progress of the work; never stored. */
  emit(event: { readonly type: string; readonly data?: JsonValue }): void;
  /**
   * Runs another tool as the caller of this one: the same policy, guards and approvals apply as to a direct call.
   * Never throws.
   */
  callTool(name: string, input: unknown): Promise<SubCallResult>;
}

/** Result of a nested call. `approval`: nothing ran yet, the owner was asked, and the result comes to the session. */
export type SubCallResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/**
 * A result that comes later: a promise of this process, or `"elsewhere"` if another party will hand it to
 * `assistant.tools.complete`.
 */
export type PendingWork = Promise<unknown> | "elsewhere";

/** A tool's answer if it is more than one value for the model. Made with `toolOutcome()`. */
export interface ToolOutcome {
  /** Identifies values that `toolOutcome()` made, even if two copies of the package are loaded. */
  readonly [OUTCOME]: true;
  /** What the model reads. */
  readonly forModel: JsonValue;
  /** What a watching person sees instead of `forModel`. */
  readonly forUser?: JsonValue;
  /** Whether the person sees nothing. Default false. */
  readonly silent?: boolean;
  /** Becomes the turn's reply and ends the turn. */
  readonly reply?: string;
  /** The result comes later, as a note in the session. Until then `forModel` says that it is under way. */
  readonly pending?: PendingWork;
}

const OUTCOME: unique symbol = Symbol.for("wakeful.toolOutcome") as never;

/** Separates what the model sees from what the person sees, or ends the turn with a reply. */
export function toolOutcome(outcome: Omit<ToolOutcome, typeof OUTCOME>): ToolOutcome {
  return { ...outcome, [OUTCOME]: true };
}

export function isToolOutcome(value: unknown): value is ToolOutcome {
  return typeof value === "object" && value !== null && OUTCOME in value;
}

/**
 * A refusal or failure for the model to read: `{ ok: false, error: { code, message } }` at the dispatch point. Thrown
 * from `execute`.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** For programs; the model reads it with the message. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A tool: its description for the model, and the function that runs. */
export interface ToolDefinition<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  /** Letters, digits, `_`, `-`, `:`. Default: the key under which the tool is given. */
  readonly name?: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** A valibot object schema, or any Standard Schema that can tell its JSON Schema. */
  readonly inputSchema: Schema;
  /**
   * Runs with checked input. Contract: stops soon after `context.signal` aborts. It returns JSON (`undefined` counts
   * as `null`) or a `toolOutcome()`. An error that it throws becomes an error result that the model reads.
   */
  execute(input: StandardSchemaV1.InferOutput<Schema>, context: ToolContext): Promise<unknown> | unknown;
  /** Groups, limits and other properties for the runtime. Default none: the tool then runs without asking the owner. */
  readonly meta?: ToolMeta;
}

/** A tool of any input type, as the registry keeps it. */
export type AnyTool = Omit<ToolDefinition, "execute"> & {
  /** As in `ToolDefinition`. `never`: only dispatch calls it, with input that it checked. */
  execute(input: never, context: ToolContext): Promise<unknown> | unknown;
};

/**
 * Makes a tool. Only adds the types.
 *
 * @example
 * ```ts
 * const dice = defineTool({
 *   description: "Rolls a die",
 *   inputSchema: v.object({ sides: v.optional(v.number(), 6) }),
 *   execute: ({ sides }) => ({ rolled: 1 + Math.floor(Math.random() * sides) }),
 *   meta: { idempotent: true },
 * });
 * ```
 */
export function defineTool<Schema extends StandardSchemaV1>(
  definition: ToolDefinition<Schema>,
): ToolDefinition<Schema> {
  return definition;
}
