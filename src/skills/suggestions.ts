import type { Clock } from "../clock.ts";
import {
  type Erasable,
  type ExportedPerson,
  type Movable,
  eraseUnder,
  exportUnder,
  moveDocument,
} from "../erasable/index.ts";
import { AssistantError, ConflictError } from "../errors.ts";
import type { SkillSuggestion } from "./learn.ts";
import {
  type JsonValue,
  type KeyMove,
  type Renamable,
  type Store,
  type Value,
  respelling,
  storeKey,
} from "../store/index.ts";
import type { Metrics } from "../telemetry/index.ts";

const ROOM = "skill-suggestions";
const FORMAT = 1;
/** Most open suggestions of one person; the least certain are dropped. */
export const MAX_OPEN_SUGGESTIONS = 20;
/** Answers of one person that are remembered, at least; the oldest are dropped. */
const MAX_ANSWERED_SUGGESTIONS = 500;
/** Milliseconds before a suggestion is offered again. A week. */
export const OFFER_AGAIN_MS = 7 * 24 * 60 * 60_000;
const MAX_TRIES = 8;

/** A suggestion and its state. */
export interface KeptSuggestion extends SkillSuggestion {
  readonly state: "open" | "accepted" | "declined";
  /** Times of its offers, in milliseconds since the epoch, oldest first. */
  readonly offeredAt: readonly number[];
  /** The turn of the last offer. */
  readonly offeredIn?: string;
  /** The name under which its skill is being or was written. */
  readonly skill?: string;
  /** When the person answered, in milliseconds since the epoch. */
  readonly decidedAt?: number;
  /** Set on an open suggestion that the last learning no longer found: it is neither listed nor offered. */
  readonly isOutdated?: true;
}

export interface SuggestionsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: no metrics. */
  readonly metrics?: Pick<Metrics, "increment"> | undefined;
}

/** Suggestions of skills, one document per person. */
export type Suggestions = ReturnType<typeof createSuggestions>;

/**
 * Stores suggestions and people's answers. A no is remembered: neither the suggestion nor another one with the same
 * sequence of tools is made again.
 *
 * Source: docs/skills-learning.md, "Suggestions".
 */
