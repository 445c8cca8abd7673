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
  /** What holds for a person, with their zone. */
  configOf(userId: string): PersonLimits;
}

/** What can be looked at of a person. */
export interface AttentionView {
  readonly userId: string;
  /** The newest decisions, oldest first. */
  readonly decisions: readonly DecisionRecord[];
  readonly held: readonly HeldRecord[];
  readonly sent: readonly SentRecord[];
  /** Milliseconds since the epoch. */
  readonly mutedUntil?: number;
  /** Types of which the person wants less, and how often they said so. */
  readonly less: Readonly<Record<string, number>>;
}

/** What is said unasked to people, and when: a document for each person, by the name of their memory. */
export type Attention = ReturnType<typeof createAttention>;

/**
 * Keeps what limits are counted by, and what is held. Every step reads the document, decides purely and writes by compare-and-set, so that two processes agree.
 *
 * Source: docs/attention.md.
 */
export function createAttention({ store, engine, clock, logger, configOf }: AttentionDeps) {
  const inTurn = createTurns();

  async function load(userId: string): Promise<AttentionDocument> {
    return documentOf((await store.get(keyOf(userId)))?.value, userId);
  }

  /** Changes a person's document. A change that is none writes nothing. */
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

  /** Everybody to whom something was to be said unasked, but for those whose document cannot be read. */
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
     * Decides on a notice. Contract: durable when this resolves; the same id is decided once. What is to be said is the caller's to pass on, also when this tells of an
     * earlier decision, unless it is joined; what is held comes back through `release`.
     */
    async take(userId: string, notice: PlacedNotice): Promise<TakenStep> {
      const now = clock.now();
      const taken = await change(userId, (document) => takeNotice(document, notice, configOf(userId), now));
      if (taken.verdict === "hold" || taken.verdict === "digest") await wakeFor(userId, taken.document);
      return taken;
    },

    /** Decides again on what was to be said and was not sent. Contract: as `take`; `send`: it may still be said, under its own id. */
    async takeBack(userId: string, notice: PlacedNotice): Promise<TakenStep> {
      const now = clock.now();
      const taken = await change(userId, (document) => takeBackNotice(document, notice, configOf(userId), now));
      if (taken.verdict === "hold" || taken.verdict === "digest") await wakeFor(userId, taken.document);
      return taken;
    },

    /**
     * Decides on what was held until now.
     * @param passOn Says a message. Contract: the same id, said again after a crash, is said once.
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

    /** What waits and is not so any more is worth nothing now. */
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

    /** @param untilMs Nothing unasked is said before then, milliseconds since the epoch. `null`: nothing is muted any more. */
    async mute(userId: string, untilMs: number | null): Promise<void> {
      const now = clock.now();
      const { document } = await change(userId, ({ mutedUntil: _mutedUntil, ...rest }) => ({
        document: {
          ...rest,
          ...(untilMs !== null && { mutedUntil: untilMs }),
          // What a mute held is looked at when it ends, also when that is sooner.
          held: rest.held.map((one) => (one.rule === "muted" ? { ...one, until: untilMs ?? now } : one)),
        },
      }));
      await wakeFor(userId, document);
    },

    /**
     * The person wants less of a type.
     * @param times How often they said so; 0: as much as before. Default: once more.
     * @returns How often they said so.
     */
    async wantLess(userId: string, type: string, times?: number): Promise<number> {
      const { document } = await change(userId, (before) => ({
        document: { ...before, less: { ...before.less, [type]: times ?? timesOf(before.less, type) + 1 } },
      }));
      return timesOf(document.less, type);
    },

    /** What would be decided now. Nothing is written. */
    async explain(userId: string, notification: AttentionNotification): Promise<AttentionDecision> {
      return decideAttention(notification, stateOf(await load(userId)), configOf(userId), clock.now());
    },

    /** What was decided for a person, and what waits. */
    async view(userId: string): Promise<AttentionView> {
      const { decisions, held, sent, mutedUntil, less } = await load(userId);
      return { userId, decisions, held, sent, ...(mutedUntil !== undefined && { mutedUntil }), less };
    },

    /** Whose document the key of a wake means. `null`: it is no such key. */
    userOf: (key: string): string | null => (key.startsWith(PREFIX) ? key.slice(PREFIX.length) : null),

    /** Also what others were told about their conversations. */
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
