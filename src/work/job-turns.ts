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
  /**
   * Takes a message once and answers it. Contract: resolved = durable; the reply to a message that was already answered
   * is read from the log.
   */
  take(
    sessionKey: string,
    message: Omit<InRecord, "v" | "at">,
  ): Promise<{ reply(signal?: AbortSignal): Promise<Reply> }>;
  readonly router: {
    /** Decides which conversation a message belongs to. */
    route(message: InboundMessage): Route;
    /** Whether all direct chats of the owner share the agent's main session. */
    readonly ownerMain: boolean;
  };
  /** Finds a channel; `undefined` where there is none. */
  readonly channelOf: (target: Target) => unknown;
  /** The id of the agent that a session belongs to. */
  agentIdOf(sessionKey: string): string;
  readonly persona: Pick<Persona, "refresh" | "said">;
  readonly owners: Pick<Owners, "rolesOf">;
  /** To be called when a run of this session has ended. */
  mayHaveEnded(sessionKey: string): Promise<void>;
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

/** The fields of a job that decide its conversation. */
type JobPlace = Pick<Job, "user" | "channel" | "account" | "session">;

export type JobTurns = ReturnType<typeof createJobTurns>;

/**
 * Runs jobs as turns. Each run is an inbound message of its own, in the person's conversation or in a session of the
 * run.
 */
export function createJobTurns(
  { take, router, channelOf, agentIdOf, persona, owners, mayHaveEnded, timezoneOf, clock }: JobTurnsDeps,
  { fileTokens }: { readonly fileTokens: number },
) {
  /** The job's conversation: the one in which it was created, else its person's direct chat. */
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
    // The owner at the terminal uses the conversation that the owner has everywhere.
    return user === "cli" && channel === "cli" && router.ownerMain ? mainSessionKey : sessionKey;
  }

  /** @param attempt Counts from 0; each try is a message of its own. */
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
      // The readers of the result decide what the run may know about its person, also in an isolated session.
      peer: peerOf(job, home),
      sender: { id: parseUser(user).id },
      ...((tools || withoutTools) && { bounds: { ...(tools && { tools }), ...(withoutTools && { withoutTools }) } }),
    });
    return taken.reply(signal);
  }

  /** Late results of a run's calls go to the chat that gets the run's result. */
  function homeOf({ user, channel, account = DEFAULT_ACCOUNT, chat, thread }: Job, sessionKey: string): Home {
    const target = { channel, account, chat: chat ?? parseUser(user).id, ...(thread !== undefined && { thread }) };
    return { sessionKey, ...(channelOf(target) !== undefined && { target }) };
  }

  /** Ends a run. An isolated run's session closes once nothing more is to come in it. */
  async function ended(job: Job, planned: number): Promise<void> {
    if (job.mode === "isolated") await mayHaveEnded(runSessionOf(job, planned));
  }

  /** The session of one run of an isolated job. */
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

/** Reads the kind of peer from the session key. */
function peerOf({ user, chat }: Job, sessionKey: string): Peer {
  const kind = /:(group|channel):/.exec(sessionKey)?.[1] as "group" | "channel" | undefined;
  return kind === undefined ? { kind: "direct", id: parseUser(user).id } : { kind, id: chat ?? parseUser(user).id };
}
