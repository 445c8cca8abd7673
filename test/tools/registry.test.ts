import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../mod.ts";
import { type ToolClash, createToolRegistry } from "../../src/tools/index.ts";

const WHO = { channel: "sdk", accountId: "default", chatId: "sdk", userId: "sdk", userRoles: [], sessionKey: "s" };

function tool(description: string, meta = {}) {
  return defineTool({ description, inputSchema: v.object({}), execute: () => description, meta });
}

function names(registry: ReturnType<typeof createToolRegistry>): string[] {
  return registry.visible(WHO, () => false).map(({ name }) => name);
}

describe("the tool registry", () => {
  it("offers tools of all levels, and takes back what was registered", () => {
    const registry = createToolRegistry({ time: tool("static") });
    const remove = registry.register("mcp", "mcp__files__read", tool("mcp"));
    registry.register("dynamic", "node:camera", tool("dynamic"));
    expect(names(registry)).toEqual(["mcp__files__read", "node:camera", "time"]);
    expect(registry.find("mcp__files__read")?.level).toBe("mcp");
    remove();
    expect(names(registry)).toEqual(["node:camera", "time"]);
    expect(registry.find("mcp__files__read")).toBeUndefined();
  });

  it("lets the higher level win and reports the clash once", () => {
    const clashes: ToolClash[] = [];
    const registry = createToolRegistry({ time: tool("static") }, { onClash: (clash) => clashes.push(clash) });
    registry.register("mcp", "time", tool("mcp"));
    registry.register("dynamic", "time", tool("dynamic"));
    expect(registry.find("time")?.description).toBe("static");
    expect(clashes).toEqual([
      { name: "time", level: "mcp", takenBy: { name: "time", level: "static" } },
      { name: "time", level: "dynamic", takenBy: { name: "time", level: "static" } },
    ]);
    expect(registry.clashes.length).toBe(2);
  });

  it("offers the lower one again when the higher one goes", () => {
    const registry = createToolRegistry({});
    const remove = registry.register("dynamic", "camera", tool("dynamic"));
    registry.register("mcp", "camera", tool("mcp"));
    expect(registry.find("camera")?.level).toBe("dynamic");
    remove();
    expect(registry.find("camera")?.level).toBe("mcp");
    expect(registry.clashes).toEqual([]);
  });

  it("counts a name as taken when the model could not tell the two apart", () => {
    const registry = createToolRegistry({ node__x: tool("static") });
    registry.register("dynamic", "node:x", tool("dynamic"));
    expect(registry.find("node:x")).toBeUndefined();
    expect(registry.find("node__x")?.description).toBe("static");
    expect(registry.clashes.map(({ name }) => name)).toEqual(["node:x"]);
    expect(() => createToolRegistry({ node__x: tool("a"), "node:x": tool("b") })).toThrow(/could not tell it from/);
  });

  it("does not take away a newer tool of the same name", () => {
    const registry = createToolRegistry({});
    const removeOld = registry.register("mcp", "a", tool("old"));
    registry.register("mcp", "a", tool("new"));
    removeOld();
    expect(registry.find("a")?.description).toBe("new");
  });

  it.each(["", "a b", "a/b", "ä", "x".repeat(129)])("refuses the name %j", (name) => {
    expect(() => createToolRegistry({}).register("mcp", name, tool("x"))).toThrow(RangeError);
  });

  it.each([
    ["a plain JSON Schema", { type: "object" }, /"order".* is not a Standard Schema: use a valibot object schema/],
    ["nothing", undefined, /"order".* is not a Standard Schema/],
    ["no object", v.string(), /"order".* has the type "string", but must be an object/],
    ["a map", v.map(v.string(), v.string()), /"order".* has the type map, but a model sends JSON/],
    ["a date in it", v.object({ due: v.date() }), /"order".* wants due of the type date, but a model sends JSON/],
  ])("refuses a tool whose input is %s", (_, inputSchema, message) => {
    const order = { description: "orders", inputSchema, execute: () => 1 } as unknown as ReturnType<typeof tool>;
    expect(() => createToolRegistry({ order })).toThrow(message);
  });

  it("takes a date that is read from a text, and one of several objects", () => {
    const due = v.pipe(v.string(), v.isoTimestamp(), v.toDate());
    for (const inputSchema of [v.object({ due }), v.union([v.object({ a: v.string() }), v.object({ b: v.string() })])])
      expect(() => createToolRegistry({ order: { ...tool("orders"), inputSchema } })).not.toThrow();
  });

  it("shows the model a short name with a hash for a long one, and finds it by both", () => {
    const registry = createToolRegistry({});
    const name = `mcp__server__${"long".repeat(20)}`;
    registry.register("mcp", name, tool("x"));
    const found = registry.find(name);
    expect(found?.modelName).toMatch(/^[A-Za-z0-9_-]{64}$/);
    expect(registry.find(found?.modelName ?? "")).toBe(found);
  });

  it("makes groups of the tags that start with group: and of the category, and ignores an empty one", () => {
    const registry = createToolRegistry({ a: tool("a", { tags: ["group:fs", "group:", "fs2"], category: "search" }) });
    expect(registry.find("a")?.groups).toEqual(["fs", "search"]);
  });
});
