import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Outbox } from "../outbox/index.ts";
import { type Language, type Sessions, languageIn, languageOf } from "../session/index.ts";
import { type Audit, type Logger, type Metrics, leftOut } from "../telemetry/index.ts";
import type { Arrivals, Arrived, NewMessage } from "./arrivals.ts";
import { commandText } from "./command-texts.ts";
import type { ApprovalCommand } from "./commands.ts";
import { said } from "./said.ts";
import { inboxText } from "./texts.ts";

/**
 * The person who answers a request for approval. `runNow`: the caller waits for the
 * call; otherwise the engine runs it.
 */
export interface Answering {
  readonly user: string;
  readonly asOwner: boolean;
  readonly runNow: boolean;
  readonly language: Language;
}

/** The answer for the person, and the inbound message with which the outcome reaches the session that asked. */
export interface AnswerTold {
  readonly text: string;
  /** Whether the speaker may not answer. */
  readonly refused?: boolean;
  readonly sessionKey?: string;
  readonly messageId?: string;
}

/** Executes an answer to a request for approval. */
export type AnswerApproval = (command: ApprovalCommand, speaker: Answering) => Promise<AnswerTold>;

export interface ApprovalAnswersDeps {
  readonly answer: AnswerApproval;
  /** Whether this user may answer requests for approval. */
  mayAnswer(user: string): boolean;
  readonly sessions: Pick<Sessions, "load">;
  readonly arrivals: Pick<Arrivals, "replyTo">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, "error">;
}

/** Executes answers to requests that arrive as messages. */
export type ApprovalAnswers = ReturnType<typeof createApprovalAnswers>;

export function createApprovalAnswers(deps: ApprovalAnswersDeps) {
  const { answer, mayAnswer, sessions, arrivals, outbox, audit, clock, metrics, logger } = deps;

  /** Executes an answer. An answer is no message: it does not reach the model, and only its outcome is journaled. */
  async function obey(
    command: ApprovalCommand,
    sessionKey: string,
    id: string,
    speaker: {
      readonly user: string;
      readonly text: string;
      readonly asOwner?: boolean;
      readonly target?: Target;
      readonly isPress?: boolean;
    },
  ): Promise<Arrived> {
    const { user, text, asOwner = false, target, isPress = false } = speaker;
    const session = await sessions.load(sessionKey).catch(leftOut(logger));
    const language = session ? languageIn(session, text) : languageOf(text);
    const told =
      (await answer(command, { user, asOwner, runNow: target === undefined, language }).catch(leftOut(logger))) ??
      ({ text: commandText("DAMAGED", { language }) } satisfies AnswerTold);
    // A user who may not answer must not be able to trigger messages by pressing repeatedly.
    const isTold = target !== undefined && !(isPress && told.refused);
    if (isTold) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: told.text } });
    const answered = said(clock, sessionKey, told.text);
    return {
      ...answered,
      // If the answer came in the session that asked, its caller waits for the turn with the outcome.
      reply: async (signal) =>
        told.messageId !== undefined && told.sessionKey === sessionKey
          ? arrivals.replyTo(sessionKey, told.messageId, signal)
          : answered.reply(),
    };
  }

  /**
   * Refuses an answer that a program gives: only a person may answer. Covers codes of
   * calls and of requests to be let in.
   */
  function refuseProgram({ code }: ApprovalCommand, sessionKey: string, { user, text }: NewMessage): Arrived {
    const reason = "it came through /mcp, but a person has to answer";
    const line = { who: user, what: "approval.refused", target: sessionKey, verdict: "refused", reason } as const;
    audit.write({ ...line, ...(code !== "" && { code: code.slice(0, 64) }) });
    metrics.increment("approval.refused_total");
    const message = inboxText("PROGRAM_MAY_NOT_ANSWER", text);
    return said(clock, sessionKey, message, { code: "FORBIDDEN", message });
  }

  return { mayAnswer, obey, refuseProgram };
}