export function createSuggestions({ store, clock, metrics }: SuggestionsDeps) {
  async function load(user: string) {
    const found = await store.get(keyOf(user));
    return { suggestions: suggestionsIn(found?.value), version: found?.version ?? null };
  }

  /** Decides on the newest state, and decides again if another writer wrote first. `null`: nothing is written. */
  async function change<T>(
    user: string,
    decide: (known: readonly KeptSuggestion[]) => {
      readonly next: readonly KeptSuggestion[] | null;
      readonly result: T;
    },
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const { suggestions, version } = await load(user);
      const { next, result } = decide(suggestions);
      if (next === null) return result;
      try {
        await store.put(keyOf(user), documentOf(next), { expect: version });
        return result;
      } catch (error) {
        if (!ConflictError.is(error) || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** As `change`, for one suggestion. @throws {AssistantError} `NOT_FOUND`. */
  function changeOne(
    user: string,
    idOrName: string,
    how: (one: KeptSuggestion) => KeptSuggestion,
  ): Promise<KeptSuggestion> {
    return change(user, (known) => {
      const one = findIn(known, idOrName);
      if (!one) throw notFound(idOrName);
      const changed = how(one);
      const next = changed === one ? null : withinLimits(known.map((other) => (other === one ? changed : other)));
      return { next, result: changed };
    });
  }

  return {
    /**
     * Stores learnt suggestions: adds new ones, and updates the numbers of open ones. Answered ones stay answered.
     * @param options.isAll Whether `learnt` is all that can be learnt of this person: other open suggestions are then
     * outdated until they are learnt again.
     * @returns The new suggestions.
     */
    async add(
      user: string,
      learnt: readonly SkillSuggestion[],
      { isAll = false } = {},
    ): Promise<readonly KeptSuggestion[]> {
      const added = await change(user, (known) => {
        const next = [...known];
        const added: KeptSuggestion[] = [];
        for (const one of learnt) {
          const at = next.findIndex((other) => other.id === one.id || sequenceOf(other) === sequenceOf(one));
          const before = next[at];
          if (before === undefined) {
            const kept: KeptSuggestion = { ...one, state: "open", offeredAt: [] };
            next.push(kept);
            added.push(kept);
          } else if (before.state === "open" && before.skill === undefined && before.id === one.id)
            next[at] = { ...withoutMark(before), ...one };
        }
        if (isAll)
          for (const [at, one] of next.entries())
            if (one.state === "open" && one.skill === undefined && !learnt.some(({ id }) => id === one.id))
              next[at] = { ...one, isOutdated: true };
        const limited = withinLimits(next);
        const isSame = JSON.stringify(limited) === JSON.stringify(known);
        return { next: isSame ? null : limited, result: added.filter((one) => limited.includes(one)) };
      });
      for (const { state } of added) metrics?.increment("skill.suggestion_total", { state });
      return added;
    },
    /** Suggestions of one person, the most certain first. */
    async list(
      user: string,
      { state }: { readonly state?: KeptSuggestion["state"] } = {},
    ): Promise<readonly KeptSuggestion[]> {
      const { suggestions } = await load(user);
      return suggestions
        .filter((one) => one.isOutdated !== true && (state === undefined || one.state === state))
        .toSorted((one, other) => other.confidence - one.confidence || (one.id < other.id ? -1 : 1));
    },
    /** Suggestions of all people, the most certain first. */
    async all(): Promise<readonly KeptSuggestion[]> {
      const kept: KeptSuggestion[] = [];
      for await (const { key } of store.list(`${ROOM}/`)) {
        kept.push(...suggestionsIn((await store.get(key))?.value).filter(({ isOutdated }) => isOutdated !== true));
      }
      return kept.toSorted((one, other) => other.confidence - one.confidence || (one.id < other.id ? -1 : 1));
    },
    /** Finds a suggestion by id or name; of several with one name, the open one. */
    async get(user: string, idOrName: string): Promise<KeptSuggestion | undefined> {
      return findIn((await load(user)).suggestions, idOrName);
    },
    /**
     * Returns the most certain suggestion that may be offered now, and records the offer. The turn of its last offer
     * gets it again, because that turn may have restarted after a crash.
     * @param options.dryRun Writes nothing.
     */
    offer: (user: string, turn: string, { dryRun = false } = {}): Promise<KeptSuggestion | undefined> =>
      change(user, (known) => {
        const now = clock.now();
        const again = known.find((one) => one.state === "open" && one.offeredIn === turn);
        if (again) return { next: null, result: again };
        const due = known
          .filter((one) => one.state === "open" && one.isOutdated !== true && isRested(one, now))
          .toSorted((one, other) => other.confidence - one.confidence)[0];
        if (!due) return { next: null, result: undefined };
        const offered: KeptSuggestion = { ...due, offeredAt: offersOf(due, now), offeredIn: turn };
        return { next: dryRun ? null : known.map((one) => (one === due ? offered : one)), result: offered };
      }),
    /** Puts a suggestion off: it is not offered for a week. @throws {AssistantError} `NOT_FOUND`. */
    putOff: (user: string, idOrName: string): Promise<KeptSuggestion> =>
      changeOne(user, idOrName, (one) => {
        if (one.state !== "open") return one;
        const { offeredIn: _, ...rest } = one;
        return { ...rest, offeredAt: offersOf(one, clock.now()) };
      }),
    /**
     * Records the name under which a skill is about to be written, so that a crash does not lead to a second one. An
     * accepted suggestion stays as it is.
     * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` if the person declined.
     */
    name: (user: string, idOrName: string, skill: string): Promise<KeptSuggestion> =>
      changeOne(user, idOrName, (one) => {
        if (one.state === "declined") throw decidedBefore(one);
        return one.state === "accepted" ? one : { ...one, skill };
      }),
    /**
     * Stores the person's answer. The same answer again changes nothing.
     * @throws {AssistantError} `NOT_FOUND`; `CONFLICT` if they gave another answer before.
     */
    async decide(user: string, idOrName: string, answer: "accepted" | "declined"): Promise<KeptSuggestion> {
      let isNew = false;
      const decided = await changeOne(user, idOrName, (one) => {
        isNew = one.state !== answer;
        if (!isNew) return one;
        if (one.state !== "open") throw decidedBefore(one);
        return { ...withoutMark(one), state: answer, decidedAt: clock.now() };
      });
      if (isNew) metrics?.increment("skill.suggestion_total", { state: answer });
      return decided;
    },
    /** A person's suggestions and answers. */
    exportPerson: ({ userId }: Pick<ExportedPerson, "userId">) =>
      exportUnder(store, `${ROOM}/`, (key) => key === keyOf(userId)),
    /** Removes a person's suggestions. */
    forget: (person) => eraseUnder(store, `${ROOM}/`, person),
    /** A suggestion that was answered under either user id stays answered. */
    async moveUser(from, to) {
      const isMoved = await moveDocument(store, keyOf(from), keyOf(to), (there, moved) => {
        const own = suggestionsIn(moved).map((one) => ({ ...one, userId: to }));
        return documentOf(withinLimits(joined(there === undefined ? [] : suggestionsIn(there), own)));
      });
      return isMoved ? 1 : 0;
    },
  } satisfies Erasable & Movable & Record<string, unknown>;

  function withinLimits(suggestions: readonly KeptSuggestion[]): readonly KeptSuggestion[] {
    const isOpen = ({ state }: KeptSuggestion) => state === "open";
    const open = suggestions.filter(isOpen);
    const decided = suggestions.filter((one) => !isOpen(one));
    if (open.length <= MAX_OPEN_SUGGESTIONS && decided.length <= MAX_ANSWERED_SUGGESTIONS) return suggestions;
    const worth = ({ confidence, isOutdated }: KeptSuggestion) => (isOutdated === true ? -1 : confidence);
    const surest = open.toSorted((one, other) => worth(other) - worth(one)).slice(0, MAX_OPEN_SUGGESTIONS);
    const newest = decided
      .toSorted((one, other) => (other.decidedAt ?? 0) - (one.decidedAt ?? 0))
      .slice(0, MAX_ANSWERED_SUGGESTIONS);
    return suggestions.filter((one) => surest.includes(one) || newest.includes(one));
  }
}

function withoutMark(one: KeptSuggestion): KeptSuggestion {
  const { isOutdated: _, ...rest } = one;
  return rest;
}

function suggestionsIn(value: Value | undefined): readonly KeptSuggestion[] {
  return ((value ?? {}) as unknown as { readonly suggestions?: readonly KeptSuggestion[] }).suggestions ?? [];
}

function documentOf(suggestions: readonly KeptSuggestion[]): JsonValue {
  return { v: FORMAT, suggestions } as unknown as JsonValue; // plain data all the way down
}

/** Keeps one suggestion per sequence of tools: the answered one, else the first. */
function joined(known: readonly KeptSuggestion[], more: readonly KeptSuggestion[]): readonly KeptSuggestion[] {
  const bySequence = new Map<string, KeptSuggestion>();
  for (const one of [...known, ...more]) {
    const before = bySequence.get(sequenceOf(one));
    if (before === undefined || (before.state === "open" && one.state !== "open")) bySequence.set(sequenceOf(one), one);
  }
  return [...bySequence.values()];
}

/** Renames the document of a user's suggestions. */
export function createSuggestionRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async userMoves(from, to): Promise<KeyMove[]> {
      const isThere = (await store.get(keyOf(from))) !== null;
      return isThere ? [{ from: keyOf(from), to: keyOf(to), respell: respelling(from, to) }] : [];
    },
  };
}

function keyOf(user: string): string {
  return storeKey(ROOM, user);
}

function isRested({ offeredAt }: Pick<KeptSuggestion, "offeredAt">, now: number): boolean {
  const last = offeredAt.at(-1);
  // An offer in the future was made before the clock was set back.
  return last === undefined || now - last >= OFFER_AGAIN_MS || last > now;
}

/** Most remembered offers of one suggestion. */
const MAX_OFFERS = 20;

function offersOf({ offeredAt }: Pick<KeptSuggestion, "offeredAt">, now: number): readonly number[] {
  return [...offeredAt, now].slice(-MAX_OFFERS);
}

function sequenceOf({ toolSequence }: Pick<SkillSuggestion, "toolSequence">): string {
  return JSON.stringify(toolSequence);
}

function findIn(known: readonly KeptSuggestion[], idOrName: string): KeptSuggestion | undefined {
  const byId = known.find(({ id }) => id === idOrName);
  if (byId) return byId;
  const named = known.filter(({ name, skill }) => [name, skill].includes(idOrName.trim().toLowerCase()));
  return named.find(({ state }) => state === "open") ?? named.at(-1);
}

function decidedBefore({ name, state }: KeptSuggestion): AssistantError {
  return new AssistantError("CONFLICT", `The suggestion ${name} was already ${state}`);
}

function notFound(idOrName: string): AssistantError {
  return new AssistantError("NOT_FOUND", `There is no suggestion ${JSON.stringify(idOrName.slice(0, 64))}`);
}
