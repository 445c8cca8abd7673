import { createAccess } from "./access/index.ts";
import {
  type StandIns,
  checkLean,
  contextFileSources,
  createCapitals,
  createChannels,
  createDoors,
  createExplanations,
  createForget,
  createGovernance,
  createGround,
  createHostMessages,
  createLifecycle,
  createMemoryMerges,
  createMemoryPeople,
  createMemoryRoom,
  createModels,
  createToolset,
  openStore,
  readPeople,
} from "./assembly/index.ts";
import type { Assistant } from "./assistant-types.ts";
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
import { messageOf } from "./errors.ts";
import { ALL_EXTRAS, type Extra, type FullExtra } from "./extras.ts";
import type { AssistantOptions } from "./options.ts";
import { createOutbox } from "./outbox/index.ts";
import { USER_ROLE } from "./policy/index.ts";
import { type InRecord, type SessionSettings, createSessions, createSummaries } from "./session/index.ts";
import type { Store } from "./store/index.ts";
import {
  DEFAULT_MAX_CONCURRENT,
  type HandlerParts,
  answerAccess,
  createAccessMessages,
  createHub,
  createInbox,
  createRunningTurns,
  createSessionLife,
  createSlots,
  handleSession,
  languageOf,
  queueRules,
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

async function wire(given: AssistantOptions, extras: readonly FullExtra[], standIns?: StandIns): Promise<Assistant> {
  // `fsStore(…)` is a promise, and who has no types may forget to wait for it.
  const options = isPromise(given?.store) ? { ...given, store: await given.store } : given;
  const { warnings, secrets } = validateOptions(options);
  if (!standIns) checkLean(options, extras);
  checkMadeByCode(options);
  const ground = await createGround(options, secrets, standIns);
  const { store, clock, engine, events, hooks, metrics, audit, logger, redact, redactForModel } = ground;
  /** For what a model gets to see. */
  const modelSide = { ...ground, redact: redactForModel };
  const accessWarnings = (options.channels ?? []).flatMap(
    ({ name, access }) => validateChannelAccess(name, access).warnings,
  );
  for (const warning of [...warnings, ...accessWarnings]) logger.warn(warning);

  const { agentOf, defaultAgent, allModels, workspaceOf, routing: configured, roles } = readPeople(options);
  const channels = createChannels(options.channels ?? []);
  const timezone = options.timezone ?? "UTC";
  // As much as any channel shows.
  const shownTokens = [options, ...channels.all.map(({ access }) => access)].map(
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
    ...ground,
    ownerIds: options.owner?.ids ?? [],
    roles,
    languageOf,
    ...createAccessMessages({
      outbox,
      channels: channels.all,
      logger,
    }),
  });
  const { owners } = access;
  const people = createMemoryPeople({
    session: options.session ?? {},
    ownerIds: owners.all,
    keepsCapitals: configured.keepsCapitals,
  });
  const { keepsCapitals } = configured;
  const capitals = createCapitals({ store, engine, sessions, people, logger, keepsCapitals });
  const routing = { ...configured, sessionKeyOf: capitals.keyOf };
  const contexts = createContexts({ store, clock, redact: redactForModel });
  const memory = await createMemoryRoom({
    ...modelSide,
    sessions,
    people,
    timezone,
    historyTokens: keepHistoryTokens,
    summarise: createMemoryMerges({ ...modelSide, ask: () => parts, agent: agentOf(defaultAgent.id) }),
    forget: (userId) => forgetting.forget({ userId }).finally(contexts.drop),
  });
  const toolset = await createToolset({
    ...modelSide,
    extras,
    outbox,
    contexts,
    people,
    memoryTools: memory.tools,
    timezone,
    workspaceOf,
    hasChannel: (target) => channels.of(target) !== undefined,
    requestApproval: (request) => governance.requestAsRuntime(request),
    listApprovals: () => governance.approvals.list({ all: true }),
  });
  const { registry, artifacts } = toolset;
  const governance = createGovernance({
    ...modelSide,
    registry,
    owners,
    sessions,
    outbox,
    keepLong: toolset.keepLong,
    pairingCodes: async () => (await access.list()).pending.map(({ code }) => code),
    tellHost: hostMessages.tell,
    channels: channels.all,
    inbox: () => inbox,
  });
  const { dispatch, policy } = governance;
  const models = createModels({ ...ground, extras, timezone, models: allModels });
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
    channel: channels.of,
    approvalOf: governance.approvalOf,
    contextOptions: (message) => ({ ...options.context, ...channels.of(message)?.access.context }),
    memoryUserOf: people.memoryUserOf,
    hostTarget: hostMessages.targetOf,
    person: (user) => options.users?.[user],
    rules: rulesFor,
  };
  const forgetting = createForget({
    ...parts,
    start: () => lifecycle.start(),
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
    owners,
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
    ...ground,
    outbox,
    sessions,
    channels: [...channels.all, hostMessages.channel],
  });

  /** Would the model be shown a tool there? In a group as anybody in it is, so that its prompt is the same whoever speaks. */
  function isOffered(name: string, { channel, sessionKey, kind, roles: given }: ContextScope): boolean {
    const tool = registry.find(name);
    const contextOptions = channels.all.flatMap((one) => (one.name === channel ? one.access.context : []));
    const isExcluded = [options.context, ...contextOptions].some((one) => one?.excludeTools?.includes(name));
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
    handle(key, signal) {
      toolset.look();
      if (key.startsWith("outbox:")) return delivery.handle(key, signal);
      if (memory.isKey(key)) return memory.handle(key, signal);
      return governance.isKey(key) ? governance.handle(key) : handleSession(parts, key, signal);
    },
    async finish() {
      await forgetting.recover();
      await capitals.move();
    },
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

  return createDoors({
    ground,
    extras,
    channels,
    agents: { agentOf, defaultAgent },
    access,
    sessions,
    summaries,
    life,
    hub,
    inbox,
    memory,
    toolset,
    governance,
    models,
    hostMessages,
    forgetting,
    lifecycle,
    explainContext,
    sessionKeyOf: capitals.keyOf,
  });
}

function isPromise(value: unknown): value is Promise<Store> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
