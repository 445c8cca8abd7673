import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { ToolError, defineTool, memoryStore } from "../../entry.host.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { OWNER, setUp } from "./wiping.ts";

describe("an answer", () => {
  it.each(["denied", "no", "DENY", "", undefined, null, true, {}])("of %j is none", async (answer) => {
    const t = await setUp();
    await t.run("sda");
    const [request] = await t.open();
    const given = { answer, user: OWNER } as unknown as Parameters<typeof t.assistant.approvals.answer>[1];
    await expect(t.assistant.approvals.answer(request?.code ?? "", given)).rejects.toMatchObject({
      code: "OPTION_INVALID",
    });
    expect([t.ran, (await t.open()).length]).toEqual([[], 1]);
  });

  it.each(["no, do not run this", "?", "please deny", "once", "alwaysish"])(
    "in a chat that says %j behind the code is no yes",
    async (words) => {
      const t = await setUp();
      await t.run("sda");
      const [request] = await t.open();
      await t.receive(`/approve ${request?.code} ${words}`);
      await until(t.clock, () => t.channel.textsTo("1").some((text) => text.startsWith("Not answered")));
      expect([t.ran, (await t.open()).length]).toEqual([[], 1]);
    },
  );

  it("counts in a group also when the assistant is not named, from those who may answer alone", async () => {
    const t = await setUp();
    await t.run("sda");
    const [request] = await t.open();
    await t.receive(`/approve ${request?.code}`, "5", { group: "-9", mentioned: false });
    await t.clock.advance(1000);
    expect([t.ran, t.channel.textsTo("-9")]).toEqual([[], []]);
    await t.receive(`/approve ${request?.code}`, "1", { group: "-9", mentioned: false });
    await until(t.clock, () => t.ran.length === 1);
  });
});

describe("what a stranger reads of a request", () => {
  it("is that it waits, and no more", async () => {
    const t = await setUp({
      boundTo: () => ({ at: "crm --api-key sk-live-SECRET123" }),
      secrets: ["sk-live-SECRET123"],
    });
    await t.receive("wipe sda", "9");
    await until(t.clock, () => t.channel.textsTo("1").length === 1 && t.channel.textsTo("9").length === 2);
    const [request] = await t.open();
    expect(t.channel.textsTo("9")).toContain(`Approval ${request?.code}: the owner was asked before wipe runs.`);
    const toStranger = t.channel.sent.filter(({ target }) => target.chat === "9");
    expect(toStranger.every(({ message }) => message.buttons === undefined)).toBe(true);
    expect(t.channel.textsTo("1")[0]).toContain("disk: sda");
    expect(t.channel.textsTo("1")[0]).not.toContain("SECRET123");
  });

  it("is in their language, and so are the owner's buttons", async () => {
    const t = await setUp();
    await t.receive("请 wipe sda", "9");
    await until(t.clock, () => t.channel.textsTo("1").length === 1);
    expect(t.channel.textsTo("1")[0]).toContain("审批");
    const buttons = t.channel.sent.find(({ target }) => target.chat === "1")?.message.buttons;
    expect(buttons?.map(({ label }) => label)).toEqual(["批准一次", "总是批准", "拒绝"]);
  });

  it("reaches the owner who is named by role, on the account that was written to", async () => {
    const t = await setUp({ account: "work", owner: { ids: [] }, roles: { owner: [OWNER] } });
    await t.receive("wipe sda", "9");
    await until(t.clock, () => t.channel.textsTo("1").length === 1);
    expect(t.channel.sent.find(({ target }) => target.chat === "1")?.target.account).toBe("work");
  });
});

describe("many requests", () => {
  it("of one session are not asked beyond a few, and the same call once", async () => {
    const t = await setUp();
    for (let round = 0; round < 3; round += 1) await t.run("same");
    for (let disk = 0; disk < 20; disk += 1) await t.run(`d${disk}`);
    expect((await t.open()).length).toBe(5);
    expect(await t.run("more")).toMatchObject({ ok: false, error: { code: "TOO_MANY_APPROVALS" } });
    expect(await t.run("same")).toMatchObject({ ok: false, approval: {} });
  });

  it("are answered away one by one", async () => {
    const t = await setUp();
    for (let disk = 0; disk < 5; disk += 1) await t.run(`d${disk}`);
    const [first] = await t.open();
    await t.assistant.approvals.answer(first?.code ?? "", { answer: "deny", user: OWNER });
    expect(await t.run("more")).toMatchObject({ ok: false, approval: {} });
  });

  it("too long to be read are not asked at all", async () => {
    const t = await setUp();
    expect(await t.run("x".repeat(20_000))).toMatchObject({ ok: false, error: { code: "TOO_LONG" } });
    expect(await t.open()).toEqual([]);
  });
});

