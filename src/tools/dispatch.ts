import type {
  ApprovalDecision,
  ApprovalOutcome,
  ApprovalRecord,
  ApprovalRequest,
  SavedCaller,
} from "../approvals/index.ts";
import { speakerOfRequest } from "../approvals/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type EventBus, type Injection, publishForInjections } from "../events/index.ts";
import type { Home, NoticeAddress } from "../notice.ts";
import type { PendingApproval } from "../reply.ts";
import { type Origin, isUnattended } from "../message.ts";
import type { CallerLink, Speaker } from "../speaker.ts";
import { type JsonValue, type Store, canonicalJson } from "../store/index.ts";
import { type Audit, type Metrics, type ModelRedactor, type Tracing, toolSpan } from "../telemetry/index.ts";
import { abortable } from "../time-limit.ts";
import { isAmong } from "../tool-lists.ts";
import { asJson } from "./as-json.ts";
import { type RegisteredTool, type ToolRegistry, isVisible } from "./registry.ts";
import { checkInput } from "./schema.ts";
import { type PendingWork, type ToolContext, ToolError, type VisibilityContext, isToolOutcome } from "./tool.ts";
import { sha256 } from "../hash.ts";

/** Who calls, as the runtime knows it. */
export interface ToolCaller {
  /** With the roles that everybody has whom the turn answers. */
  readonly speaker: Speaker;
  /** The turn, or what stands for it in a call of the host program. */
  readonly taskId: string;
  /** Where replies go; absent when the caller alone gets them. */
  readonly target?: Target;
  /** Of unattended work: the conversation that it is for. */
  readonly home?: Home;
  /** What began the turn when it was no message of a person. */
  readonly origin?: Exclude<Origin, "message">;
  /** A reply follows that can carry what a tool has to say. */
  readonly inTurn: boolean;
  readonly signal: AbortSignal;
  /** What started the session that calls: nobody may do more than whoever started them. */
  readonly startedBy?: CallerLink;
  /** Everybody whose messages the turn answers, when it is not `user` alone. */
  readonly speakers?: readonly string[];
  /** No conversation began the work that calls. Default: as `origin` says. */
  readonly unattended?: true;
  /** The language of whoever asked. */
  readonly language?: SavedCaller["language"];
  /** How many tools have called one another up to here. */
  readonly depth?: number;
  /** Whoever started the work chose its tools, by names and `*` patterns: no others are offered or run. Default: all that the policy allows. */
  readonly onlyTools?: readonly string[];
  /** Tools that the turn does not offer although the policy would let it: what it starts does not have them either. */
  readonly withoutTools?: readonly string[];
  /** The result goes to a program, which keeps what is long itself: it is not shortened. */
  readonly wholeResult?: boolean;
  /** How long the owner has to answer, milliseconds. Default: as for all requests. */
  readonly askForMs?: number;
  /** Each call that needs an approval has a request of its own, also when one that is alike waits. Default false. */
  readonly asksEach?: boolean;
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
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }
  /** Nothing ran: the owner was asked, and the result comes to the session later. */
  | { readonly ok: false; readonly approval: { readonly id: string; readonly code: string } };

/** Whom the policy is asked about. */
export type PolicySubject = CallerLink;

export interface DispatchOptions {
  readonly registry: ToolRegistry;
  readonly store: Store;
  readonly clock: Clock;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** Default: nothing is traced. */
  readonly tracing?: Pick<Tracing, "isOn" | "within">;
  readonly redact: ModelRedactor;
  /** The one decision on who may run what: asked for the list that the model sees and again at the call. */
  decide(
    tool: RegisteredTool,
    subject: PolicySubject,
  ): { readonly allowed: boolean; readonly reason: string; readonly profile: string | null };
  /** Asks the owner before a dangerous call, unless a rule of theirs lets it pass. */
  requestApproval(asked: ApprovalRequest): Promise<ApprovalDecision>;
  /** Keeps a result that is longer than a prompt shows, and gives what stands in its place. */
  keepLong(
    output: JsonValue,
    call: { readonly name: string; readonly callId: string; readonly sessionKey: string; readonly user: string },
  ): Promise<JsonValue>;
  /** A tool said that its result comes later. */
  expectLater(
    pending: {
      readonly callId: string;
      readonly name: string;
      /** The conversation that the result comes to. */
      readonly sessionKey: string;
      /** The session whose turn made the call, when it is another one. */
      readonly madeIn?: string;
      readonly tell: NoticeAddress;
    },
    work: PendingWork,
  ): Promise<void>;
}

export type ToolDispatch = ReturnType<typeof createDispatch>;

/** What a caller hears of a call besides its result; of the calls that a tool makes too. */
export interface CallWatch {
  /** What listeners of the call's events want the model to know. */
  injected?(injection: Injection): void;
  /** The owner was asked. */
  asked?(approval: PendingApproval): void;
}

const NOBODY: CallWatch = {};

