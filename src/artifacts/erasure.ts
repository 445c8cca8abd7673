import { type Erasable, type Exportable, eraseUnder, unreadFile } from "../erasable/index.ts";
import { type Store, storeKey } from "../store/index.ts";
import { type Artifacts, ROOT } from "./artifacts.ts";

/** What sessions keep besides their messages. */
export function createArtifactErasure({
  store,
  artifacts,
}: {
  readonly store: Store;
  readonly artifacts: Pick<Artifacts, "list" | "read">;
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
    forget: (person) => eraseUnder(store, ROOT, person),
  };
}

function base64Of(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
