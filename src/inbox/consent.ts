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
  /** When something was last said unasked to a person, milliseconds since the epoch. */
  lastSaidTo(user: string): Promise<number | undefined>;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is written. */
  readonly logger?: Pick<Logger, "error"> | undefined;
}

/** A message in a direct chat. */
export interface ConsentSource {
  readonly sessionKey: string;
  /** Of the message: one that is delivered again has the same one. */
  readonly id: string;
  /** As `channel:id`. */
  readonly user: string;
  /** Its chat; absent where the caller alone gets the answer. */
  readonly target?: Target;
}

/** What a message of one word answers. */
export type Consent = ReturnType<typeof createConsent>;

/**
 * Reads "yes", "not now" or "好" as the answer to the newest open offer, before any model. It counts only when that offer was delivered and is the last thing that was said to
 * this person, and in its chat: the same word to another question starts nothing.
 *
 * Source: docs/attention.md, "Answering in a word".
 */
export function createConsent({ buttons, outbox, sessions, lastSaidTo, clock, logger }: ConsentDeps) {
  /** @returns The button that the message stands for; `null` when it stands for none, at once for all but a few words. */
  return function buttonFor(text: string, source: ConsentSource): Promise<string | null> | null {
    const answer = readPlainAnswer(text);
    return answer === null ? null : buttonOf(answer, source).catch(leftOut(logger));
  };

  async function buttonOf(answer: PlainAnswer, source: ConsentSource): Promise<string | null> {
    const offer = await buttons.newestOf(source.user);
    const choice = offer ? choiceFor(offer, answer) : undefined;
    if (offer === null || choice === undefined) return null;
    const button = buttonText(offer.id, choice);
    // A message that its platform delivers again is the same answer.
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
      // A chat's log may have been removed since: then the conversation says it.
      const newest = await outbox.newest(shown.target);
      if (newest && !(newest.type === "message" && newest.id === shown.messageId)) return false;
      // What waits for its platform, or was given up, was read by nobody.
      if (newest && newest.marks.at(-1)?.delivery !== "sent") return false;
    }
    if (((await lastSaidTo(user)) ?? 0) > createdAt) return false;
    const { history, open, waiting } = await sessions.load(sessionKey);
    if (open !== undefined || waiting.length > 0) return false;
    return (history.at(-1)?.out?.at ?? 0) <= createdAt;
  }
}

/** What a "no" is called where it is for good, and where it judges. */
const NOES: readonly string[] = ["no", "never", "bad"];

/** The first choice is what a plain "yes" means; the others have their names. */
function choiceFor({ choices }: Offer, answer: PlainAnswer): string | undefined {
  const named = choices.find(({ id }) => (answer === "no" ? NOES.includes(id) : id === answer))?.id;
  return named ?? (answer === "yes" ? choices[0]?.id : undefined);
}

/** Do both name one chat, whatever the thread? */
export function isSameChat(shown: Target, target: Target | undefined): boolean {
  return shown.channel === target?.channel && shown.account === target.account && shown.chat === target.chat;
}
