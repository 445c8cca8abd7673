import type { Clock } from "../clock.ts";
import type { EventBus } from "../events/index.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import type { Notify } from "../notice.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Reply } from "../reply.ts";
import { type Job, type RunEnd, runIdOf } from "../schedule/index.ts";
import { type Sessions, languageOf, parseUser } from "../session/index.ts";
import { HEARTBEAT_JOB } from "./heartbeat-times.ts";
import type { JobTurns } from "./job-turns.ts";
import { jobText } from "./texts.ts";
import type { WorkApprovals } from "./work-approvals.ts";
import { shortened } from "../short-text.ts";

export interface JobResultsDeps {
  readonly notify: Notify;
  readonly turns: Pick<JobTurns, "sessionOf">;
  readonly sessions: Pick<Sessions, "addNote">;
  readonly outbox: Pick<Outbox, "find">;
  /** Finds and takes back requests for approval that a failed try made. */
  readonly approvals: Pick<WorkApprovals, "of" | "takeBack">;
  /** The owner's accounts. */
  owners(): readonly string[];
  /** The account on which the owner hears that another person's job is paused. */
  owner(): string;
  readonly events: Pick<EventBus, "has" | "publishAsync">;
  readonly clock: Pick<Clock, "now">;
}

/** Reports results and failures of runs. */
export type JobResults = ReturnType<typeof createJobResults>;

export interface RunMeant {
  /** Number of consecutive failed runs, including this one. */
  readonly consecFailures: number;
  /** Whether the job was paused because it failed too often. */
  readonly isPaused: boolean;
}

/** Reason for denying a request that a failed try made. */
const TRY_FAILED = "its try failed";
/** Longest summary, in characters. */
const SUMMARY_CHARS = 300;

export function createJobResults(deps: JobResultsDeps) {
  const { notify, turns, sessions, outbox, approvals, owners, owner, events, clock } = deps;

  async function warn(job: Job, id: string, text: string): Promise<void> {
    await notify({ ...addressOf(job), id, type: "job", text, sessionKey: turns.sessionOf(job), requested: true });
  }

  return {
    /**
     * Takes back the approvals that a try requested before it is tried again. The next try asks again, and a yes to
     * both requests would have the effect twice. Requests that were already answered stay as they are.
     */
    async takeBackAsked({ turnId, approvals: asked }: Pick<Reply, "turnId" | "approvals">): Promise<void> {
      for (const { id } of asked) {
        // The same call may wait on behalf of another turn of the conversation.
        if ((await approvals.of(id))?.caller.taskId !== turnId) continue;
        await approvals.takeBack(id, TRY_FAILED);
        const request = await approvals.of(id);
        if (request?.outcome?.reason !== TRY_FAILED) continue;
        const { code, tool, caller } = request;
        const text = `Taken back (${code}): ${tool} did not run, and the owner is not asked about it any more, as ${TRY_FAILED}. Call it again if it is still to be done`;
        await sessions.addNote(caller.sessionKey, { id: `approval:${id}`, text, source: `approval ${code}` });
      }
    },
    /** Reports a run's result where its job was created, under the run's id. */
    async tell(job: Job, planned: number, reply: Reply): Promise<void> {
      const runId = runIdOf(job.id, planned);
      const home = turns.sessionOf(job);
      if (job.id === HEARTBEAT_JOB) {
        // The heartbeat's reply goes to no chat. What `notify` said is added to the conversation in which the person
        // may ask about it.
        const told = noticesIn(reply);
        if (told !== "") await sessions.addNote(home, { id: `job:${runId}`, text: told, source: HEARTBEAT_JOB });
        return;
      }
      if (reply.silent || reply.text.trim() === "") return;
      // An isolated run has its own session, so its result is noted in the person's conversation.
      if (job.mode === "isolated")
        await sessions.addNote(home, { id: `job:${runId}`, text: reply.text, source: `job ${job.name}` });
      if (job.deliver.mode === "none") return;
      const text = job.deliver.mode === "summary" ? summaryOf(reply.text) : reply.text;
      await notify({
        ...addressOf(job),
        id: `job:${runId}`,
        type: "job",
        text,
        sessionKey: home,
        requested: job.source !== "okr",
      });
    },
    /**
     * Why the result of a job's last run became a dead letter, for example because its person blocked the bot;
     * undefined: it did not.
     */
    async whyLost({ user, channel, account = DEFAULT_ACCOUNT, chat, lastRunId }: Job): Promise<string | undefined> {
      const address = { channel, account, chat: chat ?? parseUser(user).id };
      const message = await outbox.find(address, `job:${lastRunId}`);
      return message?.marks.find(({ delivery }) => delivery === "dead")?.error;
    },
    /** Publishes `job.ended`: how a run ended and what that means for its job. */
    tellEnded(
      { id, name, user }: Job,
      runId: string,
      { status, error, reason = error }: RunEnd,
      meant: RunMeant,
    ): void {
      if (!events.has("job.ended")) return;
      const { consecFailures, isPaused } = meant;
      const payload = {
        id,
        name,
        user,
        runId,
        status,
        ...(reason !== undefined && { reason }),
        consecFailures,
        ...(isPaused && { paused: true }),
      };
      events.publishAsync({ type: "job.ended", sessionId: null, timestamp: clock.now(), payload });
    },
    /** Tells the job's person once that the job's only time passed without a run. */
    async tellLost(job: Job, runId: string, reason: string): Promise<void> {
      const text = jobText("LOST", { language: languageOf(job.task) }, { name: job.name, reason });
      await warn(job, `job:${runId}:lost`, text);
    },
    /**
     * Tells the job's person and the owner once that a job was paused after too many failures.
     * @param lost Why the job's results could not be delivered. A job of the owner is then reported on the owner's
     * other accounts.
     */
    async tellBroken(job: Job, runId: string, error: string, lost?: string): Promise<void> {
      const text = jobText(
        "PAUSED",
        { language: languageOf(job.task) },
        { name: job.name, count: job.consecFailures, error: lost ?? error },
      );
      await warn(job, `job:${runId}:paused`, text);
      const accounts = owners();
      const isOwners = accounts.includes(job.user);
      if (accounts.length === 0 || (isOwners && lost === undefined)) return;
      for (const user of isOwners ? accounts.filter((one) => one !== job.user) : [owner()]) {
        // A platform may deduplicate ids across all of its chats, so each account gets its own id.
        const id = `job:${runId}:paused:${user}`;
        await notify({ user, id, type: "job", text, sessionKey: turns.sessionOf(job), requested: true });
      }
    },
  };
}

/** The notices that the tool `notify` sent during a turn. */
function noticesIn({ toolCalls }: Reply): string {
  return toolCalls
    .filter(({ name, error }) => name === "notify" && error === undefined)
    .map(({ input }) => {
      const { title, text } = input as { readonly title?: string; readonly text: string };
      return title === undefined ? text : `${title}: ${text}`;
    })
    .join("\n\n");
}

function addressOf({ user, channel, account, chat, thread }: Job) {
  return {
    user,
    channel,
    ...(account !== undefined && { account }),
    ...(chat !== undefined && { chat }),
    ...(thread !== undefined && { thread }),
  };
}

function summaryOf(text: string): string {
  const [first = ""] = text.trim().split(/\n\s*\n/);
  return shortened(first, SUMMARY_CHARS);
}
