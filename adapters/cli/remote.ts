import { randomBytes } from "node:crypto";
import { type Assistant, AssistantError, type SessionsApi, systemClock } from "../../entry.host.ts";
import {
  type AuditLine,
  type BudgetUse,
  type ChannelStatus,
  type DeadLetter,
  type McpServerStatus,
  type UsageTotals,
  createAudit,
  createUsage,
  readDeadLetters,
  readListener,
  messageOf,
  DEFAULT_ACCOUNT,
  type Channel,
  type Store,
} from "../../kit.ts";
import { type AccessClient, accessClient, ownAccess } from "./access-client.ts";
import { type ApiCall, type ApprovalsClient, approvalsClient, camelCased } from "./approvals-client.ts";
import { chatClient } from "./chat-client.ts";
import type { Talker } from "./conversation.ts";
import { EXIT, ExitError, NotSignedIn } from "./exit-codes.ts";
import { type JobsClient, jobsClient } from "./jobs-client.ts";
import { type MemoryClient, memoryClient } from "./memory-client.ts";
import { type NotificationsClient, notificationsClient } from "./notifications-client.ts";
import { type PersonaClient, personaClient } from "./persona-client.ts";
import { type SkillsClient, skillsClient } from "./skills-client.ts";
import { type WorkflowsClient, workflowsClient } from "./workflows-client.ts";
import { announcedUrl, keptToken, openStore } from "./data-place.ts";
import { loadAssistant, timezoneOf } from "./load-assistant.ts";
import { type AskOptions, sessionsClient } from "./sessions-client.ts";
import { ownTokenOf, portOf, type Settings, urlOn } from "./settings.ts";
import type { Terminal } from "./terminal.ts";

/** Longest wait for a server on this machine, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** A running server. */
export interface RemoteServer {
  readonly url: string;
  readonly sessions: SessionsApi;
  readonly approvals: ApprovalsClient;
  readonly access: AccessClient;
  readonly memory: MemoryClient;
  readonly jobs: JobsClient;
  readonly workflows: WorkflowsClient;
  readonly notifications: NotificationsClient;
  readonly persona: PersonaClient;
  readonly skills: SkillsClient;
  /** Talks to its assistant as the person at the terminal. */
  readonly talker: Required<Talker>;
  audit(query: AuditFilter): Promise<readonly AuditLine[]>;
  /** Undelivered messages; empty from a server of an earlier version. */
  deadLetters(limit: number): Promise<readonly DeadLetterView[]>;
  /** Queues an undelivered message of the store again. */
  sendAgain(letter: string): Promise<DeadLetterView>;
  /** Connections of its channels; empty from a server of an earlier version. */
  channels(): Promise<readonly ChannelStatus[]>;
  /** State of its MCP servers. */
  mcp(): Promise<readonly McpServerStatus[]>;
  /** Usage of the models; `null` from a server of an earlier version. */
  usage(): Promise<UsageView | null>;
  /** Name and state of each of its checks. */
  ready(): Promise<readonly { readonly name: string; readonly ok: boolean }[]>;
}

/** State of a listening channel, and a sentence about it. */
export interface ChannelConnection {
  readonly state: ChannelStatus["state"];
  readonly detail: string;
}

/** Usage of the models, in short. */
export interface UsageView {
  readonly today: UsageTotals;
  readonly month: UsageTotals;
  readonly budgets: readonly BudgetUse[];
  /** No model is called before this time. */
  readonly untilMs?: number;
}

/** Access to the data, directly in the store or through the server that owns it. */
export type Source = Pick<
  RemoteServer,
  "sessions" | "approvals" | "access" | "memory" | "jobs" | "workflows" | "notifications" | "persona" | "skills"
> &
  (
    | { readonly server: RemoteServer; readonly assistant?: never }
    /** Loaded, not started: nothing runs until a request is answered. */
    | { readonly assistant: Assistant; readonly server?: never }
  );

/** A part of a message that was given up, as the API describes it. */
export interface DeadLetterView extends Omit<DeadLetter, "at" | "writtenAt" | "target" | "session"> {
  readonly at: string;
  readonly writtenAt?: string;
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
  readonly sessionKey?: string;
}

/** Filter of audit lines. */
export interface AuditFilter {
  readonly day?: string;
  readonly limit: number;
  readonly who?: string;
  readonly what?: string;
}

export interface SourceArguments {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
}

