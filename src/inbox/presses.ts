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
  /** The user who pressed, as `channel:id`. */
  readonly user: string;
}

/**
 * Handles a press of one kind of button. Contract: may be called again for the same press after a crash.
 * @returns One line for the person.
 */
export type PressHandler = (press: TakenPress) => Promise<string>;

/**
 * Wraps handlers so that they return `null` if a document cannot be read. A redelivered press would fail again
 * and block the messages after it.
 */
export function leavingOutDamaged(
  handlers: Readonly<Record<string, PressHandler>>,
  logger: Pick<Logger, "error">,
): PressesDeps["handlers"] {
  return Object.fromEntries(
    Object.entries(handlers).map(([kind, obey]) => [kind, (press: TakenPress) => obey(press).catch(leftOut(logger))]),
  );
}

/** Extra choice of questions under a notice. */
export const LESS = "less";

export interface PressesDeps {
  readonly buttons: Pick<Buttons, "press" | "done">;
  /** Handlers by the kind of the offer. `null`: a document that the handler needs cannot be read. */
  readonly handlers: Readonly<Record<string, (press: TakenPress) => Promise<string | null>>>;
  /** The person wants fewer notices of this type. `null`: their document cannot be read. */
  wantLess(user: string, noticeType: string): Promise<number | null | void>;
  readonly takeButtons: TakeButtons;
  readonly notifications: Pick<Notifications, "removeAsking">;
  readonly outbox: Pick<Outbox, "enqueue">;
  readonly audit: Pick<Audit, "write">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly clock: Clock;
}

export interface PressSource {
  readonly sessionKey: string;
  /** Id of the message; the same when the press is redelivered. */
  readonly id: string;
  /** The user who pressed, as `channel:id`. */
  readonly user: string;
  /** Address of the answer. Absent: only the caller gets it. */
  readonly target?: Target;
  /** Whether the person wrote the answer instead of pressing. A message then answers it. */
  readonly isWritten?: boolean;
}

/**
 * Handles presses of buttons that belong to an offer. A button that stands for a command, such as those under
 * requests for approval, is executed as that command.
 */
export type Presses = ReturnType<typeof createPresses>;

export function createPresses(deps: PressesDeps) {
  const { buttons, handlers, wantLess, takeButtons, notifications, outbox, audit, metrics, clock } = deps;

  /**
   * Handles a press, without a model.
   * @returns Null if the button belongs to no offer.
   */
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
    // The question is answered, so its notification need not be read any more.
    await notifications.removeAsking(text, offer.people);
    await buttons.done(offer.id);
    return said(clock, sessionKey, target ? "" : told);
  }

  /** @returns The line for the person; `undefined` if no room handles the press. */
  async function obeyChoice(press: TakenPress): Promise<string | undefined> {
    const { offer, choice, user } = press;
    const { noticeType, kind, language = "en" } = offer;
    const damaged = commandText("DAMAGED", { language });
    if (choice === LESS && noticeType !== undefined)
      return (await wantLess(user, noticeType)) === null ? damaged : inboxText("LESS", { language });
    const line = await handlers[kind]?.(press);
    return line === null ? damaged : line;
  }

  /** Shows the line below the sent message if the platform can edit it, else as a new message. */
  async function show(line: string, { shown }: Offer, { id, target, isWritten = false }: PressSource): Promise<void> {
    if (!target) return;
    const isEdited = shown !== undefined && (await takeButtons(shown.target, shown.messageId, line));
    if (isWritten || !isEdited) await outbox.enqueue(target, { message: { id: `answer:${id}`, text: line } });
  }

  /**
   * Refuses a press. Sends nothing if the offer is unknown or not the user's, so that repeated
   * presses cannot trigger messages.
   */
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
