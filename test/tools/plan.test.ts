import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { planTool } from "../../src/tools/index.ts";
import { toolJsonSchema } from "../../src/tools/schema.ts";
import { callTool, contextOf } from "./call-tool.ts";

const tools = planTool({ clock: fakeClock() });
const store = memoryStore();
const call = (input: unknown, sessionKey = "agent:main:memory:direct:ada") =>
  callTool(tools, "plan", input, contextOf({ store, sessionKey }));

describe("plan", () => {
  it("is of the group ui, may be run again, and takes steps and nothing else", async () => {
    expect(tools["plan"]?.meta).toMatchObject({ category: "ui", idempotent: true });
    expect(Object.keys((toolJsonSchema("plan", tools["plan"]!) as { properties: object }).properties)).toEqual([
      "steps",
    ]);
    expect(await call({ steps: [], more: 1 })).toMatchObject({ refused: "BAD_INPUT" });
  });

  it("gives back what it keeps, and the next call replaces it", async () => {
    const steps = [{ title: "look", status: "done" }, { title: "write", status: "in_progress" }, { title: "send" }];
    const kept = [...steps.slice(0, 2), { title: "send", status: "pending" }];
    expect(await call({ steps })).toEqual({ steps: kept, done: 1, total: 3 });
    expect(await call({})).toEqual({ steps: kept, done: 1, total: 3 });
    expect(await call({ steps: ["one", { step: "two", status: "done" }] })).toEqual({
      steps: [
        { title: "one", status: "pending" },
        { title: "two", status: "done" },
      ],
      done: 1,
      total: 2,
    });
    expect(await call({ steps: [] })).toEqual({ steps: [], done: 0, total: 0 });
    expect(await call({})).toEqual({ steps: [], done: 0, total: 0 });
  });

  it("keeps one plan a conversation", async () => {
    await call({ steps: ["mine"] });
    expect(await call({}, "agent:main:memory:direct:bob")).toEqual({ steps: [], done: 0, total: 0 });
    expect(await call({}, "agent:main:memory:direct/ada")).toEqual({ steps: [], done: 0, total: 0 });
  });

  it.each(["{", [1], { steps: 7 }, { steps: [{ title: "one", status: "begun" }] }, { v: 2, steps: [] }])(
    "neither shows nor replaces a plan that it cannot read (%j)",
    async (damaged) => {
      const key = "plans/agent:main:memory:direct:eve";
      await store.put(key, damaged);
      for (const input of [{}, { steps: ["mine"] }, { steps: [] }])
        await expect(call(input, "agent:main:memory:direct:eve")).rejects.toThrow(`Cannot read ${key}`);
      expect((await store.get(key))?.value).toEqual(damaged);
    },
  );

  it.each([
    ["two steps in progress", [1, 2].map((n) => ({ title: `${n}`, status: "in_progress" })), "only one step"],
    ["a step without a title", [{ status: "done" }], "a step needs its title"],
    ["a title twice", [{ title: "a", step: "b" }], "a step needs its title"],
    ["an empty title", [{ title: " " }], ""],
    ["an unknown status", [{ title: "a", status: "maybe" }], ""],
    ["too many steps", Array.from({ length: 51 }, (_, n) => `${n}`), ""],
  ])("refuses %s", async (_name, steps, message) => {
    expect(await call({ steps })).toEqual({
      refused: "BAD_INPUT",
      message: expect.stringContaining(message) as string,
    });
  });
});
