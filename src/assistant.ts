import { createAccess } from "./access/index.ts";
import { createApprovals, isApprovalKey, withRightsNow } from "./approvals/index.ts";
import { createArtifacts } from "./artifacts/index.ts";
import {
  createAuditedPolicy,
  createChannels,
  createDoors,
  createGround,
  createLifecycle,
  createModels,
  createToolset,
  openMemory,
  readPeople,
  wireCapitals,
  wireErasure,
  wireMemory,
} from "./assembly/index.ts";
import type { Assistant } from "./assistant-types.ts";
import { checkMadeByCode, validateChannelAccess, validateOptions } from "./config/index.ts";
import {
  type ContextScope,
  DEFAULT_HISTORY_TOKENS,
  createContextSources,
  hostSources,
  loadedHistoryTurns,
  peopleSources,
} from "./context/index.ts";
import { createDelivery } from "./delivery/index.ts";
import { AssistantError, messageOf } from "./errors.ts";
import {
  answerAccess,
  changingCommands,
  createAccessMessages,
  createAdmission,
  createApprovalAnswers,
  createApprovalDecisions,
  createApprovalFollowUps,
  createApprovalNotices,
  createApprovalOutcomes,
  createArrivals,
  createChatCommands,
  createCommandLimit,
  createInbox,
  createOverflow,
  createOverheard,
  createRouter,
  createSubmissions,
  lookingCommands,
} from "./inbox/index.ts";
import type { AssistantOptions } from "./options.ts";
import { createHostChannel, createNotifications } from "./notifications/index.ts";
import { createOutbox } from "./outbox/index.ts";
import { createPeopleNotes } from "./people/index.ts";
import type { Platform } from "./platform.ts";
import { USER_ROLE } from "./policy/index.ts";
import { createExplainContext } from "./proactive/index.ts";
import {
  DEFAULT_MAX_CONCURRENT,
  type InRecord,
  type SessionSettings,
  createMemoryUsers,
  createRunningTurns,
  createSessionLife,
  createSessions,
  createSlots,
  createSummaries,
  createWaiters,
  languageOf,
  parseSessionKey,
  queueRules,
} from "./session/index.ts";
import type { Store } from "./store/index.ts";
import { createDispatch, createLateResults, createRuntimeRequests } from "./tools/index.ts";
import {
  createAnnouncements,
  createAudiences,
  createBackgroundModel,
  createBeginnings,
  createCompaction,
  createDescribeSession,
  createFailures,
  createFlush,
  createFlushTurn,
  createMessageFiles,
  createModelCalls,
  createPresence,
  createPrompts,
  createReplies,
  createSessionHandler,
  createSteps,
  createSummaryWriter,
  createTidyHistory,
  createToolCalls,
  createTurns,
  createTyping,
} from "./turn/index.ts";
import { VERSION } from "./version.ts";

/**
 * Makes an assistant: checks the options once and wires the rooms. Nothing runs before `start()`, `send()` or `fetch()`.
 *
 * @param runtime What the runtime lends; members of the option `platform` take the place of its own.
 * @throws {AssistantError} `OPTION_INVALID` naming the option, the value and what was expected; `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 * @example
 * ```ts
 * const assistant = await createAssistant({ model: openai("gpt-5"), store: await fsStore({ root: ".wakeful" }) });
 * const reply = await assistant.send({ text: "Hello" });
 * ```
 */
