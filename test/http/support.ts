import { createArtifacts } from "../../src/artifacts/index.ts";
import type { Outbox } from "../../src/outbox/index.ts";
import type { Channel } from "../../src/channel.ts";
import { AssistantError } from "../../src/errors.ts";
import { createEventBus } from "../../src/events/index.ts";
import {
  type AccessRoutesDeps,
  type ApprovalRoutesDeps,
  type ArtifactRoutesDeps,
  type AttentionRoutesDeps,
  type ChatRoutesDeps,
  type DeadLetterRoutesDeps,
  type EventRoutesDeps,
  type GateDeps,
  type HookRoutesDeps,
  type JobRoutesDeps,
  type McpEndpointDeps,
  type McpRoutesDeps,
  type MemoryCallsDeps,
  type MessageRoutesDeps,
  type NotificationRoutesDeps,
  type OperationRoutesDeps,
  type PersonaRoutesDeps,
  type RateLimitsDeps,
  type Route,
  type SessionRoutesDeps,
  type SkillRoutesDeps,
  type StreamReplyDeps,
  type UsagePart,
  type WebhookRoutesDeps,
  type WorkflowRoutesDeps,
  accessRoutes,
  approvalRoutes,
  artifactRoutes,
  attentionRoutes,
  auditRoutes,
  deadLetterRoutes,
  chatRoutes,
  createApp,
  createClientReader,
  createGate,
  createRateLimits,
  createStreamReply,
  eventRoutes,
  hookRoutes,
  jobRoutes,
  mcpRoutes,
  memoryRoutes,
  messageRoutes,
  notificationRoutes,
  withOpenApi,
  operationRoutes,
  personaRoutes,
  sessionRoutes,
  skillRoutes,
  usageRoutes,
  channelRoutes,
  webhookRoutes,
  workflowRoutes,
} from "../../src/http/index.ts";
import { createPersona } from "../../src/persona/index.ts";
import type { Reply, SendInput, StreamEvent } from "../../src/reply.ts";
import type { TranscriptEntry } from "../../src/session/index.ts";
import { createJobService, createJobs, createRuns } from "../../src/schedule/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import {
  type Audit,
  type Logger,
  type Metrics,
  type Redactor,
  createAudit,
  createMetrics,
  silentLogger,
} from "../../src/telemetry/index.ts";
import { createUsage } from "../../src/usage/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { fakeSkills } from "../support/fake-skills.ts";
import { fakeWorkflows } from "../support/fake-workflows.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { platform } from "../support/this-platform.ts";

export const OWNER = "owner-token-0123456789";
export const ADA = "ada-token-0123456789";
export const NAMELESS = "nameless-token-0123456789";
export const HOOKS = "hooks-token-0123456789";
export const METRICS = "metrics-token-0123456789";

export type Input = SendInput & { readonly asOwner?: boolean };

/** What a turn does in these tests: its events up to the reply, which is added. */
export type Script = (input: Input) => AsyncIterable<StreamEvent> | Iterable<StreamEvent>;

/** One word after another, and the reply says the same. */
export const echo: Script = function* (input) {
  for (const word of `You said: ${input.text}`.split(/(?<= )/)) yield { type: "text-delta", text: word };
};

/** What all routes together are handed. */
export interface HttpFixture
  extends
    WebhookRoutesDeps,
    StreamReplyDeps,
    Omit<MessageRoutesDeps, "streamReply">,
    SessionRoutesDeps,
    ArtifactRoutesDeps,
    AccessRoutesDeps,
    MemoryCallsDeps,
    Omit<PersonaRoutesDeps, "audit">,
    OperationRoutesDeps,
    GateDeps,
    RateLimitsDeps,
    Pick<McpEndpointDeps, "tools"> {
  readonly hooks: HookRoutesDeps["hooks"];
  readonly chats: ChatRoutesDeps["chats"];
  readonly approvals: ApprovalRoutesDeps["approvals"] & ChatRoutesDeps["approvals"];
  readonly notifications: NotificationRoutesDeps["notifications"];
  readonly usage: UsagePart;
  readonly audit: Audit;
  readonly outbox: Pick<Outbox, "listDead">;
  readonly deadLetters: DeadLetterRoutesDeps["letters"];
  readonly start: DeadLetterRoutesDeps["start"];
  readonly jobs: JobRoutesDeps["jobs"];
  readonly events: EventRoutesDeps["events"];
  readonly placeOf: JobRoutesDeps["placeOf"];
  readonly attention: AttentionRoutesDeps["attention"];
  readonly canonicalUser: AttentionRoutesDeps["canonicalUser"];
  readonly press: NotificationRoutesDeps["press"];
  /** Absent: this assistant has no routes of skills. */
  readonly skills?: SkillRoutesDeps["skills"] | undefined;
  readonly memoryUserOf: SkillRoutesDeps["memoryUserOf"];
  readonly workflows: WorkflowRoutesDeps["workflows"];
  readonly metrics: Metrics;
  readonly version: string;
  readonly name?: string;
  readonly redact?: Redactor;
  readonly trustedProxies?: readonly string[];
  readonly mcpStatus?: McpRoutesDeps["mcpStatus"];
  readonly loadMcpServer?: McpRoutesDeps["loadServer"];
}

