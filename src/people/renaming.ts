import { type KeyMove, type Renamable, type Store, keySegments, storeKey } from "../store/index.ts";
import { ROOM } from "./people-notes.ts";

/** Renames the notes about a person whose id changes. */
export function createPeopleRenaming({ store }: { readonly store: Store }): Renamable {
  return {
    async userMoves(from, to) {
      const moves: KeyMove[] = [];
      for await (const { key } of store.list(`${ROOM}/`)) {
        const [room = "", identity = "", folder = "", id, ...rest] = keySegments(key);
        if (folder === "peers" && id === from)
          moves.push({ from: key, to: storeKey(room, identity, folder, to, ...rest) });
      }
      return moves;
    },
  };
}
