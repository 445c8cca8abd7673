import type { Clock } from "../clock.ts";
import { ConflictError } from "../errors.ts";
import {
  type JsonValue,
  type ReadableRoom,
  type Store,
  type Version,
  isObject,
  listKeys,
  readDocument,
  storeKey,
} from "../store/index.ts";
import { type Logger, leftOut } from "../telemetry/index.ts";
import { SUBAGENTS_FORMAT, type Subagent } from "./subagent.ts";
import { digestOf, hex } from "../hash.ts";

/** Default of the sub-agents of one conversation that run at a time. */
export const DEFAULT_MAX_RUNNING = 4;

/** Prefix of the documents' keys. */
export const SUBAGENTS = "subagents/";
export const SUBAGENT_DOCUMENTS: ReadableRoom = [`${SUBAGENTS}sa-`, readSubagent];
const ROOTS = "roots";
const NAME = /^(sa-[0-9a-f]+)\.json$/;
/** Most listed sub-agents of a conversation. More are listed while they belong to work under way. */
const MAX_LISTED = 50;
/** Milliseconds after which a claim without a document is stale: its process ended. */
const CLAIM_MS = 60_000;

export interface SubagentsDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Default: nothing is logged. */
  readonly logger?: Pick<Logger, "error">;
}

/** A claimed place of a conversation. */
type Claim = {
  readonly id: string;
  readonly at: number;
};

export type Subagents = ReturnType<typeof createSubagents>;

/**
 * Sub-agents, one document each, changed by compare-and-set. One more document per conversation counts the running
 * ones.
 */
export function createSubagents(
  { store, clock, logger }: SubagentsDeps,
  { maxRunning = DEFAULT_MAX_RUNNING }: { readonly maxRunning?: number | undefined } = {},
) {
  async function load(id: string): Promise<{ readonly subagent: Subagent; readonly version: Version } | null> {
    const key = keyOf(id);
    const found = await store.get(key);
    return found && { subagent: readSubagent(found.value, key), version: found.version };
  }

  const find = async (id: string): Promise<Subagent | undefined> => (await load(id))?.subagent;

  async function claimsOf(
    root: string,
  ): Promise<{ readonly claims: readonly Claim[]; readonly version: Version | null }> {
    const found = await store.get(rootKey(root));
    const { claims = [] } = (found?.value ?? {}) as { readonly claims?: readonly Claim[] };
    return { claims, version: found?.version ?? null };
  }

  /**
   * Claims a place for a sub-agent by compare-and-set, so that parallel calls, also in several processes, never exceed
   * the limit.
   * @param work The work that it belongs to.
   */
  async function claim(root: string, id: string, work?: string): Promise<boolean> {
    for (;;) {
      const { claims, version } = await claimsOf(root);
      if (claims.some((one) => one.id === id)) return true;
      const kept: Claim[] = [];
      const ended: { readonly claim: Claim; readonly work: string | undefined }[] = [];
      const worksUnderWay = new Set([work]);
      let running = 0;
      for (const one of claims) {
        const found = await find(one.id);
        if (found === undefined && clock.now() - one.at >= CLAIM_MS) continue;
        kept.push(one);
        if (found && found.state !== "running") ended.push({ claim: one, work: found.work });
        else {
          running += 1;
          worksUnderWay.add(found?.work);
        }
      }
      if (running >= maxRunning) return false;
      worksUnderWay.delete(undefined); // The work of sub-agents of earlier versions is unknown.
      // Leaves out the oldest ended ones. Running ones stay listed, since stopping the conversation ends those that are
      // listed. So do those of work under way, whose budget counts them.
      const over = ended.filter((one) => !worksUnderWay.has(one.work)).map((one) => one.claim);
      const left = over.slice(0, Math.max(0, kept.length + 1 - MAX_LISTED));
      const listed = kept.filter((one) => !left.includes(one));
      const value = { v: SUBAGENTS_FORMAT, root, claims: [...listed, { id, at: clock.now() }] };
      try {
        await store.put(rootKey(root), value, { expect: version });
        return true;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
      }
    }
  }

  async function* all(): AsyncGenerator<Subagent> {
    for (const key of await listKeys(store, SUBAGENTS)) {
      const id = NAME.exec(key.slice(SUBAGENTS.length))?.[1];
      const found = id !== undefined && (await find(id).catch(leftOut(logger)));
      if (found) yield found;
    }
  }

  return {
    /**
     * The id of the sub-agent that a call starts. The same call gets the same id, also when it is run again after a
     * crash.
     */
    async idOf(sessionKey: string, callId: string): Promise<string> {
      return `sa-${hex(new Uint8Array(await digestOf(JSON.stringify([sessionKey, callId])), 0, 12))}`;
    },
    find,
    claim,
    /** @returns The new sub-agent, or the existing one with this id. */
    async create(subagent: Subagent): Promise<Subagent> {
      try {
        await store.put(keyOf(subagent.id), toDocument(subagent), { expect: null });
        return subagent;
      } catch (error) {
        if (!ConflictError.is(error)) throw error;
        return (await find(subagent.id)) ?? subagent;
      }
    },
    /**
     * Changes a sub-agent by compare-and-set, and retries after a conflict.
     * @param how Gets the newest state; `null`: no change.
     * @returns The new state, and whether this call changed it; undefined: it no longer exists.
     */
    async change(
      id: string,
      how: (subagent: Subagent) => Subagent | null,
    ): Promise<{ readonly subagent: Subagent; readonly isChanged: boolean } | undefined> {
      for (;;) {
        const found = await load(id);
        if (!found) return undefined;
        const changed = how(found.subagent);
        if (changed === null) return { subagent: found.subagent, isChanged: false };
        try {
          await store.put(keyOf(id), toDocument(changed), { expect: found.version });
          return { subagent: changed, isChanged: true };
        } catch (error) {
          if (!ConflictError.is(error)) throw error;
        }
      }
    },
    /** The sub-agents of a conversation, newest first. */
    async ofRoot(root: string): Promise<readonly Subagent[]> {
      const { claims } = await claimsOf(root);
      const found = await Promise.all(claims.toReversed().map(({ id }) => find(id).catch(leftOut(logger))));
      return found.filter((one) => one !== undefined && one !== null);
    },
    all,
    async remove({ id, root }: Pick<Subagent, "id" | "root">): Promise<void> {
      await store.remove(keyOf(id));
      const { claims, version } = await claimsOf(root);
      // A leftover claim is skipped when it is read.
      if (version !== null && claims.every((one) => one.id === id)) {
        await store.remove(rootKey(root), { expect: version }).catch((error: unknown) => {
          if (!ConflictError.is(error)) throw error;
        });
      }
    },
    /** Removes the count of a conversation. */
    removeRoot: (root: string): Promise<unknown> => store.remove(rootKey(root)),
  };
}

function keyOf(id: string): string {
  return SUBAGENTS + storeKey(`${id}.json`);
}

function rootKey(root: string): string {
  return SUBAGENTS + storeKey(ROOTS, `${root}.json`);
}

function toDocument(subagent: Subagent): JsonValue {
  return subagent as unknown as JsonValue; // plain data all the way down
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for another document. */
function readSubagent(value: unknown, key: string): Subagent {
  return readDocument(
    value,
    key,
    SUBAGENTS_FORMAT,
    ({ id, state, person, limits, home }) =>
      typeof id === "string" &&
      typeof state === "string" &&
      isObject(person) &&
      typeof person["user"] === "string" &&
      isObject(limits) &&
      isObject(home),
  ) as unknown as Subagent; // only this room writes them
}