/** Every route but those of the page, as an assistant has them. */
export function routesOf(parts: HttpFixture): readonly Route[] {
  const { clock, name, version, mcpStatus, loadMcpServer } = parts;
  const streamReply = createStreamReply(parts);
  const title = { version, ...(name !== undefined && { name }) };
  return withOpenApi(title, [
    ...webhookRoutes(parts),
    ...hookRoutes(parts),
    ...messageRoutes({ ...parts, streamReply }),
    ...chatRoutes({ ...parts, streamReply }),
    ...sessionRoutes(parts),
    ...artifactRoutes(parts),
    ...approvalRoutes(parts),
    ...accessRoutes(parts),
    ...auditRoutes(parts),
    ...deadLetterRoutes({ ...parts, list: parts.outbox.listDead, letters: parts.deadLetters }),
    ...notificationRoutes(parts),
    ...attentionRoutes(parts),
    ...jobRoutes(parts),
    ...(parts.skills ? skillRoutes({ ...parts, skills: parts.skills }) : []),
    ...workflowRoutes(parts),
    ...eventRoutes({ ...parts, ending: new AbortController().signal }),
    ...usageRoutes(parts.usage),
    ...channelRoutes({ all: () => [] }),
    ...mcpRoutes({
      ...(mcpStatus && { mcpStatus }),
      ...(loadMcpServer && { loadServer: loadMcpServer }),
      endpoint: { ...parts, ...title, clock },
    }),
    ...memoryRoutes(parts),
    ...personaRoutes(parts),
    ...operationRoutes(parts),
  ]);
}

/** The HTTP door over a fixture. */
export function appOf(parts: HttpFixture): ReturnType<typeof createApp> {
  return createApp({
    redact: (value) => value,
    ...parts,
    routes: routesOf(parts),
    gate: createGate(parts),
    limits: createRateLimits(parts),
    clientOf: createClientReader(parts.trustedProxies),
  });
}

export interface FakeAssistant {
  readonly parts: HttpFixture;
  readonly app: ReturnType<typeof createApp>;
  readonly clock: FakeClock;
  /** Every input that reached the assistant, repeated ids included. */
  readonly inputs: readonly Input[];
  /** How many turns ran: a repeated id runs none. */
  readonly turns: () => number;
  /** What was logged as an error. */
  readonly errors: readonly string[];
  readonly transcripts: Map<string, TranscriptEntry[]>;
  /** Messages that were not answered are run when they are sent again. */
  restart(): void;
}

