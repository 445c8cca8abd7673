import { describe, expect, it } from "vitest";
import { createMemory } from "../../src/memory/memory.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createModelRedactor } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { memoryTools } from "../../src/tools/index.ts";
import { callTool, contextOf } from "./call-tool.ts";
import { platform } from "../support/this-platform.ts";

function setUp() {
  const clock = fakeClock();
  const memory = createMemory({ yaml: platform.yaml, store: memoryStore(), clock });
  const redact = createModelRedactor(["s3cret-of-the-config"]);
  const tools = memoryTools({ memory, clock, redact, memoryUserOf: ({ user }) => user });
  return { clock, memory, tools };
}

describe("memory_write", () => {
  it("keeps no secret of the configuration, and no key", async () => {
    const { memory, tools } = setUp();
    const content = "The password is s3cret-of-the-config";
    expect(await callTool(tools, "memory_write", { content, keywords: ["s3cret-of-the-config"] })).toMatchObject({
      saved: true,
    });
    for await (const entry of memory.list("memory:ada")) {
      expect(entry.content).toContain("The password is ");
      expect(JSON.stringify(entry)).not.toContain("s3cret-of-the-config");
    }
  });

  it("takes so many notes a minute and a day of one memory, and others' notes meanwhile", async () => {
    const { clock, memory, tools } = setUp();
    const write = (user = "memory:ada") =>
      callTool(tools, "memory_write", { content: "a flood" }, contextOf({ callId: "host", user })) as Promise<{
        refused?: string;
      }>;
    const refusals = async (times: number) => {
      let refused = 0;
      for (let time = 0; time < times; time += 1) if ((await write()).refused === "RATE_LIMITED") refused += 1;
      return refused;
    };
    expect(await refusals(30)).toBe(10);
    expect(await write("memory:bob")).toMatchObject({ saved: true });
    for (let minute = 1; minute < 26; minute += 1) {
      await clock.advance(60_000);
      expect(await refusals(20), `minute ${minute}`).toBe(minute < 25 ? 0 : 20);
    }
    expect(await memory.counts("memory:ada")).toMatchObject({ entries: 500 });
    await clock.advance(86_400_000);
    expect(await write()).toMatchObject({ saved: true });
  });
});

describe("memory_recall", () => {
  it("finds what was made in the last days: the newest, or what fits of it", async () => {
    const { clock, memory, tools } = setUp();
    const context = () => contextOf({ user: "memory:ada" });
    for (const content of ["Sold the boat", "Planted a cherry tree", "Read about trees"]) {
      await memory.save({ userId: "memory:ada", content });
      await clock.advance(3 * 86_400_000);
    }
    const found = async (input: object) => {
      const { memories } = (await callTool(tools, "memory_recall", input, context())) as {
        memories: readonly { content: string }[];
      };
      return memories.map(({ content }) => content);
    };
    expect(await found({ days: 7 })).toEqual(["Read about trees", "Planted a cherry tree"]);
    expect(await found({ days: 10, limit: 2 })).toEqual(["Read about trees", "Planted a cherry tree"]);
    expect(await found({ days: 4, query: "tree" })).toEqual(["Read about trees"]);
    expect(await found({ days: 4, query: "boat" })).toEqual([]);
    expect(await callTool(tools, "memory_recall", {}, context())).toMatchObject({ refused: "BAD_INPUT" });
  });
});

describe("memory_forget", () => {
  it("forgets every entry of the text that recall showed once", async () => {
    const { memory, tools } = setUp();
    const userId = "memory:ada";
    await memory.save({ userId, content: "The gate code is 4711" });
    await memory.save({ userId, content: "the gate  code is 4711" });
    await memory.save({ userId, content: "The gate is green" });
    const { id } = await memory.save({ userId, content: "THE GATE CODE IS 4711" });
    await memory.archive(userId, [id]);
    const context = contextOf({ user: userId });
    expect(await callTool(tools, "memory_forget", { query: "gate code 4711" }, context)).toMatchObject({
      forgotten: 1,
    });
    const left: string[] = [];
    for (const archived of [false, true])
      for await (const { content } of memory.list(userId, { archived })) left.push(content);
    expect(left).toEqual(["The gate is green"]);
  });
});

describe("what memory tools find", () => {
  it("is marked as data, as it may be what a page or somebody else said", () => {
    const { tools } = setUp();
    for (const name of ["memory_recall", "memory_forget"]) expect(tools[name]?.meta?.untrusted, name).toBe(true);
  });
});
