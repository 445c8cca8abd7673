import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { mcpEndpoint } from "../../adapters/mcp/server/index.ts";
import { defineTool, memoryStore } from "../../entry.host.ts";
import type { InboundMessage } from "../../src/message.ts";
import { parsePolicy } from "../../entry.host.ts";
import { createPolicy } from "../../src/policy/index.ts";
import { createEventBus } from "../../src/events/index.ts";
import { createAudit, createMetrics, createModelRedactor } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { calls, says, type Script } from "../../src/testing/scripted-model.ts";
import {
  type ToolCaller,
  createCallEvents,
  createDispatch,
  createToolRegistry,
  createToolRunner,
} from "../../src/tools/index.ts";
import { until } from "../support/until.ts";
import { ADA, OWNER } from "./support.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const EMPTY = v.object({});
/** Nobody but the owner may run `closed`, by name or by group; nobody at all `sealed`. */
const POLICY = {
  profiles: [
    { name: "owner", match: { roles: ["owner"] }, policy: { deny: [{ tool: "sealed" }] } },
    { name: "default", policy: { deny: [{ tool: "closed" }, { tool: "sealed" }, { group: "vault" }] } },
  ],
};
/** What holds after somebody thought better of it. */
const NO_WIPE = { profiles: [{ name: "default", policy: { deny: [{ tool: "wipe" }] } }] };

/** Tools with an effect that can be counted, and one that calls whatever it is told to. */
function effects() {
  const ran: string[] = [];
  const tool = (name: string, meta: object = {}) =>
    defineTool({
      description: name,
      inputSchema: EMPTY,
      execute: (_, { user }) => void ran.push(`${name} for ${user}`),
      meta,
    });
  const relay = defineTool({
    description: "calls another tool",
    inputSchema: v.object({ name: v.string() }),
    execute: ({ name }, { callTool }) => callTool(name, {}),
  });
  const endless = defineTool({
    description: "calls itself",
    inputSchema: EMPTY,
    execute(_, { callTool }) {
      ran.push("endless");
      return callTool("endless", {});
    },
  });
  const tools = {
    endless,
    closed: tool("closed"),
    vaulted: tool("vaulted", { category: "vault" }),
    sealed: tool("sealed"),
    wipe: tool("wipe", { dangerous: true }),
    hidden: tool("hidden", {
      visibleTo: ({ userRoles }: { userRoles: readonly string[] }) => userRoles.includes("owner"),
    }),
    guarded: tool("guarded", { guard: () => "never" }),
    relay,
  };
  return { ran, tools };
}
const FORBIDDEN = ["closed", "vaulted", "sealed", "hidden", "guarded", "wipe"] as const;

