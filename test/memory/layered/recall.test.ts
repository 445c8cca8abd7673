import { describe, expect, it } from "vitest";
import { createMemory, type NewMemory } from "../../../src/memory/index.ts";
import { memoryStore, storeKey } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { platform } from "../../support/this-platform.ts";

function setUp() {
  const store = memoryStore();
  const clock = fakeClock(Date.UTC(2026, 1, 8, 12));
  const memory = createMemory({ yaml: platform.yaml, store, clock });
  const recall = async (text: string, more: object = {}) =>
    (await memory.recall({ userId: "@a", text, ...more })).map(({ layer, entry }) => `${layer}: ${entry.content}`);
  return {
    store,
    clock,
    memory,
    recall,
    save: (content: string, more: Partial<NewMemory> = {}) => memory.save({ userId: "@a", content, ...more }),
    longTerm: (text: string, userId = "@a") => store.put(storeKey("memory", userId, "MEMORY.md"), text),
    digest: (day: string, text: string) => store.put(storeKey("memory", "@a", "daily", `${day}.md`), text),
  };
}

const FACTS = `---
updated: 2026-02-01
---
# About me

## User Preferences

- Prefers oat milk in coffee
- The dog is called Rex

## Work

Deploys happen on Tuesday mornings <!-- a comment -->
\`\`\`
coffee machine code
\`\`\`
`;

