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
/** Index of the newest offer of each person. */
const NEWEST = storeKey(".index", "offers");
const FORMAT = 1;
const ID_DIGITS = 12;
const CHOICE_ID = /^[a-z0-9-]{1,16}$/;
/** Id of a button: at most 31 bytes, of the 64 that Telegram allows. */
const BUTTON = /^b:([0-9A-Z]{12}):([a-z0-9-]{1,16})$/;
/** Default lifetime of an offer. */
export const DEFAULT_LIFETIME_MS = 7 * 24 * 60 * 60_000;
/** How long an expired offer is kept, so that a late press gets an explanation. */
export const KEEP_ENDED_MS = 24 * 60 * 60_000;
/** Interval between cleanups of old offers. */
const TIDY_EVERY_MS = 24 * 60 * 60_000;

/** One option of an offer. */
export interface Choice {
  /** Unique within its offer: 1 to 16 of `a`–`z`, `0`–`9` and `-`. */
  readonly id: string;
  /** Label of the button. */
  readonly label: string;
}

/** A new set of buttons for a person. */
export interface NewOffer {
  /** Idempotency key: the same source, also after a crash, gets the same offer. */
  readonly source: string;
  /** The room that handles a press, such as `skill-suggestion`. */
  readonly kind: string;
  /** Everyone who may press, as `channel:id`. */
  readonly people: readonly string[];
  /** Key of the session that it belongs to. Default: none. */
  readonly session?: string;
  readonly choices: readonly Choice[];
  /** Data for the room that handles a press. */
  readonly data: JsonValue;
  /** Language of the outcome. Default English. */
  readonly language?: "en" | "zh";
  /** The message of the outbox that shows the buttons. Default: unknown, and the buttons stay. */
  readonly shown?: { readonly target: Target; readonly messageId: string };
  /** For a question under a notice: the notice's type. */
  readonly noticeType?: string;
  /** Default `DEFAULT_LIFETIME_MS`. */
  readonly lifetimeMs?: number;
}

/** An offer as stored. */
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
    /** Id of the press, which is the same when the platform delivers it again. */
    readonly press: string;
    readonly at: number;
    /** Whether the effect of the press is durable. */
    readonly done?: true;
  };
}

/** A press of a button. */
export interface Press {
  readonly offerId: string;
  readonly choice: string;
  /** The person who pressed, as `channel:id`: from the platform, never from a text. */
  readonly user: string;
  /** Id of the press, which is the same when the platform delivers it again. */
  readonly id: string;
}

/** Why a press does not count. */
export type PressRefusal = "unknown" | "not-yours" | "used" | "expired";

/** `taken`: the room handles it. `repeated`: it was already handled. */
export type PressOutcome =
  | { readonly outcome: "taken"; readonly offer: Offer; readonly choice: string }
  | { readonly outcome: "repeated"; readonly offer: Offer }
  | { readonly outcome: "refused"; readonly why: PressRefusal; readonly offer?: Offer };

/** Decides who may press, once, and until when; pure. A person who may not press learns nothing about the offer. */
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

/** Parses the id of a pressed button. `null`: it belongs to no offer. */
export function readButton(text: string): Pick<Press, "offerId" | "choice"> | null {
  const [, offerId, choice] = BUTTON.exec(text) ?? [];
  return offerId === undefined || choice === undefined ? null : { offerId, choice };
}

/** Builds the id of a button. The reverse of `readButton`. */
export function buttonText(offerId: string, choice: string): string {
  return `b:${offerId}:${choice}`;
}

export interface ButtonsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}

export type Buttons = ReturnType<typeof createButtons>;

/**
 * The registry of buttons. An offer is a document that changes once, by compare-and-set, when one of its people presses
 * before it expires.
 * A press is written before it is handled and again afterwards. After a crash in between, it is handled when its
 * platform delivers it again.
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
   * Creates an offer. Contract: durable when this resolves; the same source returns the existing offer.
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

  /**
   * Sets a person's newest offer. Repeated after a crash; an older offer that is created again does not replace a newer
   * one.
   */
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

  /** The newest offer of a person, in any state; `null` when it is gone. @param user As `channel:id`. */
  async function newestOf(user: string): Promise<Offer | null> {
    const id = (await getIndex(store, newestKeyOf(user)))?.value;
    return typeof id === "string" ? ((await load(id))?.offer ?? null) : null;
  }

  /**
   * Takes a press, or returns why it does not count. Contract: a press that is taken is written; call `done` once it is
   * handled.
   */
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

  /** Records that the effect of the press is durable: repeating the press has no effect. */
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

  /** Removes offers that expired a day ago. */
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
    /** Removes the offers that a person may press, and those of their conversations. */
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

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for another document. */
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
  ) as unknown as Offer; // only this file writes it
}

function newestKeyOf(user: string): string {
  return `${NEWEST}/${storeKey(user)}`;
}

function keyOf(id: string): string {
  return storeKey(ROOM, id);
}

/** 60 bits of the source's hash. The id identifies an offer and grants nothing: each press is checked. */
async function offerId(source: string): Promise<string> {
  return hashDigits(await digestOf(source), ID_DIGITS);
}
