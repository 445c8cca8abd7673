import { createAccess, createAccessApi, createAccessPart } from "./access/index.ts";
import {
  contextFileSources,
  createExplanations,
  createForget,
  createGovernance,
  createHostApprovals,
  createHostMessages,
  createHostTools,
  createLifecycle,
  createMemoryMerges,
  createMemoryPeople,
  createMemoryRoom,
  createModels,
  createSessionsApi,
  createToolset,
  readPeople,
  readTokens,
} from "./assembly/index.ts";
import type { Assistant } from "./assistant-types.ts";
import type { Channel, Target } from "./channel.ts";
import { systemClock } from "./clock.ts";
import { checkMadeByCode, validateChannelAccess, validateOptions } from "./config/index.ts";
import {
  type ContextScope,
  DEFAULT_HISTORY_TOKENS,
  createContextSources,
  hostSources,
  loadedHistoryTurns,
} from "./context/index.ts";
import { createContexts } from "./contexts/index.ts";
import { createDelivery } from "./delivery/index.ts";
import { type Engine, embeddedEngine } from "./engine/index.ts";
import { AssistantError, messageOf } from "./errors.ts";
import { createEventBus } from "./events/index.ts";
import { ALL_EXTRAS, type Extra, type FullExtra } from "./extras.ts";
import type { HttpParts } from "./http/index.ts";
import { createApp, loadMemoryRoutes } from "./http/index.ts";
import { DEFAULT_ACCOUNT } from "./message.ts";
import { createArtifactsApi } from "./artifacts/index.ts";
import type { AssistantOptions } from "./options.ts";
import { createOutbox } from "./outbox/index.ts";
import { OWNER_ROLE, USER_ROLE } from "./policy/index.ts";
import { createHookRegistry } from "./proactive/index.ts";
import type { Reply, StreamEvent } from "./reply.ts";
import {
  type InRecord,
  type SessionSettings,
  createSessions,
  createSummaries,
  namedSessionKey,
  parseSessionKey,
  parseUser,
  userOf,
} from "./session/index.ts";
import { type Store, isUnstorage, loadUnstorageStore, memoryStore, requireCaps } from "./store/index.ts";
import {
  type Logger,
  createAudit,
  createMetrics,
  createRedactor,
  redactingLogger,
  silentLogger,
} from "./telemetry/index.ts";
import { searchKeys } from "./tools/index.ts";
import {
  type Accepted,
  DEFAULT_MAX_CONCURRENT,
  type HandlerParts,
  answerAccess,
  createAccessMessages,
  type Submission,
  checkSendInput,
  createHub,
  createInbox,
  createRunningTurns,
  createSessionLife,
  createSlots,
  handleSession,
  languageOf,
  queueRules,
  watchReply,
} from "./turn/index.ts";
import { VERSION } from "./version.ts";

/**
 * Makes an assistant: checks the options once and wires the rooms. Nothing runs before `start()`, `send()` or `fetch()`.
 *
 * @throws {AssistantError} `OPTION_INVALID` naming the option, the value and what was expected; `STORE_UNSUITABLE` for a store without logs or compare-and-set.
 * @example
 * ```ts
 * const assistant = await createAssistant({ model: openai("gpt-5"), store: await fsStore({ root: ".wakeful" }) });
 * const reply = await assistant.send({ text: "Hello" });
 * ```
 */
export function createAssistant(options: AssistantOptions): Promise<Assistant> {
  return wire(options, ALL_EXTRAS, { openStore, embeddedEngine });
}

/** What has to be given where nothing stands in for it. */
export interface LeanOptions extends Omit<AssistantOptions, "store" | "engine"> {
  readonly store: Store;
  readonly engine: Engine;
}

/**
 * As `createAssistant`, for bundles: a bundler leaves out every extra that is not named.
 *
 * @throws As `createAssistant`; `OPTION_INVALID` also for an option of an extra that is not there.
 */
export async function createLeanAssistant(options: LeanOptions, extras: readonly Extra[] = []): Promise<Assistant> {
  return wire(options, extras);
}