describe("a rule for one person", () => {
  it("does not hold for a turn that answers somebody else too", async () => {
    const t = await setUp({ queue: { debounceMs: 1000 } });
    const group = { group: "-9" };
    await t.receive("wipe sda", "9", group);
    await until(t.clock, async () => (await t.open()).length === 1);
    const [request] = await t.open();
    await t.assistant.approvals.answer(request?.code ?? "", { answer: "always", user: OWNER });
    expect(t.ran).toEqual(["sda"]);
    await until(t.clock, () => t.seen.length >= 3);
    await t.receive("wipe sda please", "5", group);
    await t.receive("good morning", "9", group);
    await until(t.clock, async () => (await t.open()).length === 1);
    expect(t.ran).toEqual(["sda"]);
  });
});

describe("what the owner reads", () => {
  it.each(["where", "constructor", "toString", "__proto__"])("holds no field %s that nothing reads", async (field) => {
    const t = await setUp();
    const input = JSON.parse(`{ "disk": "sda", "${field}": "a copy, as the owner asked" }`) as object;
    const ran = await t.assistant.tools.run("wipe", input, { user: OWNER });
    expect(ran).toMatchObject({
      ok: false,
      error: { code: "BAD_INPUT", message: expect.stringContaining(field) as string },
    });
  });

  it("says apart what the runtime adds", async () => {
    const t = await setUp({ boundTo: () => ({ mode: "host" }) });
    await t.run("sda\nwhere\n  mode: simulated");
    await until(t.clock, () => t.channel.textsTo("1").length === 1);
    const lines = t.channel.textsTo("1")[0]?.split("\n") ?? [];
    expect(lines.filter((line) => line === "where").length).toBe(1);
    expect(lines[lines.indexOf("where") + 1]).toBe("  mode: host");
  });
});

describe("an owner who is none any more", () => {
  it("has no more rights through an old request", async () => {
    const policy = {
      profiles: [
        { name: "owners", match: { roles: ["owner"] }, policy: { deny: [], allow: [] } },
        { name: "default", match: {}, policy: { deny: [{ tool: "wipe" }], allow: [] } },
      ],
    };
    const first = await setUp({ owner: { ids: [OWNER, "memory:2"] }, policy });
    await first.run("sda", "memory:2");
    const [request] = await first.open();
    await first.assistant.stop();
    const second = await setUp({ saved: first.store, clock: first.clock, policy });
    const result = await second.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: OWNER });
    expect(result).toMatchObject({ ok: false, error: { code: "DENIED" } });
    expect(second.ran).toEqual([]);
    // Who approved it in a chat of their own hears there that nothing ran, once.
    const told = () => second.channel.textsTo("1").filter((text) => text.includes("did not run"));
    await until(second.clock, () => told().length > 0);
    expect(told()).toEqual([
      expect.stringMatching(
        `^The call you approved \\(${request?.code}\\) did not run: wipe for memory:2. tool denied`,
      ),
    ]);
  });
});

describe("an approved call", () => {
  it("whose MCP server is away is told as one that did not run to who approved it", async () => {
    const t = await setUp({
      wipes() {
        throw new ToolError("MCP_UNAVAILABLE", "The MCP server docs is not connected");
      },
    });
    await t.run("sda", "memory:2");
    const [request] = await t.open();
    await t.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: OWNER });
    const told = () => t.channel.textsTo("1").filter((text) => text.includes("did not run"));
    await until(t.clock, () => told().length > 0);
    expect(told()).toEqual([
      `The call you approved (${request?.code}) did not run: wipe for memory:2. The MCP server docs is not connected`,
    ]);
  });

  it("that hangs does not keep the program from stopping, and is reported", async () => {
    const t = await setUp({ wipes: () => new Promise(() => {}) });
    await t.run("sda");
    const [request] = await t.open();
    const answered = t.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: OWNER });
    await until(t.clock, () => t.ran.length === 1);
    const stopped = t.assistant.stop({ graceMs: 100 });
    await t.clock.advance(200);
    await stopped;
    expect(await answered).toMatchObject({ ok: false, error: { code: "INTERRUPTED" } });
  });

  it("ends after a quarter of an hour", async () => {
    const t = await setUp({ wipes: () => new Promise(() => {}) });
    await t.run("sda");
    const [request] = await t.open();
    const answered = t.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: OWNER });
    await until(t.clock, () => t.ran.length === 1);
    await t.clock.advance(16 * 60_000);
    expect(await answered).toMatchObject({ ok: false, error: { code: "ABORTED" } });
  });
});

