import * as v from "valibot";
import type { Clock } from "../../clock.ts";
import { AssistantError, ConflictError } from "../../errors.ts";
import { newId } from "../../ids.ts";
import {
  type Store,
  type Value,
  type Version,
  createTurns,
  isLog,
  keySegments,
  removeUnder,
  storeKey,
} from "../../store/index.ts";
import type { SkillFile } from "../source.ts";
import { bytesOfValue, valueOfFile } from "./file-value.ts";
import { ORIGIN_FILE, type SkillOrigin, originSchema } from "./origin.ts";
import { sha256 } from "../../hash.ts";

const ROOM = "skills";
const STAGING = ".staging";
const MOVES = ".installing";

/** After this long, another process that prepares a skill counts as dead. 10 minutes. */
const ABANDONED_MS = 600_000;
/** Attempts on a document that other writers keep changing. */
const MAX_TRIES = 8;

/** The key of a file of a skill. */
export function fileKey(name: string, path: string): string {
  return storeKey(ROOM, name, ...path.split("/"));
}

/** Key prefix of every file of a skill. */
export const skillPrefix = (name: string): string => `${storeKey(ROOM, name)}/`;

const moveKey = (name: string) => storeKey(ROOM, MOVES, name);
const stagedKey = (id: string, path: string) => storeKey(ROOM, STAGING, id, ...path.split("/"));
const MOVES_PREFIX = `${storeKey(ROOM, MOVES)}/`;
const STAGING_PREFIX = `${storeKey(ROOM, STAGING)}/`;

/**
 * The change of one skill's folder, in one document. `preparing`: new files are staged, and the old skill still
 * counts. `moving`: the new skill is decided, and any process that finds this document finishes the move. `removing`:
 * the folder is being removed.
 */
const moveSchema = v.variant("state", [
  v.object({ state: v.literal("preparing"), id: v.string(), at: v.number() }),
  v.object({
    state: v.literal("moving"),
    id: v.string(),
    at: v.number(),
    /** Origin of the new skill, with the SHA-256 of every file that it will have. */
    origin: originSchema,
  }),
  v.object({ state: v.literal("removing"), id: v.string(), at: v.number() }),
]);
type Move = v.InferOutput<typeof moveSchema>;

export interface MovesDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

/** Result of `recover`. */
export interface RecoveredMoves {
  /** Skills whose installation or removal was finished. */
  readonly finished: readonly string[];
  /** Skills whose installation was not decided: they are unchanged. */
  readonly undone: readonly string[];
  /** Skills whose new files were damaged, so they are gone. */
  readonly lost: readonly string[];
}

/**
 * Changes the folder of a skill as a whole, in a store that can only change one document at a time. New files are
 * staged in `skills/.staging/<id>/`. Then one write to `skills/.installing/<name>` decides the move. Then files are
 * put in place, each only over the version that was there when that document was last checked. A crash at any point
 * leaves the old skill, or a decision that `recover` carries out.
 */
