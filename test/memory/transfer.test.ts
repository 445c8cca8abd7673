import { describe, expect, it } from "vitest";
import { createMemoryPart } from "../../src/memory/index.ts";
import type { MemoryApi } from "../../src/memory/index.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { memoryStore, storeKey } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { platform } from "../support/this-platform.ts";

/** Memories where `telegram:9` is the linked person `@lin`. */
function setUp() {
  const clock = fakeClock();
  const store = memoryStore();
  const canonicalUser = (userId: string) => (userId === "telegram:9" ? "@lin" : userId);
  const own = createMemory({ yaml: platform.yaml, store, clock });
  const none = () => Promise.reject(new Error("not asked for"));
  const memory: MemoryApi = {
    ...own,
    save: (entry) => own.save({ ...entry, userId: canonicalUser(entry.userId) }),
    get: (userId, id) => own.get(canonicalUser(userId), id),
    list: (userId, options) => own.list(canonicalUser(userId), options),
    ...{ digest: none, extract: none, tidy: none, forget: none },
  };
  return {
    clock,
    store,
    ...createMemoryPart({ memory, archive: own.entries, store, canonicalUser, importFiles: none }),
    entries: own.entries,
    fileProblems: own.problems,
  };
}

async function linesOf({ export: exported }: ReturnType<typeof setUp>, userId?: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of await exported(userId === undefined ? {} : { userId })) lines.push(line);
  return lines;
}

