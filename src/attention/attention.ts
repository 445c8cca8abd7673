import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import {
  type Erasable,
  type Exportable,
  type Movable,
  eraseUnder,
  exportUnder,
  moveDocument,
} from "../erasable/index.ts";
import { ConflictError } from "../errors.ts";
import { type JsonValue, type Store, createTurns, keySegments, storeKey, type ReadableRoom } from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import {
  type AttentionDocument,
  type DecisionRecord,
  EMPTY,
  type HeldRecord,
  type PlacedNotice,
  type SentRecord,
  type TakenStep,
  joinDocuments,
  nextLook,
  readAttention,
  releaseDue,
  takeBackNotice,
  stateOf,
  takeNotice,
  withoutLeaving,
  withoutSessions,
} from "./attention-document.ts";
import { type AttentionDecision, type AttentionNotification, decideAttention, timesOf } from "./decide-attention.ts";
import type { PersonLimits } from "./limits.ts";

const ROOM = "attention";
export const ATTENTION_DOCUMENTS: ReadableRoom = [`${ROOM}/`, readAttention];
const PREFIX = `${ROOM}:`;

export interface AttentionDeps {
  readonly store: Store;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
  /** The limits of a person, with their zone. */
  configOf(userId: string): PersonLimits;
}

/** Public view of a person's attention. */
export interface AttentionView {
  readonly userId: string;
  /** The newest decisions, oldest first. */
  readonly decisions: readonly DecisionRecord[];
  readonly held: readonly HeldRecord[];
  readonly sent: readonly SentRecord[];
  /** Milliseconds since the epoch. */
  readonly mutedUntil?: number;
  /** Types that the person wants less of, and how often they said so. */
  readonly less: Readonly<Record<string, number>>;
}

/** Decides on unrequested notices. One document per person, under the name of their memory. */
export type Attention = ReturnType<typeof createAttention>;

/**
 * Stores what limits need, and held notices. Every step reads the document, decides with pure functions and writes by
 * compare-and-set, so that processes agree.
 *
 * Source: docs/attention.md.
 */
