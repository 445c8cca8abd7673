import type { Target } from "../channel.ts";
import type { Clock } from "../clock.ts";
import { type Erasable, eraseUnder } from "../erasable/index.ts";
import { ConflictError } from "../errors.ts";
import {
  type JsonValue,
  type Store,
  type Version,
  areObjects,
  keySegments,
  readDocument,
  storeKey,
  textsIn,
  type ReadableRoom,
  getIndex,
} from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { hashDigits } from "../ids.ts";
import { digestOf } from "../hash.ts";

const ROOM = "buttons";
export const OFFER_DOCUMENTS: ReadableRoom = [`${ROOM}/`, readOffer];
/** Which offer was made last to each person. */
const NEWEST = storeKey(".index", "offers");
const FORMAT = 1;
const ID_DIGITS = 12;
const CHOICE_ID = /^[a-z0-9-]{1,16}$/;
/** What a button stands for: at most 31 bytes, of the 64 that Telegram keeps. */
const BUTTON = /^b:([0-9A-Z]{12}):([a-z0-9-]{1,16})$/;
/** How long an offer can be taken when nothing else is said. */
export const DEFAULT_LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** An offer is kept so long behind its end, so that a late press hears that it is one. */
export const KEEP_ENDED_MS = 24 * 60 * 60_000;
/** How often old offers are looked for. */
const TIDY_EVERY_MS = 24 * 60 * 60_000;

/** One of the things that a person can choose. */
export interface Choice {
  /** Unique within its offer: 1 to 16 of `a`–`z`, `0`–`9` and `-`. */
  readonly id: string;
  /** What stands on the button. */
  readonly label: string;
}

/** Buttons to be shown to a person. */
export interface NewOffer {
  /** What the offer is made for: the same offer made again, after a crash, is one offer. */
  readonly source: string;
  /** Which room obeys a press, as `skill-suggestion`. */
  readonly kind: string;
  /** `channel:id` of everybody who may press. */
  readonly people: readonly string[];
  /** Key of the session that it is about. Default: none. */
  readonly session?: string;
  readonly choices: readonly Choice[];
  /** What the room needs to obey a press. */
  readonly data: JsonValue;
  /** In which language the outcome is told. Default English. */
  readonly language?: "en" | "zh";
  /** Message of the outbox under which the buttons stand. Default: not known, and its buttons stay. */
  readonly shown?: { readonly target: Target; readonly messageId: string };
  /** Of a question under a notice: what the notice was about. */
  readonly noticeType?: string;
  /** Default `DEFAULT_LIFETIME_MS`. */
  readonly lifetimeMs?: number;
}

/** An offer as it is kept. */
export interface Offer extends Omit<NewOffer, "source" | "lifetimeMs"> {
  readonly v: typeof FORMAT;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The press that counts. */
  readonly used?: {
    readonly choice: string;
    /** As `channel:id`. */
    readonly user: string;
    /** The id of the press: one that its platform delivers again is the same. */
    readonly press: string;
    readonly at: number;
    /** What the press led to is durable. */
    readonly done?: true;
  };
}

/** A press of a button. */
export interface Press {
  readonly offerId: string;
  readonly choice: string;
  /** Who pressed, as `channel:id`: as the platform says, never as a text claims. */
  readonly user: string;
  /** The id of the press: one that its platform delivers again is the same. */
  readonly id: string;
}

/** Why a press does not count. */
export type PressRefusal = "unknown" | "not-yours" | "used" | "expired";

/** `taken`: the room obeys it. `repeated`: it was obeyed before. */
export type PressOutcome =
  | { readonly outcome: "taken"; readonly offer: Offer; readonly choice: string }
  | { readonly outcome: "repeated"; readonly offer: Offer }
  | { readonly outcome: "refused"; readonly why: PressRefusal; readonly offer?: Offer };

/** Pure: who may press, once, and until when. Whoever may not press hears nothing of the offer. */
function decidePress(offer: Offer | null, press: Press, now: number): PressOutcome {
  if (!offer) return { outcome: "refused", why: "unknown" };
  if (!offer.people.includes(press.user)) return { outcome: "refused", why: "not-yours" };
  if (!offer.choices.some(({ id }) => id === press.choice)) return { outcome: "refused", why: "unknown" };
  const { used } = offer;
  if (used?.press === press.id && used.choice === press.choice)
    return used.done ? { outcome: "repeated", offer } : { outcome: "taken", offer, choice: used.choice };
  if (used) return { outcome: "refused", why: "used", offer };
  if (now >= offer.expiresAt) return { outcome: "refused", why: "expired", offer };
  return { outcome: "taken", offer, choice: press.choice };
}

/** What the id of a pressed button says. `null`: it is none of an offer. */
export function readButton(text: string): Pick<Press, "offerId" | "choice"> | null {
  const [, offerId, choice] = BUTTON.exec(text) ?? [];
  return offerId === undefined || choice === undefined ? null : { offerId, choice };
}

/** What stands behind a button. The reverse of `readButton`. */
export function buttonText(offerId: string, choice: string): string {
  return `b:${offerId}:${choice}`;
}

export interface ButtonsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}

/** Offers with buttons. */
export type Buttons = ReturnType<typeof createButtons>;

/**
 * The registry of buttons: an offer is a document that goes forward once, by compare-and-set, when one of its people presses in its time. A press is written down
 * before it is obeyed and again afterwards: one that a crash cut off is obeyed when its platform delivers it again.
 */
