import type {
  ApprovalDecision,
  ApprovalOutcome,
  ApprovalRecord,
  ApprovalRequest,
  SavedCaller,
} from "../approvals/index.ts";
import { speakerOfRequest } from "../approvals/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { sha256 } from "../hash.ts";
import { isUnattended } from "../message.ts";
import { type JsonValue, type Store, canonicalJson } from "../store/index.ts";
import type { Audit, Metrics, ModelRedactor } from "../telemetry/index.ts";
import { isAmong } from "../tool-lists.ts";
import { asJson } from "./as-json.ts";
import type { CallEvents } from "./call-events.ts";
import { type RegisteredTool, type ToolRegistry, isVisible } from "./registry.ts";
import type { ToolRunner } from "./tool-runner.ts";
import { checkInput } from "./schema.ts";
import { type CallWatch, type PolicySubject, type ToolCaller, type ToolResult, refusal } from "./tool-call.ts";
import type { ToolContext, VisibilityContext } from "./tool.ts";

export interface DispatchDeps {
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly callEvents: CallEvents;
  readonly runner: ToolRunner;
  readonly redact: ModelRedactor;
  /** The one decision on who may run which tool: made for the list that the model sees, and again at the call. */
  decide(
    tool: RegisteredTool,
    subject: PolicySubject,
  ): { readonly allowed: boolean; readonly reason: string; readonly profile: string | null };
  /** Asks the owner before a dangerous call, unless one of their rules allows it. */
  requestApproval(asked: ApprovalRequest): Promise<ApprovalDecision>;
}

export type ToolDispatch = ReturnType<typeof createDispatch>;

const NOBODY: CallWatch = {};

/** Deepest nesting of tools that call tools. No intended use goes deeper. */
const MAX_CALL_DEPTH = 8;

/**
 * The only way to run a tool: for a turn, the host program, HTTP, another tool, and an approval.
 * In this order: policy, visibility, the input's schema, the tool's own guard, the owner's approval, the run.
 * Never throws: a refusal, bad input and a failure are results that the model reads.
 */
