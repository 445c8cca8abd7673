import { describe, expect, it } from "vitest";
import { type ContextFile, appendEntry, createPeopleNotes, patchSection } from "../../src/people/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const PEER: ContextFile = { identity: "main", file: "peers/PEER", id: "telegram:42" };
const PEER_KEY = "contexts/main/peers/telegram:42/PEER.md";
const says = (text: string) => (before: string) => appendEntry(before, { day: undefined, text });

function setUp(store: Store = memoryStore()) {
  const clock = fakeClock();
  return { store, clock, notes: createPeopleNotes({ store, clock, redact: (value) => value }) };
}

describe("createPeopleNotes()", () => {
  it.each([
    [PEER, PEER_KEY],
    [{ identity: "main", file: "groups/MY_ROLE", id: "telegram:-1" }, "contexts/main/groups/telegram:-1/MY_ROLE.md"],
    [{ identity: "a/b", file: "identity/MEMORY" }, "contexts/a%2Fb/identity/MEMORY.md"],
    [
      { identity: "main", file: "peers/MEMORY", id: "x:../../y%2f" },
      "contexts/main/peers/x:..%2F..%2Fy%252f/MEMORY.md",
    ],
  ] as const)("keeps %o in a file of its own: %s", async (file, key) => {
    const { store, notes } = setUp();
    expect(await notes.read(file)).toBe("");
    expect(await notes.edit(file, says("a"))).toEqual({ changed: true });
    expect((await store.get(key))?.value).toBe("- a\n");
    expect(await notes.edit(file, says("a"))).toEqual({ changed: false });
  });

  it("writes over nobody: edits at once are all kept, and so is what a person wrote in between", async () => {
    const { store, notes } = setUp();
    await store.put(PEER_KEY, "# Mine\r\n");
    await Promise.all([1, 2, 3, 4].map((n) => notes.edit(PEER, says(`n${n}`))));
    await notes.edit(PEER, (text) => {
      if (!text.includes("by hand")) void store.put(PEER_KEY, `${text}by hand\r\n`);
      return patchSection(text, "Notes", "x");
    });
    const text = await notes.read(PEER);
    for (const part of [
      "# Mine\r\n",
      "- n1\r\n",
      "- n2\r\n",
      "- n3\r\n",
      "- n4\r\n",
      "by hand\r\n",
      "## Notes\r\n\r\nx",
    ])
      expect(text).toContain(part);
  });

  it("takes lines out of a group's files, and leaves one that is no text as it is", async () => {
    const { store, notes } = setUp();
    const key = (name: string) => `contexts/main/groups/telegram:-1/${name}.md`;
    await store.put(key("GROUP"), null);
    await store.put(key("MEMORY"), "- hers\n- his\n");
    await notes.forgetLines("telegram:-1", (line) => line === "hers");
    expect((await store.get(key("MEMORY")))?.value).toBe("- his\n");
    expect((await store.get(key("GROUP")))?.value).toBeNull();
  });

  it("gives up a file that others keep on writing, and says when one is full", async () => {
    const { store, notes } = setUp();
    let count = 0;
    const edit = notes.edit(PEER, (text) => {
      void store.put(PEER_KEY, `${(count += 1)}`);
      return { text: `${text}x` };
    });
    await expect(edit).rejects.toMatchObject({ code: "CONFLICT" });
    expect(count).toBe(8);
    expect(await notes.edit(PEER, () => ({ text: "x".repeat(65_537) }))).toEqual({
      error: "the file is full: shorten a section first",
    });
  });

  it("shows what it wrote at once, and an edit by hand at the next look after 1.5 seconds", async () => {
    const { store, clock, notes } = setUp();
    expect(notes.shown(PEER)).toBeUndefined();
    await notes.edit(PEER, says("a"));
    expect(notes.shown(PEER)).toBe("- a\n");
    await store.put(PEER_KEY, "by hand");
    await notes.refresh([PEER]);
    expect(notes.shown(PEER)).toBe("- a\n");
    await clock.advance(1500);
    await notes.refresh([PEER]);
    expect(notes.shown(PEER)).toBe("by hand");
    await store.remove(PEER_KEY);
    await clock.advance(1500);
    await notes.refresh([PEER]);
    expect(notes.shown(PEER)).toBeUndefined();
  });

  it("does not take what cannot be read for nothing", async () => {
    const { store, notes } = setUp();
    await store.put(PEER_KEY, { not: "a text" });
    await expect(notes.edit(PEER, says("a"))).rejects.toMatchObject({ code: "STORE_UNSUITABLE" });
    expect((await store.get(PEER_KEY))?.value).toEqual({ not: "a text" });
  });

  it("lets go of what it keeps in memory", async () => {
    const { notes } = setUp();
    await notes.edit(PEER, says("a"));
    notes.drop();
    expect(notes.shown(PEER)).toBeUndefined();
    await notes.refresh([PEER]);
    expect(notes.shown(PEER)).toBe("- a\n");
  });
});