/**
 * Opens the store, or connects to the server that has it open.
 * @param options.asks The command only reads, so it creates no data.
 */
export async function withSource<T>(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  use: (source: Source) => Promise<T>,
  { asks = false }: { readonly asks?: boolean } = {},
): Promise<T> {
  const token = randomBytes(24).toString("base64url");
  return openOrAsk(settings, terminal, given, {
    open: async () => (await loadAssistant(settings, terminal, { token, asks })).assistant,
    async use(assistant) {
      const { sessions } = assistant;
      const approvals = ownApprovals(assistant, settings, token);
      const memory = ownMemory(assistant, settings, token);
      const { call } = ownCalls(assistant, settings, token);
      const [jobs, workflows] = [jobsClient(call), workflowsClient(call)];
      const [persona, skills] = [personaClient(call), skillsClient(call)];
      const notifications = ownNotifications(assistant, settings, token);
      const access = ownAccess(assistant);
      const clients = { sessions, approvals, access, memory, jobs, workflows, notifications, persona, skills };
      try {
        return await use({ ...clients, assistant });
      } finally {
        await assistant.stop({ graceMs: 0 });
      }
    },
    ask(server) {
      const { sessions, approvals, access, memory, jobs, workflows, notifications, persona, skills } = server;
      return use({ sessions, approvals, access, memory, jobs, workflows, notifications, persona, skills, server });
    },
  });
}

/** Reads the audit of the store, or of the server that has it open. */
export function readAudit(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  filter: AuditFilter,
): Promise<readonly AuditLine[]> {
  return openOrAsk(settings, terminal, given, {
    open: () => openStore(settings, terminal.cwd, { asks: true }),
    async use(store) {
      try {
        return await createAudit({ store, clock: systemClock() }).read(filter);
      } finally {
        await store.close?.();
      }
    },
    ask: (server) => server.audit(filter),
  });
}

/** Reads undelivered messages from the store or from the server that has it open. */
export function readUndelivered(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  limit: number,
): Promise<readonly DeadLetterView[]> {
  return openOrAsk(settings, terminal, given, {
    open: () => openStore(settings, terminal.cwd, { asks: true }),
    async use(store) {
      try {
        const found = await readDeadLetters(store, { limit });
        return found.map(({ at, writtenAt, target: { channel, account, chat }, session, ...letter }) => ({
          at: new Date(at).toISOString(),
          ...(writtenAt !== undefined && { writtenAt: new Date(writtenAt).toISOString() }),
          channel,
          account,
          chat,
          ...letter,
          ...(session !== undefined && { sessionKey: session }),
        }));
      } finally {
        await store.close?.();
      }
    },
    ask: (server) => server.deadLetters(limit),
  });
}

/**
 * Sends an undelivered message again: in this process, which starts the assistant, or by the server that has the store
 * open.
 */
export function sendUndelivered(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  letter: string,
): Promise<{ readonly letter: DeadLetterView; readonly isServed: boolean }> {
  const token = randomBytes(24).toString("base64url");
  return openOrAsk<Assistant, { letter: DeadLetterView; isServed: boolean }>(settings, terminal, given, {
    open: async () => (await loadAssistant(settings, terminal, { token })).assistant,
    async use(assistant) {
      try {
        return { letter: await sendAgain(ownCalls(assistant, settings, token).call, letter), isServed: false };
      } finally {
        await assistant.stop();
      }
    },
    ask: async (server) => ({ letter: await server.sendAgain(letter), isServed: true }),
  });
}

async function sendAgain(call: ApiCall, letter: string): Promise<DeadLetterView> {
  const found = await call(`/api/v1/dead-letters/${encodeURIComponent(letter)}/send`, { method: "POST" });
  return camelCased(found ?? {}) as unknown as DeadLetterView;
}

/**
 * The listener of each of these channels, from the server that has the store open or, if several processes can open the
 * store, from the store itself.
 */
export function readConnections(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  channels: readonly Channel[],
): Promise<readonly (ChannelConnection | undefined)[]> {
  return openOrAsk<Store, readonly (ChannelConnection | undefined)[]>(settings, terminal, given, {
    open: () => openStore(settings, terminal.cwd, { asks: true }),
    async use(store) {
      try {
        const found = await Promise.all(channels.map((channel) => readListener(store, channel, Date.now())));
        return found.map((detail) => (detail === undefined ? undefined : { state: "open", detail }));
      } finally {
        await store.close?.();
      }
    },
    async ask(server) {
      const all = await server.channels();
      return channels.map(({ name, access: { account = DEFAULT_ACCOUNT } }) => {
        const found = all.find((one) => one.channel === name && one.account === account);
        if (found === undefined) return undefined;
        const does = found.state === "off" ? "connects no channels" : "listens";
        return { state: found.state, detail: found.detail ?? `the server at ${server.url} ${does}` };
      });
    },
  });
}

