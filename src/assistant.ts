import type { Assistant, ToolUse } from "./assistant-types.ts";
import type { Channel, Target } from "./channel.ts";
import { systemClock } from "./clock.ts";
import { validateOptions } from "./config/index.ts";
import { DEFAULT_HISTORY_TOKENS, buildContext } from "./context/index.ts";
import { createDelivery } from "./delivery/index.ts";
import { embeddedEngine } from "./engine/index.ts";
import { AssistantError, messageOf } from "./errors.ts";
import { createEventBus } from "./events/index.ts";
import type { HttpParts, ServerToken, SessionsApi } from "./http/index.ts";
import { createApp } from "./http/index.ts";
import { newId } from "./ids.ts";
import { DEFAULT_ACCOUNT } from "./message.ts";
import { createLifecycle } from "./lifecycle.ts";
import type { AssistantOptions } from "./options.ts";
import { createOutbox } from "./outbox/index.ts";
import { DEFAULT_AGENT, readPeople } from "./people.ts";
import { decideBuiltInRules, rolesOf } from "./policy/index.ts";
import type { Reply, SendInput, StreamEvent } from "./reply.ts";
import { type InRecord, createSessions, namedSessionKey, parseUser, transcriptOf } from "./session/index.ts";
import { type Store, isUnstorage, memoryStore, requireCaps, unstorageStore } from "./store/index.ts";
import {
  type Logger,
  createAudit,
  createMetrics,
  createRedactor,
  redactingLogger,
  silentLogger,
} from "./telemetry/index.ts";
import {
  type ToolCaller,
  clarifyTool,
  createDispatch,
  createToolRegistry,
  fileTools,
  messageTool,
  timeTool,
  virtualWorkspace,
} from "./tools/index.ts";
import {
  type Accepted,
  DEFAULT_MAX_CONCURRENT,
  type HandlerParts,
  checkSendInput,
  createHub,
  createInbox,
  createSlots,
  handleSession,
  queueRules,
  watchReply,
} from "./turn/index.ts";
import { VERSION } from "./version.ts";

