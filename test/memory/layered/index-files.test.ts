import { describe, expect, it } from "vitest";
import { createIndexFiles } from "../../../src/memory/index-files.ts";
import { createKeywordIndex, openKeywordIndex } from "../../../src/memory/index.ts";
import { INDEX_VERSION } from "../../../src/memory/keyword/segment.ts";
import { type LogRecord, memoryStore } from "../../../src/store/index.ts";
import { NOON, entry } from "../keyword/documents.ts";

/** Files of one index, and how many indexes they made. */
function indexFiles() {
  const made = { count: 0 };
  const create = () => {
    made.count += 1;
    return createKeywordIndex();
  };
  const store = memoryStore();
  const removed: string[] = [];
  const watched = {
    ...store,
    remove: (key: string) => {
      removed.push(key.slice(key.lastIndexOf("/") + 1));
      return store.remove(key);
    },
  };
  const files = createIndexFiles(watched, [".index", "memory", "u", "entries"], {
    version: INDEX_VERSION,
    create,
    open: openKeywordIndex,
  });
  return { files, made, removed, store };
}

describe("the files of an index", () => {
  it("make no index for somebody of whom there is none: the caller makes his own", async () => {
    const { files, made } = indexFiles();
    expect(await files.load()).toBeUndefined();
    expect(made.count).toBe(0);
  });

  it("make one of what was logged before the first seal", async () => {
    const { files, made } = indexFiles();
    await files.append([{ put: entry("a1", "She paints") }]);
    const index = await files.load();
    expect(index?.search({ text: "painting", nowMs: NOON, limit: 5 }).map(({ id }) => id)).toEqual(["a1"]);
    expect(made.count).toBe(1);
  });

  it.each([
    ["of another version", [{ v: INDEX_VERSION - 1 }, { put: entry("a1", "She paints") }]],
    ["that tells no version", [{ put: entry("a1", "She paints") }]],
  ])("make none of a log %s: what it lacks would be missed", async (_, records) => {
    const { files, made, store } = indexFiles();
    await store.append(".index/memory/u/entries/log-0.jsonl", records as readonly LogRecord[]);
    expect(await files.load()).toBeUndefined();
    expect(made.count).toBe(0);
    await files.clear();
    await files.append([{ put: entry("a2", "He paints", { expiresAtMs: NOON - 1 }) }]);
    await files.append([{ put: entry("a3", "They paint") }]);
    const index = await files.load();
    expect([...(index?.ids() ?? [])]).toEqual(["a2", "a3"]);
    expect(index?.get("a2")?.expiresAtMs).toBe(NOON - 1);
  });

  it("remove nothing where nothing is, and else the log first and the manifest next", async () => {
    const { files, removed } = indexFiles();
    await files.clear();
    expect(removed).toEqual([]);

    const index = createKeywordIndex();
    index.add(entry("a1", "She paints"));
    await files.append([{ put: entry("a1", "She paints") }]);
    await files.seal(index);
    removed.length = 0;
    await files.clear();
    expect(removed).toEqual(["manifest.json", expect.stringMatching(/^segment-/)]);
    expect(await files.load()).toBeUndefined();

    await files.append([{ put: entry("a2", "He sings") }]);
    removed.length = 0;
    await files.clear();
    expect(removed).toEqual(["log-0.jsonl"]);
  });
});
