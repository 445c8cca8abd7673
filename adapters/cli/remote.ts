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

/** Longest wait for a server on this machine. */
const TIMEOUT_MS = 10_000;

/** A server that runs already. */
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
  /** Talks with its assistant as the person at the terminal. */
  readonly talker: Required<Talker>;
  audit(query: AuditFilter): Promise<readonly AuditLine[]>;
  /** What could not be delivered; empty from a server of a version before this. */
  deadLetters(limit: number): Promise<readonly DeadLetterView[]>;
  /** Stores that one goes out again. */
  sendAgain(letter: string): Promise<DeadLetterView>;
  /** How its channels are connected; empty from a server of a version before this. */
  channels(): Promise<readonly ChannelStatus[]>;
  /** How its MCP servers are. */
  mcp(): Promise<readonly McpServerStatus[]>;
  /** What the models used; `null` from a server of a version before this. */
  usage(): Promise<UsageView | null>;
  /** Name and state of each of its checks. */
  ready(): Promise<readonly { readonly name: string; readonly ok: boolean }[]>;
}

/** How a channel that listens is connected, and a sentence about it. */
export interface ChannelConnection {
  readonly state: ChannelStatus["state"];
  readonly detail: string;
}

/** What the models used, in short. */
export interface UsageView {
  readonly today: UsageTotals;
  readonly month: UsageTotals;
  readonly budgets: readonly BudgetUse[];
  /** No model is asked before. */
  readonly untilMs?: number;
}

/** What is kept, either of the store itself or, while a server owns that, of the server. */
export type Source = Pick<
  RemoteServer,
  "sessions" | "approvals" | "access" | "memory" | "jobs" | "workflows" | "notifications" | "persona" | "skills"
> &
  (
    | { readonly server: RemoteServer; readonly assistant?: never }
    /** Loaded, not started: nothing runs until a request is answered. */
    | { readonly assistant: Assistant; readonly server?: never }
  );

/** A part of a message that was given up, as the API tells it. */
export interface DeadLetterView extends Omit<DeadLetter, "at" | "writtenAt" | "target" | "session"> {
  readonly at: string;
  readonly writtenAt?: string;
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
  readonly sessionKey?: string;
}

/** Which lines of the audit. */
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
 * Opens the store, or asks the server that has it open.
 * @param options.asks The command only asks, so that it makes nothing where there is nothing.
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

/** Reads what could not be delivered, from the store or from the server that has it open. */
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

/** Sends again what could not be delivered: here, which starts the assistant, or by the server that has the store open. */
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

/** Who listens for each of these channels: as the server that has the store open says, or, of a store that several processes may have open, as is kept there. */
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

/** Reads what the models used from the store, or asks the server that has it open. */
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

/** Looking needs no start. An answer goes through the assistant's own door, which starts it where the call can run, and waits for what it says. */
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

/** The same routes in this process. Looking and changing needs no start; forgetting does, since the engine keeps names too. */
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

/** The same routes in this process. Looking needs no start. */
export function ownNotifications(assistant: Assistant, settings: Settings, token: string): NotificationsClient {
  return notificationsClient(ownCalls(assistant, settings, token).call);
}

/** Calls of the API of an assistant in this process, as its owner. */
function ownCalls(assistant: Assistant, settings: Settings, token: string) {
  const base = `http://${settings.config.server?.hosts?.[0] ?? "localhost"}`;
  return apiCall(base, () => token, unreachable, {
    fetchFrom: async (url, init) => assistant.app.fetch(new Request(url, init)),
  });
}

/**
 * The server that has the store open: where it announced that it is, else where it was before or the settings say. A token goes there, so that only this machine and the
 * configured address are believed.
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
  const remedy = "say where it is with --url";
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

/** That server, and whoever asks as its owner: by a token that is given or configured, else by the one that it keeps beside its data. */
export async function runningServer(
  settings: Settings,
  terminal: Pick<Terminal, "env" | "cwd">,
  given?: string,
): Promise<RemoteServer> {
  const own = ownTokenOf(settings, terminal.env, given);
  let kept: string | undefined;
  // A chat goes on when the server was started again, which makes another token and may be at another port.
  const token = () => own ?? (kept = keptToken(settings, terminal.cwd) ?? kept);
  const urlNow = (before?: string) => runningUrl(settings, terminal, before);
  return remoteServer(await urlNow(), token, unreachable, urlNow);
}

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type UrlNow = (before: string) => Promise<string>;
type Unanswered = (base: string, cause: unknown) => ExitError;

/** Calls of the API at an address, as whoever the token is then. @param urlNow Where the server is that was at an address before. */
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
          `No result within ${timeoutMs / 60_000} minutes: it goes on, and wakeful approvals --all tells how it ended`,
        );
      // One that was cut off had a server.
      if (!hasAnswered && !/closed|reset/i.test(reason(cause))) throw unanswered(base, cause);
      throw new ExitError(EXIT.failed, `The server at ${base} does not answer any more (${reason(cause)})`);
    });
    hasAnswered = true;
    // Even the owner may not do everything; what is refused for another reason than the token's role says why.
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

/** Is a refusal about the role of the token? */
async function isOfRole(response: Response): Promise<boolean> {
  const document = (await response.json().catch(() => null)) as { readonly roles?: unknown } | null;
  return document?.roles !== undefined;
}

/** The option without which a room has no routes. */
const SWITCHES: Readonly<Record<string, string>> = {
  jobs: "scheduler.enabled",
  skills: "skills.enabled",
  workflows: "workflow.enabled",
};

/** A person who types a command knows of no routes. */
function switchedOff(detail: string): string | undefined {
  const room = /^There is no route \/api\/v1\/(\w+)/.exec(detail)?.[1] ?? "";
  return room in SWITCHES ? `There are no ${room}: they are switched off by the option ${SWITCHES[room]}` : undefined;
}

/** What the server says of a failure is one sentence already; what is no answer of ours is shown as it is. */
async function failureOf(response: Response, base: string): Promise<ExitError> {
  const text = await response.text();
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    // What is not valid was typed so.
    const code = response.status === 400 ? EXIT.usage : EXIT.failed;
    // What no address answered came from this process, whose log is printed here.
    if (response.status === 500 && response.url === "")
      return new ExitError(code, "It failed inside: the log says more, here on standard error");
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
      if (response.status === 404) return []; // A server of a version before this.
      const { dead_letters: found } = await jsonOf(response);
      return (found as readonly Record<string, unknown>[]).map((one) => camelCased(one) as unknown as DeadLetterView);
    },
    sendAgain: (letter) => sendAgain(call, letter),
    async mcp() {
      const response = await ask("/api/v1/mcp");
      if (response.status === 404) return []; // A server of a version before this.
      const { servers } = await jsonOf(response);
      return (servers as readonly Record<string, unknown>[]).map(
        (one) => camelCased(one) as unknown as McpServerStatus,
      );
    },
    async channels() {
      const response = await ask("/api/v1/channels");
      if (response.status === 404) return []; // A server of a version before this.
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
  const remedy = "say where the server is with --url, or stop whatever process has the data open";
  return new ExitError(
    EXIT.locked,
    `The data is in use and no server answers at ${base} (${reason(cause)}): ${remedy}`,
  );
}
