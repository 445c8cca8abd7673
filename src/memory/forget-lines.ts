import { type Store, listKeys, storeKey } from "../store/index.ts";
import { lineHash, oneLine, readLine } from "./days/lines.ts";
import { rewrite } from "./days/state.ts";
import { type MemoryLine, lineIdOf, memoryLines } from "./memory-lines.ts";

/** Lines to remove: by the ids that recall gave them, and by the ids and texts of the entries that they stand for. */
export interface ForgottenLines {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Removes lines from MEMORY.md and from digests; the rest of these files stays byte for byte. Removed lines are not
 * added again, as with a line that a person deleted.
 *
 * @returns The ids of removed lines.
 */
export async function forgetLines(
  { store }: { readonly store: Store },
  userId: string,
  { ids, texts }: ForgottenLines,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(ids);
  const hashes = new Set(texts.flatMap((text) => [lineHash(text), lineHash(oneLine(text))]));
  const gone = new Set<string>();
  for (const { key, file } of await filesOf(store, userId)) {
    await rewrite(store, key, (value) => {
      if (typeof value !== "string") return undefined;
      const dropped = new Set<number>();
      for (const { line, text, entryId } of memoryLines(value)) {
        const id = lineIdOf(file, text);
        if (!wanted.has(id) && !wanted.has(sourceOf(entryId) ?? "") && !hashes.has(lineHash(text))) continue;
        if (wanted.has(id)) gone.add(id);
        dropped.add(line);
      }
      if (dropped.size === 0) return undefined;
      return value
        .split("\n")
        .filter((_, index) => !dropped.has(index + 1))
        .join("\n");
    });
  }
  return gone;
}

/** Finds the lines with these recall ids, with the entries that they came from. */
export async function linesOfIds(
  { store }: { readonly store: Store },
  userId: string,
  ids: readonly string[],
): Promise<readonly Pick<MemoryLine, "text" | "entryId">[]> {
  const wanted = new Set(ids);
  const found: Pick<MemoryLine, "text" | "entryId">[] = [];
  for (const { key, file } of await filesOf(store, userId)) {
    const value = (await store.get(key))?.value;
    if (typeof value !== "string") continue;
    for (const { text, entryId } of memoryLines(value)) {
      if (!wanted.has(lineIdOf(file, text))) continue;
      const source = sourceOf(entryId);
      found.push({ text, ...(source !== undefined && { entryId: source }) });
    }
  }
  return found;
}

async function filesOf(
  store: Store,
  userId: string,
): Promise<readonly { readonly key: string; readonly file: string }[]> {
  const days = await listKeys(store, `${storeKey("memory", userId, "daily")}/`);
  return [storeKey("memory", userId, "MEMORY.md"), ...days].map((key) => ({
    key,
    file: key.slice(key.indexOf("/", "memory/".length) + 1),
  }));
}

/** Decodes an entry's id from the form that stands behind a line. */
function sourceOf(entryId: string | undefined): string | undefined {
  return entryId === undefined ? undefined : readLine(`x <!-- ${entryId} -->`).id;
}