export async function createAssistant(
  given: AssistantOptions,
  runtime: Omit<Platform, "shellParser">,
): Promise<Assistant> {
  // `fsStore(…)` is a promise, and who has no types may forget to wait for it.
  const options = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const { warnings, secrets } = validateOptions(options);
  checkMadeByCode(options);
  const platform = { ...runtime, ...options.platform };
  const ground = await createGround(options, secrets, platform);
  const { store, clock, engine, events, hooks, metrics, audit, logger, redact, redactForModel } = ground;
  /** For what a model gets to see. */
  const modelSide = { ...ground, redact: redactForModel };
  const accessWarnings = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  for (const warning of [...warnings, ...accessWarnings]) logger.warn(warning);

  const { agentOf, defaultAgent, allModels, workspaceOf, routing: configured, roles } = readPeople(options);
  const { keepsCapitals } = configured;
  const agentOfSession = (key: string) => agentOf(parseSessionKey(key)?.agentId ?? "");
  const channels = createChannels(options.channels ?? []);
  const timezone = options.timezone ?? "UTC";
  const contextOptions = (message: InRecord) => ({ ...options.context, ...channels.of(message)?.access.context });
  const person = (user: string) => options.users?.[user];

  // Keepers
  // As much as any channel shows.
  const shownTokens = [options, ...channels.all.map(({ access }) => access)].map(
    ({ context }) => context?.historyTokens ?? DEFAULT_HISTORY_TOKENS,
  );
  const keepHistoryTokens = Math.max(...shownTokens);
  const fullWindowTurns = loadedHistoryTurns(keepHistoryTokens);
  const sessions = createSessions({ store, clock, filled: ({ history }) => history.length >= fullWindowTurns });
  const summaries = createSummaries({ store });
  const life = createSessionLife({ sessions, events, clock, idleMinutes: options.session?.idleMinutes });
  const running = createRunningTurns();
  const waiters = createWaiters(platform.keepAlive);
  const outbox = createOutbox({ store, engine, clock });
  const artifacts = createArtifacts({ store, clock, ...options.artifacts });
  const notifications = createNotifications({ store, clock });
  const host = createHostChannel({ notifications, enqueue: outbox.enqueue, deliver: options.deliver });
  const access = createAccess({
    ...ground,
    ownerIds: options.owner?.ids ?? [],
    roles,
    languageOf,
    ...createAccessMessages({ outbox, channels: channels.all, logger }),
  });
  const { owners } = access;
  const users = createMemoryUsers({ session: options.session ?? {}, ownerIds: owners.all, keepsCapitals });
  const capitals = wireCapitals(ground, sessions, users);
  const notes = createPeopleNotes({ store, clock, redact: redactForModel });

  // Model calls, memory, tools, and what stands between a call and its effect
  const { usage, ...models } = createModels({ ...ground, timezone, models: allModels });
  const modelCalls = createModelCalls({
    ...models,
    usage,
    isTracing: platform.isTracing,
    async readFile(sessionKey, id) {
      const content = (await artifacts.read(sessionKey, id))?.content;
      return content instanceof Uint8Array ? content : undefined;
    },
    clock,
    logger,
    metrics,
  });
  const model = createBackgroundModel({ modelCalls, agent: agentOf(defaultAgent.id), clock });
  const opened = await openMemory(ground, users, timezone, model);
  const erasure = wireErasure(
    ground,
    { sessions, users, memory: opened.erased, artifacts, access, usage, notes, notifications },
    {
      lock: opened.lock,
      start: () => lifecycle.start(),
      stopTurn: (key) => running.of(key)?.stop(new AssistantError("ABORTED", "The conversation was removed")),
    },
  );
  const memory = wireMemory(ground, opened, { users, sessions }, keepHistoryTokens, (userId) =>
    erasure.forget({ userId }),
  );
  const toolset = await createToolset({
    ...modelSide,
    outbox,
    artifacts,
    notes,
    users,
    memoryTools: memory.tools,
    timezone,
    workspaceOf,
    hasChannel: (target) => channels.of(target) !== undefined,
    requestApproval: (request) => requestAsRuntime(request),
    listApprovals: () => approvals.list({ all: true }),
  });
  const { registry, attachments } = toolset;
  const files = createMessageFiles({
    attachments,
    sessions,
    modelCalls,
    agentOf: agentOfSession,
    channel: channels.of,
  });
  const arrivals = createArrivals({
    sessions,
    engine,
    waiters,
    running,
    rules: rulesFor,
    detachFiles: files.detach,
    refuseExcess: createOverflow({ sessions, outbox, waiters, clock, logger }),
    clock,
    metrics,
  });
  const policy = createAuditedPolicy(options.policy, { yaml: platform.yaml, registry, audit, logger });
  /** Everybody who may answer: the owner's accounts, and whoever sits at the terminal. */
  const approvers = () => [...new Set([...owners.all(), "cli"])];
  const mayAnswer = (user: string) => approvers().includes(user);
  const hasTool = (name: string) => registry.find(name)?.name === name;
  const approvals = createApprovals({
    ...ground,
    ...(options.approvals?.timeoutMinutes !== undefined && { timeoutMinutes: options.approvals.timeoutMinutes }),
    approvers,
    checkPattern(tool, pattern) {
      const { patterns } = registry.find(tool)?.tool.meta ?? {};
      return patterns ? patterns.check(pattern) : `${tool} knows no patterns`;
    },
    hasTool,
    show: createApprovalNotices({ outbox, channels: channels.all, approvers, redact: redactForModel, logger }),
    tell: createApprovalOutcomes({ arrivals, owners, clock }),
  });
  registry.onRegistered(() => {
    approvals.toolArrived().catch((error: unknown) => {
      logger.error("An approved call whose tool is here now runs at the next start", { error: messageOf(error) });
    });
  });
  const lateResults = createLateResults({
    ...modelSide,
    keepLong: toolset.keepLong,
    addNote: sessions.addNote,
    tellHost: host.tell,
  });
  const dispatch = createDispatch({
    ...modelSide,
    registry,
    decide: policy.decide,
    requestApproval: approvals.request,
    keepLong: toolset.keepLong,
    expectLater: lateResults.expectLater,
  });
  approvals.start((record, signal) =>
    dispatch.runApproved({ ...record, caller: withRightsNow(record.caller, owners) }, signal),
  );
  const requestAsRuntime = createRuntimeRequests({ dispatch, approvals, clock });
  const sources = createContextSources(
    [
      ...hostSources(options.context?.parts),
      ...memory.sources,
      ...peopleSources({ notes, users, isOffered: (scope) => isOffered("acp_context", scope) }),
    ],
    { onFailure: (part, error) => logger.warn("A part of a prompt is not there", { part, error: messageOf(error) }) },
  );

  // Turns: one message to at most one reply
  const { memoryUserOf } = users;
  const flushTurn = createFlushTurn({ modelCalls, dispatch, memoryUserOf, redact, clock, logger, metrics });
  const compaction = createCompaction(
    {
      modelCalls,
      flush: createFlush({ events, clock, logger, flushTurn }),
      writeSummary: createSummaryWriter({ modelCalls, redact, clock, logger }),
      sessions,
      summaries,
      clock,
      logger,
      metrics,
    },
    { ...options.compaction, ...(options.memory?.enabled === false && { flushTurn: false }) },
  );
  const toolCalls = createToolCalls({ dispatch, sessions, approvalOf: approvals.of, clock });
  const audiences = createAudiences({ rules: rulesFor, sessions, waiters, toolCalls });
  const announcements = createAnnouncements({ events, life, clock });
  const showTyping = createTyping({ channel: channels.of, clock, logger });
  const replies = createReplies({
    sessions,
    outbox,
    waiters,
    channel: channels.of,
    hostTarget: host.targetOf,
    findTool: registry.find,
    clock,
    metrics,
  });
  const turns = createTurns({
    beginnings: createBeginnings({ files, audiences, agentOf: agentOfSession, contextOptions }),
    presence: createPresence({ sessions, running, waiters, audiences, showTyping }),
    announcements,
    prompts: createPrompts({ modelCalls, compaction, sources, timezone, person, clock, logger, metrics }),
    steps: createSteps({ modelCalls, toolCalls, audiences, announcements, files, sessions }),
    replies,
    failureEnding: createFailures({ modelCalls, timezone, redact, logger }),
    clock,
    logger,
  });
  const handleSession = createSessionHandler({
    turns,
    tidyHistory: createTidyHistory({ compaction, running, agentOf: agentOfSession, contextOptions, clock, logger }),
    replies,
    sessions,
    slots: createSlots(options.queue?.maxConcurrent ?? DEFAULT_MAX_CONCURRENT, metrics),
    engine,
    rules: rulesFor,
    keepHistoryTokens,
    clock,
  });

  // The inbox: a message that arrives
  /** Of everybody who asks to be let in, the oldest first. */
  const pairingCodes = async () => (await access.list()).pending.map(({ code }) => code);
  const router = createRouter({ configured, owners, keepsCapitals, sessionKeyOf: capitals.keyOf });
  const submissions = createSubmissions({ router, owners, clock });
  const explainContext = createExplainContext({
    sessions,
    describe: submissions.describe,
    hooks,
    sources,
    contextOptions,
    person,
    agentOf: agentOfSession,
    timezone,
    clock,
  });
  const describe = createDescribeSession({ explainContext, modelCalls, usage, agentOf: agentOfSession });
  const inbox = createInbox({
    admission: createAdmission({ access, outbox, clock }),
    router,
    owners,
    arrivals,
    overheard: createOverheard({ sessions, audit, clock, metrics }),
    approvals: createApprovalAnswers({
      answer: answerAccess(access, createApprovalDecisions({ approvals, mayAnswer, hasTool, pairingCodes })),
      mayAnswer,
      arrivals,
      outbox,
      audit,
      clock,
      metrics,
    }),
    commands: createChatCommands({
      commands: {
        ...lookingCommands({ recollection: { ...memory.api, memoryUserOf }, describe, rules: rulesFor }),
        ...changingCommands({ sessions, summaries, life, engine, running, owners, rules: rulesFor, clock }),
      },
      refuseFlood: createCommandLimit({ outbox, audit, clock, metrics }),
      sessions,
      running,
      arrivals,
      outbox,
      audit,
      clock,
    }),
    submissions,
    clock,
  });
  const delivery = createDelivery({
    ...ground,
    outbox,
    sessions,
    channels: [...channels.all, host.channel],
  });

  /** Would the model be shown a tool there? In a group as anybody in it is, so that its prompt is the same whoever speaks. */
  function isOffered(name: string, { channel, sessionKey, kind, roles: given }: ContextScope): boolean {
    const tool = registry.find(name);
    const ofChannel = channels.all.flatMap((one) => (one.name === channel ? one.access.context : []));
    const isExcluded = [options.context, ...ofChannel].some((one) => one?.excludeTools?.includes(name));
    const roles = kind === "direct" ? given : [USER_ROLE];
    return tool !== undefined && !isExcluded && policy.decide(tool, { channel, roles, sessionKey }).allowed;
  }

  /** What a caller waits for is never gathered: only what comes from a channel has bursts. */
  function rulesFor(message: InRecord, settings: SessionSettings) {
    const rules = queueRules(options.queue ?? {}, message.channel, channels.of(message), settings);
    return message.target === undefined ? { ...rules, debounceMs: 0 } : rules;
  }

  const lifecycle = createLifecycle({
    engine,
    events,
    clock,
    keepAlive: platform.keepAlive,
    handle(key, signal) {
      toolset.look();
      if (key.startsWith("outbox:")) return delivery.handle(key, signal);
      if (erasure.isKey(key)) return erasure.handle();
      if (memory.isKey(key)) return memory.handle(key, signal);
      return isApprovalKey(key) ? approvals.handle(key) : handleSession(key, signal);
    },
    async finish() {
      await erasure.recover();
      await capitals.move();
    },
    async recover() {
      await memory.recover();
      await access.recover();
      await usage.load();
      // Nothing that was asked or promised is forgotten.
      await approvals.recover();
      await lateResults.recover().catch((error: unknown) => {
        logger.error("Late results of the last process could not be reported", { error: messageOf(error) });
      });
      toolset.start();
    },
    endWork: approvals.stop,
    onStarted: () => logger.info("Wakeful is awake", { version: VERSION }),
    async onStopped(reason) {
      await toolset.close();
      waiters.close(reason);
      life.stop();
      await usage.settled();
      await memory.close();
      await audit.settled();
      await store.close?.();
    },
  });

  return createDoors({
    ground,
    channels,
    agents: { agentOf, defaultAgent },
    access,
    sessions,
    summaries,
    life,
    waiters,
    inbox,
    submissions,
    memory,
    artifacts,
    toolset,
    dispatch,
    policy,
    approvals,
    lateResults,
    followUps: createApprovalFollowUps({ approvals, arrivals, waiters }),
    models: { usage },
    notifications,
    erasure,
    lifecycle,
    explainContext,
    sessionKeyOf: capitals.keyOf,
  });
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
