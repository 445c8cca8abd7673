import * as v from "valibot";
import { describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../src/approvals/index.ts";
import { createEventBus } from "../../src/events/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { createAudit, createMetrics, createModelRedactor } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import {
  type AnyTool,
  type ToolCaller,
  ToolError,
  createCallEvents,
  createDispatch,
  createToolRunner,
  createToolRegistry,
  defineTool,
  toolOutcome,
} from "../../src/tools/index.ts";

const EMPTY = v.object({});

function setUp(tools: Record<string, AnyTool>) {
  const clock = fakeClock();
  const store = memoryStore();
  const metrics = createMetrics();
  const audit = createAudit({ store, clock });
  const events = createEventBus({ clock });
  const redact = createModelRedactor(["very-secret-value"]);
  const asks: ApprovalRequest[] = [];
  const dispatch = createDispatch({
    registry: createToolRegistry(tools),
    store,
    callEvents: createCallEvents({ events, clock }),
    runner: createToolRunner({ redact, keepLong: async (output) => output, expectLater: async () => {} }),
    audit,
    metrics,
    redact,
    decide: ({ name }) => ({ allowed: name !== "forbidden", reason: "a rule", profile: "p" }),
    requestApproval: async (asked) => (asks.push(asked), { open: { id: asked.id, code: "CODE" } }),
  });
  const stop = new AbortController();
  const caller: ToolCaller = {
    taskId: "t",
    speaker: {
      user: "telegram:1",
      roles: ["user"],
      channel: "telegram",
      account: "default",
      peer: { kind: "direct", id: "1" },
      sessionKey: "s",
      agentId: "main",
    },
    signal: stop.signal,
    inTurn: true,
  };
  return {
    dispatch,
    asks,
    caller,
    stop,
    events,
    audit,
    metrics,
    run: (name: string, input: unknown = {}, who: Partial<ToolCaller> = {}) =>
      dispatch.run(name, input, { ...caller, ...who }, "t.0.0"),
  };
}

