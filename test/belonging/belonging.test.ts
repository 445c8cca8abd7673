import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { MemoryStore } from "../../kit.ts";
import { unfinishedMoves } from "../../src/belonging/index.ts";
import { createLayeredStore } from "../../src/memory/layered-store.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { meaningEmbedder } from "../memory/semantic/stub-store.ts";
import type { TestAssistantOptions } from "../support/assistant.ts";
import { platform } from "../support/this-platform.ts";
import { until } from "../support/until.ts";
import { ANNA, all, keysIn, setUp } from "./support.ts";

/** The same store in the next process. */
async function restarted(t: Awaited<ReturnType<typeof setUp>>, options: TestAssistantOptions) {
  await t.during(t.assistant.stop());
  return setUp({ store: t.store, clock: t.clock, ...options });
}

describe("when identities are linked", () => {
  it("says in one line what moved, and moves nothing of strangers, groups and other accounts", async () => {
    const session = { dmScope: "per-account-channel-peer" } as const;
    const first = await setUp({ session });
    const others = [
      "telegram:4",
      "telegram:421",
      "telegram@work:42",
      "group:telegram:42",
      "slack:u10",
      "@anna2",
      "@owner",
    ];
    for (const userId of others) await first.save(userId, `of ${userId}`, "same");
    for (const userId of ["telegram:421", "telegram:42"])
      await first.store.put(`contexts/main/peers/${userId}/PEER.md`, `- of ${userId}\n`);
    await first.save("telegram:42", "likes tea", "same");
    await first.save("slack:u1", "likes jazz", "same");
    const t = await restarted(first, { session: { ...session, ...ANNA } });
    expect(await keysIn(t.store, "contexts/")).toEqual([
      "contexts/main/peers/@anna/PEER.md",
      "contexts/main/peers/telegram:421/PEER.md",
    ]);
    expect(await t.contents("@anna")).toEqual(["likes jazz", "likes tea"]);
    for (const userId of others) expect(await t.contents(userId)).toEqual([`of ${userId}`]);
    expect(t.lines.filter((line) => line.includes("under the name now"))).toEqual([
      expect.stringContaining('{"from":"telegram:42","to":"@anna","moved":2}'),
      expect.stringContaining('{"from":"slack:u1","to":"@anna","moved":1}'),
    ]);
    const again = await restarted(t, { session: { ...session, ...ANNA } });
    expect(again.lines.filter((line) => line.includes("under the name now"))).toEqual([]);
    expect(await again.contents("telegram:42")).toEqual(["likes jazz", "likes tea"]);
  });

  it("moves first where a memory is asked for before the start", async () => {
    const first = await setUp();
    await first.save("telegram:42", "likes tea");
    const t = await restarted(first, { session: ANNA, start: false });
    expect(await t.contents("slack:u1")).toEqual(["likes tea"]);
    expect(await t.assistant.memory.files.days("@anna")).toEqual([]);
  });

  it("keeps what an archived entry says of its end, and what a person added to a file", async () => {
    const first = await setUp();
    await first.save("telegram:42", "old", "same");
    await first.save("@anna", "of another", "same");
    await first.assistant.memory.archive("telegram:42", ["same"]);
    const key = "memory/telegram:42/archive/same.md";
    const text = (await first.store.get(key))!.value as string;
    await first.store.put(key, text.replace("archived_at:", "mood: good # by hand\narchived_at:"));
    await first.store.put("memory/telegram:42/entries/kitchen.md", "The kettle is loud.\nuser_id: nobody\n");
    await first.store.put("memory/telegram:42/entries/broken.md", "---\nid: [\n---\nbroken");
    await first.store.put("memory/telegram:42/letter.txt", "Dear Nora");
    const t = await restarted(first, { session: ANNA });
    expect(await t.contents("@anna", true)).toEqual(["old"]);
    const [moved = ""] = await keysIn(t.store, "memory/@anna/archive/");
    const now = (await t.store.get(moved))!.value as string;
    const id = moved.slice("memory/@anna/archive/".length, -3);
    expect(now).toBe(
      text
        .replace("archived_at:", "mood: good # by hand\narchived_at:")
        .replace('id: "same"', `id: "${id}"`)
        .replace('user_id: "telegram:42"', 'user_id: "@anna"'),
    );
    const value = async (name: string) => (await t.store.get(`memory/@anna/${name}`))?.value;
    expect(await value("entries/kitchen.md")).toBe("The kettle is loud.\nuser_id: nobody\n");
    expect(await value("entries/broken.md")).toBe("---\nid: [\n---\nbroken");
    expect(await value("letter.txt")).toBe("Dear Nora");
  });

  it("finds by meaning under the new name, and keeps no vectors under the old one", async () => {
    const embedder = meaningEmbedder(["tea chai", "rain drizzle"]);
    const first = await setUp({ memory: { embedder } });
    await first.save("telegram:42", "likes chai");
    await first.save("@anna", "likes drizzle");
    const isEmbedded = async (t: typeof first, userId: string) =>
      (await keysIn(t.store, `.index/memory/${userId}/vectors/`)).length > 0;
    await until(first.clock, () => isEmbedded(first, "telegram:42"));
    const t = await restarted(first, { memory: { embedder }, session: ANNA });
    expect(await keysIn(t.store, ".index/memory/telegram:42/")).toEqual([]);
    await until(t.clock, async () => {
      const [found] = await t.assistant.memory.recall({ userId: "telegram:42", text: "tea" });
      return found?.entry.content === "likes chai";
    });
  });

  it("tells what cannot be joined, once, keeps it, and moves it when it was mended", async () => {
    const first = await setUp();
    await first.save("telegram:42", "likes tea");
    for (const userId of ["telegram:42", "@anna"])
      await first.store.put(
        `goals/${userId}.yaml`,
        userId === "@anna" ? "goals:\n  - objective: Read\n" : "goals: 7\n",
      );
    const t = await restarted(first, { session: ANNA });
    const isTold = (line: string) => line.includes("could not be moved");
    expect(t.lines.filter(isTold)).toEqual([expect.stringContaining("goals/telegram:42.yaml stays where it is")]);
    expect(await t.contents("@anna")).toEqual(["likes tea"]);
    expect(await unfinishedMoves(t.store)).toMatchObject([{ from: "telegram:42", to: "@anna" }]);
    await t.store.put("goals/telegram:42.yaml", "goals:\n  - objective: Swim\n");
    const mended = await restarted(t, { session: ANNA });
    expect(mended.lines.filter(isTold)).toEqual([]);
    expect(await unfinishedMoves(t.store)).toEqual([]);
    const goals = (await mended.assistant.goals.read({ user: "@anna" }))?.goals.goals;
    expect(goals?.map(({ objective }) => objective)).toEqual(["Read", "Swim"]);
  });

  it("forgets also what could not be moved", async () => {
    const first = await setUp();
    for (const userId of ["telegram:42", "@anna"])
      await first.store.put(`memory/${userId}/MEMORY.md`, userId === "@anna" ? "- tea\n" : new Uint8Array([0xff]));
    const t = await restarted(first, { session: ANNA });
    expect(await keysIn(t.store, "memory/telegram:42/")).toEqual(["memory/telegram:42/MEMORY.md"]);
    await t.during(t.assistant.memory.forget({ userId: "@anna" }));
    expect(await keysIn(t.store, "memory/")).toEqual([]);
    expect(JSON.stringify((await t.store.get("migrations/belonging"))?.value)).not.toContain("42");
  });

  it("moves what came under the old name while links changed", async () => {
    const first = await setUp();
    await first.save("telegram:42", "likes tea");
    const t = await restarted(first, { session: ANNA });
    const text = (await t.store.get("memory/@anna/entries/likes-tea.md"))!.value as string;
    await t.store.put("memory/telegram:42/entries/late.md", text.replace("likes tea", "likes rain"));
    await until(t.clock, async () => (await t.contents("@anna")).length === 2, { stepMs: 5000 });
    await t.store.put("memory/telegram:42/entries/later.md", text.replace("likes tea", "likes snow"));
    const next = await restarted(t, { session: ANNA });
    expect(await next.contents("@anna")).toEqual(["likes rain", "likes snow", "likes tea"]);
  });
});