/** Tools that call tools that call tools: further down than this nothing is meant. */
const MAX_CALL_DEPTH = 8;

/**
 * The one way to run a tool, whoever asks: a turn, the host program, HTTP, another tool, an approval.
 * In this order: policy, visibility, the input's schema, the tool's own guard, the owner's approval, the run.
 * Never throws: a refusal, bad input and a failure are results that the model reads.
 */
export function createDispatch(options: DispatchOptions) {
  const { registry, store, clock, events, audit, metrics, tracing, redact, decide } = options;
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
    return traced(name, callId, caller, () => runUnlessRefused(name, given, caller, callId, watch));
  }

  /** Does what a call takes, in a span where somebody traces. */
  function traced<Result extends object>(
    name: string,
    callId: string,
    { taskId }: ToolCaller,
    work: () => Promise<Result>,
  ): Promise<Result> {
    if (tracing?.isOn() !== true) return work();
    return tracing.within(
      toolSpan({ name: registry.find(name)?.name, callId, taskId }),
      work,
      (result: TracedResult) => ({
        error: result.error?.code,
      }),
    );
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
      return refusal("BAD_INPUT", `Bad input for ${tool.name}: nothing reads ${unread.join(", ")}, so leave it out`);
    let decision: ApprovalDecision;
    try {
      decision = await options.requestApproval(await approvalRequest(tool, given, admitted.input, context, caller));
    } catch (error) {
      if (AssistantError.is(error)) throw error; // the store's: nothing ran, and whoever calls knows what to do
      return refusal("FAILED", `${tool.name} did not run as the owner could not be asked: ${redact(messageOf(error))}`);
    }
    if ("rule" in decision) return execute(tool, admitted.input, context, caller, { rule: decision.rule }, watch);
    if ("refused" in decision) return refusal(decision.refused.code, decision.refused.message);
    const { id, code } = decision.open;
    watch.asked?.({ id, code, name: tool.name, input: jsonOf(given) });
    return { ok: false, approval: { id, code } };
  }

  /** Runs a call that the owner allowed, if it still is the call that they allowed. Everything but the question is asked again. */
  function runApproved(
    record: ApprovalRecord,
    signal: AbortSignal,
  ): Promise<Pick<ApprovalOutcome, "output" | "error">> {
    const caller = callerOf(record.caller, signal);
    return traced(record.tool, record.id, caller, () => runIfSame(record, caller));
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
          message: `${record.tool} is not what it was when the owner was asked: the call did not run, ask again`,
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

  /** Whether the tool of a recorded call is here, and is what it was when the owner was asked. */
  async function hasSame(record: ApprovalRecord): Promise<boolean> {
    const tool = registry.find(record.tool);
    if (!tool) return false;
    const checked = await checkInput(tool.tool, record.input);
    if (!checked.ok) return false;
    const caller = callerOf(record.caller, new AbortController().signal);
    const context = contextOf(tool, caller, record.id, NOBODY);
    return isSame(record, { tool, input: checked.input, context }, caller);
  }

  /** Everything that can refuse a call without asking anybody. */
  async function admit(name: string, input: unknown, caller: ToolCaller, callId: string, watch: CallWatch) {
    const tool = registry.find(name);
    if (!tool) return refusal("UNKNOWN_TOOL", `There is no tool ${JSON.stringify(name)}`);
    if (!isGiven(tool, caller)) {
      const reason = "whoever started this work left it out";
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
      return refusal("TOO_DEEP", `${tool.name} was not run: more than ${MAX_CALL_DEPTH} tools have called one another`);
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

  /** The tool's own guard; one that fails refuses. */
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
        const payload = { taskId, callId, name: tool.name, type, ...told };
        events.publishAsync({
          type: "tool.progress",
          sessionId: sessionKey,
          timestamp: clock.now(),
          payload,
        });
      },
      // As whoever runs this tool, so never more than they may; each call has its own approval.
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
    const startedAt = clock.now();
    await announce("tool.started", tool, context, watch, {});
    const result = await settled(await attempt(tool, input, context), tool, context, caller);
    const durationMs = clock.now() - startedAt;
    const failure = !result.ok && "error" in result ? result.error : undefined;
    await announce(failure ? "tool.failed" : "tool.completed", tool, context, watch, {
      durationMs,
      ...(failure && { error: failure.message }),
    });
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

  async function announce(
    type: "tool.started" | "tool.completed" | "tool.failed",
    { name }: RegisteredTool,
    { callId, taskId, sessionKey }: ToolContext,
    watch: CallWatch,
    more: { readonly durationMs?: number; readonly error?: string },
  ): Promise<void> {
    if (!events.has(type)) return;
    const common = { sessionId: sessionKey, timestamp: clock.now() };
    const { durationMs = 0 } = more;
    const injections = await publishForInjections(events, (inject) => {
      const call = { taskId, callId, name, inject };
      return type === "tool.started"
        ? { ...common, type, payload: call }
        : { ...common, type, payload: { ...call, ...more, durationMs } };
    });
    for (const injection of injections) watch.injected?.(injection);
  }

  /** What leaves the dispatch point: no secrets, nothing longer than a prompt shows, JSON only. */
  async function settled(
    outcome: Attempted,
    tool: RegisteredTool,
    context: ToolContext,
    caller: ToolCaller,
  ): Promise<ToolResult> {
    if (!outcome.ok) return refusal(outcome.error.code, redact(outcome.error.message));
    const { callId } = context;
    const { sessionKey: madeIn, user } = caller.speaker;
    const { sessionKey: home = madeIn } = caller.home ?? {};
    try {
      if (outcome.pending) {
        const call = { callId, name: tool.name, sessionKey: home, ...(home !== madeIn && { madeIn }) };
        await options.expectLater({ ...call, tell: whereabouts(caller) }, outcome.pending);
      }
      // Where the model reads it.
      const sessionKey = caller.inTurn ? madeIn : home;
      const redacted = redact(outcome.output);
      const output = caller.wholeResult
        ? redacted
        : await options.keepLong(redacted, { name: tool.name, callId, sessionKey, user });
      return {
        ok: true,
        output,
        ...(outcome.forUser !== undefined && { forUser: redact(outcome.forUser) }),
        ...(outcome.reply !== undefined && { reply: redact(outcome.reply) }),
      };
    } catch (error) {
      return refusal("FAILED", `${tool.name} ran, but its result could not be kept: ${redact(messageOf(error))}`);
    }
  }

  return { run, runApproved, hasSame, visible, find: registry.find };
}

interface TracedResult {
  readonly error?: { readonly code: string };
}

type Attempted =
  | {
      readonly ok: true;
      readonly output: JsonValue;
      readonly forUser?: JsonValue | null;
      readonly reply?: string;
      readonly pending?: PendingWork;
    }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

async function attempt(tool: RegisteredTool, input: unknown, context: ToolContext): Promise<Attempted> {
  try {
    const value = await untilAborted(tool.tool.execute(input as never, context), context.signal);
    if (!isToolOutcome(value)) return { ok: true, output: asJson(value, tool.name) };
    return {
      ok: true,
      output: asJson(value.forModel, tool.name),
      ...(value.silent ? { forUser: null } : value.forUser === undefined ? {} : { forUser: value.forUser }),
      ...(value.reply === undefined ? {} : { reply: value.reply }),
      ...(value.pending === undefined ? {} : { pending: value.pending }),
    };
  } catch (error) {
    if (error instanceof ToolError) return { ok: false, error: { code: error.code, message: error.message } };
    if (context.signal.aborted) {
      const message = `${tool.name} was stopped: ${messageOf(context.signal.reason)}`;
      return { ok: false, error: { code: "ABORTED", message } };
    }
    return { ok: false, error: { code: "FAILED", message: `${tool.name} failed: ${messageOf(error)}` } };
  }
}

/** A tool that does not listen to its signal is left behind when the turn ends; a late result has no effect. */
function untilAborted<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> | T {
  return work instanceof Promise ? abortable(work, signal) : work;
}

/** What was given, as a document keeps it. A model gives JSON; a host program may give anything. @throws {TypeError} For what is no JSON. */
function jsonOf(given: unknown): JsonValue {
  const text = JSON.stringify(given ?? null);
  if (text === undefined) throw new TypeError(`the input is a ${typeof given}, which is not JSON`);
  return JSON.parse(text) as JsonValue;
}

/** Paths of fields that the schema dropped. The owner must not be shown what has no effect: it could say anything. */
function fieldsNotRead(given: unknown, read: unknown, at = ""): readonly string[] {
  if (typeof given !== "object" || given === null) return [];
  if (typeof read !== "object" || read === null) return []; // turned into something else: it was read
  return Object.entries(given).flatMap(([name, field]) => {
    const path = at === "" ? name : `${at}.${name}`;
    // What every object has was not read.
    if (name in Object.prototype ? !Object.hasOwn(read, name) : !(name in read)) return [path];
    return fieldsNotRead(field, (read as Readonly<Record<string, unknown>>)[name], path);
  });
}

/** Where whoever asked for a call is told of it. */
function whereabouts({ speaker: { user, channel, account }, home, target = home?.target }: ToolCaller): NoticeAddress {
  if (target === undefined) return { user, channel, account };
  const { replyTo: _once, ...chat } = target;
  return { user, ...chat };
}

function refusal(code: string, message: string): Extract<ToolResult, { readonly error: unknown }> {
  return { ok: false, error: { code, message } };
}

/** Is it among the tools that whoever started the work chose, and none of those that they had to do without? */
function isGiven({ name }: RegisteredTool, { onlyTools, withoutTools = [], depth = 0 }: ToolCaller): boolean {
  // The model does without them, not the tools that it may call.
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

/** As a request keeps it, whose format does not change: the owner's approval is bound to each of these fields. */
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

/** The caller of a call that waited for the owner: what is run now is no part of a turn. */
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
