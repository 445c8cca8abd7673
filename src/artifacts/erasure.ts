import { type Erasable, type Exportable, eraseUnder, isKeyOf, unreadFile } from "../erasable/index.ts";
import { type Store, keySegments, storeKey } from "../store/index.ts";
import { type Artifacts, ROOT } from "./artifacts.ts";

/** Removes and exports the artifacts of people. */
export function createArtifactErasure({
  store,
  artifacts,
}: {
  readonly store: Store;
  readonly artifacts: Pick<Artifacts, "list" | "read" | "removeOf">;
}): Erasable & Exportable {
  return {
    async *exportPerson({ sessions }) {
      for (const session of sessions) {
        try {
          for (const { id } of await artifacts.list(session)) {
            const found = await artifacts.read(session, id);
            if (found === null) continue;
            const { content, name, mediaType, createdAt } = found;
            const created_at = new Date(createdAt).toISOString();
            const held = typeof content === "string" ? { text: content } : { base64: base64Of(content) };
            yield { session, id, name, media_type: mediaType, created_at, ...held };
          }
        } catch (error) {
          yield unreadFile(ROOT + storeKey(session, "index"), error);
        }
      }
    },
    async forget(person) {
      const sessions = new Set<string>();
      for await (const { key } of store.list(ROOT, { keysOnly: true }))
        if (!isKeyOf(person, key)) sessions.add(keySegments(key)[1] ?? "");
      for (const session of sessions) await artifacts.removeOf(session, person.isUser);
      await eraseUnder(store, ROOT, person);
    },
  };
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