export function createDispatch(deps: DispatchDeps) {
  const { registry, store, audit, metrics, callEvents, runner, redact, decide, requestApproval } = deps;
  const definitions = new WeakMap<RegisteredTool, Promise<string>>();

  function visible(caller: ToolCaller): readonly RegisteredTool[] {
    const subject = subjectOf(caller);
    return registry.visible(visibilityOf(caller), (tool) => !decide(tool, subject).allowed || !isGiven(tool, caller));
  }

  function run(
    name: string,
    given: unknown,
    caller: ToolCaller,
    callId: string,
    watch: CallWatch = NOBODY,
  ): Promise<ToolResult> {
    const { taskId } = caller;
    const call = { name: registry.find(name)?.name, callId, taskId };
    return callEvents.traced(call, () => runUnlessRefused(name, given, caller, callId, watch));
  }

  async function runUnlessRefused(
    name: string,
    given: unknown,
    caller: ToolCaller,
    callId: string,
    watch: CallWatch,
  ): Promise<ToolResult> {
    if (caller.signal.aborted) return refusal("ABORTED", `${name} was stopped before it began`);
    const admitted = await admit(name, given, caller, callId, watch);
    if (!admitted.ok) return admitted;
    const { tool, context } = admitted;
    if (!tool.dangerous) return execute(tool, admitted.input, context, caller, {}, watch);
    const unread = fieldsNotRead(given, admitted.input);
    if (unread.length > 0)
      return refusal("BAD_INPUT", `Bad input for ${tool.name}: nothing reads ${unread.join(", ")}: omit it`);
    let decision: ApprovalDecision;
    try {
      decision = await requestApproval(await approvalRequest(tool, given, admitted.input, context, caller));
    } catch (error) {
      if (AssistantError.is(error)) throw error; // from the store: nothing ran, and the caller handles it
      return refusal("FAILED", `${tool.name} did not run as the owner could not be asked: ${redact(messageOf(error))}`);
    }
    if ("rule" in decision) return execute(tool, admitted.input, context, caller, { rule: decision.rule }, watch);
    if ("refused" in decision) return refusal(decision.refused.code, decision.refused.message);
    const { id, code } = decision.open;
    watch.asked?.({ id, code, name: tool.name, input: jsonOf(given) });
    return { ok: false, approval: { id, code } };
  }

  /**
   * Runs a call that the owner allowed, if it is still the call that they allowed. All checks but the approval run
   * again.
   */
  function runApproved(
    record: ApprovalRecord,
    signal: AbortSignal,
  ): Promise<Pick<ApprovalOutcome, "output" | "error">> {
    const caller = callerOf(record.caller, signal);
    const call = { name: registry.find(record.tool)?.name, callId: record.id, taskId: caller.taskId };
    return callEvents.traced(call, () => runIfSame(record, caller));
  }

  async function runIfSame(
    record: ApprovalRecord,
    caller: ToolCaller,
  ): Promise<Pick<ApprovalOutcome, "output" | "error">> {
    const admitted = await admit(record.tool, record.input, caller, record.id, NOBODY);
    if (!admitted.ok) return "error" in admitted ? { error: admitted.error } : {};
    if (!(await isSame(record, admitted, caller))) {
      return {
        error: {
          code: "CHANGED",
          message: `${record.tool} has changed since the owner was asked: the call did not run, ask again`,
        },
      };
    }
    const allowedBy = { approval: record.id };
    const result = await execute(admitted.tool, admitted.input, admitted.context, caller, allowedBy, NOBODY);
    if (result.ok) return { output: result.output };
    return "error" in result ? { error: result.error } : {};
  }

  async function isSame(
    record: ApprovalRecord,
    { tool, input, context }: { readonly tool: RegisteredTool; readonly input: unknown; readonly context: ToolContext },
    caller: ToolCaller,
  ): Promise<boolean> {
    const now = await approvalRequest(tool, record.input, input, context, caller);
    return now.definition === record.definition && canonicalJson(now.boundTo) === canonicalJson(record.boundTo);
  }

  /** Whether the tool of a recorded call exists here and has not changed since the owner was asked. */
  async function hasSame(record: ApprovalRecord): Promise<boolean> {
    const tool = registry.find(record.tool);
    if (!tool) return false;
    const checked = await checkInput(tool.tool, record.input);
    if (!checked.ok) return false;
    const caller = callerOf(record.caller, new AbortController().signal);
    const context = contextOf(tool, caller, record.id, NOBODY);
    return isSame(record, { tool, input: checked.input, context }, caller);
  }

  /** Every check that can refuse a call without asking the owner. */
  async function admit(name: string, input: unknown, caller: ToolCaller, callId: string, watch: CallWatch) {
    const tool = registry.find(name);
    if (!tool) {
      const why = registry.whyAbsent(name);
      if (why !== undefined) return refusal("MCP_UNAVAILABLE", why);
      return refusal("UNKNOWN_TOOL", `There is no tool ${JSON.stringify(name)}`);
    }
    if (!isGiven(tool, caller)) {
      const reason = "the caller that started this work excluded it";
      audit.write({ ...auditLine(tool, caller, callId), what: "tool.denied", verdict: "denied", reason });
      return refusal("DENIED", `tool denied: ${tool.name} (${reason})`);
    }
    const decision = decide(tool, subjectOf(caller));
    metrics.increment("tool.policy.profile_selected", { profile: decision.profile ?? "none" });
    if (!decision.allowed || !isVisible(tool, visibilityOf(caller))) {
      const { profile } = decision;
      const reason = decision.allowed ? "it is not offered here" : decision.reason;
      metrics.increment("tool.policy.denied_total");
      audit.write({ ...auditLine(tool, caller, callId), what: "tool.denied", verdict: "denied", reason, profile });
      return refusal("DENIED", `tool denied by policy: ${tool.name} (${reason})`);
    }
    if ((caller.depth ?? 0) > MAX_CALL_DEPTH)
      return refusal("TOO_DEEP", `${tool.name} did not run: more than ${MAX_CALL_DEPTH} tools have called one another`);
    const checked = await checkInput(tool.tool, input);
    if (!checked.ok) return refusal("BAD_INPUT", `Bad input for ${tool.name}: ${redact(checked.message)}`);
    const context = contextOf(tool, caller, callId, watch);
    const refused = await guarded(tool, checked.input, context);
    if (refused !== undefined) {
      audit.write({ ...auditLine(tool, caller, callId), what: "tool.refused", verdict: "refused", reason: refused });
      metrics.increment("tool.guard.refused_total", { tool: tool.name });
      return refusal("REFUSED", `${tool.name} was refused: ${refused}`);
    }
    return { ok: true, tool, input: checked.input, context } as const;
  }

  /** Runs the tool's own guard. A guard that throws refuses the call. */
  async function guarded(tool: RegisteredTool, input: unknown, context: ToolContext): Promise<string | undefined> {
    try {
      const reason = await tool.tool.meta?.guard?.(input as never, context);
      return reason === undefined ? undefined : redact(reason);
    } catch (error) {
      return `its guard failed: ${redact(messageOf(error))}`;
    }
  }

  async function approvalRequest(
    tool: RegisteredTool,
    given: unknown,
    input: unknown,
    context: ToolContext,
    caller: ToolCaller,
  ): Promise<ApprovalRequest> {
    const { patterns, boundTo } = tool.tool.meta ?? {};
    return {
      id: context.callId,
      tool: tool.name,
      input: jsonOf(given),
      boundTo: asJson((await boundTo?.(input as never, context)) ?? null, tool.name),
      definition: await definitionOf(tool),
      caller: savedCaller(caller),
      ...(caller.askForMs !== undefined && { openForMs: caller.askForMs }),
      ...(caller.asksEach === true && { isOwn: true }),
      ...(patterns && { fits: (pattern: string) => patterns.fits(input as never, pattern, context) }),
    };
  }

  function definitionOf(tool: RegisteredTool): Promise<string> {
    let hash = definitions.get(tool);
    if (!hash) {
      hash = sha256(canonicalJson({ description: tool.description, schema: tool.jsonSchema }));
      definitions.set(tool, hash);
    }
    return hash;
  }

  function contextOf(tool: RegisteredTool, caller: ToolCaller, callId: string, watch: CallWatch): ToolContext {
    const { speaker, taskId, target, origin, home, startedBy, inTurn, signal, depth = 0 } = caller;
    const { onlyTools, withoutTools, speakers, unattended = isUnattended(origin) } = caller;
    const { user, channel, sessionKey, agentId } = speaker;
    let calls = 0;
    return {
      callId,
      taskId,
      speaker,
      user,
      channel,
      sessionKey,
      agentId,
      ...(target && { target }),
      ...(origin && { origin }),
      ...(home && { home }),
      ...(startedBy && { startedBy }),
      ...(onlyTools && { onlyTools }),
      ...(withoutTools && { withoutTools }),
      ...(speakers && { speakers }),
      ...(unattended && { unattended }),
      inTurn,
      signal,
      store,
      emit({ type, data }) {
        const told = data === undefined ? {} : { data: redact(data) };
        callEvents.progress({ taskId, callId, name: tool.name, sessionKey }, { type, ...told });
      },
      // Runs as the same caller, so a tool never has more rights than its caller. Each nested call has its own
      // approval.
      callTool: (name, input) => run(name, input, { ...caller, depth: depth + 1 }, `${callId}.${(calls += 1)}`, watch),
    };
  }

  async function execute(
    tool: RegisteredTool,
    input: unknown,
    context: ToolContext,
    caller: ToolCaller,
    allowedBy: { readonly rule?: string; readonly approval?: string },
    watch: CallWatch,
  ): Promise<ToolResult> {
    const call = callEvents.begin(tool, context, watch);
    await call.started;
    const result = await runner.run(tool, input, context, caller);
    const durationMs = call.durationMs();
    const failure = !result.ok && "error" in result ? result.error : undefined;
    await call.ended(durationMs, failure?.message);
    metrics.increment("tool.call_total", { tool: tool.name, status: failure ? "error" : "ok" });
    audit.write({
      ...auditLine(tool, caller, context.callId),
      what: "tool.call",
      verdict: failure ? "failed" : "ok",
      ...(failure && { reason: failure.message }),
      ...allowedBy,
      durationMs,
    });
    return result;
  }

  return { run, runApproved, hasSame, visible, find: registry.find };
}

