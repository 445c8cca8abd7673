import { calendarOrUtc } from "../calendar.ts";
import type { Clock } from "../clock.ts";
import { HOST_CHANNELS } from "../host-channels.ts";
import { newId } from "../ids.ts";
import { DEFAULT_ACCOUNT, type InboundMessage, type Peer } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import type { Reply } from "../reply.ts";
import { type Job, runIdOf } from "../schedule/index.ts";
import { type InRecord, type Route, languageOf, parseSessionKey, parseUser } from "../session/index.ts";
import { jobText } from "./texts.ts";

export interface JobTurnsDeps {
  /** Takes a message once, and answers it. Contract: resolved = durable; the reply of one that was answered is read from the log. */
  take(
    sessionKey: string,
    message: Omit<InRecord, "v" | "at">,
  ): Promise<{ reply(signal?: AbortSignal): Promise<Reply> }>;
  /** Whose conversation a message belongs to. */
  route(message: InboundMessage): Route;
  readonly owners: Pick<Owners, "rolesOf">;
  timezoneOf(user: string): string;
  readonly clock: Clock;
}

/** What a run says to the model, and what comes of it. */
export type JobTurns = ReturnType<typeof createJobTurns>;

/** Turns of jobs: an inbound of their own, in their person's conversation or in one of the run's. */
export function createJobTurns({ take, route, owners, timezoneOf, clock }: JobTurnsDeps) {
  /** The conversation that a job belongs to: that in which it was made, else its person's direct chat. */
  function sessionOf({ session, user, channel, account }: Job): string {
    if (session !== undefined && parseSessionKey(session) !== null) return session;
    const { id } = parseUser(user);
    return route({
      channel,
      ...(account !== undefined && { account }),
      id: "",
      peer: { kind: "direct", id },
      sender: { id },
      text: "",
    }).sessionKey;
  }

  /** @param attempt From 0 on: each try is a message of its own. */
  async function run(job: Job, planned: number, attempt: number, signal: AbortSignal): Promise<Reply> {
    const home = sessionOf(job);
    const agentId = parseSessionKey(home)?.agentId ?? "main";
    const sessionKey = job.mode === "main" ? home : `agent:${agentId}:job:${job.id}:${planned}`;
    const { user, channel, account = DEFAULT_ACCOUNT } = job;
    const when = calendarOrUtc(timezoneOf(user)).show(planned);
    const taken = await take(sessionKey, {
      type: "in",
      id: `job:${runIdOf(job.id, planned)}${attempt === 0 ? "" : `#${attempt}`}`,
      turn: newId(clock),
      text: jobText("DUE", { language: languageOf(job.task) }, { name: job.name, when, task: job.task }),
      source: `job ${job.name}`,
      origin: "job",
      user,
      roles: rolesNow(job),
      channel,
      account,
      peer: job.mode === "main" ? peerOf(job, home) : { kind: "direct", id: parseUser(user).id },
      sender: { id: parseUser(user).id },
    });
    return taken.reply(signal);
  }

  /** At most those of whoever made it, then and now. */
  function rolesNow({ startedBy, roles, channel }: Job): readonly string[] {
    if (HOST_CHANNELS.includes(channel) || HOST_CHANNELS.includes(parseUser(startedBy).channel)) return roles;
    const now = owners.rolesOf(startedBy);
    return roles.filter((role) => now.includes(role));
  }

  return { run, sessionOf };
}

/** As the conversation's key says. */
function peerOf({ user, chat }: Job, sessionKey: string): Peer {
  const kind = /:(group|channel):/.exec(sessionKey)?.[1] as "group" | "channel" | undefined;
  return kind === undefined ? { kind: "direct", id: parseUser(user).id } : { kind, id: chat ?? parseUser(user).id };
}
