import { problemOfContext } from "../config/index.ts";
import { type Access, createAccessApi, createAccessPart } from "../access/index.ts";
import { type Approvals, createHostApprovals } from "../approvals/index.ts";
import { type Artifacts, createArtifactsApi } from "../artifacts/index.ts";
import type { Assistant } from "../assistant-types.ts";
import type { Channel } from "../channel.ts";
import { messageOf } from "../errors.ts";
import { editedSummary } from "../context/index.ts";
import type { Erasure } from "../erasure/index.ts";
import {
  type Route,
  accessRoutes,
  approvalRoutes,
  artifactRoutes,
  auditRoutes,
  chatRoutes,
  createApp,
  createGate,
  createRateLimits,
  createStreamReply,
  mcpRoutes,
  memoryRoutes,
  messageRoutes,
  notificationRoutes,
  openApiRoute,
  operationRoutes,
  sessionRoutes,
  usageRoutes,
  webhookRoutes,
} from "../http/index.ts";
import {
  type Accepted,
  type ApprovalFollowUps,
  type Inbox,
  type Submission,
  type Submissions,
  checkSendInput,
  watchReply,
} from "../inbox/index.ts";
import { DEFAULT_ACCOUNT, type InboundMessage } from "../message.ts";
import type { Notifications } from "../notifications/index.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { Reply, StreamEvent } from "../reply.ts";
import {
  type SessionLife,
  type Sessions,
  type Summaries,
  type Waiters,
  createSessionsApi,
  parseSessionKey,
  parseUser,
  userOf,
} from "../session/index.ts";
import { type LateResults, type ToolDispatch, createAnswerRequest, createHostTools } from "../tools/index.ts";
import { VERSION } from "../version.ts";
import type { Channels } from "./channels.ts";
import type { Ground } from "./ground.ts";
import type { createLifecycle } from "./lifecycle.ts";
import type { WiredMemory } from "./memory.ts";
import type { createModels } from "./models.ts";
import type { readPeople } from "./people.ts";
import type { createToolset } from "./toolset.ts";

export interface DoorsParts {
  readonly ground: Ground;
  readonly channels: Channels;
  readonly agents: Pick<ReturnType<typeof readPeople>, "agentOf" | "defaultAgent">;
  readonly access: Access;
  readonly sessions: Sessions;
  readonly summaries: Summaries;
  readonly life: SessionLife;
  readonly waiters: Waiters;
  readonly inbox: Inbox;
  readonly submissions: Submissions;
  readonly memory: Pick<WiredMemory, "api">;
  readonly artifacts: Artifacts;
  readonly toolset: Awaited<ReturnType<typeof createToolset>>;
  readonly dispatch: ToolDispatch;
  readonly policy: Assistant["policy"];
  readonly approvals: Approvals;
  readonly lateResults: LateResults;
  readonly followUps: ApprovalFollowUps;
  readonly models: Pick<ReturnType<typeof createModels>, "usage">;
  readonly notifications: Notifications;
  readonly erasure: Pick<Erasure, "passed">;
  readonly lifecycle: ReturnType<typeof createLifecycle>;
  readonly explainContext: Assistant["explainContext"];
  /** The key of a conversation that the host names. */
  sessionKeyOf(agentId: string, channel: string, name: string): string;
}