/** An assistant without a model and without a store: it keeps what it is told in memory, in the shape that the door asks for. */
export function fakeAssistant(
  options: { script?: Script; channels?: readonly Channel[]; parts?: Partial<HttpFixture>; clock?: FakeClock } = {},
): FakeAssistant {
  const { script = echo, channels = [], clock = fakeClock() } = options;
  const inputs: Input[] = [];
  const answered = new Map<string, Promise<{ reply: Reply; events: StreamEvent[] }>>();
  const transcripts = new Map<string, TranscriptEntry[]>();
  const errors: string[] = [];
  const logger: Logger = { ...silentLogger, error: (message) => void errors.push(message) };
  const jobStore = memoryStore();
  let turns = 0;

  const sessionKeyOf = (channel: string, name: string) => `agent:main:${channel}:direct:${name.replaceAll(":", "%3a")}`;
  const keyOf = (input: Input) =>
    input.session === undefined
      ? sessionKeyOf("sdk", input.user ?? "sdk")
      : sessionKeyOf(input.channel ?? "sdk", input.session);

  /** Runs a turn once for each id, whoever watches. */
  function run(input: Input, watch: (event: StreamEvent) => void = () => {}) {
    inputs.push(input);
    const sessionKey = keyOf(input);
    const name = `${sessionKey}\n${input.id ?? inputs.length}`;
    const known = answered.get(name);
    if (known) return { known: true, sessionKey, done: known };
    const turnId = `turn-${++turns}`;
    const log = transcripts.get(sessionKey) ?? [];
    transcripts.set(sessionKey, log);
    const at = () => ({ seq: log.length + 1, atMs: clock.now() });
    log.push({ type: "user", ...at(), text: input.text, user: input.user ?? "sdk" });
    const work = async () => {
      const events: StreamEvent[] = [];
      let text = "";
      let reply: Reply | undefined;
      const toolCalls: Reply["toolCalls"][number][] = [];
      const started = new Map<string, { name: string; input: Reply["toolCalls"][number]["input"] }>();
      for await (const event of script(input)) {
        events.push(event);
        watch(event);
        if (event.type === "text-delta") text += event.text;
        if (event.type === "reply") reply = event.reply;
        if (event.type === "tool-start") started.set(event.callId, event);
        if (event.type === "tool-end") {
          const { callId, name, output, error, durationMs } = event;
          const input = started.get(callId)?.input ?? null;
          const result = { ...(output !== undefined && { output }), ...(error && { error }) };
          toolCalls.push({ name, input, ...result, durationMs });
          log.push({ type: "tool", ...at(), callId, name, input, ...result });
          text = "";
        }
      }
      reply ??= replyOf({ turnId, sessionKey, text, toolCalls });
      log.push({ type: "assistant", ...at(), text: reply.text, turnId, ...(reply.error && { error: reply.error }) });
      if (!events.some((event) => event.type === "reply")) watch({ type: "reply", reply });
      return { reply, events };
    };
    const done = work();
    done.catch(() => {});
    answered.set(name, done);
    return { known: false, sessionKey, turnId, done };
  }

  const parts: HttpFixture = {
    channels,
    async accept(channel, message) {
      if (message.text === "store is down") throw new AssistantError("STORE_UNAVAILABLE", "The store does not answer");
      if (message.sender.id === "stranger") return { outcome: "refused", reason: "not on the list" };
      const {
        known,
        sessionKey,
        turnId = "turn-1",
        done,
      } = run({
        text: message.text,
        user: `${channel.name}:${message.sender.id}`,
        id: message.id,
      });
      if (message.kind === "note") return { outcome: "kept", sessionKey };
      const reply = async () => (await done).reply;
      return { outcome: known ? "duplicate" : "accepted", sessionKey, turnId, reply };
    },
    hooks: {
      wake: async () => ({ sessionKey: "agent:main:main" }),
      run: async () => ({ sessionKey: "agent:main:main" }),
    },
    send: async (input) => (await run(input).done).reply,
    async submit(input) {
      const { sessionKey, turnId = "turn-1" } = run(input);
      return { turnId, sessionKey };
    },
    async *stream(input) {
      const waiting: StreamEvent[] = [];
      let wake = () => {};
      const { done } = run(input, (event) => {
        waiting.push(event);
        wake();
      });
      const progress = { ended: false };
      const end = done.then(({ reply }) => {
        if (!waiting.some((event) => event.type === "reply")) waiting.push({ type: "reply", reply });
      });
      void end
        .catch(() => {})
        .finally(() => {
          progress.ended = true;
          wake();
        });
      for (let at = 0; ; at++) {
        while (at >= waiting.length && !progress.ended) await new Promise<void>((resolve) => (wake = resolve));
        const event = waiting[at];
        if (event === undefined) break;
        yield event;
      }
      await end;
      yield { type: "end" };
    },
    sessions: {
      async list({ after = "", limit = 100 } = {}) {
        return [...transcripts.keys()]
          .sort()
          .filter((key) => key > after)
          .slice(0, limit)
          .map((key) => ({ key, agentId: "main", records: transcripts.get(key)?.length ?? 0, lastAtMs: clock.now() }));
      },
      async show(key, { limit = 200 } = {}) {
        const entries = transcripts.get(key);
        return entries ? { key, entries: entries.slice(-limit) } : null;
      },
      remove: async (key) => transcripts.delete(key),
      export: async () => null,
      summaries: async () => [],
      editSummary: async (key) => Promise.reject(new AssistantError("NOT_FOUND", `${key} has no summary`)),
      settings: async () => ({}),
      configure: async () => ({}),
      conversations: async () => ({ conversations: [] }),
    },
    artifacts: createArtifacts({ store: memoryStore(), clock }),
    chats: {
      read: async ({ session = "" }) => ({ sessionKey: sessionKeyOf("web", session), records: [] }),
      resume: async () => undefined,
    },
    approvals: {
      list: async () => [],
      answer: async (id) => Promise.reject(new AssistantError("NOT_FOUND", `There is no request ${id}`)),
      followUps: () => ({ watch: async () => ({ confirm() {}, drop() {} }), events: (async function* () {})() }),
      followUp: async () => replyOf({}),
      rules: async () => [],
      removeRule: async () => {},
    },
    access: {
      list: async () => ({ pending: [], people: [], owners: [] }),
      approve: async (code) => Promise.reject(new AssistantError("NOT_FOUND", `There is no code ${code}`)),
      deny: async (code) => Promise.reject(new AssistantError("NOT_FOUND", `There is no code ${code}`)),
      remove: async (user) => Promise.reject(new AssistantError("NOT_FOUND", `There is nobody ${user}`)),
    },
    explainContext: async ({ session }) => ({
      parts: [{ name: "instructions", tokens: 7, source: `of ${session}` }],
      totalTokens: 7,
    }),
    sessionKeyOf,
    metrics: createMetrics(),
    audit: createAudit({ store: memoryStore(), clock }),
    outbox: { listDead: async () => [] },
    deadLetters: {
      find: async (name) => Promise.reject(new AssistantError("NOT_FOUND", `There is no message ${name}`)),
      sendAgain: async (name) => Promise.reject(new AssistantError("NOT_FOUND", `There is no message ${name}`)),
    },
    start: async () => {},
    jobs: createJobService({
      jobs: createJobs({ store: jobStore, clock, yaml: platform.yaml, logger }),
      runs: createRuns({ store: jobStore, clock }),
      arm: async () => {},
      runNow: async (id) => `${id}:0`,
      timezoneOf: () => "UTC",
      clock,
    }),
    events: createEventBus({ clock }),
    placeOf: (user) => ({ user, channel: "app", startedBy: user, roles: ["user"] }),
    workflows: fakeWorkflows().workflows,
    skills: fakeSkills().skills,
    memoryUserOf: (user) => user.toLowerCase(),
    notifications: { list: async () => [], remove: async () => false },
    attention: {
      people: async () => [],
      view: async ({ user = "@owner" } = {}) => ({
        user,
        decisions: [],
        held: [],
        sent: [],
        mutedUntil: null,
        less: {},
      }),
      mute: async () => {},
      less: async ({ times = 1 }) => times,
      notify: async ({ id = "new" }) => ({ id, decision: null }),
    },
    canonicalUser: (user) => user.toLowerCase(),
    press: async () => ({ text: "" }),
    usage: createUsage({ store: memoryStore(), clock, timezone: "UTC" }),
    memory: fakeMemory({ clock }),
    persona: createPersona({ store: memoryStore(), clock, redact: (value) => value }),
    agentIds: ["main"],
    onWritten: async () => {},
    logger,
    clock,
    tokens: [
      { token: OWNER, role: "owner" },
      { token: ADA, role: "user", user: "app:Ada" },
      { token: NAMELESS, role: "user" },
      { token: METRICS, role: "metrics" },
      { token: HOOKS, role: "hook" },
    ],
    ready: async () => [
      { ok: true, name: "store" },
      { ok: true, name: "engine" },
    ],
    version: "1.2.3",
    ...options.parts,
  };
  return {
    parts,
    app: appOf(parts),
    clock,
    inputs,
    turns: () => turns,
    errors,
    transcripts,
    restart: () => answered.clear(),
  };
}