/** What stands in for a store or an engine that was not given. */
interface StandIns {
  openStore(given: AssistantOptions["store"], logger: Logger): Promise<Store>;
  readonly embeddedEngine: typeof embeddedEngine;
}

async function wire(given: AssistantOptions, extras: readonly FullExtra[], standIns?: StandIns): Promise<Assistant> {
  // `fsStore(…)` is a promise, and who has no types may forget to wait for it.
  const options = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const { warnings } = validateOptions(options);
  if (!standIns) checkLean(options, extras);
  checkMadeByCode(options);
  const clock = options.clock ?? systemClock();
  const tokens = readTokens(options);
  const secrets = [...(options.secrets ?? []), ...tokens.map(({ token }) => token), ...searchKeys(options.search)];
  const redact = createRedactor(secrets);
  // What a tool gives may hold a field `next_page_token`, which is no secret.
  const redactForModel = createRedactor(secrets, { byName: false });
  const logger = redactingLogger(options.logger ?? silentLogger, redact);
  const accessWarnings = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  for (const warning of [...warnings, ...accessWarnings]) logger.warn(warning);

  // Without stand-ins the types ask for both.
  const store = standIns ? await standIns.openStore(options.store, logger) : (options.store as Store);
  requireCaps(store, { append: true, cas: true }, "Sessions");
  const metrics = createMetrics();
  const audit = createAudit({ store, clock, redact, logger, metrics });
  const events = createEventBus({
    clock,
    metrics,
    onFailure: ({ handler, error }) => logger.error("An event handler failed", { handler, error: messageOf(error) }),
  });
  const hooks = createHookRegistry({ events });
  for (const hook of options.hooks ?? []) hooks.add(hook);
  const engine = (options.engine ??
    standIns?.embeddedEngine({
      store,
      clock,
      onError(error, key) {
        metrics.increment("engine.failure_total", { kind: key?.split(":")[0] ?? "engine" });
        if (!AssistantError.is(error, "STOPPED"))
          logger.error("A handler failed and will run again", { key, error: messageOf(error) });
      },
    })) as Engine;

  const { agentOf, defaultAgent, allModels, workspaceOf, routing: configured, roles } = readPeople(options);
  const channels = new Map(
    (options.channels ?? []).map((channel) => [channelId(channel.name, channel.access.account), channel]),
  );
  if (channels.size < (options.channels ?? []).length) {
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option channels: two of them have the same name and account; give each its own account",
    );
  }
  const channelFor = ({ channel, account }: Pick<Target, "channel" | "account">) =>
    channels.get(channelId(channel, account));
  const timezone = options.timezone ?? "UTC";
  // As much as any channel shows.
  const shownTokens = [options, ...[...channels.values()].map(({ access }) => access)].map(
    ({ context }) => context?.historyTokens ?? DEFAULT_HISTORY_TOKENS,
  );
  const keepHistoryTokens = Math.max(...shownTokens);
  const fullWindowTurns = loadedHistoryTurns(keepHistoryTokens);
  const sessions = createSessions({ store, clock, filled: ({ history }) => history.length >= fullWindowTurns });
  const summaries = createSummaries({ store });
  const life = createSessionLife({ sessions, events, clock, idleMinutes: options.session?.idleMinutes });
  const outbox = createOutbox({ store, engine, clock });
  const hostMessages = createHostMessages({ store, clock, outbox, deliver: options.deliver });
  const access = createAccess({
    store,
    clock,
    audit,
    metrics,
    logger,
    ownerIds: options.owner?.ids ?? [],
    roles,
    languageOf,
    ...createAccessMessages({
      outbox,
      channels: [...channels.values()],
      logger,
      owners: () => [...access.ownerIds, ...(roles[OWNER_ROLE] ?? [])],
    }),
  });
  const { ownerIds } = access;
  const routing = { ...configured, owner: { ids: ownerIds } };
  const people = createMemoryPeople({
    session: options.session ?? {},
    ownerIds: () => [...ownerIds, ...(roles[OWNER_ROLE] ?? [])],
    caseSensitiveChannels: configured.caseSensitiveChannels,
  });
  const contexts = createContexts({ store, clock, redact: redactForModel });
  const memory = await createMemoryRoom({
    options,
    store,
    clock,
    engine,
    events,
    hooks,
    sessions,
    metrics,
    logger,
    redact: redactForModel,
    people,
    timezone,
    historyTokens: keepHistoryTokens,
    summarise: createMemoryMerges({ ask: () => parts, agent: agentOf(defaultAgent.id), store, clock }),
    forget: (userId) => forgetting.forget({ userId }).finally(contexts.drop),
  });
  const toolset = await createToolset({
    options,
    extras,
    store,
    clock,
    logger,
    audit,
    metrics,
    redact: redactForModel,
    outbox,
    contexts,
    people,
    memoryTools: memory.tools,
    timezone,
    workspaceOf,
    hasChannel: (target) => channelFor(target) !== undefined,
    requestApproval: (request) => governance.requestAsRuntime(request),
    listApprovals: () => governance.approvals.list({ all: true }),
  });
  const { registry, artifacts } = toolset;
  const governance = createGovernance({
    options,
    store,
    clock,
    engine,
    events,
    audit,
    metrics,
    logger,
    redact: redactForModel,
    registry,
    ownerIds,
    roles,
    sessions,
    outbox,
    keepLong: toolset.keepLong,
    tellHost: hostMessages.tell,
    channels: [...channels.values()],
    inbox: () => inbox,
  });
  const { dispatch, policy, approvals, lateResults } = governance;
  const models = createModels({ options, extras, store, clock, timezone, metrics, logger, events, models: allModels });
  const sources = createContextSources(
    [
      ...hostSources(options.context?.parts),
      ...memory.sources,
      ...contextFileSources({ contexts, people, isOffered: (scope) => isOffered("acp_context", scope) }),
    ],
    { onFailure: (part, error) => logger.warn("A part of a prompt is not there", { part, error: messageOf(error) }) },
  );
  const hub = createHub();
  const slots = createSlots(options.queue?.maxConcurrent ?? DEFAULT_MAX_CONCURRENT);
  const parts: HandlerParts = {
    sessions,
    outbox,
    attachments: toolset.attachments,
    dispatch,
    events,
    metrics,
    logger,
    redact,
    clock,
    hub,
    running: createRunningTurns(),
    life,
    summaries,
    compaction: { ...options.compaction, ...(options.memory?.enabled === false && { flushTurn: false }) },
    ...models,
    sources,
    engine,
    slots,
    timezone,
    keepHistoryTokens,
    agent: agentOf,
    channel: channelFor,
    approvalOf: governance.approvalOf,
    contextOptions: (message) => ({ ...options.context, ...channelFor(message)?.access.context }),
    memoryUserOf: people.memoryUserOf,
    hostTarget: hostMessages.targetOf,
    person: (user) => options.users?.[user],
    rules: rulesFor,
  };
  const forgetting = createForget({
    ...parts,
    start: () => start(),
    alone: memory.alone,
    store,
    artifacts,
    memory: memory.whole,
    people,
    access,
    usage: models.usage,
    audit,
  });
  const { answerApproval, mayAnswer } = governance;
  const inbox = createInbox({
    ...parts,
    audit,
    routing,
    ownerIds,
    roles,
    answerApproval: answerAccess(access, answerApproval),
    mayAnswer,
    access,
    recollection: { ...memory.api, memoryUserOf: people.memoryUserOf },
    describe: (session) => describeSession(session),
  });
  const { explainContext, describeSession } = createExplanations({
    parts: { ...parts, ...models },
    hooks,
    inbox,
    injectionTokens: options.context?.injectionTokens,
  });
  const delivery = createDelivery({
    outbox,
    sessions,
    channels: [...channels.values(), hostMessages.channel],
    clock,
    engine,
    metrics,
    audit,
    logger,
    redact,
  });

  /** Would the model be shown a tool there? In a group as anybody in it is, so that its prompt is the same whoever speaks. */
  function isOffered(name: string, { channel, sessionKey, kind, roles: given }: ContextScope): boolean {
    const tool = registry.find(name);
    const contextOptions = [...channels.values()].flatMap((one) => (one.name === channel ? one.access.context : []));
    const isExcluded = [options.context, ...contextOptions].some((one) => one?.excludeTools?.includes(name));
    const roles = kind === "direct" ? given : [USER_ROLE];
    return tool !== undefined && !isExcluded && policy.decide(tool, { channel, roles, sessionKey }).allowed;
  }

  /** What a caller waits for is never gathered: only what comes from a channel has bursts. */
  function rulesFor(message: InRecord, settings: SessionSettings) {
    const rules = queueRules(options.queue ?? {}, message.channel, channelFor(message), settings);
    return message.target === undefined ? { ...rules, debounceMs: 0 } : rules;
  }

  const { start, stop, phase } = createLifecycle({
    engine,
    events,
    clock,
    handle(key, signal) {
      toolset.look();
      if (key.startsWith("outbox:")) return delivery.handle(key, signal);
      if (memory.isKey(key)) return memory.handle(key, signal);
      return governance.isKey(key) ? governance.handle(key) : handleSession(parts, key, signal);
    },
    finish: forgetting.recover,
    async recover() {
      await memory.recover();
      await access.recover();
      await models.usage.load();
      await governance.recover();
      toolset.start();
    },
    endWork: governance.stop,
    onStarted: () => logger.info("Wakeful is awake", { version: VERSION }),
    async onStopped(reason) {
      await toolset.close();
      hub.close(reason);
      life.stop();
      await models.usage.settled();
      await memory.close();
      await audit.settled();
      await store.close?.();
    },
  });

  async function submit(input: Submission) {
    checkSendInput(input);
    await start();
    const user = input.user ?? input.channel ?? "sdk";
    const { channel, id } = parseUser(user);
    const roles = input.asOwner === true ? [OWNER_ROLE] : [];
    await forgetting.passed({ user, channel, peer: { kind: "direct", id }, roles, account: DEFAULT_ACCOUNT });
    return inbox.submit(input);
  }

  async function send(input: Submission): Promise<Reply> {
    input.signal?.throwIfAborted();
    const accepted = await submit(input);
    return accepted.reply(input.signal);
  }

  function stream(input: Submission): AsyncIterable<StreamEvent> {
    const begin = async () => {
      checkSendInput(input);
      await start();
    };
    return watchReply(input, { inbox, hub, clock, begin });
  }

  const sessionsApi = createSessionsApi({
    exports: extras.find(({ sessionExports }) => sessionExports)?.sessionExports,
    sessions,
    summaries,
    life,
    artifacts,
    redact,
    defaultAgentId: defaultAgent.id,
    modelNames: (id) => agentOf(id).models.map(({ provider, modelId }) => `${provider}/${modelId}`),
    keyOf: (speaker) => inbox.describe({ ...speaker, text: "" }).sessionKey,
  });

  const tools = createHostTools({
    clock,
    dispatch,
    registry,
    lateResults,
    inbox,
    start,
    hasChannel: (target) => channelFor(target) !== undefined,
    agentIdOf: (id) => agentOf(id).id,
  });
  const approvalsApi = createHostApprovals(approvals, start);

  const httpParts: HttpParts = {
    channels: [...channels.values()],
    async accept(channel: Channel, message): Promise<Accepted> {
      await start();
      const user = userOf(message.channel, message.sender.id);
      const { peer, account = DEFAULT_ACCOUNT } = message;
      await forgetting.passed({ user, channel: message.channel, account, peer, roles: [] });
      return inbox.accept(channel, message);
    },
    send,
    submit,
    stream,
    sessions: sessionsApi,
    artifacts,
    approvals: {
      ...approvalsApi,
      async answer(idOrCode, answer) {
        await start();
        return approvals.answer(idOrCode, answer);
      },
      followUp: governance.followUp,
    },
    access: createAccessPart(access, start),
    notifications: hostMessages,
    usage: models.usage,
    memory: memory.api,
    api: extras.find(({ httpApi }) => httpApi)?.httpApi,
    memoryRoutes: options.server?.memoryApi ?? (await loadMemoryRoutes()),
    sessionKeyOf: (channel, name) => namedSessionKey(defaultAgent.id, channel, name),
    metrics,
    audit,
    logger,
    redact,
    clock,
    tokens,
    ready,
    ...(options.mcp?.endpoint && { mcpServer: options.mcp.endpoint }),
    mcpStatus: toolset.mcpStatus,
    explainContext,
    ...(options.server?.page && { page: options.server.page }),
    ...(options.server?.hosts && { hosts: options.server.hosts }),
    ...(options.server?.rateLimit && { rateLimit: options.server.rateLimit }),
    ...(options.server?.trustedProxies && { trustedProxies: options.server.trustedProxies }),
    store,
    version: VERSION,
  };
  const app = createApp(httpParts);

  async function ready() {
    const checks = [{ name: "engine", ok: phase() === "running", detail: phase() }];
    try {
      await store.put("health/ready", { at: clock.now() });
      return [...checks, { name: "store", ok: true }];
    } catch (error) {
      return [...checks, { name: "store", ok: false, detail: redact(messageOf(error)) }];
    }
  }

  return {
    start,
    stop,
    send,
    stream,
    app,
    async fetch(request, env, context) {
      // Not awaited: health is answered also while the start fails, and every route that needs the engine waits for it.
      start().catch((error: unknown) => logger.error("The assistant could not start", { error: messageOf(error) }));
      return app.fetch(request, env, context as never);
    },
    events,
    hooks,
    sessions: sessionsApi,
    tools,
    policy,
    approvals: approvalsApi,
    access: createAccessApi(access, start),
    memory: memory.api,
    artifacts: createArtifactsApi(artifacts, (session) =>
      parseSessionKey(session) ? session : namedSessionKey(defaultAgent.id, "sdk", session),
    ),
    explainContext,
  };
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** An option that nothing here would heed is a mistake: silence would hide it. */
function checkLean(options: AssistantOptions, extras: readonly Extra[]): void {
  for (const name of ["store", "engine"] as const) {
    if (options[name] === undefined || isUnstorage(options[name]))
      throw new AssistantError(
        "OPTION_INVALID",
        `Missing option ${name}: a lean assistant has nothing that stands in for it`,
      );
  }
  const agents = options.agents ?? [options.agent ?? {}];
  const needs = [
    ["workspace", options.workspace || agents.some(({ workspace }) => workspace), "workspaceExtra"],
    ["search", options.search, "webExtra"],
    ["pageReader", options.pageReader, "webExtra"],
    ["mcp.endpoint", options.mcp?.endpoint, "apiExtra"],
    ["server.page", options.server?.page, "apiExtra"],
  ] as const;
  for (const [option, given, name] of needs) {
    if (given && !extras.some((extra) => extra.name === name))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option ${option}: it needs the extra ${name}, which this bundle was not given`,
      );
  }
}

async function openStore(given: AssistantOptions["store"], logger: Logger): Promise<Store> {
  if (given === undefined) return memoryStore();
  if (!isUnstorage(given)) return given;
  const { unstorageStore } = await loadUnstorageStore();
  if (!unstorageStore)
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid option store: on Workers a driver of unstorage must be wrapped: unstorageStore(driver, { createStorage })",
    );
  logger.warn(
    "A plain unstorage driver holds for one process and is as safe against crashes as the driver is; fsStore, sqliteStore and redisStore promise more",
  );
  return unstorageStore(given);
}

function channelId(name: string, account = DEFAULT_ACCOUNT): string {
  return `${name}:${account}`;
}
