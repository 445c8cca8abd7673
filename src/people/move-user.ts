import { type Movable, cannotJoin, moveDocument } from "../erasable/index.ts";
import { type Store, keySegments, storeKey } from "../store/index.ts";
import { type PeopleNotes, ROOM } from "./people-notes.ts";

export interface PeopleMoveDeps {
  readonly store: Store;
  readonly notes: Pick<PeopleNotes, "drop">;
  /** Joins two texts about one person into one that says both. Joining `from` once more changes nothing. */
  join(into: string, from: string): string;
}

/** Moves the notes about a person to their new memory user. */
export function createPeopleMove({ store, notes, join }: PeopleMoveDeps): Movable {
  return {
    async moveUser(from, to) {
      const keys: string[] = [];
      for await (const { key } of store.list(`${ROOM}/`)) {
        const [, , folder, id] = keySegments(key);
        if (folder === "peers" && id === from) keys.push(key);
      }
      let moved = 0;
      try {
        for (const key of keys) if (await move(key, to)) moved += 1;
      } finally {
        notes.drop();
      }
      return moved;
    },
  };

  function move(key: string, to: string): Promise<boolean> {
    const [room = "", identity = "", folder = "", , ...rest] = keySegments(key);
    const target = storeKey(room, identity, folder, to, ...rest);
    return moveDocument(store, key, target, (there, moved) => {
      if (there === undefined) return moved;
      if (typeof there === "string" && typeof moved === "string") return join(there, moved);
      throw cannotJoin(key, target, "one of them is no text");
    });
  }
}