/** How many records of a session are read for each entry of its transcript that is asked for. */
const RECORDS_PER_ENTRY = 4;

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
export async function createAssistant(options: AssistantOptions): Promise<Assistant> {
  const { warnings } = validateOptions(options);
  const clock = options.clock ?? systemClock();
  const tokens: readonly ServerToken[] = [
    ...(options.server?.token === undefined ? [] : [{ token: options.server.token, role: "owner" as const }]),
    ...(options.server?.tokens ?? []),
  ];
  const redact = createRedactor([...(options.secrets ?? []), ...tokens.map(({ token }) => token)]);
  const logger = redactingLogger(options.logger ?? silentLogger, redact);
  for (const warning of warnings) logger.warn(warning);

  const store = openStore(options.store, logger);
  requireCaps(store, { append: true, cas: true }, "Sessions");
  const metrics = createMetrics();
  const audit = createAudit({ store, clock, redact, logger, metrics });
  const events = createEventBus({
    clock,
    metrics,
    onFailure: ({ handler, error }) => logger.error("An event handler failed", { handler, error: messageOf(error) }),
  });
  const engine =
    options.engine ??
    embeddedEngine({
      store,
      clock,
      onError(error, key) {
        metrics.increment("engine.failure_total", { kind: key?.split(":")[0] ?? "engine" });
        if (!AssistantError.is(error, "STOPPED"))
          logger.error("A handler failed and will run again", { key, error: messageOf(error) });
      },
    });

  const { agentOf, routing, ownerIds, roles } = readPeople(options);
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
  const keepHistoryTokens = options.context?.historyTokens ?? DEFAULT_HISTORY_TOKENS;

  const sessions = createSessions({ store, clock, filled: (session) => session.history.length >= FULL_WINDOW_TURNS });
  const outbox = createOutbox({ store, engine, clock });
  const registry = createToolRegistry({ ...builtInTools(), ...options.tools });
  const dispatch = createDispatch({
    registry,
    store,
    clock,
    events,
    audit,
    metrics,
    decide: (tool, caller) => decideBuiltInRules(tool, caller),
  });
  const hub = createHub();
  const slots = createSlots(options.queue?.maxConcurrent ?? DEFAULT_MAX_CONCURRENT);
  const parts: HandlerParts = {
    sessions,
    outbox,
    dispatch,
    events,
    metrics,
    logger,
    clock,
    hub,
    engine,
    slots,
    timezone,
    keepHistoryTokens,
    agent: agentOf,
    channel: channelFor,
    contextOptions: (message) => ({ ...options.context, ...channelFor(message)?.access.context }),
    person: (user) => options.users?.[user],
    rules: rulesFor,
  };
  const inbox = createInbox({ ...parts, audit, routing, ownerIds, roles });
  const delivery = createDelivery({
    outbox,
    sessions,
    channels: [...channels.values()],
    clock,
    engine,
    metrics,
    audit,
    logger,
  });

  /** What a caller waits for is never gathered: only what comes from a channel has bursts. */
  function rulesFor(message: InRecord) {
    const rules = queueRules(options.queue ?? {}, message.channel, channelFor(message));
    return message.target === undefined ? { ...rules, debounceMs: 0 } : rules;
  }

  function builtInTools() {
    const workspace = options.workspace === false ? undefined : (options.workspace ?? virtualWorkspace({ store }));
    const workspaces = new Map(
      (options.agents ?? []).flatMap((agent) => (agent.workspace ? [[agent.id, agent.workspace] as const] : [])),
    );
    return {
      ...(workspace && fileTools({ workspaceFor: ({ agentId }) => workspaces.get(agentId) ?? workspace })),
      ...messageTool({ send: sendMessage }),
      ...clarifyTool(),
      ...timeTool({ clock, timezone: ({ user }) => options.users?.[user]?.timezone ?? timezone }),
    };
  }

  async function sendMessage(
    message: { readonly text: string; readonly to?: string },
    context: { readonly callId: string; readonly target?: Target },
  ): Promise<{ id: string }> {
    const target = message.to === undefined ? context.target : targetOf(message.to);
    // Without a target the caller alone gets the reply, which then begins with this text.
    if (target) await outbox.enqueue(target, { message: { id: context.callId, text: message.text } });
    return { id: context.callId };
  }

  function targetOf(user: string): Target {
    const { channel, id } = parseUser(user);
    if (!channels.has(channelId(channel, DEFAULT_ACCOUNT))) {
      throw new AssistantError(
        "NOT_FOUND",
        `There is no channel ${JSON.stringify(channel)} here; there are: ${[...channels.values()].map(({ name }) => name).join(", ") || "none"}`,
      );
    }
    return { channel, account: DEFAULT_ACCOUNT, chat: id };
  }

  const { start, stop, phase } = createLifecycle({
    engine,
    events,
    clock,
    handle: (key, signal) =>
      key.startsWith("outbox:") ? delivery.handle(key, signal) : handleSession(parts, key, signal),
    onStarted: () => logger.info("Wakeful is awake", { version: VERSION }),
    async onStopped(reason) {
      hub.close(reason);
      await audit.settled();
      await store.close?.();
    },
  });

  async function submit(input: SendInput & { readonly asOwner?: boolean }) {
    checkSendInput(input);
    await start();
    return inbox.submit(input);
  }

  async function send(input: SendInput & { readonly asOwner?: boolean }): Promise<Reply> {
    input.signal?.throwIfAborted();
    const accepted = await submit(input);
    return accepted.reply(input.signal);
  }

  function stream(input: SendInput & { readonly asOwner?: boolean }): AsyncIterable<StreamEvent> {
    const begin = async () => {
      checkSendInput(input);
      await start();
    };
    return watchReply(input, { inbox, hub, clock, begin });
  }

  const sessionsApi: SessionsApi = {
    list: async (listOptions) => sessions.list(listOptions),
    async show(key, { limit = 200 } = {}) {
      const records = await sessions.read(key, limit * RECORDS_PER_ENTRY);
      return records.length === 0 ? null : { key, entries: transcriptOf(records).slice(-limit) };
    },
    remove: sessions.remove,
  };

  const httpParts: HttpParts = {
    channels: [...channels.values()],
    async accept(channel: Channel, message): Promise<Accepted> {
      await start();
      return inbox.accept(channel, message);
    },
    send,
    submit,
    stream,
    sessions: sessionsApi,
    sessionKeyOf: (channel, name) => namedSessionKey(routing.agents[0]?.id ?? DEFAULT_AGENT, channel, name),
    metrics,
    audit,
    logger,
    clock,
    tokens,
    ready,
    version: VERSION,
  };
  const app = createApp(httpParts);

  async function ready() {
    const checks = [{ name: "engine", ok: phase() === "running", detail: phase() }];
    try {
      await store.put("health/ready", { at: clock.now() });
      return [...checks, { name: "store", ok: true }];
    } catch (error) {
      return [...checks, { name: "store", ok: false, detail: messageOf(error) }];
    }
  }

  function callerOf({ user = "sdk", channel, session, turnId, signal }: ToolUse): ToolCaller {
    const speaker = parseUser(user);
    const agentId = options.agents?.[0]?.id ?? options.agent?.id ?? DEFAULT_AGENT;
    const isOwner = user === "cli" && (channel ?? "cli") === "cli";
    return {
      taskId: turnId ?? newId(clock),
      user,
      userRoles: isOwner ? ["owner", "user"] : rolesOf(user, { ownerIds, roles }),
      channel: channel ?? speaker.channel,
      accountId: DEFAULT_ACCOUNT,
      chatId: speaker.id,
      sessionKey: session ?? namedSessionKey(agentId, speaker.channel, speaker.id),
      agentId,
      signal: signal ?? new AbortController().signal,
      emit: noop,
    };
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
    sessions: sessionsApi,
    tools: {
      async run(name, input, who = {}) {
        const caller = callerOf(who);
        const result = await dispatch.run(name, input, caller, `${caller.taskId}.${newId(clock)}`);
        return result.ok ? { ok: true, output: result.output } : result;
      },
      list: (who = {}) =>
        dispatch
          .visible(callerOf(who))
          .map(({ name, description, groups, dangerous }) => ({ name, description, groups, dangerous })),
    },
    async explainContext({ session: key, text = "" }) {
      const session = await sessions.load(key);
      const newest: InRecord = {
        v: 1,
        type: "in",
        at: clock.now(),
        id: "explain",
        turn: "explain",
        text,
        user: "sdk",
        roles: [],
        channel: "sdk",
        account: DEFAULT_ACCOUNT,
        peer: { kind: "direct", id: "sdk" },
        sender: { id: "sdk" },
      };
      const agent = agentOf(key.split(":")[1] ?? DEFAULT_AGENT);
      const inputs = [...session.notes, ...session.waiting, newest];
      const { parts: built } = buildContext({
        session,
        agent,
        inputs,
        options: options.context ?? {},
        timezone,
        clock,
      });
      return { parts: built, totalTokens: built.reduce((sum, part) => sum + part.tokens, 0) };
    },
  };
}

/** Finished turns that are read when a session is loaded; the newest that fit the token budget are shown to the model. */
const FULL_WINDOW_TURNS = 200;

function openStore(given: AssistantOptions["store"], logger: Logger): Store {
  if (given === undefined) return memoryStore();
  if (!isUnstorage(given)) return given;
  logger.warn(
    "A plain unstorage driver holds for one process and is as safe against crashes as the driver is; fsStore, sqliteStore and redisStore promise more",
  );
  return unstorageStore(given);
}

function channelId(name: string, account = DEFAULT_ACCOUNT): string {
  return `${name}:${account}`;
}

function noop(): void {}
