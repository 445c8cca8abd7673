import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Target } from "../channel.ts";
import type { Origin } from "../message.ts";
import type { Home } from "../notice.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import type { Store, JsonValue } from "../store/index.ts";

/** What a tool is, for the rules that decide who may run it and when. */
export interface ToolMeta {
  /** Free words; those that start with `group:` put the tool into that group. */
  readonly tags?: readonly string[];
  /** The tool's own group, as `fs` or `ui`. */
  readonly category?: string;
  /** Has effects that the owner must allow. Default false. */
  readonly dangerous?: boolean;
  /** Running it twice does the same as once, so a call that a crash interrupted is run again. Default false: the model is told instead. */
  readonly idempotent?: boolean;
  /** What it gives was written by strangers (a page, a search, another server): the prompt shows it as data inside a boundary. Default false. */
  readonly untrusted?: boolean;
  /** What the tool must not tell, as its API key: taken out of logs, audit lines, errors and whatever tools give, as the option `secrets` is. Default none. */
  readonly secrets?: readonly string[];
  /**
   * A reason to refuse this call at once, as a guard of commands or addresses has it: asked before the owner is, and again before an approved call runs.
   * Contract: changes nothing. One that throws refuses.
   */
  guard?(input: never, context: ToolContext): Promise<string | undefined> | string | undefined;
  /**
   * Of a dangerous tool: what besides the input decides what a call does, as the working folder, the environment or the machine. The owner sees it, and an
   * approval holds for it alone. Asked again before an approved call runs, with the context that `execute` then gets. Must be JSON. Default: nothing.
   */
  boundTo?(input: never, context: ToolContext): Promise<JsonValue> | JsonValue;
  /** Of a dangerous tool: how a pattern that the owner typed (`git log *`) is compared with a call. Default: only the exact arguments can be allowed for good. */
  readonly patterns?: {
    /** @returns What is wrong with a pattern. */
    check(pattern: string): Promise<string | undefined> | string | undefined;
    /** Contract: false whenever it is not sure. */
    fits(input: never, pattern: string, context: ToolContext): Promise<boolean> | boolean;
  };
  /** Asked before each step and again at the call. Contract: pure and quick. Default: visible to all. */
  visibleTo?(context: VisibilityContext): boolean;
}

/** Who a tool would be shown to. All of it comes from the runtime, nothing from the message or the model. */
export interface VisibilityContext {
  /** The channel's name, as `telegram`. */
  readonly channel: string;
  /** Which of several accounts of that channel; `default` for the only one. */
  readonly accountId: string;
  /** The platform's id of the chat. */
  readonly chatId: string;
  /** `channel:id` of the person whom the turn answers. */
  readonly userId: string;
  /** What the configuration makes of that person, as `owner`. */
  readonly userRoles: readonly string[];
  /** The session of the turn. */
  readonly sessionKey: string;
}

/** What a running tool knows and may use. */
export interface ToolContext {
  /** Unique for this call: `<turn>.<step>.<index>`; the same when the call is run again after a crash. */
  readonly callId: string;
  /** The turn that the call belongs to. */
  readonly taskId: string;
  /** Whom the turn answers, where, with which roles. */
  readonly speaker: Speaker;
  /** `channel:id` of the person the turn answers: `speaker.user`. */
  readonly user: string;
  /** `speaker.channel`. */
  readonly channel: string;
  /** `speaker.sessionKey`. */
  readonly sessionKey: string;
  /** Where replies of this turn go; absent when its caller alone gets them. */
  readonly target?: Target;
  /** What began the turn when it was no message of a person, as `job` or `heartbeat`. */
  readonly origin?: Exclude<Origin, "message">;
  /** Of unattended work: the conversation that it is for. */
  readonly home?: Home;
  /** What started the session that calls: nobody may do more than whoever started them. */
  readonly startedBy?: CallerLink;
  /** The only tools that the work may use that calls. */
  readonly onlyTools?: readonly string[];
  /** Tools that the turn may not call although the policy would let it. */
  readonly withoutTools?: readonly string[];
  /** Everybody whose messages the turn answers, when it is not `user` alone. */
  readonly speakers?: readonly string[];
  /** A job, a heartbeat or a hook began the work, however it was handed on since: it spends what jobs may spend. */
  readonly unattended?: true;
  /** False when the host program runs the tool by itself: then there is no reply that could carry anything. */
  readonly inTurn: boolean;
  /** `speaker.agentId`. */
  readonly agentId: string;
  /** Aborts when the turn is stopped or out of time. */
  readonly signal: AbortSignal;
  /** The assistant's own store, with everything in it. */
  readonly store: Store;
  /** Publishes `tool.progress` on the assistant's event bus, for whoever shows how far the work is; never stored. */
  emit(event: { readonly type: string; readonly data?: JsonValue }): void;
  /** Runs another tool as whoever runs this one: policy, guards and approvals are the same as if they had called it. Never throws. */
  callTool(name: string, input: unknown): Promise<SubCallResult>;
}

/** What another tool gave. `approval`: nothing ran yet, the owner was asked, and the result comes to the session. */
export type SubCallResult =
  | { readonly ok: true; readonly output: JsonValue }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/** A result that comes later: a promise of this process, or `"elsewhere"` when somebody will hand it to `assistant.tools.complete`. */
export type PendingWork = Promise<unknown> | "elsewhere";

/**
 * A tool's answer when it wants more than to hand one value to the model: make it with `toolOutcome()`.
 */
export interface ToolOutcome {
  /** Recognises what `toolOutcome()` made, also where two copies of the package are loaded. */
  readonly [OUTCOME]: true;
  /** What the model reads. */
  readonly forModel: JsonValue;
  /** What a person who watches sees instead of `forModel`. */
  readonly forUser?: JsonValue;
  /** Nothing is shown to a person. Default false. */
  readonly silent?: boolean;
  /** Becomes the turn's reply and ends the turn. */
  readonly reply?: string;
  /** The result comes later, as a note in the session; `forModel` says until then that it is under way. */
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

/** A refusal or failure that the model should read: `{ ok: false, error: { code, message } }` at the dispatch point. Throw it from `execute`. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  /** For programs; the model reads it with the message. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A tool: what the model reads of it, and what runs. */
export interface ToolDefinition<Schema extends StandardSchemaV1 = StandardSchemaV1> {
  /** Letters, digits, `_`, `-`, `:`; the key under which it is given names it otherwise. */
  readonly name?: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  /** A valibot object schema, or any Standard Schema that can tell its JSON Schema. */
  readonly inputSchema: Schema;
  /**
   * Runs with checked input. Contract: stops soon after `context.signal` aborts. What it returns must be JSON (`undefined` counts as `null`) or a
   * `toolOutcome()`; what it throws becomes an error result that the model reads.
   */
  execute(input: StandardSchemaV1.InferOutput<Schema>, context: ToolContext): Promise<unknown> | unknown;
  /** Groups, limits and what the runtime should know of it. Default none, and then it runs without asking the owner. */
  readonly meta?: ToolMeta;
}

/** A tool of any input type, as the registry keeps it. */
export type AnyTool = Omit<ToolDefinition, "execute"> & {
  /** As of `ToolDefinition`. `never`: only dispatch calls it, with input that it checked. */
  execute(input: never, context: ToolContext): Promise<unknown> | unknown;
};

/**
 * Makes a tool; it only adds the types.
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