describe("createDispatch()", () => {
  it("checks input, fills defaults and gives the tool its call id", async () => {
    const tool = defineTool({
      description: "echoes",
      inputSchema: v.object({ times: v.optional(v.number(), 2) }),
      execute: ({ times }, { callId }) => ({ times, callId }),
    });
    expect(await setUp({ tool }).run("tool")).toEqual({ ok: true, output: { times: 2, callId: "t.0.0" } });
  });

  it.each([
    [{}, "path: Expected this field, but it is missing"],
    [{ path: 7, lines: "x" }, "path: Expected a text; lines: Expected a number"],
    [{ path: "a", kind: "b" }, 'kind: Expected "d" or "f"'],
    [{ path: "a", paht: "b" }, "paht: Expected no field of this name"],
    ["a", "Expected an object"],
    [null, "Expected an object"],
  ])("says in its own words what does not fit of %j", async (input, what) => {
    const inputSchema = v.strictObject({
      path: v.string(),
      lines: v.optional(v.number()),
      kind: v.optional(v.picklist(["d", "f"])),
    });
    const tool = defineTool({ description: "d", inputSchema, execute: () => 1 });
    const message = `Bad input for tool: ${what}`;
    expect(await setUp({ tool }).run("tool", input)).toEqual({ ok: false, error: { code: "BAD_INPUT", message } });
  });

  it("names the field of input that does not fit", async () => {
    const tool = defineTool({
      description: "d",
      inputSchema: v.object({ a: v.object({ b: v.number() }) }),
      execute: () => 1,
    });
    const result = await setUp({ tool }).run("tool", { a: { b: "x" } });
    expect(result).toMatchObject({ ok: false, error: { code: "BAD_INPUT" } });
    expect(JSON.stringify(result)).toContain("a.b: ");
  });

  it("keeps the code of a tool's own error, and hides nothing else behind it", async () => {
    const t = setUp({
      own: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: () => Promise.reject(new ToolError("NO_MATCH", "not found")),
      }),
      other: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: () => {
          throw new Error("oh");
        },
      }),
    });
    expect(await t.run("own")).toEqual({ ok: false, error: { code: "NO_MATCH", message: "not found" } });
    expect(await t.run("other")).toEqual({ ok: false, error: { code: "FAILED", message: "other failed: oh" } });
  });

  it("does not run, and does not list, what the rules or the tool itself refuse", async () => {
    let ran = 0;
    const execute = () => (ran += 1);
    const t = setUp({
      forbidden: defineTool({ description: "d", inputSchema: EMPTY, execute, meta: { dangerous: true } }),
      hidden: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute,
        meta: { visibleTo: ({ userRoles }) => userRoles.includes("admin") },
      }),
      moody: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute,
        meta: {
          visibleTo: () => {
            throw new Error("x");
          },
        },
      }),
      plain: defineTool({ description: "d", inputSchema: EMPTY, execute: () => "fine" }),
    });
    expect(t.dispatch.visible(t.caller).map(({ name }) => name)).toEqual(["plain"]);
    for (const name of ["forbidden", "hidden", "moody"]) {
      expect(await t.run(name), name).toMatchObject({
        ok: false,
        error: { code: "DENIED", message: expect.stringContaining(`tool denied by policy: ${name}`) as string },
      });
    }
    expect(ran).toBe(0);
    await t.audit.settled();
    expect((await t.audit.read()).map(({ what, target }) => [what, target])).toEqual(
      ["forbidden", "hidden", "moody"].map((name) => ["tool.denied", name]),
    );
    expect(t.metrics.text()).toContain("tool_policy_denied_total 3");
    expect(await t.run("hidden", {}, { speaker: { ...t.caller.speaker, roles: ["admin"] } })).toMatchObject({
      ok: true,
    });
  });

  it("asks for a dangerous call instead of running it, bound to what it would do", async () => {
    let ran = 0;
    const t = setUp({
      wipe: defineTool({
        description: "d",
        inputSchema: v.object({ disk: v.string() }),
        execute: () => (ran += 1),
        meta: { dangerous: true, boundTo: ({ disk }: { disk: string }) => ({ path: `/dev/${disk}` }) },
      }),
    });
    expect(await t.run("wipe", { disk: "sda" })).toEqual({ ok: false, approval: { id: "t.0.0", code: "CODE" } });
    expect(ran).toBe(0);
    expect(t.asks).toMatchObject([{ tool: "wipe", input: { disk: "sda" }, boundTo: { path: "/dev/sda" } }]);
    expect(await t.run("wipe", { disk: 1 })).toMatchObject({ ok: false, error: { code: "BAD_INPUT" } });
    expect(t.asks.length).toBe(1);
  });

  it("lets a guard refuse before the owner is asked, and takes a failing guard for a refusal", async () => {
    const wipe = (guard: () => string | undefined) =>
      defineTool({ description: "d", inputSchema: EMPTY, execute: () => 1, meta: { dangerous: true, guard } });
    const t = setUp({
      careful: wipe(() => "it leaves the workspace"),
      broken: wipe(() => {
        throw new Error("no parser");
      }),
    });
    expect(await t.run("careful")).toMatchObject({
      error: { code: "REFUSED", message: "careful was refused: it leaves the workspace" },
    });
    expect(await t.run("broken")).toMatchObject({
      error: { code: "REFUSED", message: "broken was refused: its guard failed: no parser" },
    });
    expect(t.asks).toEqual([]);
  });

  it("runs what a tool calls as its caller: refused, asked for and counted in the same way", async () => {
    const t = setUp({
      forbidden: defineTool({ description: "d", inputSchema: EMPTY, execute: () => 1 }),
      wipe: defineTool({ description: "d", inputSchema: EMPTY, execute: () => 1, meta: { dangerous: true } }),
      outer: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: async (_, { callTool }) => [await callTool("forbidden", {}), await callTool("wipe", {})],
      }),
      endless: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: (_, { callTool }) => callTool("endless", {}),
      }),
    });
    expect(await t.run("outer")).toMatchObject({
      ok: true,
      output: [
        { ok: false, error: { code: "DENIED" } },
        { ok: false, approval: { id: "t.0.0.2" } },
      ],
    });
    expect(JSON.stringify(await t.run("endless"))).toContain("TOO_DEEP");
  });

  it("gives out no secret, in results, errors and what a person sees", async () => {
    const t = setUp({
      leak: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: () =>
          toolOutcome({
            forModel: "very-secret-value",
            forUser: { shown: "very-secret-value" },
            reply: "very-secret-value",
          }),
      }),
      fail: defineTool({
        description: "d",
        inputSchema: EMPTY,
        execute: () => Promise.reject(new Error("very-secret-value")),
      }),
    });
    expect(JSON.stringify([await t.run("leak"), await t.run("fail")])).not.toContain("very-secret");
  });

  it("does not know a tool that is not there", async () => {
    expect(await setUp({}).run("nope")).toMatchObject({ ok: false, error: { code: "UNKNOWN_TOOL" } });
  });

  it.each([
    { title: "nothing as null", value: undefined, output: null },
    { title: "a class as its JSON", value: new Date(0), output: "1970-01-01T00:00:00.000Z" },
    { title: "dropped functions", value: { a: 1, f: () => 1 }, output: { a: 1 } },
  ])("hands on $title", async ({ value, output }) => {
    const tool = defineTool({ description: "d", inputSchema: EMPTY, execute: () => value });
    expect(await setUp({ tool }).run("tool")).toEqual({ ok: true, output });
  });

  it("separates what the model sees from what the person sees", async () => {
    const tool = defineTool({
      description: "d",
      inputSchema: EMPTY,
      execute: () => toolOutcome({ forModel: { rows: 3 }, forUser: "3 rows", reply: "done" }),
    });
    expect(await setUp({ tool }).run("tool")).toEqual({
      ok: true,
      output: { rows: 3 },
      forUser: "3 rows",
      reply: "done",
    });
    const silent = defineTool({
      description: "d",
      inputSchema: EMPTY,
      execute: () => toolOutcome({ forModel: 1, silent: true }),
    });
    expect(await setUp({ silent }).run("silent")).toEqual({ ok: true, output: 1, forUser: null });
  });

  it("leaves a tool behind that does not listen when it is stopped", async () => {
    const tool = defineTool({ description: "d", inputSchema: EMPTY, execute: () => new Promise(() => {}) });
    const t = setUp({ tool });
    const running = t.run("tool");
    t.stop.abort(new Error("time is over"));
    expect(await running).toMatchObject({ ok: false, error: { code: "ABORTED" } });
  });

  it("publishes the start and the end of a call, also of one that fails", async () => {
    const t = setUp({
      bad: defineTool({ description: "d", inputSchema: EMPTY, execute: () => Promise.reject(new Error("x")) }),
    });
    const seen: unknown[] = [];
    t.events.subscribe("*", ({ type, payload }) => void seen.push([type, payload]), { name: "spy" });
    await t.run("bad");
    expect(seen).toMatchObject([
      ["tool.started", { callId: "t.0.0", name: "bad" }],
      ["tool.failed", { callId: "t.0.0", name: "bad", error: "bad failed: x" }],
    ]);
  });
});

