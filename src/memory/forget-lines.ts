import { type Store, storeKey } from "../store/index.ts";
import { lineHash, readLine } from "./days/lines.ts";
import { rewrite } from "./days/state.ts";
import { lineIdOf, memoryLines } from "./memory-lines.ts";

/** What is to go: lines by the ids that recall gave them, and lines that stand for entries, by the entries' ids and texts. */
export interface ForgottenLines {
  readonly ids: readonly string[];
  readonly texts: readonly string[];
}

/**
 * Takes lines out of MEMORY.md and of the digests; everything else in these files stays byte for byte. What is gone is not added again, as with a line that a
 * person deleted.
 *
 * @returns The ids of lines that went.
 */
export async function forgetLines(
  { store }: { readonly store: Store },
  userId: string,
  { ids, texts }: ForgottenLines,
): Promise<ReadonlySet<string>> {
  const wanted = new Set(ids);
  const hashes = new Set(texts.map(lineHash));
  const gone = new Set<string>();
  const keys = [storeKey("memory", userId, "MEMORY.md")];
  for await (const { key } of store.list(`${storeKey("memory", userId, "daily")}/`)) keys.push(key);
  for (const key of keys) {
    const file = key.slice(key.indexOf("/", "memory/".length) + 1);
    await rewrite(store, key, (value) => {
      if (typeof value !== "string") return undefined;
      const dropped = new Set<number>();
      for (const { line, text, entryId } of memoryLines(value)) {
        const id = lineIdOf(file, text);
        const stands = entryId !== undefined && wanted.has(readLine(`x <!-- ${entryId} -->`).id ?? "");
        if (!wanted.has(id) && !stands && !hashes.has(lineHash(text))) continue;
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