export function replyOf(reply: Partial<Reply>): Reply {
  return {
    turnId: "turn-1",
    sessionKey: "agent:main:sdk:direct:sdk",
    text: "",
    silent: false,
    toolCalls: [],
    approvals: [],
    usage: { inputTokens: 12, outputTokens: 7 },
    steps: 1,
    ...reply,
  };
}

/** A point that a test waits for or lets the code wait for. */
export function milestone(): { readonly reached: Promise<void>; reach(): void } {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  return { reached, reach: () => reach() };
}

/** A request as a program makes it: a bearer token, and JSON when there is a body. */
export function call(
  path: string,
  options: { method?: string; token?: string | null; body?: unknown; headers?: Record<string, string> } = {},
): Request {
  const { token = OWNER, body, method = body === undefined ? "GET" : "POST", headers = {} } = options;
  return new Request(`http://localhost:8787${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

/** The JSON of an answer, as plain data for `toMatchObject`. */
export async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  return (await response.json()) as Record<string, unknown>;
}

/** The chunks of a UI message stream; `[DONE]` included, comments left out. */
export async function chunksOf(response: Response): Promise<Record<string, unknown>[]> {
  return (await response.text())
    .split("\n\n")
    .filter((event) => event.startsWith("data: "))
    .map((event) => event.slice("data: ".length))
    .map((data) => (data === "[DONE]" ? { type: "[DONE]" } : (JSON.parse(data) as Record<string, unknown>)));
}
