import { describe, expect, it } from "vitest";
import { createLayeredStore } from "../../../entry.host.ts";
import { createDays } from "../../../src/memory/index.ts";
import { migrateFlatLayout } from "../../../src/memory/migration/flat-layout.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { silentLogger } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/index.ts";
import { textOf, watchedStore } from "../days/support.ts";
import { platform } from "../../support/this-platform.ts";

const OLD = (id: string, content: string, lines: readonly string[] = []) =>
  `---\nid: "${id}"\ncreated_at: "2026-02-01T09:00:00.000Z"\n${lines.map((line) => `${line}\n`).join("")}---\n\n${content}\n`;

function room(store: Store) {
  const clock = fakeClock(Date.UTC(2026, 1, 1, 20));
  const memory = createLayeredStore({ store, clock });
  const days = createDays({ store, memory, clock, timezoneOf: () => "UTC" });
  const told: string[] = [];
  const logger = { ...silentLogger, info: (text: string) => told.push(text), warn: (text: string) => told.push(text) };
  const canonicalUser = (userId: string) => {
    if (userId === "bad") throw new TypeError("no such user");
    return userId === "alice" ? "@alice" : userId;
  };
  return {
    told,
    memory,
    migrate: () => migrateFlatLayout({ store, memory, days, clock, yaml: platform.yaml, logger, canonicalUser }),
  };
}

async function keysOf(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list("memory/")) keys.push(key);
  return keys.filter((key) => !key.includes("/.state/"));
}

describe("migrateFlatLayout()", () => {
  it("moves each entry to whom it names, and writes first days and a first MEMORY.md", async () => {
    const store = memoryStore();
    await store.put(
      "memory/a1.md",
      OLD("a1", "Is called Ada", ['user_id: "telegram:1"', 'slots: {"lasting":true}', 'type: "statement"']),
    );
    await store.put("memory/a2.md", OLD("a2", "Of Alice", ['user_id: "alice"']));
    await store.put("memory/a3.md", OLD("a3", "Of nobody"));
    await store.put("memory/telegram:1/entries/x.md", OLD("x", "There before"));
    await store.put("memory/MEMORY.md", "mine");
    const { migrate, memory, told } = room(store);
    expect(await migrate()).toEqual({ moved: 3, failed: [], users: ["@alice", "@owner", "telegram:1"] });
    expect(await keysOf(store)).toEqual([
      "memory/@alice/MEMORY.md", "memory/@alice/daily/2026-02-01.md", "memory/@alice/entries/a2.md",
      "memory/@owner/MEMORY.md", "memory/@owner/daily/2026-02-01.md", "memory/@owner/entries/a3.md",
      "memory/MEMORY.md",
      "memory/telegram:1/MEMORY.md", "memory/telegram:1/daily/2026-02-01.md", "memory/telegram:1/entries/a1.md", "memory/telegram:1/entries/x.md",
    ]); // prettier-ignore
    expect(await memory.get("telegram:1", "a1")).toMatchObject({
      content: "Is called Ada", slots: { type: "statement", lasting: true }, createdAt: new Date("2026-02-01T09:00:00Z"),
    }); // prettier-ignore
    expect(await textOf(store, "memory/telegram:1/MEMORY.md")).toContain("- Is called Ada (2026-02-01)");
    expect(await textOf(store, "memory/@owner/MEMORY.md")).toContain("## User Preferences");
    expect(told).toEqual(["Memories of an older layout were moved"]);
    expect(await migrate()).toEqual({ moved: 0, failed: [], users: [] });
    await memory.close();
  });

  it("leaves what it cannot read or place where it is, and says why", async () => {
    const store = memoryStore();
    const damaged = OLD("b1", "x", ["keywords: {}"]);
    await store.put("memory/b1.md", damaged);
    await store.put("memory/b2.md", OLD("b2", "new", ['user_id: "telegram:1"']));
    await store.put("memory/telegram:1/entries/b2.md", OLD("b2", "other"));
    await store.put("memory/b3.md", { a: 1 });
    await store.put("memory/b4.md", OLD("b4", "x", ['user_id: "bad"']));
    const { migrate, memory, told } = room(store);
    const { moved, failed } = await migrate();
    expect(moved).toBe(0);
    expect(failed.map(({ key, reason }) => [key.slice(-5), reason.slice(0, 29)])).toEqual([
      ["b1.md", "line 4: keywords: expected a "], ["b3.md", "expected a text"], ["b4.md", "no such user"], ["b2.md", 'telegram:1 has another memory'],
    ]); // prettier-ignore
    expect(await textOf(store, "memory/b1.md")).toBe(damaged);
    expect((await memory.get("telegram:1", "b2"))?.content).toBe("other");
    expect(told).toHaveLength(4);
    expect(await store.get("memory/telegram:1/MEMORY.md")).toBeNull();
    await memory.close();
  });

  it("comes to the same end after a crash at any write, and loses nothing on the way", async () => {
    async function run(crashAt: number) {
      let writes = 0;
      const backing = memoryStore();
      for (const id of ["c1", "c2", "c3"])
        await backing.put(`memory/${id}.md`, OLD(id, `Text ${id}`, ['user_id: "telegram:1"']));
      const store = watchedStore(() => {
        writes += 1;
        if (crashAt > 0 && writes >= crashAt) throw new Error("crash");
      }, backing);
      const first = room(store);
      await first.migrate().catch(() => {});
      const whole = (await keysOf(backing)).filter((key) => /\/c\d\.md$/.test(key)).map((key) => key.slice(-5));
      expect(new Set(whole).size).toBe(3);
      await first.memory.close().catch(() => {});
      const again = room(backing);
      await again.migrate();
      await again.memory.close();
      const documents: Record<string, unknown> = {};
      for (const key of await keysOf(backing)) documents[key] = (await backing.get(key))?.value;
      return { documents, writes };
    }
    const whole = await run(0);
    expect(Object.keys(whole.documents)).toHaveLength(5);
    for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1)
      expect((await run(crashAt)).documents).toEqual(whole.documents);
  });
});