async function setUp(options: TestAssistantOptions = {}) {
  const { ran, tools } = effects();
  const seen: string[] = [];
  const script: Script = (prompt) => {
    const text = JSON.stringify(prompt.at(-1)?.content ?? "");
    seen.push(text);
    const wanted = /run (\w+)/.exec(text)?.[1];
    if (prompt.at(-1)?.role === "user" && wanted) return calls([wanted, {}], ["relay", { name: wanted }]);
    return says("ok");
  };
  const t = await testAssistant({
    script,
    channel: { access: { dm: "allowlist", allow: ["ada"], groups: "mention" } },
    owner: { ids: ["memory:1"] },
    policy: POLICY,
    tools,
    mcp: { endpoint: mcpEndpoint },
    queue: { debounceMs: 0 },
    server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "app:ada" }] },
    ...options,
  });
  const { assistant } = t;
  const receive = (from: string, { text = "hello", ...writing }: Partial<InboundMessage>) =>
    t.receive(text, { from, ...writing });
  const post = (path: string, token: string, body: unknown) =>
    assistant.fetch(
      new Request(`http://localhost${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(body),
      }),
    );
  return { ...t, ran, seen, receive, post };
}

describe("every way to run a tool is one way", () => {
  it.each(FORBIDDEN)("a turn, its sub-calls, the host program and HTTP do not run %s for a user", async (name) => {
    const t = await setUp({ server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "app:ada" }] } });
    const user = { user: "app:ada" };
    await t.assistant.send({ text: `run ${name}`, ...user });
    await t.assistant.tools.run(name, {}, user);
    await t.assistant.tools.run("relay", { name }, user);
    await t.assistant.tools.run("relay", { name }, { user: "app:ada", session: "agent:main:main" });
    for (const path of ["/api/v1/messages", "/api/v1/chat"]) {
      const parts = [{ type: "text", text: `run ${name}` }];
      const body = path.endsWith("chat")
        ? { id: "c", messages: [{ id: "m", role: "user", parts }] }
        : { text: `run ${name}` };
      expect((await (await t.post(path, ADA, body)).text()).length).toBeGreaterThan(0);
    }
    const sent = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "send", arguments: { text: `run ${name}` } },
    };
    expect(await (await t.post("/mcp", ADA, sent)).text()).toContain("ok");
    await t.receive("ada", { text: `run ${name}` });
    await until(t.clock, () => t.channel.textsTo("ada").includes("ok"));
    expect(t.ran).toEqual([]);
    const listed = t.assistant.tools.list(user).map((tool) => tool.name);
    if (name !== "wipe" && name !== "guarded") expect(listed).not.toContain(name);
  });

  it.each(["sealed", "guarded", "wipe"])("nor %s for the owner, wherever they are", async (name) => {
    const t = await setUp({ server: { token: OWNER } });
    await t.assistant.send({ text: `run ${name}`, user: "cli", channel: "cli" });
    await t.assistant.tools.run("relay", { name }, { user: "cli", channel: "cli" });
    await (await t.post("/api/v1/messages", OWNER, { text: `run ${name}` })).text();
    await t.receive("1", { text: `run ${name}` });
    await until(t.clock, () => t.channel.textsTo("1").includes("ok"));
    expect(t.ran).toEqual([]);
  });

  it("and does run what the owner may run: the tests above can fail", async () => {
    const t = await setUp({ server: { token: OWNER } });
    await t.assistant.send({ text: "run closed", user: "cli", channel: "cli" });
    expect(t.ran).toEqual(["closed for cli", "closed for cli"]);
  });

  it("no route of the HTTP door names a tool to run, and the MCP door has send alone", async () => {
    const t = await setUp({ server: { token: OWNER } });
    const document = (await (
      await t.assistant.fetch(
        new Request("http://localhost/api/v1/openapi.json", { headers: { authorization: `Bearer ${OWNER}` } }),
      )
    ).json()) as { paths: Record<string, unknown> };
    expect(Object.keys(document.paths).filter((path) => /tool|exec|run|call/u.test(path))).toEqual([
      // A job says in words what is to be done, which a turn with its person's rights then does.
      "/api/v1/jobs/{id}/run",
      "/api/v1/jobs/{id}/runs",
    ]);
    for (const name of ["closed", "wipe", "bash", "file_read", "mcp_accept", "relay"]) {
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
      expect(await (await t.post("/mcp", OWNER, call)).text()).toContain("There is no tool");
    }
    expect(t.ran).toEqual([]);
  });

  it.each<{ what: string; message: Partial<InboundMessage> }>([
    { what: "a message", message: { text: "run closed" } },
    { what: "a press of a button", message: { text: "run closed", kind: "press" } },
    { what: "a press that answers", message: { text: "/approve K7QD2M", kind: "press" } },
    { what: "a command", message: { text: "/approve K7QD2M always" } },
    { what: "an edit", message: { text: "run closed", kind: "note" } },
    { what: "an edit that answers", message: { text: "/approve K7QD2M", kind: "note" } },
    { what: "an attachment", message: { text: "", attachments: [{ mediaType: "text/plain" }] } },
  ])("$what from somebody who is not let in leaves nothing and asks no model", async ({ message }) => {
    const t = await setUp();
    await t.receive("mallory", message);
    await t.clock.advance(60_000);
    expect([t.seen, t.ran, await t.assistant.sessions.list()]).toEqual([[], [], []]);
  });

  it("a group that did not call it leaves what it said, and asks no model", async () => {
    const t = await setUp();
    await t.receive("mallory", { text: "run closed", peer: { kind: "group", id: "g" }, mentioned: false });
    await t.clock.advance(60_000);
    expect([t.seen, t.ran, t.channel.sent]).toEqual([[], [], []]);
    expect(await t.assistant.sessions.list()).toMatchObject([{ records: 1 }]);
  });

  it("a button carries an answer or nothing: what it says is no message", async () => {
    const t = await setUp();
    for (const text of ["run closed", "hello", "/new", "approve it"]) await t.receive("1", { text, kind: "press" });
    await t.clock.advance(60_000);
    expect([t.seen, t.ran, t.channel.textsTo("1")]).toEqual([[], [], []]);
  });

  it("an edit is no answer, from the owner neither", async () => {
    const t = await setUp();
    await t.receive("1", { text: "run wipe" });
    await until(t.clock, () => t.channel.textsTo("1").includes("ok"));
    const open = await t.assistant.approvals.list();
    expect(open.length).toBeGreaterThan(0);
    for (const { code } of open) await t.receive("1", { text: `/approve ${code}`, kind: "note" });
    await t.clock.advance(60_000);
    expect(t.ran).toEqual([]);
    expect((await t.assistant.approvals.list()).length).toBe(open.length);
  });

  it("a yes of the owner does not go past a policy that says no by then", async () => {
    const t = await setUp();
    const asked = await t.assistant.tools.run("wipe", {}, { user: "app:ada" });
    if (asked.ok || !("approval" in asked)) throw new Error("it should have asked");
    t.assistant.policy.replace(NO_WIPE, { file: "p" });
    const answered = await t.assistant.approvals.answer(asked.approval.code, { answer: "once", user: "memory:1" });
    expect(answered).toMatchObject({ ok: false, error: { code: "DENIED" } });
    expect(t.ran).toEqual([]);
  });

  it("a rule of the owner does not either, nor past a guard", async () => {
    const t = await setUp();
    const asked = await t.assistant.tools.run("wipe", {}, { user: "app:ada" });
    if (asked.ok || !("approval" in asked)) throw new Error("it should have asked");
    await t.assistant.approvals.answer(asked.approval.code, { answer: "always", user: "memory:1" });
    expect(await t.assistant.tools.run("wipe", {}, { user: "app:ada" })).toMatchObject({ ok: true });
    t.assistant.policy.replace(NO_WIPE, { file: "p" });
    expect(await t.assistant.tools.run("wipe", {}, { user: "app:ada" })).toMatchObject({ error: { code: "DENIED" } });
    expect(t.ran).toEqual(["wipe for app:ada", "wipe for app:ada"]);
  });

  it("a tool that comes while the program runs does not take the place of another", async () => {
    const t = await setUp();
    t.assistant.tools.register("closed", effects().tools.closed);
    t.assistant.tools.register("sub:closed", { ...effects().tools.closed, meta: { category: "vault" } });
    for (const name of ["closed", "sub:closed", "sub__closed"])
      expect(await t.assistant.tools.run(name, {}, { user: "app:ada" })).toMatchObject({ error: { code: "DENIED" } });
  });
});

describe("whoever was started by somebody may do no more than they", () => {
  const owner = { channel: "cli", roles: ["owner", "user"], sessionKey: "agent:main:main" };
  const user = { channel: "telegram", roles: ["user"], sessionKey: "agent:main:telegram:direct:9" };

  function dispatchOf() {
    const { ran, tools } = effects();
    const [clock, store] = [fakeClock(), memoryStore()];
    const asked: Parameters<Parameters<typeof createDispatch>[0]["requestApproval"]>[0][] = [];
    const policy = createPolicy({ file: parsePolicy(POLICY), parse: parsePolicy });
    const redact = createModelRedactor([]);
    const dispatch = createDispatch({
      registry: createToolRegistry(tools),
      store,
      callEvents: createCallEvents({ events: createEventBus({ clock }), clock }),
      runner: createToolRunner({ redact, keepLong: async (output) => output, expectLater: async () => {} }),
      audit: createAudit({ store, clock }),
      metrics: createMetrics(),
      redact,
      decide: policy.decide,
      requestApproval: async (request) => (asked.push(request), { open: { id: request.id, code: "CODE" } }),
    });
    const caller: ToolCaller = {
      taskId: "t",
      speaker: {
        user: "cli",
        roles: owner.roles,
        channel: owner.channel,
        account: "default",
        peer: { kind: "direct", id: "cli" },
        sessionKey: "sub:agent:main:main:1",
        agentId: "main",
      },
      signal: new AbortController().signal,
      inTurn: true,
    };
    return { dispatch, ran, asked, caller };
  }

  it.each([
    { by: "the owner", startedBy: owner, allowed: true },
    { by: "a user", startedBy: user, allowed: false },
    { by: "the owner, who was started by a user", startedBy: { ...owner, startedBy: user }, allowed: false },
    { by: "nobody that is known", startedBy: { channel: "", roles: [], sessionKey: "" }, allowed: false },
  ])("started by $by", async ({ startedBy, allowed }) => {
    const t = dispatchOf();
    const caller = { ...t.caller, startedBy };
    expect((await t.dispatch.run("closed", {}, caller, "t.0")).ok).toBe(allowed);
    expect((await t.dispatch.run("relay", { name: "closed" }, caller, "t.1")).ok).toBe(true);
    expect(t.ran.length).toBe(allowed ? 2 : 0);
    expect(t.dispatch.visible(caller).some(({ name }) => name === "closed")).toBe(allowed);
  });

  it("a chain of callers without end is refused, and so are tools that call one another for ever", async () => {
    const t = dispatchOf();
    const chainOf = (length: number): typeof owner =>
      length === 0 ? owner : ({ ...owner, startedBy: chainOf(length - 1) } as typeof owner);
    expect((await t.dispatch.run("closed", {}, { ...t.caller, startedBy: chainOf(5) }, "t.0")).ok).toBe(true);
    expect(await t.dispatch.run("closed", {}, { ...t.caller, startedBy: chainOf(100) }, "t.1")).toMatchObject({
      error: { code: "DENIED" },
    });
    t.ran.length = 0;
    expect(JSON.stringify(await t.dispatch.run("endless", {}, t.caller, "t.2"))).toContain("TOO_DEEP");
    expect(t.ran.length).toBeLessThan(12);
  });

  it("also in a call that waited for the owner: whoever started it is asked about again", async () => {
    const t = dispatchOf();
    await t.dispatch.run("wipe", {}, { ...t.caller, startedBy: user }, "t.0");
    const [request] = t.asked;
    expect(request?.caller).toMatchObject({ startedBy: user });
    const approved = (tool: string) =>
      t.dispatch.runApproved(
        { ...request, tool, state: "running" } as unknown as Parameters<typeof t.dispatch.runApproved>[0],
        new AbortController().signal,
      );
    expect(await approved("closed")).toMatchObject({ error: { code: "DENIED" } });
    expect(await approved("guarded")).toMatchObject({ error: { code: "REFUSED" } });
    expect(await approved("nothing")).toMatchObject({ error: { code: "UNKNOWN_TOOL" } });
    expect(t.ran).toEqual([]);
    expect(await approved("wipe")).toEqual({ output: null });
    expect(t.ran).toEqual(["wipe for cli"]);
  });
});