/** Reads the usage of the models from the store, or from the server that has it open. */
export function readUsage(settings: Settings, terminal: Terminal, given: SourceArguments): Promise<UsageView | null> {
  return openOrAsk(settings, terminal, given, {
    open: () => openStore(settings, terminal.cwd, { asks: true }),
    async use(store) {
      try {
        const timezone = timezoneOf(settings.config);
        const usage = createUsage({ store, clock: systemClock(), timezone, budget: settings.config.budget });
        const { today, month } = await usage.summary({ days: 1 });
        await usage.settled();
        const state = usage.check();
        return { today, month, budgets: usage.uses(), ...(!state.ok && { untilMs: state.untilMs }) };
      } finally {
        await store.close?.();
      }
    },
    ask: (server) => server.usage(),
  });
}

export async function openOrAsk<Opened, T>(
  settings: Settings,
  terminal: Terminal,
  given: SourceArguments,
  ways: {
    open(): Promise<Opened>;
    use(opened: Opened): Promise<T>;
    ask(server: RemoteServer): Promise<T>;
  },
): Promise<T> {
  if (given.url !== undefined) {
    const token = ownTokenOf(settings, terminal.env, given.token);
    const unanswered = (base: string, cause: unknown) =>
      new ExitError(EXIT.failed, `No server answers at ${base} (${reason(cause)}): check --url`);
    return ways.ask(remoteServer(given.url, () => token, unanswered));
  }
  const opened = await ways.open().catch((error: unknown) => {
    if (AssistantError.is(error, "STORE_LOCKED")) return undefined;
    throw error;
  });
  return opened === undefined ? ways.ask(await runningServer(settings, terminal, given.token)) : ways.use(opened);
}

/**
 * Reading needs no start. An answer goes through the assistant's own API, which starts it if the call can run, and
 * waits for the reply.
 */
function ownApprovals(assistant: Assistant, settings: Settings, token: string): ApprovalsClient {
  const through = approvalsClient(ownCalls(assistant, settings, token).call);
  return {
    ...through,
    async list(options) {
      const views = await assistant.approvals.list(options);
      return views.map(({ runBy, ...view }) => ({
        ...view,
        requestedAt: view.requestedAt.toISOString(),
        expiresAt: view.expiresAt.toISOString(),
        ...(runBy && { runBy: runBy.toISOString() }),
      }));
    },
    async rules() {
      const rules = await assistant.approvals.rules();
      return rules.map((rule) => ({ ...rule, madeAt: rule.madeAt.toISOString() }));
    },
    removeRule: assistant.approvals.removeRule,
  };
}

/** The same routes in this process. Reading and changing need no start; forgetting does, since the engine keeps names too. */
function ownMemory(assistant: Assistant, settings: Settings, token: string): MemoryClient {
  const { ask, call, jsonOf } = ownCalls(assistant, settings, token);
  return {
    ...memoryClient(ask, call, jsonOf),
    async tidy(user, onProgress) {
      const given = { ...(user !== undefined && { userId: user }), ...(onProgress && { onProgress }) };
      const done = await assistant.memory.tidy(given);
      return done.map(({ userId, archived, merged, kept }) => ({ user: userId, archived, merged, kept }));
    },
    async forget(user) {
      await assistant.start();
      const { userId, entries, sessions } = await assistant.memory.forget({ userId: user });
      return { user: userId, entries, sessions };
    },
  };
}

/** The same routes in this process. Reading needs no start. */
export function ownNotifications(assistant: Assistant, settings: Settings, token: string): NotificationsClient {
  return notificationsClient(ownCalls(assistant, settings, token).call);
}

/** Calls the API of an assistant in this process, as its owner. */
function ownCalls(assistant: Assistant, settings: Settings, token: string) {
  const base = `http://${settings.config.server?.hosts?.[0] ?? "localhost"}`;
  return apiCall(base, () => token, unreachable, {
    fetchFrom: async (url, init) => assistant.app.fetch(new Request(url, init)),
  });
}

