import {
  type AnswerInput,
  type ApprovalOutcome,
  type ApprovalRecord,
  type ApprovalResult,
  type SavedCaller,
  buttonsFor,
  canonicalJson,
  createApprovals,
  isApprovalKey,
  noticeText,
  outcomeText,
  requestText,
  resultOf,
  sha256,
  speakerOfRequest,
} from "../approvals/index.ts";
import type { Channel, Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { EventBus } from "../events/index.ts";
import { type Arrivals, type FollowUps, answerText, createFollowUps, ownerChat } from "../inbox/index.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { AssistantOptions } from "../options.ts";
import type { Outbox } from "../outbox/index.ts";
import { HOST_CHANNELS } from "./people.ts";
import { OWNER_ROLE, type Owners, createPolicy, parsePolicySource } from "../policy/index.ts";
import type { Reply } from "../reply.ts";
import { type ApprovalEnd, type Sessions, type Waiters, parseUser, waiterKey } from "../session/index.ts";
import type { Store } from "../store/index.ts";
import type { Audit, Logger, Metrics, ModelRedactor } from "../telemetry/index.ts";
import {
  type DispatchOptions,
  type ToolCaller,
  type ToolRegistry,
  RUNTIME_CHANNEL,
  createDispatch,
  createLateResults,
} from "../tools/index.ts";

export interface GovernanceParts {
  readonly options: AssistantOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly redact: ModelRedactor;
  readonly registry: ToolRegistry;
  readonly owners: Owners;
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly keepLong: DispatchOptions["keepLong"];
  readonly channels: readonly Channel[];
  /** Of everybody who asks to be let in, the oldest first. */
  pairingCodes(): Promise<readonly string[]>;
  readonly tellHost: Parameters<typeof createLateResults>[0]["tellHost"];
  /** Through which outcomes reach their sessions. */
  readonly arrivals: Arrivals;
}

/** Wires what stands between a call and its effect: policy, approvals, dispatch, and results that come later. */
export function createGovernance(parts: GovernanceParts) {
  const { options, store, clock, engine, events, audit, metrics, logger, redact, registry } = parts;
  const { owners, sessions, outbox } = parts;
  /** Names that a policy may use besides the built-in ones. */
  const known = () => ({
    tools: registry.all.map(({ name }) => name),
    groups: registry.all.flatMap(({ groups }) => groups),
  });
  const policy = createPolicy({
    known,
    ...(options.policy !== undefined && { file: parsePolicySource(options.policy, { known: known() }) }),
    parse: parsePolicySource,
    onChange({ file, verdict, reason, profiles }) {
      const line = { who: "runtime", what: "config.change", target: file, verdict, reason };
      audit.write({ ...line, ...(profiles && { profiles }) });
    },
  });
  for (const { line, path, message } of policy.current.warnings) {
    const file = policy.current.file ?? "policy";
    logger.warn("The tool policy has a doubtful rule", { file, line, at: path, problem: message });
  }
  const lateResults = createLateResults({
    store,
    clock,
    logger,
    redact,
    keepLong: parts.keepLong,
    addNote: sessions.addNote,
    tellHost: parts.tellHost,
  });
  const approvals = createApprovals({
    store,
    clock,
    engine,
    events,
    audit,
    metrics,
    logger,
    ...(options.approvals?.timeoutMinutes !== undefined && { timeoutMinutes: options.approvals.timeoutMinutes }),
    approvers,
    checkPattern(tool, pattern) {
      const { patterns } = registry.find(tool)?.tool.meta ?? {};
      return patterns ? patterns.check(pattern) : `${tool} knows no patterns`;
    },
    hasTool,
    run: (record, signal) => dispatch.runApproved({ ...record, caller: asNow(record.caller) }, signal),
    show,
    async tell(record) {
      if (record.caller.channel === RUNTIME_CHANNEL) return;
      const { user, roles, channel, account, peer, sessionKey } = speakerOfRequest(asNow(record.caller));
      const { target } = record.caller;
      // Begins a turn of the session that asked, for the person who did. Known by its id, it is taken once.
      await parts.arrivals.append(sessionKey, {
        type: "in",
        id: approvalMessageId(record.id),
        turn: newId(clock),
        text: outcomeText(record),
        source: `approval ${record.code}`,
        ...(record.outcome && { approval: endOf(record.id, record.outcome) }),
        user,
        roles,
        channel,
        account,
        peer,
        sender: { id: parseUser(user).id },
        ...(target && { target }),
      });
    },
  });
  registry.onRegistered(() => {
    approvals.toolArrived().catch((error: unknown) => {
      logger.error("An approved call whose tool is here now runs at the next start", { error: messageOf(error) });
    });
  });
  const dispatch = createDispatch({
    registry,
    store,
    clock,
    events,
    audit,
    metrics,
    redact,
    decide: policy.decide,
    requestApproval: approvals.request,
    keepLong: parts.keepLong,
    expectLater: lateResults.expectLater,
  });

  function hasTool(name: string): boolean {
    return registry.find(name)?.name === name;
  }

  /** Everybody who may answer: the owner's accounts, and whoever sits at the terminal. */
  function approvers(): readonly string[] {
    return [...new Set([...owners.all(), "cli"])];
  }

  /** The caller with no more rights than they have today: an owner who is none any more must not act as one through an old request. */
  function asNow(caller: SavedCaller): SavedCaller {
    if (HOST_CHANNELS.includes(caller.channel)) return caller;
    const now = owners.rolesOf(caller.user);
    return { ...caller, userRoles: caller.userRoles.filter((role) => now.includes(role)) };
  }

  /** All of it where the owner reads; elsewhere only that it waits. */
  async function show(record: ApprovalRecord): Promise<void> {
    const { caller } = record;
    const isOwners = caller.userRoles.includes(OWNER_ROLE);
    const { user, channel, accountId: account } = caller;
    const others = approvers().filter((id) => id !== user);
    const ownersChat = ownerChat(others, { channel, account }, parts.channels);
    const whole = { text: redact(requestText(record)), buttons: buttonsFor(record) };
    const targets: { readonly target: Target; readonly text: string; readonly buttons?: typeof whole.buttons }[] = [
      ...(caller.target ? [{ target: caller.target, ...(isOwners ? whole : { text: noticeText(record) }) }] : []),
      ...(ownersChat && !(isOwners && caller.target) ? [{ target: ownersChat, ...whole }] : []),
    ];
    for (const { target, ...message } of targets) {
      // One message for each chat, however often this is done.
      const id = `ask:${record.id}:${target.channel}:${target.account}:${target.chat}`;
      await outbox.enqueue(target, { message: { id, ...message } });
    }
    if (!targets.some(({ buttons }) => buttons))
      logger.warn("A call waits for the owner's approval: `wakeful approvals`", {
        code: record.code,
        tool: record.tool,
      });
  }

  /** Answers in a chat are texts; what goes wrong is one too. */
  const answerApproval: Parameters<typeof answerText>[0]["answer"] = async ({ code, ...answer }, speaker) => {
    const input: AnswerInput = { ...answer, user: speaker.user };
    const { id } = await approvals.decide(code, input, speaker.asOwner);
    const view = speaker.runNow ? await approvals.settle(id) : await approvals.of(id);
    if (!view) throw new AssistantError("NOT_FOUND", `The request ${code} is gone`);
    const { caller, tool } = view;
    const { sessionKey, language = "en" } = caller;
    const isToldSoon = view.state === "ended" || (!speaker.runNow && hasTool(tool));
    return {
      code: view.code,
      tool,
      language,
      isWaiting: view.state === "approved" && !hasTool(tool),
      ...(isToldSoon && { sessionKey, messageId: approvalMessageId(id) }),
    };
  };

  /** Codes of calls, and of people who ask to be let in. */
  async function openFor({ user, asOwner }: { readonly user: string; readonly asOwner: boolean }) {
    const isOwner = asOwner || approvers().includes(user);
    return [...(await approvals.openFor(user, asOwner)), ...(isOwner ? await parts.pairingCodes() : [])];
  }

  /**
   * Answers a request. Where its call cannot run, the answer is only kept: an assistant that does not run yet is not started for it.
   * @throws {AssistantError} As `decide` of the approvals.
   */
  async function answer(
    idOrCode: string,
    given: AnswerInput & { readonly asOwner?: boolean },
    { start, isNew }: { start(): Promise<void>; isNew(): boolean },
  ): Promise<ApprovalResult> {
    if (isNew()) {
      const record = await approvals.find(idOrCode);
      if (!record || !(await dispatch.hasSame(record)))
        return resultOf(await approvals.decide(idOrCode, given, given.asOwner === true));
    }
    await start();
    return approvals.answer(idOrCode, given);
  }

  /** Waits for the turn that the outcome of a request begins. `null`: it has no outcome yet. */
  async function followUp(id: string, signal?: AbortSignal): Promise<Reply | null> {
    const record = await approvals.of(id);
    if (!record) throw new AssistantError("NOT_FOUND", `There is no request ${JSON.stringify(id)}`);
    if (record.state !== "ended") return null;
    return parts.arrivals.replyTo(record.caller.sessionKey, approvalMessageId(id), signal);
  }

  /** For who answers requests and wants to see what comes of it. */
  function followUps(waiters: Waiters): FollowUps {
    return createFollowUps({
      waiters,
      async keyOf(id) {
        const record = await approvals.of(id);
        return record ? waiterKey(record.caller.sessionKey, approvalMessageId(record.id)) : undefined;
      },
      reply: followUp,
    });
  }

  /** Asks the owner in the runtime's own name: not from a session, so nobody is told of the outcome. The same question is not asked again while it is open. */
  async function requestAsRuntime({ tool, input }: { readonly tool: string; readonly input: unknown }): Promise<void> {
    const id = `runtime.${(await sha256(canonicalJson({ tool, input }))).slice(0, 32)}`;
    const known = await approvals.of(id);
    // While it waits it is the same question; once it was answered, or nobody did, it is a new one.
    const callId = known && known.state === "ended" ? `${id}.${clock.now()}` : id;
    const caller: ToolCaller = {
      speaker: {
        user: RUNTIME_CHANNEL,
        roles: [OWNER_ROLE],
        channel: RUNTIME_CHANNEL,
        account: DEFAULT_ACCOUNT,
        peer: { kind: "direct", id: RUNTIME_CHANNEL },
        sessionKey: RUNTIME_CHANNEL,
        agentId: RUNTIME_CHANNEL,
      },
      taskId: id,
      inTurn: false,
      signal: new AbortController().signal,
    };
    const result = await dispatch.run(tool, input, caller, callId);
    if (!result.ok && "error" in result) throw new AssistantError("FORBIDDEN", result.error.message);
  }

  return {
    dispatch,
    policy,
    approvals,
    answer,
    requestAsRuntime,
    followUp,
    followUps,
    lateResults,
    approvalOf: approvals.of,
    mayAnswer: (user: string) => approvers().includes(user),
    stop: approvals.stop,
    answerApproval: answerText({ answer: answerApproval, openFor }),
    isKey: isApprovalKey,
    handle: approvals.handle,
    /** After a restart: nothing that was asked or promised is forgotten. */
    async recover(): Promise<void> {
      await approvals.recover();
      await lateResults.recover().catch((error: unknown) => {
        logger.error("Late results of the last process could not be reported", { error: messageOf(error) });
      });
    },
  };
}

function endOf(id: string, { verdict, reason, error }: ApprovalOutcome): ApprovalEnd {
  const why = reason ?? error?.code;
  return { id, verdict, ...(why !== undefined && { reason: why }) };
}

/** The inbound message that the outcome of a request is. */
export function approvalMessageId(id: string): string {
  return `approval:${id}`;
}