describe("createToolRegistry()", () => {
  const tool = defineTool({ description: "d", inputSchema: EMPTY, execute: () => 1 });

  it("shows the model names that providers take, and finds tools by both", () => {
    const long = `node:${"x".repeat(80)}`;
    const registry = createToolRegistry({ "node:shot": tool, [long]: tool });
    expect(registry.find("node__shot")?.name).toBe("node:shot");
    for (const { modelName } of registry.all) expect(modelName).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(registry.find(registry.all.find(({ name }) => name === long)?.modelName ?? "")?.name).toBe(long);
  });

  it.each(["", "with space", "ünïcode", "a".repeat(129)])("refuses the name %j", (name) => {
    expect(() => createToolRegistry({ [name]: tool })).toThrow(RangeError);
  });

  it("refuses two names that look alike to the model", () => {
    expect(() => createToolRegistry({ "a:b": tool, a__b: tool })).toThrow("could not tell it from");
  });

  it("gives groups from tags and category", () => {
    const registry = createToolRegistry({
      tool: { ...tool, meta: { category: "fs", tags: ["group:web", "free", "group:fs"] } },
    });
    expect(registry.all[0]?.groups).toEqual(["web", "fs"]);
  });

  it("refuses a schema that has no JSON Schema, and says what to give instead", () => {
    const inputSchema = {
      "~standard": { version: 1, vendor: "homemade", validate: (value: unknown) => ({ value }) },
    } as const;
    expect(() => createToolRegistry({ odd: { description: "d", inputSchema, execute: () => 1 } })).toThrow(
      "valibot object schema",
    );
  });

  it("closes an object's schema to properties that it does not name", () => {
    expect(createToolRegistry({ tool }).all[0]?.jsonSchema).toEqual({
      type: "object",
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });
});
