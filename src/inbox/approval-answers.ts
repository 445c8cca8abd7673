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

/** Who answers a request for approval. `runNow`: the caller waits for the call, else the engine runs it. */
export interface Answering {
  readonly user: string;
  readonly asOwner: boolean;
  readonly runNow: boolean;
  readonly language: Language;
}

/** What the person reads, and the inbound message that the outcome is to the session that asked. */
export interface AnswerTold {
  readonly text: string;
  /** The speaker may not answer. */
  readonly refused?: boolean;
  readonly sessionKey?: string;
  readonly messageId?: string;
}

/** Obeys an answer to a request for approval. */
export type AnswerApproval = (command: ApprovalCommand, speaker: Answering) => Promise<AnswerTold>;

export interface ApprovalAnswersDeps {
  readonly answer: AnswerApproval;
  /** Is this one of those who answer requests for approval? */
  mayAnswer(user: string): boolean;
  readonly sessions: Pick<Sessions, "load">;
  readonly arrivals: Pick<Arrivals, "replyTo">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly logger: Pick<Logger, "error">;
}

/** Answers to requests that stand in messages. */
export type ApprovalAnswers = ReturnType<typeof createApprovalAnswers>;

export function createApprovalAnswers(deps: ApprovalAnswersDeps) {
  const { answer, mayAnswer, sessions, arrivals, outbox, audit, clock, metrics, logger } = deps;

  /** An answer is no message: it does not reach the model, and only its outcome is journaled, by whom it concerns. */
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
    // Whoever may not answer cannot make the assistant talk by pressing on.
    const isTold = target !== undefined && !(isPress && told.refused);
    if (isTold) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: told.text } });
    const answered = said(clock, sessionKey, told.text);
    return {
      ...answered,
      // Whoever answered in the conversation that asked goes on in it.
      reply: async (signal) =>
        told.messageId !== undefined && told.sessionKey === sessionKey
          ? arrivals.replyTo(sessionKey, told.messageId, signal)
          : answered.reply(),
    };
  }

  /** Only a person's answer counts, to a call and to a request to be let in: a code of either kind comes here. */
  function refuseProgram({ code }: ApprovalCommand, sessionKey: string, { user, text }: NewMessage): Arrived {
    const reason = "it came through /mcp, and a person has to answer";
    const line = { who: user, what: "approval.refused", target: sessionKey, verdict: "refused", reason } as const;
    audit.write({ ...line, ...(code !== "" && { code: code.slice(0, 64) }) });
    metrics.increment("approval.refused_total");
    const message = inboxText("PROGRAM_MAY_NOT_ANSWER", text);
    return said(clock, sessionKey, message, { code: "FORBIDDEN", message });
  }

  return { mayAnswer, obey, refuseProgram };
}