export function createAttention({ store, engine, clock, logger, configOf }: AttentionDeps) {
  const inTurn = createTurns();

  async function load(userId: string): Promise<AttentionDocument> {
    return documentOf((await store.get(keyOf(userId)))?.value, userId);
  }

  /** Changes a person's document. Writes nothing if the document stays the same. */
  function change<Step extends { readonly document: AttentionDocument }>(
    userId: string,
    step: (document: AttentionDocument) => Step,
  ): Promise<Step> {
    return inTurn(userId, async () => {
      for (;;) {
        const found = await store.get(keyOf(userId));
        const before = documentOf(found?.value, userId);
        const made = step(before);
        if (made.document === before) return made;
        try {
          await store.put(keyOf(userId), made.document as unknown as JsonValue, { expect: found?.version ?? null }); // plain data
          return made;
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
        }
      }
    });
  }

  async function wakeFor(userId: string, document: AttentionDocument): Promise<void> {
    const at = nextLook(document);
    if (at !== undefined) await engine.wake(PREFIX + userId, new Date(at));
  }

  /** All people with a document, except unreadable ones. */
  async function users(): Promise<readonly string[]> {
    const found: string[] = [];
    for await (const { key } of store.list(`${ROOM}/`)) {
      const userId = keySegments(key)[1] ?? "";
      if (await load(userId).catch(leftOut(logger))) found.push(userId);
    }
    return found;
  }

  return {
    users,
    /**
     * Decides on a notice. Contract: durable when this resolves; the same id is decided once.
     * The caller sends a notice with the verdict `send`, also when it was decided earlier, unless it is joined. A held
     * notice comes back through `release`.
     */
    async take(userId: string, notice: PlacedNotice): Promise<TakenStep> {
      const now = clock.now();
      const taken = await change(userId, (document) => takeNotice(document, notice, configOf(userId), now));
      if (taken.verdict === "hold" || taken.verdict === "digest") await wakeFor(userId, taken.document);
      return taken;
    },

    /**
     * Decides again on a notice that was to be said and was not sent. Contract: as `take`; `send`: it may still be
     * said, under its own id.
     */
    async takeBack(userId: string, notice: PlacedNotice): Promise<TakenStep> {
      const now = clock.now();
      const taken = await change(userId, (document) => takeBackNotice(document, notice, configOf(userId), now));
      if (taken.verdict === "hold" || taken.verdict === "digest") await wakeFor(userId, taken.document);
      return taken;
    },

    /**
     * Decides on notices whose hold is over.
     * @param passOn Sends a message. Contract: sending the same id again after a crash sends it once.
     * @returns The decisions.
     */
    async release(userId: string, passOn: (notice: PlacedNotice) => Promise<void>): Promise<readonly DecisionRecord[]> {
      const now = clock.now();
      const { document, decided } = await change(userId, (before) =>
        (nextLook(before) ?? Infinity) <= now
          ? releaseDue(before, configOf(userId), now)
          : { document: before, decided: [] },
      );
      for (const notice of document.leaving) await passOn(notice);
      const said = new Set(document.leaving.map(({ id }) => id));
      if (said.size > 0) await change(userId, (before) => ({ document: withoutLeaving(before, said) }));
      await wakeFor(userId, document);
      return decided;
    },

    /** Expires held notices that are no longer true, so that they are dropped. */
    async withdraw(userId: string, isOver: (notice: PlacedNotice) => boolean): Promise<void> {
      const now = clock.now();
      const { held } = await load(userId);
      if (!held.some(({ notice }) => isOver(notice))) return;
      const { document } = await change(userId, (before) => ({
        document: {
          ...before,
          held: before.held.map((one) =>
            isOver(one.notice) ? { ...one, until: now, notice: { ...one.notice, expiresAtMs: now } } : one,
          ),
        },
      }));
      await wakeFor(userId, document);
    },

    /**
     * @param untilMs Nothing unrequested is said before then, in milliseconds since the epoch. `null`: ends the mute.
     */
    async mute(userId: string, untilMs: number | null): Promise<void> {
      const now = clock.now();
      const { document } = await change(userId, ({ mutedUntil: _mutedUntil, ...rest }) => ({
        document: {
          ...rest,
          ...(untilMs !== null && { mutedUntil: untilMs }),
          // Notices that a mute held are decided when it ends, even if that is earlier now.
          held: rest.held.map((one) => (one.rule === "muted" ? { ...one, until: untilMs ?? now } : one)),
        },
      }));
      await wakeFor(userId, document);
    },

    /**
     * Lowers the priority of a type for a person.
     * @param times How often they asked for less; 0: normal. Default: once more.
     * @returns How often they asked for less.
     */
    async wantLess(userId: string, type: string, times?: number): Promise<number> {
      const { document } = await change(userId, (before) => ({
        document: { ...before, less: { ...before.less, [type]: times ?? timesOf(before.less, type) + 1 } },
      }));
      return timesOf(document.less, type);
    },

    /** Returns what would be decided now. Writes nothing. */
    async explain(userId: string, notification: AttentionNotification): Promise<AttentionDecision> {
      return decideAttention(notification, stateOf(await load(userId)), configOf(userId), clock.now());
    },

    /** Returns a person's decisions and held notices. */
    async view(userId: string): Promise<AttentionView> {
      const { decisions, held, sent, mutedUntil, less } = await load(userId);
      return { userId, decisions, held, sent, ...(mutedUntil !== undefined && { mutedUntil }), less };
    },

    /** The person of a wake's key. `null`: another kind of key. */
    userOf: (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null),

    /** Also removes what others were told about the person's conversations. */
    async forget(person) {
      await eraseUnder(store, `${ROOM}/`, person);
      for (const userId of await users())
        await change(userId, (before) => ({ document: withoutSessions(before, person.sessions) }));
    },
    exportPerson: ({ userId }) => exportUnder(store, `${ROOM}/`, (key) => keySegments(key)[1] === userId),
    async moveUser(from, to) {
      const moved = await moveDocument(
        store,
        keyOf(from),
        keyOf(to),
        (there, value) =>
          (there === undefined
            ? value
            : joinDocuments(documentOf(there, to), documentOf(value, from))) as unknown as JsonValue, // plain data
      );
      if (moved) await wakeFor(to, await load(to));
      return moved ? 1 : 0;
    },
  } satisfies Erasable & Exportable & Movable & Record<string, unknown>;
}

function keyOf(userId: string): string {
  return storeKey(ROOM, userId);
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE`. */
function documentOf(value: unknown, userId: string): AttentionDocument {
  return value === undefined ? EMPTY : readAttention(value, keyOf(userId));
}