/**
 * The address of the server that has the store open: the one that it announced, else its earlier address or the
 * configured one. A token is sent there, so only this machine and the configured address are trusted.
 */
async function runningUrl(
  settings: Settings,
  terminal: Pick<Terminal, "env" | "cwd">,
  before?: string,
): Promise<string> {
  const configured = urlOn(settings.config.server?.host, portOf(undefined, settings, terminal.env));
  const announced = await announcedUrl(settings, terminal.cwd);
  if (announced === undefined) return before ?? configured;
  if (isBelieved(announced, configured)) return announced;
  const remedy = "give its address with --url";
  throw new ExitError(
    EXIT.failed,
    `The server that has the data open says that it is at ${announced}, which is neither this machine nor server.host: ${remedy}`,
  );
}

function isBelieved(announced: string, configured: string): boolean {
  if (!URL.canParse(announced)) return false;
  const { protocol, hostname, origin, href } = new URL(announced);
  const isHere = /^(127\.\d+\.\d+\.\d+|\[::1\]|localhost)$/.test(hostname);
  return protocol === "http:" && href === `${origin}/` && (isHere || hostname === new URL(configured).hostname);
}

/** That server, with the owner's token: a given or configured one, else the one that the server keeps with its data. */
export async function runningServer(
  settings: Settings,
  terminal: Pick<Terminal, "env" | "cwd">,
  given?: string,
): Promise<RemoteServer> {
  const own = ownTokenOf(settings, terminal.env, given);
  let kept: string | undefined;
  // A chat survives a restart of the server, which makes a new token and may use another port.
  const token = () => own ?? (kept = keptToken(settings, terminal.cwd) ?? kept);
  const urlNow = (before?: string) => runningUrl(settings, terminal, before);
  return remoteServer(await urlNow(), token, unreachable, urlNow);
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type UrlNow = (before: string) => Promise<string>;
type Unanswered = (base: string, cause: unknown) => ExitError;

/**
 * Calls the API at an address, with the current token. @param urlNow Returns the current address of the server that was
 * at an address before.
 */
function apiCall(
  url: string,
  tokenNow: () => string | undefined,
  unanswered: Unanswered,
  { fetchFrom = fetch, urlNow = async (before) => before }: { fetchFrom?: Fetch; urlNow?: UrlNow } = {},
) {
  let base = withoutSlash(url);
  let hasAnswered = false;

  async function ask(
    path: string,
    { method = "GET", body, timeoutMs = TIMEOUT_MS, signal, accept, lastEventId }: AskOptions = {},
  ): Promise<Response> {
    base = withoutSlash(await urlNow(base));
    const token = tokenNow();
    const response = await fetchFrom(`${base}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(accept !== undefined && { accept }),
        ...(lastEventId !== undefined && lastEventId !== "" && { "last-event-id": lastEventId }),
      },
      // The token is for this server alone.
      redirect: "error",
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      signal?.throwIfAborted();
      if (cause instanceof Error && cause.name === "TimeoutError" && timeoutMs > TIMEOUT_MS)
        throw new ExitError(
          EXIT.failed,
          `No result within ${timeoutMs / 60_000} minutes: it continues, and wakeful approvals --all shows how it ended`,
        );
      // A connection that was cut had reached a server.
      if (!hasAnswered && !/closed|reset/i.test(reason(cause))) throw unanswered(base, cause);
      throw new ExitError(EXIT.failed, `The server at ${base} no longer answers (${reason(cause)})`);
    });
    hasAnswered = true;
    // Even the owner may not do everything. A refusal for another reason than the token's role explains itself.
    if (response.status === 403 && !(await isOfRole(response.clone()))) throw await failureOf(response, base);
    if (response.status === 401 || response.status === 403) {
      throw new NotSignedIn(
        EXIT.failed,
        `The server at ${base} has the data open and wants the owner's token: give the one it printed at its start with --token, or set WAKEFUL_TOKEN`,
      );
    }
    return response;
  }

  async function jsonOf(response: Response): Promise<Record<string, unknown>> {
    if (!response.ok && response.status !== 503) throw await failureOf(response, base);
    return (await response.json()) as Record<string, unknown>;
  }

  const call: ApiCall = async (path, options) => {
    const response = await ask(path, options);
    if (!response.ok) throw await failureOf(response, base);
    return response.status === 204 ? null : ((await response.json()) as Record<string, unknown>);
  };
  return { ask, jsonOf, call, baseNow: () => base };
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Whether a refusal is about the token's role. */
async function isOfRole(response: Response): Promise<boolean> {
  const document = (await response.json().catch(() => null)) as { readonly roles?: unknown } | null;
  return document?.roles !== undefined;
}

/** The option that switches a room's routes on. */
const SWITCHES: Readonly<Record<string, string>> = {
  jobs: "scheduler.enabled",
  skills: "skills.enabled",
  workflows: "workflow.enabled",
};

/** Replaces a message about a route by one about the option, since a person at the command line does not know routes. */
function switchedOff(detail: string): string | undefined {
  const room = /^There is no route \/api\/v1\/(\w+)/.exec(detail)?.[1] ?? "";
  return room in SWITCHES ? `There are no ${room}: they are switched off by the option ${SWITCHES[room]}` : undefined;
}

/** The server's message about a failure is already one sentence. Any other answer is shown as it is. */
async function failureOf(response: Response, base: string): Promise<ExitError> {
  const text = await response.text();
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    // Invalid input came from the command line.
    const code = response.status === 400 ? EXIT.usage : EXIT.failed;
    // An empty address means that this process answered, whose log is printed here.
    if (response.status === 500 && response.url === "")
      return new ExitError(code, "Internal error: see the log on standard error");
    if (typeof detail === "string") return new ExitError(code, switchedOff(detail) ?? detail);
  } catch {
    // Not a problem document.
  }
  return new ExitError(EXIT.failed, `The server at ${base} answered ${response.status}: ${text.slice(0, 200)}`);
}