/**
 * The input as a document stores it. A model gives JSON; a host program may give any value. @throws {TypeError} If it
 * is not JSON.
 */
function jsonOf(given: unknown): JsonValue {
  const text = JSON.stringify(given ?? null);
  if (text === undefined) throw new TypeError(`the input is a ${typeof given}, which is not JSON`);
  return JSON.parse(text) as JsonValue;
}

/**
 * Returns paths of fields that the schema dropped. The owner must not see fields without effect: they could say
 * anything.
 */
function fieldsNotRead(given: unknown, read: unknown, at = ""): readonly string[] {
  if (typeof given !== "object" || given === null) return [];
  if (typeof read !== "object" || read === null) return []; // the schema transformed it, so it was read
  return Object.entries(given).flatMap(([name, field]) => {
    const path = at === "" ? name : `${at}.${name}`;
    // `read` inherits the names of `Object.prototype`, so such a name must be its own.
    if (name in Object.prototype ? !Object.hasOwn(read, name) : !(name in read)) return [path];
    return fieldsNotRead(field, (read as Readonly<Record<string, unknown>>)[name], path);
  });
}

/** Whether the tool is among those that the starter of the work chose, and not among those it excluded. */
function isGiven({ name }: RegisteredTool, { onlyTools, withoutTools = [], depth = 0 }: ToolCaller): boolean {
  // `withoutTools` binds the model, not the tools that it calls.
  if (depth === 0 && isAmong(withoutTools, name)) return false;
  return onlyTools === undefined || isAmong(onlyTools, name);
}