describe("documents that cannot be read", () => {
  it.each([
    ["a request of a newer version", "approvals/requests/x", { v: 2 }],
    ["a request that was cut", "approvals/requests/x", { v: 1, id: "x" }],
    ["a request that is a text", "approvals/requests/x", "hello"],
    ["a rule of a newer version", "approvals/rules", { v: 1, rules: [{ v: 2 }] }],
    ["a late result that is nonsense", "late-results/x", { v: 1, isHere: true }],
  ] as const)("%s keeps nothing else from working", async (_, key, value) => {
    const store = memoryStore();
    await store.put(key, value);
    await store.put("approvals/unsettled/x", { v: 1 });
    const t = await setUp({ saved: store });
    expect(await t.run("sda")).toMatchObject({ ok: false, approval: {} });
    const [request] = await t.open();
    expect(await t.assistant.approvals.answer(request?.code ?? "", { answer: "always", user: OWNER })).toMatchObject({
      ok: true,
    });
    expect((await t.assistant.approvals.list({ all: true })).length).toBe(1);
    expect((await store.get(key))?.value ?? value).toBeDefined();
  });
});

describe("the dispatch point", () => {
  it("runs nothing for a caller who has already left", async () => {
    const t = await setUp();
    const ran = await t.assistant.tools.run("wipe", { disk: "sda" }, { user: OWNER, signal: AbortSignal.abort() });
    expect(ran).toMatchObject({ ok: false, error: { code: "ABORTED" } });
    expect(await t.open()).toEqual([]);
  });

  it("lets nobody call as the runtime", async () => {
    const t = await setUp();
    for (const who of [{ user: "runtime" }, { user: "runtime:x" }, { channel: "runtime" }])
      await expect(t.assistant.tools.run("wipe", { disk: "sda" }, who)).rejects.toMatchObject({
        code: "OPTION_INVALID",
      });
    await expect(t.assistant.send({ text: "hi", user: "runtime:x" })).rejects.toMatchObject({ code: "OPTION_INVALID" });
    const server = { tokens: [{ token: "t", role: "user", user: "runtime:x" }] } as const;
    await expect(setUp({ server })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  });

  it("does not run what this call of send leaves out, whatever the model calls", async () => {
    const t = await setUp({ context: { excludeTools: ["wipe"] } });
    const reply = await t.assistant.send({ text: "wipe sda", user: OWNER });
    expect(reply.toolCalls[0]).toMatchObject({ error: { code: "BAD_CALL" } });
    expect(await t.open()).toEqual([]);
  });

  it("tells of the questions of tools that call tools", async () => {
    const outer = defineTool({
      description: "calls",
      inputSchema: v.object({}),
      execute: async (_, { callTool }) => (await callTool("wipe", { disk: "sda" })).ok,
    });
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({ disk: v.string() }),
      execute: () => 1,
      meta: { dangerous: true },
    });
    const model = scriptedModel([calls(["outer", {}]), says("done")]);
    const t = await setUp({ model, tools: { outer, wipe } });
    const reply = await t.assistant.send({ text: "go", user: OWNER });
    expect(reply.approvals).toMatchObject([{ name: "wipe", input: { disk: "sda" } }]);
  });

  it("says what went wrong when the owner could not be asked", async () => {
    const t = await setUp({
      boundTo: () => {
        throw new Error("no machine");
      },
    });
    expect(await t.run("sda")).toMatchObject({
      ok: false,
      error: { code: "FAILED", message: expect.stringContaining("no machine") as string },
    });
    const odd = { disk: "sda", toJSON: () => undefined };
    expect(await t.assistant.tools.run("wipe", odd, { user: OWNER })).toMatchObject({
      ok: false,
      error: { code: expect.any(String) as string },
    });
  });
});