describe("when identities are no longer linked", () => {
  it("leaves what there is with the name, and says so", async () => {
    const first = await setUp({ session: ANNA });
    await first.save("telegram:42", "likes tea");
    const t = await restarted(first, { session: { identityLinks: { anna: ["slack:u1"] } } });
    expect(t.lines.filter((line) => line.includes("no longer linked"))).toEqual([
      expect.stringContaining('{"user":"telegram:42","name":"@anna"}'),
    ]);
    expect(await t.contents("telegram:42")).toEqual([]);
    expect(await t.contents("@anna")).toEqual(["likes tea"]);
    await t.save("telegram:42", "likes rain");
    const linked = await restarted(t, { session: ANNA });
    expect(await linked.contents("telegram:42")).toEqual(["likes rain", "likes tea"]);
  });

  it("does not give another owner what the owner before had", async () => {
    const first = await setUp({ owner: { ids: ["telegram:9"] } });
    await first.save("telegram:9", "the first owner's");
    const session = { identityLinks: { bob: ["telegram:8"] } };
    const t = await restarted(first, { owner: { ids: ["telegram:8"] }, session });
    const again = await restarted(t, { owner: { ids: ["telegram:8"] }, session });
    expect(await again.contents("@bob")).toEqual([]);
    expect(await keysIn(again.store, "memory/")).toEqual(["memory/@owner/entries/the-first-owner's.md"]);
  });
});

describe("a store of one's own", () => {
  it("that does not give back what it was given keeps it, which one warning says", async () => {
    const clock = fakeClock();
    const own = createLayeredStore({ store: memoryStore(), clock }, platform.yaml);
    const first = await setUp({ clock, memory: { store: own } });
    for (const id of ["telegram:42", "slack:u1"]) await first.save(id, "likes tea");
    const deaf: MemoryStore = { ...own, save: async () => {} };
    const t = await restarted(first, { memory: { store: deaf }, session: ANNA });
    expect(t.lines.filter((line) => line.includes("could not be moved"))).toHaveLength(1);
    expect((await all(own.list("telegram:42"))).map(({ content }) => content)).toEqual(["likes tea"]);
    await t.during(t.assistant.memory.forget({ userId: "@anna" }));
    expect(await all(own.users())).toEqual([]);
  });
});
