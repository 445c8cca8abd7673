import type { Erasable } from "../erasable/index.ts";
import { type JsonValue, type Store, areObjects, isObject, readDocument, storeKey } from "../store/index.ts";

const STATE = storeKey("migrations", "belonging");
const FORMAT = 1;

/** Data under a person's old name that could not be moved to the new one. */
export interface UnfinishedMove {
  /** The old name, such as `telegram:42`. */
  readonly from: string;
  /** The person's name now, such as `@anna`. */
  readonly to: string;
  /** Why it could not be moved. */
  readonly problem: string;
}

/** The links as of the last complete move, and moves under way. */
export interface BelongingState {
  readonly links: ReadonlyMap<string, string>;
  /** When a change of links was last found, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** Written before anything moves. */
  readonly unfinished: readonly UnfinishedMove[];
  /** Names whose data stays, as it belongs to another person. */
  readonly kept: readonly string[];
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for an unreadable document. */
export async function readState(store: Pick<Store, "get">): Promise<BelongingState> {
  const found = await store.get(STATE);
  const { links, ...state } = readDocument(
    found === null ? { links: {} } : found.value,
    STATE,
    FORMAT,
    ({ links, unfinished = [], kept = [] }) =>
      isObject(links) && areObjects(unfinished, ({ from }) => typeof from === "string") && Array.isArray(kept),
  ) as { readonly links: Readonly<Record<string, string>> } & Partial<Omit<BelongingState, "links">>; // only this file writes it
  return { changedAt: 0, unfinished: [], kept: [], ...state, links: new Map(Object.entries(links)) };
}

export async function writeState(store: Pick<Store, "put">, { links, ...rest }: BelongingState): Promise<void> {
  const value = { v: FORMAT, links: Object.fromEntries(links), ...rest };
  await store.put(STATE, value as unknown as JsonValue); // plain data all the way down
}

/** Erases the names of a person from the state. */
export function createBelongingErasure({ store }: { readonly store: Pick<Store, "get" | "put"> }): Erasable {
  return {
    async forget({ isUser }) {
      const state = await readState(store);
      const links = new Map([...state.links].filter(([from]) => !isUser(from)));
      const unfinished = state.unfinished.filter(({ from }) => !isUser(from));
      if (links.size === state.links.size && unfinished.length === state.unfinished.length) return;
      await writeState(store, { ...state, links, unfinished });
    },
  };
}

/**
 * Lists data that could not be moved to the name that its person has now. `wakeful doctor` shows it.
 *
 * Source: docs/memory-belonging.md.
 */
export async function unfinishedMoves(store: Pick<Store, "get">): Promise<readonly UnfinishedMove[]> {
  return (await readState(store)).unfinished;
}
