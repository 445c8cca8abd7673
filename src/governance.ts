import {
  type AnswerInput,
  type ApprovalRecord,
  canonicalJson,
  createApprovals,
  isApprovalKey,
  requestText,
  sha256,
} from "./approvals/index.ts";
import type { Channel, Target } from "./channel.ts";
import type { Clock } from "./clock.ts";
import type { Engine } from "./engine/index.ts";
import { AssistantError, messageOf } from "./errors.ts";
import type { EventBus } from "./events/index.ts";
import { DEFAULT_ACCOUNT } from "./message.ts";
import type { AssistantOptions } from "./options.ts";
import type { Outbox } from "./outbox/index.ts";
import { OWNER_ROLE, createPolicy, parsePolicySource } from "./policy/index.ts";
import type { Reply } from "./reply.ts";
import { type Sessions, parseUser } from "./session/index.ts";
import type { Store } from "./store/index.ts";
import type { Audit, Logger, Metrics, Redactor } from "./telemetry/index.ts";
import {
  type DispatchOptions,
  type ToolCaller,
  type ToolRegistry,
  RUNTIME_CHANNEL,
  createDispatch,
  createLateResults,
} from "./tools/index.ts";
import { type Inbox, answerText, outcomeText } from "./turn/index.ts";

export interface GovernanceParts {
  readonly options: AssistantOptions;
  readonly store: Store;
  readonly clock: Clock;
  readonly engine: Engine;
  readonly events: EventBus;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly redact: Redactor;
  readonly registry: ToolRegistry;
  readonly ownerIds: readonly string[];
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly sessions: Sessions;
  readonly outbox: Outbox;
  readonly keepLong: DispatchOptions["keepLong"];
  channelFor(target: Pick<Target, "channel" | "account">): Channel | undefined;
  /** The door through which outcomes reach their sessions; made after this. */
  inbox(): Inbox;
}

/** Wires what stands between a call and its effect: policy, approvals, dispatch, and results that come later. */
export function createGovernance(parts: GovernanceParts) {
  const { options, store, clock, engine, events, audit, metrics, logger, redact, registry } = parts;
  const { ownerIds, roles, sessions, outbox } = parts;
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
  const lateResults = createLateResults({ store, clock, logger, redact, addNote: sessions.addNote });
  const approvals = createApprovals({
    store,
    clock,
    engine,
    events,
    audit,
    metrics,
    logger,
    ...(options.approvals?.timeoutMinutes !== undefined && { timeoutMinutes: options.approvals.timeoutMinutes }),
    approvers: () => [...new Set([...ownerIds, ...(roles[OWNER_ROLE] ?? []), "cli"])],
    checkPattern(tool, pattern) {
      const { patterns } = registry.find(tool)?.tool.meta ?? {};
      return patterns ? patterns.check(pattern) : `${tool} knows no patterns`;
    },
    run: (record) => dispatch.runApproved(record),
    show,
    async tell(record) {
      if (record.caller.channel === RUNTIME_CHANNEL) return;
      const inbound = {
        id: approvalMessageId(record.id),
        source: `approval ${record.code}`,
        text: outcomeText(record),
      };
      await parts.inbox().inform(record.caller, inbound);
    },
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

  /** In the chat that asked; and where somebody else than the owner asked, to the owner too. */
  async function show(record: ApprovalRecord): Promise<void> {
    const { caller, code } = record;
    const message = {
      id: `ask:${record.id}`,
      text: requestText(record),
      buttons: [
        { id: `/approve ${code}`, label: "Approve once" },
        { id: `/approve ${code} always`, label: "Always" },
        { id: `/deny ${code}`, label: "Deny" },
      ],
    };
    const targets = [
      ...(caller.target ? [caller.target] : []),
      ...(caller.userRoles.includes(OWNER_ROLE) && caller.target ? [] : ownerTargets(caller.user)),
    ];
    for (const target of targets) {
      const id = `${message.id}:${target.channel}:${target.chat}`;
      await outbox.enqueue(target, { message: { ...message, id } });
    }
    if (targets.length === 0) logger.info("A call waits for the owner's approval", { code, tool: record.tool });
  }

  /** The owner's own chats on the channels that are here; the first is enough. */
  function ownerTargets(asker: string): readonly Target[] {
    const targets = ownerIds
      .filter((id) => id !== asker)
      .map((id): Target => {
        const { channel, id: chat } = parseUser(id);
        return { channel, account: DEFAULT_ACCOUNT, chat };
      })
      .filter((target) => parts.channelFor(target) !== undefined);
    return targets.slice(0, 1);
  }

  /** Answers in a chat are texts; what goes wrong is one too. */
  const answerApproval: Parameters<typeof answerText>[0]["answer"] = async ({ code, ...answer }, speaker) => {
    const input: AnswerInput = { ...answer, user: speaker.user };
    const { id } = await approvals.decide(code, input, speaker.asOwner);
    const view = speaker.runNow ? await approvals.settle(id) : await approvals.of(id);
    if (!view) throw new AssistantError("NOT_FOUND", `The request ${code} is gone`);
    return { code: view.code, tool: view.tool, sessionKey: view.caller.sessionKey, messageId: approvalMessageId(id) };
  };

  /** Waits for the turn that the outcome of a request begins. */
  async function followUp(id: string, signal?: AbortSignal): Promise<Reply> {
    const record = await approvals.of(id);
    if (!record) throw new AssistantError("NOT_FOUND", `There is no request ${JSON.stringify(id)}`);
    return parts.inbox().replyTo(record.caller.sessionKey, approvalMessageId(id), signal);
  }

  /** Asks the owner in the runtime's own name: not from a session, so nobody is told of the outcome. The same question is not asked again while it is open. */
  async function requestAsRuntime({ tool, input }: { readonly tool: string; readonly input: unknown }): Promise<void> {
    const id = `runtime.${(await sha256(canonicalJson({ tool, input }))).slice(0, 32)}`;
    const known = await approvals.of(id);
    const isOpen = known?.state === "open" && clock.now() < known.expiresAt;
    const caller: ToolCaller = {
      taskId: id,
      user: RUNTIME_CHANNEL,
      userRoles: [OWNER_ROLE],
      channel: RUNTIME_CHANNEL,
      accountId: DEFAULT_ACCOUNT,
      chatId: RUNTIME_CHANNEL,
      sessionKey: RUNTIME_CHANNEL,
      agentId: RUNTIME_CHANNEL,
      inTurn: false,
      signal: new AbortController().signal,
    };
    const result = await dispatch.run(tool, input, caller, isOpen ? id : `${id}.${clock.now()}`);
    if (!result.ok && "error" in result) throw new AssistantError("FORBIDDEN", result.error.message);
  }

  return {
    dispatch,
    policy,
    approvals,
    requestAsRuntime,
    followUp,
    lateResults,
    approvalOf: approvals.of,
    answerApproval: answerText({ answer: answerApproval }),
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

/** The inbound message that the outcome of a request is. */
export function approvalMessageId(id: string): string {
  return `approval:${id}`;
}
