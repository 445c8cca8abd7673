import { describe, expect, it } from "vitest";
import { openEntryFolder } from "../../../src/memory/entry-folder.ts";
import { createIndexFiles } from "../../../src/memory/index-files.ts";
import { createKeywordIndex, openKeywordIndex } from "../../../src/memory/index.ts";
import { INDEX_VERSION } from "../../../src/memory/keyword/segment.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { platform } from "../../support/this-platform.ts";
import { NOON, entry } from "../keyword/documents.ts";

async function openFolder() {
  const store = memoryStore();
  const read: string[] = [];
  const create = () => {
    const index = createKeywordIndex();
    return {
      ...index,
      get(id: string) {
        read.push(id);
        return index.get(id);
      },
    };
  };
  const base = [".index", "memory", "u", "entries"];
  const files = createIndexFiles(store, base, { version: INDEX_VERSION, create, open: openKeywordIndex });
  const folder = await openEntryFolder({
    store,
    clock: fakeClock(),
    yaml: platform.yaml,
    userId: "u",
    folder: "entries",
    files,
    createIndex: create,
    onProblem: () => {},
    onUnwritten: () => {},
  });
  return { folder, read };
}

describe("a folder of entries", () => {
  const at = (id: string, createdAtMs: number) => ({ put: entry(id, id, { createdAtMs }) });
  const ids = (places: readonly (readonly [number, string])[]) => places.map(([, id]) => id);

  it("stays in the order of its times, whatever comes, changes and goes", async () => {
    const { folder } = await openFolder();
    await folder.note([at("b", NOON), at("a", NOON), at("d", NOON - 1)]);
    expect(ids(folder.newestFirst())).toEqual(["b", "a", "d"]);
    await folder.note([at("c", NOON + 1), at("a", NOON - 2), { gone: "d" }]);
    await folder.note([{ gone: "x" }, at("d", NOON), at("e", NOON - 9), { gone: "e" }]);
    expect(ids(folder.newestFirst())).toEqual(["c", "d", "b", "a"]);
    await folder.note([{ gone: "a" }]);
    expect(ids(folder.newestFirst())).toEqual(["c", "d", "b"]);
  });

  it("reads none of the others again when one comes", async () => {
    const { folder, read } = await openFolder();
    await folder.note([at("a", NOON), at("b", NOON + 1)]);
    folder.newestFirst();
    read.length = 0;
    await folder.note([at("c", NOON + 2)]);
    expect(ids(folder.newestFirst())).toEqual(["c", "b", "a"]);
    expect(read).toEqual(["c"]);
  });
});
