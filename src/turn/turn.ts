import type { Clock } from "../clock.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { type OutRecord, type Session, languageIn } from "../session/index.ts";
import type { Logger } from "../telemetry/index.ts";
import type { Announcements } from "./announcements.ts";
import { type Beginnings, type TurnBeginning, answeredBy, messagesOf } from "./beginnings.ts";
import type { createFailures } from "./failures.ts";
import type { Presence } from "./presence.ts";
import type { Prompts } from "./prompts.ts";
import type { Ending, Replies } from "./replies.ts";
import type { Steps } from "./steps.ts";
import { turnText } from "./texts.ts";
import type { Turn } from "./turn-at-work.ts";
import { createTurnStop, isLeftForLater, stoppedByPerson } from "./turn-stop.ts";

export interface TurnDeps {
  readonly beginnings: Beginnings;
  readonly presence: Presence;
  readonly announcements: Pick<Announcements, "traced" | "started" | "completed">;
  readonly prompts: Prompts;
  readonly steps: Steps;
  readonly replies: Pick<Replies, "end" | "fail" | "settle">;
  /** The ending of a turn that failed. */
  readonly failureEnding: ReturnType<typeof createFailures>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Turns: each leads from messages to at most one reply. */
export type Turns = ReturnType<typeof createTurns>;

const RESUMED: TurnBeginning = { kind: "resume", stopped: false };

export function createTurns(deps: TurnDeps) {
  const { beginnings, presence, announcements, prompts, steps, replies, failureEnding, clock, logger } = deps;

  /**
   * Runs one turn, from messages that a session's log shows as waiting or begun to at most one reply. Each step is
   * logged before its tools run, and the reply before it is sent, so a turn that a crash cut off goes on from its
   * last record. An empty reply is a decision to stay silent.
   *
   * @param engineSignal Aborts when the engine stops. The turn then stays in the log as it is.
   */
  async function run(session: Session, beginning: TurnBeginning, engineSignal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const answered = answeredBy(session, beginning);
    presence.claim(session.key, answered.of);
    let out: OutRecord;
    try {
      out = await take(session, beginning, engineSignal);
    } catch (error) {
      if (engineSignal.aborted || isLeftForLater(error)) throw error;
      // A turn that cannot begin or end must not be retried without limit, because it blocks everything after it.
      logger.error("A turn could not be run", { turn: answered.id, session: session.key, error: messageOf(error) });
      // Messages that joined in the meantime have no other turn.
      out = await replies.fail(session, session.open ? answeredBy(session, RESUMED) : answered);
    }
    replies.settle(session, out, (clock.now() - startedAt) / 1000);
  }

  async function take(session: Session, beginning: TurnBeginning, engineSignal: AbortSignal): Promise<OutRecord> {
    const stop = createTurnStop(clock, engineSignal);
    const present = presence.enter(session, messagesOf(session, beginning), stop);
    try {
      const turn = await beginnings.open(session, beginning, stop);
      present.work(turn);
      return await announcements.traced(turn, async () => {
        let ending: Ending;
        try {
          stop.signal.throwIfAborted();
          if (beginning.stopped) throw stoppedByPerson();
          ending = turn.audience.newest.command === undefined ? await answer(turn) : await obey(turn);
        } catch (error) {
          if (engineSignal.aborted || isLeftForLater(error)) throw error;
          ending = failureEnding(turn, error);
        } finally {
          present.leave();
        }
        const out = await replies.end(turn, ending);
        announcements.completed(turn, out);
        return out;
      });
    } finally {
      present.leave();
      stop.release();
    }
  }

  async function answer(turn: Turn): Promise<Ending> {
    const injections = await announcements.started(turn);
    if (presence.isAbandoned(turn)) throw new AssistantError("ABORTED", "Nobody waits for the answer any more");
    const prompt = await prompts.build(turn, injections);
    return steps.take(turn, prompt);
  }

  /** Executes a command that writes the session's log. It has a turn of its own, without a model. */
  async function obey(turn: Turn): Promise<Ending> {
    const language = languageIn(turn.session, turn.audience.newest.text);
    const done = await prompts.compact(turn);
    if (!done) return { text: turnText("NOTHING_TO_COMPACT", { language }) };
    const { turns, tokensBefore: before, tokensAfter: after } = done;
    return { text: turnText("COMPACTED", { language }, { turns, before, after }) };
  }

  return { run };
}