describe("an import", () => {
  it("leaves what was changed since it was taken out, and names it", async () => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "lives in Rome" });
    await t.save({ userId: "@lin", id: "b", content: "likes tea" });
    const before = await linesOf(t);
    await t.clock.advance(1000);
    await t.update("@lin", "a", { content: "lives in Oslo" });
    expect(await t.import(before, {})).toMatchObject({ entries: 0, unchanged: 1, kept: ["a"] });
    expect((await t.get("@lin", "a"))?.content).toBe("lives in Oslo");
    // In another memory it is taken in as it was.
    expect(await t.import(before, { userId: "@ann" })).toMatchObject({ entries: 2, kept: [] });
    expect((await t.get("@ann", "a"))?.content).toBe("lives in Rome");
  });

  it("of the same lines again changes nothing, and says so", async () => {
    const t = setUp();
    await t.save({
      userId: "@lin",
      id: "a",
      content: "lives in Rome",
      keywords: ["city"],
      slots: { type: "note", n: 1 },
    });
    await t.save({ userId: "@lin", id: "b", content: "likes tea" });
    await t.archive("@lin", ["b"]);
    await t.files.write("@lin", "MEMORY.md", "- tea\n", { expect: null });
    const lines = await linesOf(t);
    const other = setUp();
    expect(await other.import(lines, {})).toEqual({ entries: 2, files: 1, unchanged: 0, kept: [], users: ["@lin"] });
    expect(await linesOf(other)).toEqual(lines);
    await other.clock.advance(1000);
    expect(await other.import(lines, {})).toEqual({ entries: 0, files: 0, unchanged: 3, kept: [], users: ["@lin"] });
    expect(await linesOf(other)).toEqual(lines);
  });

  it("brings back what was archived for its age, and keeps out what was archived for another reason", async () => {
    const t = setUp();
    for (const [id, content] of [
      ["a", "booked the sauna cabin"],
      ["b", "painted the sauna"],
      ["c", "sold the sauna"],
    ] as const)
      await t.save({ userId: "@lin", id, content });
    await t.entries.archive("@lin", ["a"], { reason: "age" });
    await t.entries.archive("@lin", ["b"], { into: "c" });
    await t.entries.archive("@lin", ["c"]);
    const lines = await linesOf(t);
    const other = setUp();
    await other.import(lines, {});
    expect(await linesOf(other)).toEqual(lines);
    expect(await other.entries.archivedAs?.("@lin", "b")).toEqual({ reason: "merged", into: "c" });
    const found = await other.recall({ userId: "@lin", text: "sauna" });
    expect(found.map(({ layer, entry }) => `${layer}: ${entry.content}`)).toEqual(["archive: booked the sauna cabin"]);
    const wrong = lines.map((line) => line.replace('"archived_reason":"age"', '"archived_reason":"why not"'));
    await expect(setUp().import(wrong, {})).rejects.toThrow(/line \d: expected one of age, .* as archived_reason/);
  });

  it("leaves in recall what was restored since", async () => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "likes tea" });
    await t.archive("@lin", ["a"]);
    const lines = await linesOf(t);
    await t.clock.advance(1000);
    await t.restore("@lin", ["a"]);
    expect(await t.import(lines, {})).toMatchObject({ entries: 0, unchanged: 0, kept: ["a"] });
    expect((await t.recall({ userId: "@lin", text: "tea" })).map(({ entry }) => entry.content)).toEqual(["likes tea"]);
  });

  it("leaves in recall what was moved there by hand", async () => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "likes tea" });
    await t.archive("@lin", ["a"]);
    const lines = await linesOf(t);
    const keyIn = (folder: string) => storeKey("memory", "@lin", folder, "a.md");
    const file = await t.store.get(keyIn("archive"));
    await t.store.put(keyIn("entries"), file!.value);
    await t.store.remove(keyIn("archive"));
    await t.clock.advance(5000);
    expect(await t.import(lines, {})).toMatchObject({ entries: 0, kept: ["a"] });
    expect(await t.entries.get("@lin", "a", { archived: false })).toMatchObject({ content: "likes tea" });
  });

  it("finishes one that ended between an entry and its archive", async () => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "likes tea" });
    await t.archive("@lin", ["a"]);
    const lines = await linesOf(t);
    const other = setUp();
    const cutOff = lines.map((line) => line.replace('"archived":true,', ""));
    await other.import(cutOff, {});
    expect(await other.import(lines, {})).toMatchObject({ entries: 1, unchanged: 0 });
    expect(await linesOf(other)).toEqual(lines);
  });

  it("names the line and the entry that it cannot take in, and `problems` the file that would make one", async () => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "likes tea" });
    const key = storeKey("memory", "@lin", "entries", "aa notes.md");
    await t.store.put(key, "zz ".repeat(12_000));
    await t.clock.advance(2000);
    expect(await t.fileProblems("@lin")).toEqual([
      { userId: "@lin", key, line: 1, message: expect.stringMatching(/at most 32768 bytes, got 36000/) as string },
    ]);
    const lines = await linesOf(t);
    const at = 1 + lines.findIndex((line) => line.includes("aa notes"));
    await expect(setUp().import(lines, {})).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringMatching(new RegExp(`line ${at}: entry "aa notes": .*32768`)) as string,
    });
  });

  it("has the days that there are, and `problems` names a file whose name is no day", async () => {
    const t = setUp();
    const key = storeKey("memory", "@lin", "daily", "2026-02-30.md");
    for (const day of ["2026-02-28", "2026-02-30"])
      await t.store.put(storeKey("memory", "@lin", "daily", `${day}.md`), "- tea\n");
    const files = (await linesOf(t)).map((line) => (JSON.parse(line) as { file: string }).file);
    expect(files).toEqual(["2026-02-28"]);
    expect(await t.fileProblems("@lin")).toMatchObject([
      { key, line: 1, message: expect.stringContaining("rename it") },
    ]);
  });

  it("and an export mean a linked person by any of their ids, files too", async () => {
    const t = setUp();
    const lines = [{ v: 1, type: "file", user_id: "telegram:9", file: "MEMORY.md", text: "- tea\n" }];
    await t.import(
      lines.map((line) => JSON.stringify(line)),
      {},
    );
    expect((await t.store.get(storeKey("memory", "@lin", "MEMORY.md")))?.value).toBe("- tea\n");
    expect(await t.store.get(storeKey("memory", "telegram:9", "MEMORY.md"))).toBeNull();
    expect((await t.files.read("telegram:9", "MEMORY.md"))?.text).toBe("- tea\n");
    expect(JSON.parse((await linesOf(t, "telegram:9"))[0] ?? "")).toMatchObject({ user_id: "@lin", text: "- tea\n" });
  });

  it.each(["..", "../@lin", "a/b", "@lin/..", "%2e%2e"])("to %j goes to that name and nowhere else", async (userId) => {
    const t = setUp();
    await t.save({ userId: "@lin", id: "a", content: "likes tea" });
    const entry = { v: 1, type: "entry", id: "../a", content: "evil", created_at: "2026-01-01T00:00:00Z" };
    const file = { v: 1, type: "file", file: "MEMORY.md", text: "evil" };
    await t.import(
      [entry, file].map((line) => JSON.stringify({ ...line, user_id: userId })),
      {},
    );
    expect((await t.get(userId, "../a"))?.content).toBe("evil");
    expect(await t.counts("@lin")).toMatchObject({ entries: 1, facts: 0 });
    const other = JSON.stringify({ ...file, user_id: userId, file: "../MEMORY.md" });
    await expect(t.import([other], {})).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });
});
