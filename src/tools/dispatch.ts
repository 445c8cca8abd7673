import type { Clock } from "../clock.ts";
import { messageOf } from "../errors.ts";
import { type EventBus, type Injection, publishForInjections } from "../events/index.ts";
import type { ToolDecision } from "../policy/index.ts";
import type { JsonValue, Store } from "../store/index.ts";
import type { Audit, Metrics } from "../telemetry/index.ts";
import { type RegisteredTool, type ToolRegistry, isVisible } from "./registry.ts";
import { checkInput } from "./schema.ts";
import { type ToolContext, ToolError, type VisibilityContext, isToolOutcome } from "./tool.ts";

/** Who calls, as the runtime knows it. */
export interface ToolCaller extends Omit<ToolContext, "store" | "callId" | "emit"> {
  /** Takes what listeners of the call's events want the model to know. */
  onInjected?(injections: readonly Injection[]): void;
}

export type ToolResult =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      /** What a person who watches sees, when it is not `output`; `null` for nothing. */
      readonly forUser?: JsonValue | null;
      /** The call ends the turn with this reply. */
      readonly reply?: string;
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

export interface DispatchOptions {
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** The one decision on who may run what: asked for the list that the model sees and again at the call. */
  decide(
    tool: RegisteredTool,
    caller: { readonly channel: string; readonly roles: readonly string[]; readonly sessionKey: string },
  ): ToolDecision;
}

export type ToolDispatch = ReturnType<typeof createDispatch>;

/**
 * The one way to run a tool, whoever asks: a turn, the host program, HTTP.
 * Never throws: a refusal, bad input and a failure are results that the model reads.
 */
export function createDispatch({ registry, store, clock, events, audit, metrics, decide }: DispatchOptions) {
  function visible(caller: ToolCaller): readonly RegisteredTool[] {
    const who = decisionCaller(caller);
    return registry.visible(visibilityOf(caller), (tool) => !decide(tool, who).allowed);
  }

  async function run(name: string, input: unknown, caller: ToolCaller, callId: string): Promise<ToolResult> {
    const tool = registry.find(name);
    if (!tool) return refusal("UNKNOWN_TOOL", `There is no tool ${JSON.stringify(name)}`);
    const decision = decide(tool, decisionCaller(caller));
    if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {
      const reason = decision.allowed ? "it is not offered here" : decision.reason;
      metrics.increment("tool.policy.denied_total");
      audit.write({
        who: caller.user,
        what: "tool.denied",
        target: tool.name,
        verdict: "denied",
        reason,
        taskId: caller.taskId,
        sessionKey: caller.sessionKey,
      });
      return refusal("DENIED", `tool denied by policy: ${tool.name} (${reason})`);
    }
    const checked = await checkInput(tool.tool, input);
    if (!checked.ok) return refusal("BAD_INPUT", `Bad input for ${tool.name}: ${checked.message}`);
    return runChecked(tool, checked.input, caller, callId);
  }

  async function runChecked(
    tool: RegisteredTool,
    input: unknown,
    caller: ToolCaller,
    callId: string,
  ): Promise<ToolResult> {
    const { name } = tool;
    const { taskId, sessionKey } = caller;
    const startedAt = clock.now();
    if (events.has("tool.started")) {
      const injections = await publishForInjections(events, (inject) => ({
        type: "tool.started",
        sessionId: sessionKey,
        timestamp: startedAt,
        payload: { taskId, callId, name, inject },
      }));
      if (injections.length > 0) caller.onInjected?.(injections);
    }
    const emit: ToolContext["emit"] = ({ type, data }) => {
      const payload = { taskId, callId, name, type, ...(data !== undefined && { data }) };
      events.publishAsync({ type: "tool.progress", sessionId: sessionKey, timestamp: clock.now(), payload });
    };
    const { onInjected: _, ...context } = caller;
    const result = await attempt(tool, input, { ...context, callId, store, emit });
    const durationMs = clock.now() - startedAt;
    const type = result.ok ? "tool.completed" : "tool.failed";
    if (events.has(type)) {
      const error = result.ok ? {} : { error: result.error.message };
      const injections = await publishForInjections(events, (inject) => ({
        type,
        sessionId: sessionKey,
        timestamp: clock.now(),
        payload: { taskId, callId, name, durationMs, ...error, inject },
      }));
      if (injections.length > 0) caller.onInjected?.(injections);
    }
    metrics.increment("tool.call_total", { tool: name, status: result.ok ? "ok" : "error" });
    audit.write({
      who: caller.user,
      what: "tool.call",
      target: name,
      verdict: result.ok ? "ok" : "failed",
      ...(result.ok ? {} : { reason: result.error.message }),
      callId,
      taskId,
      sessionKey,
      durationMs,
    });
    return result;
  }

  return { run, visible, find: registry.find };
}

async function attempt(tool: RegisteredTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    const value = await untilAborted(tool.tool.execute(input as never, context), context.signal);
    if (!isToolOutcome(value)) return { ok: true, output: asJson(value, tool.name) };
    return {
      ok: true,
      output: asJson(value.forModel, tool.name),
      ...(value.silent ? { forUser: null } : value.forUser === undefined ? {} : { forUser: value.forUser }),
      ...(value.reply === undefined ? {} : { reply: value.reply }),
    };
  } catch (error) {
    if (error instanceof ToolError) return refusal(error.code, error.message);
    if (context.signal.aborted)
      return refusal("ABORTED", `${tool.name} was stopped: ${messageOf(context.signal.reason)}`);
    return refusal("FAILED", `${tool.name} failed: ${messageOf(error)}`);
  }
}

/** A tool that does not listen to its signal is left behind when the turn ends; a late result has no effect. */
function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> | T {
  if (!(work instanceof Promise)) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** What a tool returns must be JSON: what is not is a failure here, not a torn log later. */
function asJson(value: unknown, name: string): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new ToolError("BAD_OUTPUT", `${name} returned what is not JSON: ${messageOf(error)}`);
  }
  if (text === undefined) throw new ToolError("BAD_OUTPUT", `${name} returned a ${typeof value}, which is not JSON`);
  return JSON.parse(text) as JsonValue;
}

function refusal(code: string, message: string): ToolResult {
  return { ok: false, error: { code, message } };
}

function decisionCaller(caller: ToolCaller) {
  return { channel: caller.channel, roles: caller.userRoles, sessionKey: caller.sessionKey };
}

function visibilityOf(caller: ToolCaller): VisibilityContext {
  const { channel, accountId, chatId, user, userRoles, sessionKey } = caller;
  return { channel, accountId, chatId, userId: user, userRoles, sessionKey };
}
