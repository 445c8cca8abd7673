import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { type Subagent, createSubagents } from "../../src/subagents/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

const ROOT = "agent:main:memory:direct:42";

const subagent = (id: string): Subagent => ({
  v: 1,
  id,
  task: "look",
  person: {
    user: "memory:42",
    roles: ["user"],
    channel: "memory",
    account: "default",
    peer: { kind: "direct", id: "42" },
  },
  sessionKey: `agent:main:sub:${id}`,
  parent: ROOT,
  root: ROOT,
  home: { sessionKey: ROOT },
  startedBy: { channel: "memory", roles: ["user"], sessionKey: ROOT },
  depth: 1,
  limits: { maxTokens: 1000, maxSeconds: 60 },
  state: "running",
  awaited: true,
  delivery: "open",
  startedAt: 0,
  tokens: 0,
});

function setUp() {
  const clock = fakeClock();
  const store = memoryStore();
  return { clock, store, subagents: createSubagents({ store, clock }) };
}

describe("createSubagents()", () => {
  it("has one id for one call of one session", async () => {
    const { subagents } = setUp();
    const id = await subagents.idOf(ROOT, "t.0.0");
    expect(id).toMatch(/^sa-[0-9a-f]{24}$/);
    expect(await subagents.idOf(ROOT, "t.0.0")).toBe(id);
    expect(await subagents.idOf(ROOT, "t.0.1")).not.toBe(id);
    expect(await subagents.idOf("agent:main:memory:direct:7", "t.0.0")).not.toBe(id);
  });

  it("gives no more places than there are, however many ask at one time", async () => {
    const { subagents } = setUp();
    const ids = Array.from({ length: 10 }, (_, index) => `sa-${index}`);
    const claimed = await Promise.all(ids.map((id) => subagents.claim(ROOT, id)));
    expect(claimed.filter(Boolean).length).toBe(4);
    // Asked again, whoever has one has it.
    expect(await Promise.all(ids.map((id) => subagents.claim(ROOT, id)))).toEqual(claimed);
    expect(await subagents.claim("another", "sa-11")).toBe(true);
  });

  it("gives a place back when its sub-agent has ended, and when none came of it", async () => {
    const { clock, subagents } = setUp();
    for (const id of ["sa-1", "sa-2", "sa-3", "sa-4"]) await subagents.claim(ROOT, id);
    for (const id of ["sa-1", "sa-2", "sa-3"]) await subagents.create(subagent(id));
    expect(await subagents.claim(ROOT, "sa-5")).toBe(false);
    await subagents.change("sa-1", (one) => ({ ...one, state: "done" }));
    expect(await subagents.claim(ROOT, "sa-5")).toBe(true);
    await subagents.create(subagent("sa-5"));
    await clock.advance(60_000);
    expect(await subagents.claim(ROOT, "sa-6")).toBe(true);
    expect((await subagents.ofRoot(ROOT)).map(({ id }) => id)).toEqual(["sa-5", "sa-3", "sa-2", "sa-1"]);
  });

  it("lists one as long as it runs, however many came after it", async () => {
    const { subagents } = setUp();
    await subagents.claim(ROOT, "sa-1");
    await subagents.create(subagent("sa-1"));
    for (let index = 2; index <= 60; index += 1) {
      await subagents.claim(ROOT, `sa-${index}`);
      await subagents.create({ ...subagent(`sa-${index}`), state: "done" });
    }
    const listed = (await subagents.ofRoot(ROOT)).map(({ id }) => id);
    expect(listed).toHaveLength(50);
    expect(listed.at(-1)).toBe("sa-1");
    expect(listed.at(-2)).toBe("sa-12");
  });

  it("lists all of a work as long as it goes on, which counts what they used", async () => {
    const { subagents } = setUp();
    const begin = async (id: string, work: string, state: Subagent["state"]) => {
      await subagents.claim(ROOT, id, work);
      await subagents.create({ ...subagent(id), work, state });
    };
    const listed = async (work: string) => (await subagents.ofRoot(ROOT)).filter((one) => one.work === work).length;
    await begin("sa-long", "long", "running");
    for (let index = 1; index <= 30; index += 1) await begin(`sa-long-${index}`, "long", "done");
    for (let index = 1; index <= 60; index += 1) await begin(`sa-${index}`, "w", "done");
    expect([await listed("long"), await listed("w")]).toEqual([31, 60]);
    await subagents.change("sa-long", (one) => ({ ...one, state: "done" }));
    await begin("sa-next", "next", "running");
    expect([await listed("long"), await listed("w"), await listed("next")]).toEqual([0, 49, 1]);
  });

  it("changes one whatever else was changed meanwhile, and says whether it did", async () => {
    const { subagents } = setUp();
    await subagents.create(subagent("sa-1"));
    expect((await subagents.create({ ...subagent("sa-1"), task: "other" })).task).toBe("look");
    const changes = await Promise.all(
      Array.from({ length: 5 }, () =>
        subagents.change("sa-1", (one) => (one.tokens < 3 ? { ...one, tokens: one.tokens + 1 } : null)),
      ),
    );
    expect(changes.filter((change) => change?.isChanged).length).toBe(3);
    expect((await subagents.find("sa-1"))?.tokens).toBe(3);
    expect(await subagents.change("sa-2", (one) => one)).toBeUndefined();
  });

  it("refuses what a newer version wrote, and what is no sub-agent", async () => {
    const { store, subagents } = setUp();
    await store.put("subagents/sa-1.json", { ...subagent("sa-1"), v: 2 } as never);
    await store.put("subagents/sa-2.json", { id: "sa-2" });
    await expect(subagents.find("sa-1")).rejects.toMatchObject({ code: "FORMAT_TOO_NEW" });
    await expect(subagents.find("sa-2")).rejects.toMatchObject({ code: "STORE_UNSUITABLE" });
  });

  it("lets go of a conversation with the last of its sub-agents", async () => {
    const { store, subagents } = setUp();
    await subagents.claim(ROOT, "sa-1");
    await subagents.create(subagent("sa-1"));
    await subagents.remove(subagent("sa-1"));
    for await (const { key } of store.list("subagents/")) expect.unreachable(`${key} stays`);
  });
});
