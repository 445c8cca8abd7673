import { type Renamable, type Store, keysUnder, respelling, storeKey } from "../store/index.ts";
import { ROOT } from "./artifacts.ts";

/** Moves the artifacts of renamed sessions. */
export function createArtifactRenaming({ store }: { readonly store: Store }): Renamable {
  const folder = (session: string) => `${ROOT}${storeKey(session)}/`;
  return { sessionMoves: (from, to) => keysUnder(store, folder(from), folder(to), respelling(from, to)) };
}