describe("recall over the layers", () => {
  it("gives lines of MEMORY.md, then of the digests, then entries, each best first", async () => {
    const { recall, longTerm, digest, save, memory } = setUp();
    await longTerm(FACTS);
    await digest(
      "2026-02-07",
      "---\ndate: 2026-02-07\n---\n## Facts and decisions\n\n- Bought a coffee grinder for oat flakes and milk\n",
    );
    await save("Coffee with milk at the office was bad");
    await save("The milk is in the fridge");
    expect(await recall("milk in my coffee")).toEqual([
      "long_term: Prefers oat milk in coffee",
      "daily: Bought a coffee grinder for oat flakes and milk",
      "entry: Coffee with milk at the office was bad",
      "entry: The milk is in the fridge",
    ]);
    const hits = await memory.recall({ userId: "@a", text: "milk in my coffee" });
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(hits[0]).toMatchObject({
      entry: { userId: "@a", slots: { type: "long_term", source: "MEMORY.md", line: 8, section: "User Preferences" } },
    });
    expect(hits[1]).toMatchObject({
      entry: { createdAt: new Date("2026-02-07T12:00:00Z"), slots: { type: "daily_digest" } },
    });
  });

  it("gives of a line of MEMORY.md the day on which it was last said, where it ends with one", async () => {
    const { memory, longTerm } = setUp();
    await longTerm("- Likes oolong tea (2026-01-04)\n- Likes black tea\n");
    const hits = await memory.recall({ userId: "@a", text: "likes tea" });
    expect(Object.fromEntries(hits.map(({ entry: { content, slots } }) => [content, slots["day"]]))).toEqual({
      "Likes black tea": undefined,
      "Likes oolong tea": "2026-01-04",
    });
  });

  it("gives lines two of five places at most, and one when there is only one", async () => {
    const { recall, longTerm, save } = setUp();
    await longTerm(["green tea", "black tea", "white tea", "red tea"].map((tea) => `- Likes ${tea}\n`).join(""));
    for (let n = 0; n < 6; n++) await save(`Likes tea number ${n}`);
    const layers = async (limit: number) => (await recall("likes tea", { limit })).map((hit) => hit.split(":")[0]);
    expect(await layers(5)).toEqual(["long_term", "long_term", "entry", "entry", "entry"]);
    expect(await layers(1)).toEqual(["long_term"]);
    expect(await layers(4)).toEqual(["long_term", "entry", "entry", "entry"]);
  });

  it("lets no line in front that shares one common word only", async () => {
    const { recall, longTerm, save } = setUp();
    await longTerm("- Caroline prefers tea\n- Caroline works in Malmö\n- Caroline is forty\n");
    for (let n = 0; n < 5; n++) await save(`Caroline painted a horse, take ${n}`);
    expect((await recall("What did Caroline paint?")).map((hit) => hit.split(":")[0])).toEqual(
      Array.from({ length: 5 }, () => "entry"),
    );
    expect((await recall("Where does Caroline work?"))[0]).toBe("long_term: Caroline works in Malmö");
  });

  it("finds lines in Chinese", async () => {
    const { recall, longTerm, save } = setUp();
    await longTerm("- 最喜欢的饮料是乌龙茶\n- 狗的名字叫小黑\n");
    await save("今天喝了咖啡");
    expect((await recall("我最喜欢喝什么茶"))[0]).toBe("long_term: 最喜欢的饮料是乌龙茶");
    expect((await recall("狗叫什么名字"))[0]).toBe("long_term: 狗的名字叫小黑");
  });

  it("lets a digest's line yield to its entry, and says nothing twice", async () => {
    const { recall, longTerm, digest, save } = setUp();
    const entry = await save("Decided to use Postgres for the ledger");
    await digest(
      "2026-02-07",
      `## Facts and decisions\n\n- Postgres for the ledger was decided <!-- ${entry.id} -->\n- The  launch is in MAY\n`,
    );
    await longTerm("* [x] The launch is in May\n");
    await save("The launch is in May");
    expect(await recall("Postgres ledger")).toEqual(["entry: Decided to use Postgres for the ledger"]);
    expect(await recall("when is the launch")).toEqual(["long_term: The launch is in May"]);
  });

  it("takes digests of the last seven days only", async () => {
    const { recall, digest } = setUp();
    await digest("2026-01-20", "- Saw a heron by the lake\n");
    expect(await recall("heron lake")).toEqual([]);
    await digest("2026-02-02", "- Saw a heron by the lake\n## Tool use\n- heron × 5\n");
    const { recall: anew } = setUp();
    expect(await anew("heron lake")).toEqual([]);
    const later = setUp();
    await later.digest("2026-02-02", "- Saw a heron by the lake\n## Tool use\n- heron × 5\n");
    expect(await later.recall("heron lake")).toEqual(["daily: Saw a heron by the lake"]);
  });

  it("leaves lines out when slots or a time are asked for, unless they are named", async () => {
    const { recall, longTerm, digest, save } = setUp();
    await longTerm("- Likes tea\n");
    await digest("2026-02-07", "- Drank tea\n");
    await save("tea in a note", { slots: { type: "note" } });
    expect(await recall("tea", { slots: { type: "note" } })).toEqual(["entry: tea in a note"]);
    expect(await recall("tea", { slots: { type: "long_term" } })).toEqual(["long_term: Likes tea"]);
    expect(await recall("tea", { since: Date.UTC(2026, 1, 7) })).toEqual(["daily: Drank tea", "entry: tea in a note"]);
  });

  it("never gives a workflow trace", async () => {
    const { recall, save } = setUp();
    await save("deploy: build, test, push", { slots: { type: "workflow_trace" } });
    expect(await recall("deploy build")).toEqual([]);
    expect(await recall("")).toEqual([]);
    expect(await recall("deploy", { slots: { type: "workflow_trace" } })).toEqual([]);
  });

  it("counts how long it took, also when it failed", async () => {
    const metrics = createMetrics();
    const clock = fakeClock();
    const memory = createMemory({ yaml: platform.yaml, store: memoryStore(), clock, metrics });
    await memory.recall({ userId: "@a", text: "tea" });
    await expect(memory.recall({ userId: "@a", text: "tea", limit: 0 })).rejects.toThrow("Invalid limit");
    expect(metrics.text()).toContain("memory_recall_latency_seconds_count 2");
  });

  it("asks the archive for nothing that is past its time", async () => {
    const { recall, save, memory, clock } = setUp();
    const coupon = await save("The coupon of the pool is papaya", { expiresAt: clock.now() + 1000 });
    const { id } = await save("The locker of the pool is kiwi");
    await memory.entries.archive("@a", [id, coupon.id], { reason: "age" });
    expect(await recall("coupon papaya")).toEqual(["archive: The coupon of the pool is papaya"]);
    clock.step(1000);
    expect(await recall("coupon papaya")).toEqual([]);
    await memory.settled();
    expect(await recall("coupon papaya")).toEqual([]);
    expect(await recall("locker kiwi pool")).toEqual(["archive: The locker of the pool is kiwi"]);
  });

  it("ranks what was archived for its age with the rest, a little lower", async () => {
    const { recall, save, memory } = setUp();
    const wifi = await save("The wifi password of the cabin is salmon");
    await memory.entries.archive("@a", [wifi.id], { reason: "age" });
    await save("Repaired the roof of the cabin");
    expect(await recall("wifi password of the cabin")).toEqual([
      "archive: The wifi password of the cabin is salmon",
      "entry: Repaired the roof of the cabin",
    ]);
    expect(await recall("cabin roof")).toEqual([
      "entry: Repaired the roof of the cabin",
      "archive: The wifi password of the cabin is salmon",
    ]);
    const newer = await save("The boat lies at pier nine");
    await memory.entries.archive("@a", [newer.id], { reason: "age" });
    await save("The boat lies at pier two");
    expect((await recall("boat pier"))[0]).toBe("entry: The boat lies at pier two");
  });

  it.each(["expired", "merged", "superseded", "asked"] as const)(
    "never recalls what was archived as %s",
    async (reason) => {
      const { recall, save, memory } = setUp();
      const { id } = await save("I live in Oslo");
      await memory.entries.archive("@a", [id], { reason });
      await save("I live in Bergen");
      expect(await recall("where do I live, Oslo?")).toEqual(["entry: I live in Bergen"]);
    },
  );

  it("tells by their times why files of earlier versions lie in the archive", async () => {
    const { recall, save, memory, clock, store } = setUp();
    const old = await save("The attic holds the skis", { createdAt: clock.now() - 100 * 86_400_000 });
    const put = await save("The cellar holds the sledge");
    for (const { id } of [old, put]) {
      await memory.entries.archive("@a", [id], { reason: "age" });
      const key = storeKey("memory", "@a", "archive", `${id}.md`);
      const text = (await store.get(key))?.value;
      await store.put(key, typeof text === "string" ? text.replace(/archived_reason: .*\n/, "") : "");
    }
    clock.step(2000);
    expect(await recall("attic skis")).toEqual(["archive: The attic holds the skis"]);
    expect(await recall("cellar sledge")).toEqual([]);
  });

  it("is quick about a person of whom there is nothing, and writes nothing", async () => {
    const { recall, store, memory } = setUp();
    expect(await recall("anything")).toEqual([]);
    expect(await recall("")).toEqual([]);
    await memory.settled();
    const keys: string[] = [];
    for await (const { key } of store.list("")) keys.push(key);
    expect(keys).toEqual([]);
  });

  it("counts an edit by hand within two seconds", async () => {
    const { recall, longTerm, digest, clock, store, save } = setUp();
    await longTerm("- Likes tea\n");
    const { id } = await save("Plays the violin");
    expect(await recall("drink tea")).toEqual(["long_term: Likes tea"]);
    await longTerm("- Likes rooibos\n");
    await digest("2026-02-08", "- Went to the opera\n");
    const key = storeKey("memory", "@a", "entries", `${id}.md`);
    const before = (await store.get(key))?.value;
    await store.put(key, typeof before === "string" ? before.replace("violin", "cello") : "");
    await store.put(storeKey("memory", "@a", "entries", "by-hand.md"), "Owns a red bicycle\n");
    clock.step(2000);
    expect(await recall("rooibos")).toEqual(["long_term: Likes rooibos"]);
    expect(await recall("likes tea")).toEqual(["long_term: Likes rooibos"]);
    expect(await recall("opera")).toEqual(["daily: Went to the opera"]);
    expect(await recall("cello")).toEqual(["entry: Plays the cello"]);
    expect(await recall("violin")).toEqual([]);
    expect(await recall("bicycle")).toEqual(["entry: Owns a red bicycle"]);
    await store.remove(key);
    clock.step(2000);
    expect(await recall("cello")).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("updates an entry as it is now, and only what is given", async () => {
    const { memory, store, save, clock } = setUp();
    const saved = await save("Likes tea", { keywords: ["drink"], expiresAt: "2027-01-01" });
    const key = storeKey("memory", "@a", "entries", `${saved.id}.md`);
    await store.put(key, "Likes rooibos\n");
    clock.step(1);
    expect(await memory.update("@a", saved.id, { keywords: ["hot"] })).toMatchObject({
      content: "Likes rooibos",
      keywords: ["hot"],
    });
    await store.put(key, "Likes cocoa\n");
    expect(await memory.update("@a", saved.id, { content: "Likes milk" })).toMatchObject({ content: "Likes milk" });
    const { expiresAt } = await memory.update("@a", saved.id, { expiresAt: "2026-05-01T10:00" });
    expect(expiresAt).toEqual(new Date("2026-05-01T10:00:00Z"));
    expect(await memory.update("@a", saved.id, { expiresAt: null })).not.toHaveProperty("expiresAt");
    await expect(memory.update("@a", "unknown", { content: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("counts, and reads the files", async () => {
    const { memory, save, longTerm, digest } = setUp();
    const one = await save("one");
    await save("two");
    await memory.archive("@a", [one.id]);
    await longTerm(FACTS);
    await digest("2026-02-07", "- Drank tea\n");
    await digest("2025-01-01", "- Long ago\n");
    expect(await memory.counts("@a")).toEqual({ userId: "@a", entries: 1, archived: 1, days: 2, facts: 3 });
    expect(await memory.read("@a", "MEMORY.md")).toBe(FACTS);
    expect(await memory.read("@a", { day: "2026-02-07" })).toBe("- Drank tea\n");
    expect(await memory.read("@a", { day: "2026-02-06" })).toBe(undefined);
    await expect(memory.read("@a", { day: "../x" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it.each([
    ["content", { content: " \n" }],
    ["content", { content: "x".repeat(32_769) }],
    ["content", { content: "茶".repeat(11_000) }],
    ["keywords", { keywords: Array.from({ length: 65 }, () => "a") }],
    ["keywords", { keywords: ["a".repeat(129)] }],
    ["slots", { slots: { a: "x".repeat(8192) } }],
    ["slots", { slots: [] as never }],
    ["id", { id: "" }],
    ["id", { id: "a".repeat(201) }],
    ["userId", { userId: "" }],
    ["userId", { userId: "a".repeat(601) }],
    ["createdAt", { createdAt: "yesterday" }],
    ["updatedAt", { updatedAt: Number.NaN }],
    ["expiresAt", { expiresAt: new Date(Number.NaN) }],
  ])("refuses an entry whose %s does not fit, and names it", async (field, wrong) => {
    const { memory } = setUp();
    await expect(memory.save({ userId: "@a", content: "x", ...wrong })).rejects.toMatchObject({
      code: "OPTION_INVALID",
      message: expect.stringContaining(`Invalid ${field}: expected`),
    });
  });

  it("remembers for whoever has a name of 512 characters on a platform, as conversations may have", async () => {
    const { memory } = setUp();
    const userId = `group:telegram:${"s".repeat(512)}`;
    await memory.save({ userId, content: "The harbour is closed on Mondays" });
    expect(await memory.recall({ userId, text: "harbour" })).toHaveLength(1);
  });

  it("takes what just fits", async () => {
    const { memory } = setUp();
    const content = "x".repeat(32_768);
    const keywords = Array.from({ length: 64 }, () => "a".repeat(128));
    const saved = await memory.save({ userId: "@a", content, keywords, id: "a".repeat(200), createdAt: 1 });
    expect(await memory.get("@a", saved.id)).toEqual(saved);
    expect(saved).toMatchObject({ createdAt: new Date(1), updatedAt: new Date(1) });
    await expect(memory.recall({ userId: "@a", text: "x", limit: 101 })).rejects.toMatchObject({
      code: "OPTION_INVALID",
    });
  });

  it("gives each person what is theirs", async () => {
    const { recall, longTerm, save } = setUp();
    await longTerm("- Likes tea\n", "@ab");
    await save("tea of another", { userId: "telegram:1" });
    expect(await recall("tea")).toEqual([]);
  });
});

describe("what a person states as lasting", () => {
  const DAY = 86_400_000;
  it.each([
    ["as capture marks it", { type: "statement", kind: "fact", lasting: true }],
    ["as earlier versions kept it", { type: "statement", kind: "fact" }],
    ["as a program saved it", {}],
  ])("answers before what happened lately, %s", async (_, slots) => {
    const { recall, save, clock } = setUp();
    const daysAgo = (days: number) => ({ createdAt: clock.now() - days * DAY });
    await save("My dentist is Dr. Larsen", { slots, ...daysAgo(100) });
    for (let note = 0; note < 20; note++) await save(`Note ${note} about the garden`, daysAgo(note));
    await save("I went to the dentist on Monday", daysAgo(2));
    const [first, second] = await recall("who is my dentist?");
    expect([first, second]).toEqual(["entry: My dentist is Dr. Larsen", "entry: I went to the dentist on Monday"]);
  });

  it("does not come before what fits much better", async () => {
    const { recall, save } = setUp();
    await save("My dentist is Dr. Larsen");
    await save("The dentist's bill of March was 80 euros", { slots: { type: "auto_capture" } });
    expect((await recall("dentist bill of March"))[0]).toBe("entry: The dentist's bill of March was 80 euros");
  });
});

describe("an index that was kept while nothing ran", () => {
  it("has at the first recall what people put there meanwhile", async () => {
    const { recall, save, memory, store, clock } = setUp();
    await save("Plays the violin");
    await memory.settled();
    await memory.close();
    await store.put(storeKey("memory", "@a", "entries", "Kitchen.md"), "The kettle is blue\n");
    const again = createMemory({ yaml: platform.yaml, store, clock });
    const found = await again.recall({ userId: "@a", text: "kettle" });
    expect(found.map(({ entry }) => entry.content)).toEqual(["The kettle is blue"]);
    expect(await recall("violin")).toEqual(["entry: Plays the violin"]);
    await again.close();
  });
});