export function remoteServer(
  url: string,
  token: () => string | undefined,
  unanswered: Unanswered = unreachable,
  urlNow?: UrlNow,
): RemoteServer {
  const { ask, jsonOf, call, baseNow } = apiCall(url, token, unanswered, urlNow && { urlNow });
  const approvals = approvalsClient(call);

  return {
    get url() {
      return baseNow();
    },
    sessions: sessionsClient(ask, call, jsonOf),
    approvals,
    talker: chatClient({ ask, failureOf: (response) => failureOf(response, baseNow()), approvals }),
    access: accessClient(call),
    memory: memoryClient(ask, call, jsonOf),
    jobs: jobsClient(call),
    workflows: workflowsClient(call),
    notifications: notificationsClient(call),
    persona: personaClient(call),
    skills: skillsClient(call),
    async audit(filter) {
      const query = new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]));
      return (await call(`/api/v1/audit?${query}`))?.["lines"] as readonly AuditLine[];
    },
    async deadLetters(limit) {
      const response = await ask(`/api/v1/dead-letters?limit=${limit}`);
      if (response.status === 404) return []; // a server of an earlier version
      const { dead_letters: found } = await jsonOf(response);
      return (found as readonly Record<string, unknown>[]).map((one) => camelCased(one) as unknown as DeadLetterView);
    },
    sendAgain: (letter) => sendAgain(call, letter),
    async mcp() {
      const response = await ask("/api/v1/mcp");
      if (response.status === 404) return []; // a server of an earlier version
      const { servers } = await jsonOf(response);
      return (servers as readonly Record<string, unknown>[]).map(
        (one) => camelCased(one) as unknown as McpServerStatus,
      );
    },
    async channels() {
      const response = await ask("/api/v1/channels");
      if (response.status === 404) return []; // a server of an earlier version
      return (await jsonOf(response))["channels"] as readonly ChannelStatus[];
    },
    async usage() {
      const response = await ask("/api/v1/usage?days=1");
      if (response.status === 404) return null;
      const answer = await jsonOf(response);
      const totals = (name: string) => camelCased(answer[name] as Record<string, unknown>) as unknown as UsageTotals;
      const { budgets, untilMs } = camelCased(answer) as unknown as UsageView;
      return { today: totals("today"), month: totals("month"), budgets, ...(untilMs !== undefined && { untilMs }) };
    },
    async ready() {
      const answer = await jsonOf(await ask("/readyz"));
      return answer["checks"] as readonly { name: string; ok: boolean }[];
    },
  };
}

function reason(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  return messageOf(inner) || messageOf(cause);
}

function unreachable(base: string, cause: unknown): ExitError {
  const remedy = "give the server's address with --url, or stop the process that has the data open";
  return new ExitError(
    EXIT.locked,
    `The data is in use and no server answers at ${base} (${reason(cause)}): ${remedy}`,
  );
}