export function createSkillMoves({ store, clock }: MovesDeps) {
  const inTurn = createTurns();

  async function load(name: string): Promise<{ readonly move: Move; readonly version: Version } | null> {
    const found = await store.get(moveKey(name));
    if (found === null) return null;
    const read = v.safeParse(moveSchema, found.value);
    // A foreign document is no installation: it counts as undecided.
    return { move: read.success ? read.output : { state: "preparing", id: "damaged", at: 0 }, version: found.version };
  }

  /** Claims the folder of a skill for this call. */
  async function claim(name: string, move: Move): Promise<Version> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      try {
        return await store.put(moveKey(name), move, { expect: null });
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
      const found = await load(name);
      if (found === null) continue;
      if (found.move.state !== "preparing") await finish(name, found.move, found.version);
      else if (clock.now() - found.move.at > ABANDONED_MS) await undo(name, found.move, found.version);
      else break;
    }
    throw new AssistantError("CONFLICT", `Cannot change the skill ${name} now: another process is installing it`);
  }

  /**
   * Replaces everything in a skill's folder.
   *
   * @param check Called while no one else changes the folder. If it throws, everything stays as it was.
   */
  function replace(
    name: string,
    files: readonly SkillFile[],
    origin: SkillOrigin,
    check: () => Promise<void>,
  ): Promise<void> {
    return inTurn(name, async () => {
      const preparing: Move = { state: "preparing", id: newId(clock), at: clock.now() };
      const { id, at } = preparing;
      const version = await claim(name, preparing);
      const moving: Move = { state: "moving", id, at, origin };
      let decided: Version;
      try {
        await check();
        for (const { path, bytes } of files) await store.put(stagedKey(id, path), valueOfFile(bytes), { expect: null });
        decided = await store.put(moveKey(name), moving, { expect: version });
      } catch (error) {
        // After a failure of the store, the stored state says whether the move was decided. If the store still fails,
        // `recover` finds it.
        const found = await load(name).catch(() => undefined);
        if (found === undefined) throw error;
        if (found?.move.id !== id || found.move.state !== "moving") {
          if (found?.move.id === id) await undo(name, preparing, found.version).catch(() => {});
          else await removeUnder(store, `${STAGING_PREFIX}${id}/`).catch(() => {});
          throw error;
        }
        decided = found.version;
      }
      await finish(name, moving, decided);
    });
  }

  /** Removes everything in a skill's folder. */
  function remove(name: string, check: () => Promise<void>): Promise<void> {
    return inTurn(name, async () => {
      const preparing: Move = { state: "preparing", id: newId(clock), at: clock.now() };
      const version = await claim(name, preparing);
      try {
        await check();
      } catch (error) {
        await undo(name, preparing, version);
        throw error;
      }
      const removing: Move = { ...preparing, state: "removing" };
      await finish(name, removing, await store.put(moveKey(name), removing, { expect: version }));
    });
  }

  /** Carries out a decided move. Has no effect if it is done, and can run concurrently in several processes. */
  async function finish(name: string, move: Move, version: Version): Promise<"finished" | "lost"> {
    const isOurs = async () => (await load(name))?.move.id === move.id;
    let outcome: "finished" | "lost" = "finished";
    const wanted = new Set<string>();
    if (move.state === "moving" && (await isWhole(name, move))) {
      for (const [path, hash] of Object.entries(move.origin.files)) {
        const key = fileKey(name, path);
        wanted.add(key);
        await place(key, hash, async () => (await store.get(stagedKey(move.id, path)))?.value ?? null, isOurs);
      }
      const key = fileKey(name, ORIGIN_FILE);
      wanted.add(key);
      const origin: Value = { ...move.origin };
      await place(key, await sha256(bytesOfValue(origin)), async () => origin, isOurs);
    } else if (move.state === "moving") outcome = "lost";
    await removeOthers(name, wanted, isOurs);
    await release(name, version);
    await removeUnder(store, `${STAGING_PREFIX}${move.id}/`);
    return outcome;
  }

  /** Whether every file of a decided installation still exists, staged or in place. */
  async function isWhole(name: string, move: Move & { readonly state: "moving" }): Promise<boolean> {
    for (const [path, hash] of Object.entries(move.origin.files)) {
      const isAt = async (key: string) => {
        const found = await store.get(key);
        return found !== null && (await sha256(bytesOfValue(found.value))) === hash;
      };
      if (!(await isAt(stagedKey(move.id, path))) && !(await isAt(fileKey(name, path)))) {
        // Another process may have finished the move in the meantime.
        return (await load(name))?.move.id !== move.id;
      }
    }
    return true;
  }

  /**
   * Puts one document in place, unless it is there. Replaces only the version that was read before `isOurs` confirmed
   * the move.
   */
  async function place(
    key: string,
    hash: string,
    content: () => Promise<Value | null>,
    isOurs: () => Promise<boolean>,
  ): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const current = await store.get(key);
      if (current !== null && (await sha256(bytesOfValue(current.value))) === hash) return;
      const value = await content();
      if (!(await isOurs())) return;
      if (value === null) throw new AssistantError("CONFLICT", `Cannot move ${key}: its new content no longer exists`);
      try {
        await store.put(key, value, { expect: current?.version ?? null });
        return;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
    throw new AssistantError("CONFLICT", `Cannot move ${key}: it keeps changing. Try again`);
  }

  async function removeOthers(
    name: string,
    wanted: ReadonlySet<string>,
    isOurs: () => Promise<boolean>,
  ): Promise<void> {
    const others: { readonly key: string; readonly version: Version }[] = [];
    for await (const entry of store.list(skillPrefix(name))) if (!wanted.has(entry.key)) others.push(entry);
    for (const { key, version } of others) {
      if (!(await isOurs())) return;
      try {
        await store.remove(key, { expect: (await isLog(store, key)) ? Number(version) : version });
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        // Changed or removed in the meantime: the folder is listed again.
        return removeOthers(name, wanted, isOurs);
      }
    }
  }

  /**
   * Undoes an undecided move. The document is removed first, so that a process that still prepares can no longer
   * decide.
   */
  async function undo(name: string, move: Move, version: Version): Promise<void> {
    await release(name, version);
    await removeUnder(store, `${STAGING_PREFIX}${move.id}/`);
  }

  /** Removes the move's document. Another process may have carried out or undone the move at the same time. */
  async function release(name: string, version: Version): Promise<void> {
    try {
      await store.remove(moveKey(name), { expect: version });
    } catch (error) {
      if (!ConflictError.is(error)) throw error;
    }
  }

  /** Names of skills whose folder is being changed, or was when a process ended. */
  async function named(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { key } of store.list(MOVES_PREFIX)) names.push(keySegments(key).slice(2).join("/"));
    return names;
  }

  /** Whether the folder of this skill is being changed. While a new skill is only prepared, the old one is there. */
  async function isMoving(name: string): Promise<boolean> {
    const state = (await load(name))?.move.state;
    return state === "moving" || state === "removing";
  }

  /** Finishes the moves that an ended process had decided, and removes what it left behind. */
  async function recover(): Promise<RecoveredMoves> {
    // Every staging folder listed here already had its document, so one without a document is left over.
    const staged = new Set<string>();
    for await (const { key } of store.list(STAGING_PREFIX))
      staged.add(key.slice(STAGING_PREFIX.length).split("/")[0] ?? "");
    const finished: string[] = [];
    const undone: string[] = [];
    const lost: string[] = [];
    for (const name of await named()) {
      await inTurn(name, async () => {
        const found = await load(name);
        if (found === null) return;
        staged.delete(found.move.id);
        if (found.move.state === "preparing") {
          await undo(name, found.move, found.version);
          undone.push(name);
        } else ((await finish(name, found.move, found.version)) === "lost" ? lost : finished).push(name);
      });
    }
    for (const id of staged) await removeUnder(store, `${STAGING_PREFIX}${id}/`);
    return { finished, undone, lost };
  }

  return { replace, remove, isMoving, named, recover };
}