function subjectOf({ speaker: { channel, roles, sessionKey }, startedBy }: ToolCaller): PolicySubject {
  return { channel, roles, sessionKey, ...(startedBy && { startedBy }) };
}

function visibilityOf({ speaker }: ToolCaller): VisibilityContext {
  const { user: userId, roles: userRoles, channel, account: accountId, peer, sessionKey } = speaker;
  return { channel, accountId, chatId: peer.id, userId, userRoles, sessionKey };
}

/**
 * The caller as an approval request stores it. The format does not change: the approval is bound to each of these
 * fields.
 */
function savedCaller({
  speaker,
  taskId,
  target,
  home,
  startedBy,
  onlyTools,
  withoutTools,
  speakers,
  language,
}: ToolCaller): SavedCaller {
  const { user, roles: userRoles, channel, account: accountId, peer, sessionKey, agentId } = speaker;
  return {
    taskId,
    user,
    userRoles,
    ...(speakers && { speakers }),
    ...(language && { language }),
    channel,
    accountId,
    chatId: peer.id,
    peerKind: peer.kind,
    sessionKey,
    agentId,
    ...(target && { target }),
    ...(home && { home: { ...home } }),
    ...(startedBy && { startedBy }),
    ...(onlyTools && { onlyTools }),
    ...(withoutTools && { withoutTools }),
  };
}

/** Restores the caller of a call that waited for the owner. The call now runs outside of a turn. */
function callerOf(saved: SavedCaller, signal: AbortSignal): ToolCaller {
  const { taskId, target, home, startedBy, onlyTools, withoutTools, speakers, language } = saved;
  return {
    speaker: speakerOfRequest(saved),
    taskId,
    inTurn: false,
    signal,
    ...(target && { target }),
    ...(home && { home }),
    ...(startedBy && { startedBy }),
    ...(onlyTools && { onlyTools }),
    ...(withoutTools && { withoutTools }),
    ...(speakers && { speakers }),
    ...(language && { language }),
  };
}

function auditLine({ name }: RegisteredTool, { speaker, taskId }: ToolCaller, callId: string) {
  const { user, sessionKey } = speaker;
  return { who: user, target: name, callId, taskId, sessionKey };
}
