import { type Buttons, type Offer, buttonText } from "../buttons/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Sessions } from "../session/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { type PlainAnswer, readPlainAnswer } from "./plain-answer.ts";

export interface ConsentDeps {
  readonly buttons: Pick<Buttons, "newestOf">;
  readonly outbox: Pick<Outbox, "newest">;
  readonly sessions: Pick<Sessions, "load">;
  /** When an unasked message was last sent to a person, milliseconds since the epoch. */
  lastSaidTo(user: string): Promise<number | undefined>;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error"> | undefined;
}

/** A message in a direct chat. */
export interface ConsentSource {
  readonly sessionKey: string;
  /** Id of the message; the same when it is redelivered. */
  readonly id: string;
  /** `channel:id`. */
  readonly user: string;
  /** The message's chat. Absent if only the caller gets the answer. */
  readonly target?: Target;
}

/** Reads short messages as answers to offers. */
export type Consent = ReturnType<typeof createConsent>;

/**
 * Reads "yes", "not now" or "好" as the answer to the newest open offer, before any model. It counts only if the
 * offer was delivered, is the last thing said to this person, and is in the same chat. The same word in answer to
 * something else starts nothing.
 *
 * Source: docs/attention.md, "Answering in a word".
 */
export function createConsent({ buttons, outbox, sessions, lastSaidTo, clock, logger }: ConsentDeps) {
  /** @returns The button that the message means, or `null`. Returns `null` synchronously for all but a few words. */
  return function buttonFor(text: string, source: ConsentSource): Promise<string | null> | null {
    const answer = readPlainAnswer(text);
    return answer === null ? null : buttonOf(answer, source).catch(leftOut(logger));
  };

  async function buttonOf(answer: PlainAnswer, source: ConsentSource): Promise<string | null> {
    const offer = await buttons.newestOf(source.user);
    const choice = offer ? choiceFor(offer, answer) : undefined;
    if (offer === null || choice === undefined) return null;
    const button = buttonText(offer.id, choice);
    // A redelivered message is the same answer.
    if (offer.used) return offer.used.press === source.id ? button : null;
    if (clock.now() >= offer.expiresAt) return null;
    return (await isLastSaid(offer, source)) ? button : null;
  }

  async function isLastSaid(
    { shown, createdAt }: Offer,
    { sessionKey, user, target }: ConsentSource,
  ): Promise<boolean> {
    if (shown && !isSameChat(shown.target, target)) return false;
    if (shown) {
      // A chat's log may have been removed since. Then the session shows what was said last.
      const newest = await outbox.newest(shown.target);
      if (newest && !(newest.type === "message" && newest.id === shown.messageId)) return false;
      // The person has not read an offer that is still pending or was given up.
      if (newest && newest.marks.at(-1)?.delivery !== "sent") return false;
    }
    if (((await lastSaidTo(user)) ?? 0) > createdAt) return false;
    const { history, open, waiting } = await sessions.load(sessionKey);
    if (open !== undefined || waiting.length > 0) return false;
    return (history.at(-1)?.out?.at ?? 0) <= createdAt;
  }
}

/** Choices that a plain "no" can mean: refusing for good, and a negative verdict. */
const NOES: readonly string[] = ["no", "never", "bad"];

/** A plain "yes" means the choice of that name, or else the first choice. Other answers match by name. */
function choiceFor({ choices }: Offer, answer: PlainAnswer): string | undefined {
  const named = choices.find(({ id }) => (answer === "no" ? NOES.includes(id) : id === answer))?.id;
  return named ?? (answer === "yes" ? choices[0]?.id : undefined);
}

/** Whether both name the same chat. Threads are ignored. */
export function isSameChat(shown: Target, target: Target | undefined): boolean {
  return shown.channel === target?.channel && shown.account === target.account && shown.chat === target.chat;
}