export function createButtons({ store, clock, logger }: ButtonsDeps) {
  let tidiedAt: number | undefined;

  async function load(id: string): Promise<{ readonly offer: Offer; readonly version: Version } | null> {
    return loadAt(keyOf(id)).catch(leftOut(logger));
  }

  async function loadAt(key: string): Promise<{ readonly offer: Offer; readonly version: Version } | null> {
    const found = await store.get(key);
    return found && { offer: readOffer(found.value, key), version: found.version };
  }

  /**
   * Makes an offer. Contract: durable when this resolves; made again for the same source, it is the offer that is there.
   * @returns Its id, and its buttons for a message.
   * @throws {TypeError} For choices without a usable id.
   */
  async function offer({ source, lifetimeMs = DEFAULT_LIFETIME_MS, ...given }: NewOffer) {
    const wrong = given.choices.find(({ id }) => !CHOICE_ID.test(id));
    if (wrong) throw new TypeError(`Cannot offer the choice ${JSON.stringify(wrong.id)}: expected ${CHOICE_ID.source}`);
    const id = await offerId(source);
    const now = clock.now();
    const made: Offer = { v: FORMAT, id, ...given, createdAt: now, expiresAt: now + lifetimeMs };
    try {
      await store.put(keyOf(id), made as unknown as JsonValue, { expect: null }); // plain data all the way down
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
    }
    for (const person of given.people) await becomeNewest(person, id);
    if (tidiedAt === undefined || Math.abs(now - tidiedAt) >= TIDY_EVERY_MS) {
      tidiedAt = now;
      await tidy();
    }
    return { id, buttons: given.choices.map((choice) => ({ id: buttonText(id, choice.id), label: choice.label })) };
  }

  /** A crash may come before it is known; an older offer that is made again stays older. */
  async function becomeNewest(user: string, id: string): Promise<void> {
    const key = newestKeyOf(user);
    const made = await load(id);
    for (;;) {
      const found = await getIndex(store, key);
      const other = typeof found?.value === "string" ? await load(found.value) : null;
      if (made && other && other.offer.createdAt > made.offer.createdAt) return;
      if (found?.value === id) return;
      try {
        await store.put(key, id, { expect: found?.version ?? null });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** The offer that was made last to a person, whatever became of it; `null` when it is gone. @param user As `channel:id`. */
  async function newestOf(user: string): Promise<Offer | null> {
    const id = (await getIndex(store, newestKeyOf(user)))?.value;
    return typeof id === "string" ? ((await load(id))?.offer ?? null) : null;
  }

  /** Takes a press, or says why it does not count. Contract: a press that is taken is written down; call `done` once it is obeyed. */
  async function press(given: Press): Promise<PressOutcome> {
    for (;;) {
      const found = await load(given.offerId);
      const decided = decidePress(found?.offer ?? null, given, clock.now());
      if (decided.outcome !== "taken" || !found || found.offer.used) return decided;
      const used = { choice: given.choice, user: given.user, press: given.id, at: clock.now() };
      const taken: Offer = { ...found.offer, used };
      try {
        await store.put(keyOf(taken.id), taken as unknown as JsonValue, { expect: found.version });
        return { ...decided, offer: taken };
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** What the press led to is durable: the same press has no effect any more. */
  async function done(id: string): Promise<void> {
    for (;;) {
      const found = await load(id);
      const used = found?.offer.used;
      if (!found || !used || used.done) return;
      const ended: Offer = { ...found.offer, used: { ...used, done: true } };
      try {
        await store.put(keyOf(id), ended as unknown as JsonValue, { expect: found.version });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  /** Removes offers that ended a day ago. */
  async function tidy(): Promise<void> {
    const old: string[] = [];
    for await (const { key } of store.list(`${ROOM}/`)) {
      const found = await loadAt(key).catch(leftOut(logger));
      if (found && clock.now() >= found.offer.expiresAt + KEEP_ENDED_MS) old.push(key);
    }
    for (const key of old) await store.remove(key);
  }

  return {
    offer,
    press,
    newestOf,
    done,
    tidy,
    /** Removes the offers that a person may press, and those about their conversations. */
    async forget(person) {
      await eraseUnder(store, `${ROOM}/`, person, {
        isTheirs: () => false,
        isOver(value) {
          const { people, session } = (value ?? {}) as Partial<Offer>;
          return textsIn(people).some(person.isUser) || (session !== undefined && person.sessions.has(session));
        },
      });
      await eraseUnder(store, `${NEWEST}/`, person, {
        isTheirs: (key) => person.isUser(keySegments(key).at(-1) ?? ""),
      });
    },
  } satisfies Erasable & Record<string, unknown>;
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for what is no offer. */
function readOffer(value: unknown, key: string): Offer {
  return readDocument(
    value,
    key,
    FORMAT,
    ({ id, people, choices, createdAt, expiresAt }) =>
      typeof id === "string" &&
      Array.isArray(people) &&
      areObjects(choices) &&
      typeof createdAt === "number" &&
      typeof expiresAt === "number",
  ) as unknown as Offer; // written here alone
}

function newestKeyOf(user: string): string {
  return `${NEWEST}/${storeKey(user)}`;
}

function keyOf(id: string): string {
  return storeKey(ROOM, id);
}

/** 60 bits of the source's hash. The id names an offer and gives no right: whoever presses is checked. */
async function offerId(source: string): Promise<string> {
  return hashDigits(await digestOf(source), ID_DIGITS);
}
