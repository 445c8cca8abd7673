import { type Buttons, type Offer, type PressOutcome, readButton } from "../buttons/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Outbox } from "../outbox/index.ts";
import type { Audit, Metrics } from "../telemetry/index.ts";
import type { Arrived } from "./arrivals.ts";
import { said } from "./said.ts";
import type { TakeButtons } from "./take-buttons.ts";
import { inboxText } from "./texts.ts";

/** A press that counts. */
export interface TakenPress {
  readonly offer: Offer;
  /** Id of the choice. */
  readonly choice: string;
  /** Who pressed, as `channel:id`. */
  readonly user: string;
}

/**
 * Obeys a press of one kind of buttons. Contract: may be asked again for the same press, after a crash.
 * @returns What the person reads, a line.
 */
export type PressHandler = (press: TakenPress) => Promise<string>;

/** The choice that questions under a notice have besides their own. */
export const LESS = "less";

export interface PressesDeps {
  readonly buttons: Pick<Buttons, "press" | "done">;
  /** By the kind of the offer. */
  readonly handlers: Readonly<Record<string, PressHandler>>;
  /** The person wants less of what a notice was about. */
  wantLess(user: string, noticeType: string): Promise<void>;
  readonly takeButtons: TakeButtons;
  readonly notifications: Pick<Notifications, "removeAsking">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly audit: Pick<Audit, "write">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly clock: Clock;
}

/** Where a press came from. */
export interface PressSource {
  readonly sessionKey: string;
  /** Of the message: a press that is delivered again has the same one. */
  readonly id: string;
  /** Who pressed, as `channel:id`. */
  readonly user: string;
  /** Where the answer goes. Absent: to the caller alone. */
  readonly target?: Target;
  /** It was written, and not pressed: a message is what answers it. */
  readonly isWritten?: boolean;
}

/** Presses of buttons that are offers. What stands for a command, as the buttons under requests for approval, is obeyed as that command. */
export type Presses = ReturnType<typeof createPresses>;

export function createPresses(deps: PressesDeps) {
  const { buttons, handlers, wantLess, takeButtons, notifications, outbox, audit, metrics, clock } = deps;

  /** Obeys a press. It reaches no model. @returns Null for a button that is none of an offer. */
  async function obey(text: string, source: PressSource): Promise<Arrived | null> {
    const named = readButton(text);
    if (!named) return null;
    const { sessionKey, id, user, target } = source;
    const pressed = await buttons.press({ ...named, user, id });
    metrics.increment("inbox.press_total", { outcome: pressed.outcome });
    if (pressed.outcome === "repeated") return said(clock, sessionKey, "");
    if (pressed.outcome === "refused") return refuse(pressed, source);
    const { offer, choice } = pressed;
    const line = await obeyChoice({ offer, choice, user });
    audit.write({
      who: user,
      what: "button",
      target: `${offer.kind} ${choice}`,
      verdict: line === undefined ? "refused" : "ok",
    });
    const told = line ?? inboxText("BUTTON_OVER", { language: offer.language ?? "en" });
    await show(told, offer, source);
    // It waits to be read no more: it asks what is answered.
    await notifications.removeAsking(text, offer.people);
    await buttons.done(offer.id);
    return said(clock, sessionKey, target ? "" : told);
  }

  /** @returns What the person reads; `undefined` when no room obeys it. */
  async function obeyChoice(press: TakenPress): Promise<string | undefined> {
    const { offer, choice, user } = press;
    const { noticeType, kind, language = "en" } = offer;
    if (choice !== LESS || noticeType === undefined) return handlers[kind]?.(press);
    await wantLess(user, noticeType);
    return inboxText("LESS", { language });
  }

  /** Under the buttons where the platform changed what it sent, else as a message. */
  async function show(line: string, { shown }: Offer, { id, target, isWritten = false }: PressSource): Promise<void> {
    if (!target) return;
    const isEdited = shown !== undefined && (await takeButtons(shown.target, shown.messageId, line));
    if (isWritten || !isEdited) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: line } });
  }

  /** Whoever may not press, and presses of what is not there, hear nothing: nobody makes the assistant talk by pressing on. */
  async function refuse(
    { why, offer }: Extract<PressOutcome, { outcome: "refused" }>,
    { sessionKey, id, user, target }: PressSource,
  ): Promise<Arrived> {
    audit.write({ who: user, what: "button", target: sessionKey, verdict: "refused", reason: why });
    const language = { language: offer?.language ?? "en" } as const;
    const text = inboxText(why === "used" ? "BUTTON_USED" : "BUTTON_OVER", language);
    if (target && offer) await outbox.enqueue(target, { message: { id: `answer:${id}`, text } });
    return said(clock, sessionKey, text, { code: why === "not-yours" ? "FORBIDDEN" : "GONE", message: text });
  }

  return { obey };
}