/** The ways into an assistant: for the host program, and over HTTP. */
export function createDoors(parts: DoorsParts): Assistant {
  const { ground, channels, access, sessions, summaries, life, waiters, inbox, memory, toolset, dispatch } = parts;
  const { artifacts, submissions, models, notifications, erasure, explainContext } = parts;
  const { options, platform, store, clock, events, hooks, metrics, audit, logger, redact, tokens } = ground;
  const { agentOf, defaultAgent } = parts.agents;
  const { registry } = toolset;
  const { policy, approvals, lateResults, followUps } = parts;
  const { start, startAwake, stop, phase } = parts.lifecycle;

  async function submit(input: Submission) {
    checkSendInput(input, problemOfContext);
    await start();
    const user = input.user ?? input.channel ?? "sdk";
    const { channel, id } = parseUser(user);
    const roles = input.asOwner === true ? [OWNER_ROLE] : [];
    await erasure.passed({ user, channel, peer: { kind: "direct", id }, roles, account: DEFAULT_ACCOUNT });
    return inbox.submit(input);
  }

  async function send(input: Submission): Promise<Reply> {
    input.signal?.throwIfAborted();
    const accepted = await submit(input);
    return accepted.reply(input.signal);
  }

  function stream(input: Submission): AsyncIterable<StreamEvent> {
    const begin = async () => {
      checkSendInput(input, problemOfContext);
      await start();
    };
    return watchReply(input, { inbox, submissions, waiters, clock, begin });
  }

  const ofSessions = createSessionsApi({
    sessions,
    summaries,
    life,
    artifacts,
    redact,
    defaultAgentId: defaultAgent.id,
    modelNames: (id) => agentOf(id).models.map(({ provider, modelId }) => `${provider}/${modelId}`),
    readEdited: editedSummary,
  });
  const sessionsApi: Assistant["sessions"] = {
    ...ofSessions,
    keyOf: (speaker) => submissions.describe({ ...speaker, text: "" }).sessionKey,
  };

  const { tools, memoryRecall } = createHostTools({
    clock,
    dispatch,
    registry,
    lateResults,
    describe: submissions.describe,
    addSecrets: ground.addSecrets,
    start,
    hasChannel: (target) => channels.of(target) !== undefined,
    agentIdOf: (id) => agentOf(id).id,
  });
  const answer = createAnswerRequest({ approvals, dispatch, start, isNew: () => phase() === "new" });
  const approvalsApi = createHostApprovals(approvals, answer);

  async function accept(channel: Channel, message: InboundMessage): Promise<Accepted> {
    await start();
    const user = userOf(message.channel, message.sender.id);
    const { peer, account = DEFAULT_ACCOUNT } = message;
    await erasure.passed({ user, channel: message.channel, account, peer, roles: [] });
    return inbox.accept(channel, message);
  }

  const { hosts, publicUrl, rateLimit, trustedProxies } = options.server ?? {};
  const sessionKeyOf = (channel: string, name: string) => parts.sessionKeyOf(defaultAgent.id, channel, name);
  const streamReply = createStreamReply({ stream, clock, logger });
  const routes: Route[] = [
    ...webhookRoutes({ channels: channels.all, accept, audit, clock, logger, metrics }),
    ...messageRoutes({ send, submit, streamReply, clock }),
    ...chatRoutes({ submit, streamReply, approvals: { answer, followUps: followUps.followUps }, clock }),
    ...sessionRoutes({ sessions: sessionsApi, explainContext, sessionKeyOf, clock }),
    ...artifactRoutes({ artifacts, sessionKeyOf }),
    ...approvalRoutes({
      approvals: {
        ...approvalsApi,
        answer,
        // Nothing is said before it runs.
        followUp: async (id, signal) => (phase() === "new" ? null : followUps.followUp(id, signal)),
      },
      clock,
    }),
    ...accessRoutes({ access: createAccessPart(access, start), clock }),
    ...auditRoutes({ audit }),
    ...notificationRoutes(notifications),
    ...usageRoutes(models.usage),
    ...mcpRoutes({
      mcpStatus: toolset.mcpStatus,
      loadServer: async () => options.mcp?.endpoint ?? platform.load("@modelcontextprotocol/server"),
      endpoint: { send, memoryRecall, version: VERSION, clock, logger },
    }),
    openApiRoute({ version: VERSION }, () => routes),
    ...memoryRoutes({ memory: memory.api, clock, audit }),
    ...operationRoutes({ ready, metrics, clock }),
  ];
  const app = createApp({
    routes,
    gate: createGate({
      tokens,
      ...(hosts && { hosts }),
      ...(publicUrl !== undefined && { publicUrl }),
      audit,
      clock,
    }),
    limits: createRateLimits({ ...(rateLimit && { rateLimit }), store, clock, logger, metrics }),
    ...(trustedProxies && { trustedProxies }),
    redact,
    clock,
    logger,
  });

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
    start: startAwake,
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
      parseSessionKey(session) ? session : sessionKeyOf("sdk", session),
    ),
    explainContext,
  };
}
