import type { Erasable } from "../erasable/index.ts";
import { type JsonValue, type Store, areObjects, isObject, readDocument, storeKey } from "../store/index.ts";

const STATE = storeKey("migrations", "belonging");
const FORMAT = 1;

/** Something that is kept under a name of a person that is another now, and could not be moved to it. */
export interface UnfinishedMove {
  /** The name that it lies under, as `telegram:42`. */
  readonly from: string;
  /** The name of the person now, as `@anna`. */
  readonly to: string;
  /** Why it stays. */
  readonly problem: string;
}

/** Which names had which other name when everything was moved, and what is under way. */
export interface BelongingState {
  readonly links: ReadonlyMap<string, string>;
  /** When that was last found to be otherwise, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** Written before anything moves. */
  readonly unfinished: readonly UnfinishedMove[];
  /** Names that keep what lies under them, as it is another person's. */
  readonly kept: readonly string[];
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for what cannot be read. */
export async function readState(store: Pick<Store, "get">): Promise<BelongingState> {
  const found = await store.get(STATE);
  const { links, ...state } = readDocument(
    found === null ? { links: {} } : found.value,
    STATE,
    FORMAT,
    ({ links, unfinished = [], kept = [] }) =>
      isObject(links) && areObjects(unfinished, ({ from }) => typeof from === "string") && Array.isArray(kept),
  ) as { readonly links: Readonly<Record<string, string>> } & Partial<Omit<BelongingState, "links">>; // written here alone
  return { changedAt: 0, unfinished: [], kept: [], ...state, links: new Map(Object.entries(links)) };
}

export async function writeState(store: Pick<Store, "put">, { links, ...rest }: BelongingState): Promise<void> {
  const value = { v: FORMAT, links: Object.fromEntries(links), ...rest };
  await store.put(STATE, value as unknown as JsonValue); // plain data all the way down
}

/** Which names a forgotten person had. */
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
 * What could not be moved to the name that its person has now. `wakeful doctor` shows it.
 *
 * Source: docs/memory-belonging.md.
 */
export async function unfinishedMoves(store: Pick<Store, "get">): Promise<readonly UnfinishedMove[]> {
  return (await readState(store)).unfinished;
}
