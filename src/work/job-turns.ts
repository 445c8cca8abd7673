import { calendarOrUtc } from "../calendar.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { cutText } from "../context/index.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage, type Peer } from "../message.ts";
import type { Home } from "../notice.ts";
import type { Persona } from "../persona/index.ts";
import type { Owners } from "../policy/index.ts";
import type { Reply } from "../reply.ts";
import { type Job, runIdOf } from "../schedule/index.ts";
import {
  DEFAULT_AGENT,
  type InRecord,
  type Route,
  languageOf,
  parseSessionKey,
  parseUser,
  runSessionKey,
} from "../session/index.ts";
import { HEARTBEAT_JOB } from "./heartbeat-times.ts";
import { rolesNow } from "./own-turns.ts";
import { jobText } from "./texts.ts";

export interface JobTurnsDeps {
  /** Takes a message once, and answers it. Contract: resolved = durable; the reply of one that was answered is read from the log. */
  take(
    sessionKey: string,
    message: Omit<InRecord, "v" | "at">,
  ): Promise<{ reply(signal?: AbortSignal): Promise<Reply> }>;
  readonly router: {
    /** Whose conversation a message belongs to. */
    route(message: InboundMessage): Route;
    /** The owner's direct chats are all the agent's main session. */
    readonly ownerMain: boolean;
  };
  /** What is known of a channel; `undefined` where there is none. */
  readonly channelOf: (target: Target) => unknown;
  /** The id of the agent whose conversation it is. */
  agentIdOf(sessionKey: string): string;
  readonly persona: Pick<Persona, "refresh" | "said">;
  readonly owners: Pick<Owners, "rolesOf">;
  /** The run of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

/** Where a job belongs to. */
type JobPlace = Pick<Job, "user" | "channel" | "account" | "session">;

/** What a run says to the model, and what comes of it. */
export type JobTurns = ReturnType<typeof createJobTurns>;

/** Turns of jobs: an inbound of their own, in their person's conversation or in one of the run's. */
export function createJobTurns(
  { take, router, channelOf, agentIdOf, persona, owners, mayHaveEnded, timezoneOf, clock }: JobTurnsDeps,
  { fileTokens }: { readonly fileTokens: number },
) {
  /** The conversation that a job belongs to: that in which it was made, else its person's direct chat. */
  function sessionOf({ session, user, channel, account }: JobPlace): string {
    if (session !== undefined && parseSessionKey(session) !== null) return session;
    const { id } = parseUser(user);
    const { sessionKey, mainSessionKey } = router.route({
      channel,
      ...(account !== undefined && { account }),
      id: "",
      peer: { kind: "direct", id },
      sender: { id },
      text: "",
    });
    // The owner at the terminal is in the conversation that the owner has everywhere.
    return user === "cli" && channel === "cli" && router.ownerMain ? mainSessionKey : sessionKey;
  }

  /** @param attempt From 0 on: each try is a message of its own. */
  async function run(job: Job, planned: number, attempt: number, signal: AbortSignal): Promise<Reply> {
    const home = sessionOf(job);
    const sessionKey = job.mode === "main" ? home : runSessionOf(job, planned);
    const task = job.id === HEARTBEAT_JOB ? await heartbeatTask(job) : job.task;
    const { user, channel, account = DEFAULT_ACCOUNT, tools, withoutTools } = job;
    const when = calendarOrUtc(timezoneOf(user)).show(planned);
    const taken = await take(sessionKey, {
      type: "in",
      id: `job:${runIdOf(job.id, planned)}${attempt === 0 ? "" : `#${attempt}`}`,
      turn: newId(clock),
      text: jobText(
        job.id === HEARTBEAT_JOB ? "HEARTBEAT" : "DUE",
        { language: languageOf(task) },
        { name: job.name, when, task },
      ),
      source: `job ${job.name}`,
      origin: job.id === HEARTBEAT_JOB ? "heartbeat" : "job",
      user,
      roles: rolesNow(job, owners),
      channel,
      account,
      home: homeOf(job, home),
      // Who reads what comes of it decides what it may know of its person, also in a session of its own.
      peer: peerOf(job, home),
      sender: { id: parseUser(user).id },
      ...((tools || withoutTools) && { bounds: { ...(tools && { tools }), ...(withoutTools && { withoutTools }) } }),
    });
    return taken.reply(signal);
  }

  /** What comes of a run's calls after it goes to the chat that its result goes to. */
  function homeOf({ user, channel, account = DEFAULT_ACCOUNT, chat, thread }: Job, sessionKey: string): Home {
    const target = { channel, account, chat: chat ?? parseUser(user).id, ...(thread !== undefined && { thread }) };
    return { sessionKey, ...(channelOf(target) !== undefined && { target }) };
  }

  /** The run has ended: a session that it has for itself does so when nothing of it is to come. */
  async function ended(job: Job, planned: number): Promise<void> {
    if (job.mode === "isolated") await mayHaveEnded(runSessionOf(job, planned));
  }

  /** The session that one run of an isolated job has for itself. */
  function runSessionOf(job: JobPlace & Pick<Job, "id">, planned: number): string {
    return runSessionKey(parseSessionKey(sessionOf(job))?.agentId ?? DEFAULT_AGENT, job.id, planned);
  }

  function agentOf(job: JobPlace): string {
    return agentIdOf(sessionOf(job));
  }

  async function heartbeatTask(job: Job): Promise<string> {
    const agentId = agentOf(job);
    await persona.refresh(agentId);
    return cutText(persona.said(agentId, "HEARTBEAT.md")?.text ?? job.task, fileTokens).text;
  }

  return { run, ended, sessionOf, runSessionOf, agentOf };
}

/** As the conversation's key says. */
function peerOf({ user, chat }: Job, sessionKey: string): Peer {
  const kind = /:(group|channel):/.exec(sessionKey)?.[1] as "group" | "channel" | undefined;
  return kind === undefined ? { kind: "direct", id: parseUser(user).id } : { kind, id: chat ?? parseUser(user).id };
}
