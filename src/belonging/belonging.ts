import type { Access } from "../access/index.ts";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/index.ts";
import type { Movable } from "../erasable/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { Moving, ReadWriteLock } from "../memory/index.ts";
import { type MemorySpeaker, type MemoryUsers, OWNER_MEMORY } from "../session/index.ts";
import { type Store, createTurns } from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { type BelongingState, type UnfinishedMove, readState, writeState } from "./state.ts";

export interface BelongingDeps {
  readonly users: Pick<MemoryUsers, "renamed" | "memoryUserOf">;
  readonly access: Pick<Access, "fresh" | "onOwnersChanged">;
  /** Called one after another, in this order. */
  readonly rooms: readonly Movable[];
  readonly store: Pick<Store, "get" | "put">;
  /** Held exclusively during a move, so that nothing is captured and no person is erased. */
  readonly lock: Pick<ReadWriteLock, "exclusive">;
  /** Makes readers of a moving memory wait. */
  readonly moving: Moving;
  readonly engine: Pick<Engine, "wake">;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Pick<Logger, "info" | "warn" | "error">;
}

type Move = Pick<UnfinishedMove, "from" | "to">;

/** The engine's key of another check. */
const KEY = "belonging:moves";
/** Milliseconds until the check after a move. Writes that were in flight when links changed have ended by then. */
const LOOK_AGAIN_MS = 60_000;
/** How long after a change of links each start checks again: another process may have written under the old links. */
const UNSETTLED_MS = 24 * 60 * 60_000;
/** Most retries with a failing store, apart from the check at each start. */
const MAX_TRIES = 5;

export type Belonging = ReturnType<typeof createBelonging>;

/**
 * Moves all that is stored about a person to the name that they have now. When identities are linked or the owner is
 * claimed, data under the person's other names moves. At the start this happens before anything is handled; later, the
 * person's messages wait.
 *
 * Source: docs/memory-belonging.md.
 */
export function createBelonging(deps: BelongingDeps) {
  const { users, access, rooms, store, lock, moving, engine, clock, logger } = deps;
  const inTurn = createTurns();
  const stopping = new AbortController();
  const told = new Set<string>();
  let beginning: Promise<void> | undefined;
  /** Links as this process knows them; undefined before `begin`. */
  let known: ReadonlyMap<string, string> | undefined;
  let tries = 0;

  access.onOwnersChanged(() => {
    if (known === undefined) return;
    const now = users.renamed();
    const names = [...now].flatMap(([from, to]) => (known?.get(from) === to ? [] : [to]));
    known = now;
    const work = inTurn(KEY, look).catch(tellFailure);
    for (const name of new Set(names)) moving.hold(name, work);
  });

  /** Does all open moves, once per process. Contract: called before anything is handled; can be called again. */
  function begin(): Promise<void> {
    beginning ??= (async () => {
      await access.fresh();
      known = users.renamed();
      await inTurn(KEY, look);
    })().catch((error: unknown) => {
      beginning = undefined;
      throw error;
    });
    return beginning;
  }

  async function look(): Promise<void> {
    const state = await readState(store).catch(leftOut(logger));
    // Without the state it is unknown which names keep another person's data: nothing moves until it is fixed.
    if (state === null) return;
    const links = users.renamed();
    const changed = [...links].filter(([from, to]) => state.links.get(from) !== to);
    const gone = [...state.links].filter(([from, to]) => links.get(from) !== to);
    const isUnsettled = Math.abs(clock.now() - state.changedAt) < UNSETTLED_MS;
    if (changed.length + gone.length + state.unfinished.length === 0 && !isUnsettled) return;
    for (const [from, to] of gone)
      logger.info("A person's id is no longer linked: what is kept stays with the name", { user: from, name: to });
    const kept = keptNow(state, links);
    const moves = [...links].map(([from, to]) => ({ from, to })).filter(({ from }) => !kept.includes(from));
    const open = moves.filter(
      ({ from, to }) => isUnsettled || state.links.get(from) !== to || isUnfinished(state, from),
    );
    const isChanged = changed.length + gone.length > 0;
    const begun: BelongingState = { ...state, kept, changedAt: isChanged ? clock.now() : state.changedAt };
    if (isChanged && open.length > 0)
      await writeState(store, { ...begun, unfinished: open.map((move) => ({ ...move, problem: "it is under way" })) });
    const unfinished: UnfinishedMove[] = [];
    let hasFailed = false;
    let moved = 0;
    for (const move of open) {
      const done = await lock.exclusive(() => moveAll(move));
      moved += done.moved;
      hasFailed ||= done.hasFailed;
      unfinished.push(...done.problems.map((problem) => ({ ...move, problem })));
    }
    if (isChanged || JSON.stringify(unfinished) !== JSON.stringify(state.unfinished))
      await writeState(store, { ...begun, links, unfinished });
    tries = hasFailed ? tries + 1 : 0;
    if (moved > 0 || (hasFailed && tries < MAX_TRIES)) await engine.wake(KEY, new Date(clock.now() + LOOK_AGAIN_MS));
  }

  /**
   * Data under `@owner` belongs to the previous owner. When another person is the owner now, it is not moved to their
   * name.
   */
  function keptNow({ links: before, kept }: BelongingState, now: ReadonlyMap<string, string>): readonly string[] {
    const name = now.get(OWNER_MEMORY);
    const owned = [...before].filter(([, to]) => to === OWNER_MEMORY).map(([from]) => from);
    const isAnothers = name !== undefined && owned.some((from) => now.get(from) !== name);
    return isAnothers && !kept.includes(OWNER_MEMORY) ? [...kept, OWNER_MEMORY] : kept;
  }

  /** Moves one name in all rooms. Logs one line for what moved, and each problem once. */
  async function moveAll({ from, to }: Move) {
    const problems: string[] = [];
    let [moved, hasFailed] = [0, false];
    for (const room of rooms) {
      stopping.signal.throwIfAborted();
      try {
        moved += await room.moveUser(from, to);
      } catch (error) {
        hasFailed ||= !AssistantError.is(error, "CONFLICT");
        problems.push(messageOf(error));
      }
    }
    if (moved > 0) logger.info("What is kept of a person is under the name now that they have", { from, to, moved });
    for (const problem of problems) if (!told.has(problem)) tell(from, to, problem);
    return { moved, problems, hasFailed };
  }

  function tell(from: string, to: string, problem: string): void {
    told.add(problem);
    logger.warn("Something of a person could not be moved to the name that they have now: each start tries again", {
      from,
      to,
      problem,
    });
  }

  function tellFailure(error: unknown): void {
    if (!stopping.signal.aborted)
      logger.warn("What is kept of a person is moved at the next start", { error: messageOf(error) });
  }

  const passed = (userId: string): Promise<unknown> | undefined => moving.of(userId);

  return {
    begin,

    /** Waits while the speaker's data moves. */
    async passed(speaker: MemorySpeaker): Promise<void> {
      await passed(users.memoryUserOf(speaker));
    },

    /** Resolves when no data of this memory is under another name, also before the start. */
    async moved(userId: string): Promise<void> {
      await begin();
      await passed(userId);
    },

    isKey: (key: string): boolean => key === KEY,
    handle: (): Promise<void> => inTurn(KEY, look),

    /** Stops moving; open moves continue at the next start. */
    async stop(): Promise<void> {
      stopping.abort();
      await inTurn.idle();
    },
  };
}

function isUnfinished({ unfinished }: BelongingState, from: string): boolean {
  return unfinished.some((move) => move.from === from);
}
