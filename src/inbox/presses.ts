import { type Buttons, type Offer, type PressOutcome, readButton } from "../buttons/index.ts";
import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Outbox } from "../outbox/index.ts";
import { type Audit, type Logger, type Metrics, leftOut } from "../telemetry/index.ts";
import type { Arrived } from "./arrivals.ts";
import { commandText } from "./command-texts.ts";
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

/** The same, which answer `null` where a document cannot be read: delivered again, a press would fail again, and stand in the way of all behind it. */
export function leavingOutDamaged(
  handlers: Readonly<Record<string, PressHandler>>,
  logger: Pick<Logger, "error">,
): PressesDeps["handlers"] {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, obey]) => [kind, (press: TakenPress) => obey(press).catch(leftOut(logger))]),
  );
}

/** The choice that questions under a notice have besides their own. */
export const LESS = "less";

export interface PressesDeps {
  readonly buttons: Pick<Buttons, "press" | "done">;
  /** By the kind of the offer. `null`: what it needs cannot be read. */
  readonly handlers: Readonly<Record<string, (press: TakenPress) => Promise<string | null>>>;
  /** The person wants less of what a notice was about. `null`: what is kept of it cannot be read. */
  wantLess(user: string, noticeType: string): Promise<number | null | void>;
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
    const damaged = commandText("DAMAGED", { language });
    if (choice === LESS && noticeType !== undefined)
      return (await wantLess(user, noticeType)) === null ? damaged : inboxText("LESS", { language });
    const line = await handlers[kind]?.(press);
    return line === null ? damaged : line;
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
