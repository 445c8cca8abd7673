import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { mcpEndpoint } from "../../adapters/mcp/server/index.ts";
import { defineTool } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { type Script, calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const OWNER = "owner-token";
const BOSS = "boss-token";
const ADA = "ada-token";
const BOB = "bob-token";

/** An assistant with a dangerous tool, and agents that speak with it over MCP. */
async function setUp(options: TestAssistantOptions = {}) {
  const ran: string[] = [];
  const prompts: string[] = [];
  const script: Script = (prompt) => {
    const last = prompt.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    prompts.push(text);
    const wanted = /wipe (\w+)/.exec(text);
    const isAsked = last?.role === "user" && wanted && !text.includes("wakeful-note") && !text.includes("pprove");
    return isAsked ? calls(["wipe", { disk: wanted[1] ?? "" }]) : says(last?.role === "tool" ? "I asked" : "ok");
  };
  const t = await testAssistant({
    script,
    owner: { ids: ["memory:1", "app:boss"] },
    queue: { debounceMs: 0 },
    mcp: { endpoint: mcpEndpoint },
    server: {
      token: OWNER,
      tokens: [
        { token: BOSS, role: "user", user: "app:boss" },
        { token: ADA, role: "user", user: "app:ada" },
        { token: BOB, role: "user", user: "app:bob" },
      ],
    },
    tools: {
      wipe: defineTool({
        description: "wipes",
        inputSchema: v.object({ disk: v.string() }),
        execute: ({ disk }) => (ran.push(disk), { wiped: disk }),
        meta: { dangerous: true },
      }),
    },
    ...options,
  });
  const { assistant } = t;
  async function agent(token: string) {
    const client = new Client({ name: "an agent", version: "1" });
    await client.connect(
      new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), {
        // workerd does not know `redirect: "error"`.
        fetch: async (input, init) => assistant.fetch(new Request(input, withoutRedirect(init))),
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      }),
    );
    const use = async (name: string, given: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: given });
      const text = (result.content as { text: string }[]).map((part) => part.text).join("\n");
      return { text, isError: result.isError === true, structured: result.structuredContent };
    };
    return { client, use, send: (text: string, more: Record<string, unknown> = {}) => use("send", { text, ...more }) };
  }
  const open = async () => (await assistant.approvals.list())[0];
  const write = (from: string, text: string) => t.receive(text, { from });
  return { ...t, ran, prompts, agent, open, write };
}

function withoutRedirect({ redirect: _redirect, ...init }: RequestInit = {}): RequestInit {
  return init;
}

const REFUSED = /^Not answered: .*page.*terminal.*chat.*HTTP API/;

describe("a request for approval, and an agent at /mcp", () => {
  const spellings: readonly ((code: string) => string)[] = [
    (code) => `/approve ${code}`,
    (code) => `/approve ${code} always`,
    (code) => `/approve ${code} always wipe *`,
    (code) => `/approve ${code} please`,
    (code) => `/deny ${code} no`,
    (code) => `  \n/APPROVE@wakeful_bot\t${code.toLowerCase()}  `,
    () => "/approve",
    () => "/deny",
    () => "/approve AAAAAA",
    () => "/approve AAAAAAAA",
  ];

  it.each([
    { whose: "the owner's token", token: OWNER },
    { whose: "a token of somebody who may answer", token: BOSS },
    { whose: "anybody else's token", token: ADA },
  ])("is not answered by what comes with $whose, in any spelling, here or in another session", async ({ token }) => {
    const t = await setUp();
    const { send } = await t.agent(token);
    expect((await send("wipe sda", { session: "work" })).structured).toMatchObject({ approvals: [{ name: "wipe" }] });
    const { code = "" } = (await t.open()) ?? {};
    const before = t.prompts.length;
    for (const spelling of spellings) {
      for (const more of [{}, { session: "work" }, { session: "elsewhere" }]) {
        const refused = await send(spelling(code), more);
        expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(REFUSED) });
      }
    }
    expect(t.prompts.length).toBe(before);
    // No commands, so the model reads them as what they are: words.
    for (const words of [`yes`, `approve ${code}`, code, `hello\n/approve ${code}`, `y`, `always ${code}`])
      await send(words, { session: "work" });
    expect(await t.open()).toMatchObject({ code, state: "open" });
    expect(await t.assistant.approvals.rules()).toEqual([]);
    expect(t.ran).toEqual([]);
  });

  it("is not answered by what joins a turn that runs, or waits with what a person says", async () => {
    for (const mode of ["collect", "followup", "steer", "interrupt"] as const) {
      let letGo = () => {};
      const held = new Promise<void>((resolve) => (letGo = resolve));
      let isHeld = false;
      const hold = defineTool({
        description: "holds a turn",
        inputSchema: v.object({}),
        async execute() {
          isHeld = true;
          await held;
          return "held";
        },
      });
      const ran: string[] = [];
      const wipe = defineTool({
        description: "wipes",
        inputSchema: v.object({ disk: v.string() }),
        execute: ({ disk }) => void ran.push(disk),
        meta: { dangerous: true },
      });
      const model = scriptedModel((prompt) => {
        const last = prompt.at(-1);
        const text = JSON.stringify(last?.content ?? "");
        if (last?.role === "user" && text.includes("hold on")) return calls(["hold", {}]);
        if (last?.role === "user" && text.includes("wipe sda")) return calls(["wipe", { disk: "sda" }]);
        return says("ok");
      });
      const t = await setUp({ queue: { mode, debounceMs: 0 }, tools: { hold, wipe }, model });
      const { send } = await t.agent(OWNER);
      await send("wipe sda", { session: "shared" });
      const { code = "" } = (await t.open()) ?? {};
      const person = t.assistant.send({ text: "hold on", session: "shared" });
      await until(t.clock, () => isHeld);
      const second = t.assistant.send({ text: "and one thing more", session: "shared" });
      const refused = await send(`/approve ${code}`, { session: "shared" });
      expect(refused.text).toMatch(REFUSED);
      letGo();
      await Promise.all([person, second]);
      expect([await t.open(), ran]).toMatchObject([{ code, state: "open" }, []]);
      await t.assistant.stop();
    }
  });

  it("is answered by the same words of a person, in the same session, over the HTTP API and in a chat", async () => {
    const t = await setUp();
    const { send } = await t.agent(OWNER);
    await send("wipe sda", { session: "work" });
    const first = (await t.open())?.code ?? "";
    await send(`/approve ${first}`);
    await t.write("1", `/approve ${first}`);
    await until(t.clock, () => t.ran.length === 1);
    await send("wipe sdb", { session: "work" });
    const second = (await t.open())?.code ?? "";
    const init = { method: "POST", headers: { authorization: `Bearer ${OWNER}`, "content-type": "application/json" } };
    const body = JSON.stringify({ text: `/approve ${second}`, session: "work" });
    await t.assistant.fetch(new Request("http://localhost/api/v1/messages", { ...init, body }));
    await until(t.clock, () => t.ran.length === 2);
    expect(t.ran).toEqual(["sda", "sdb"]);
  });

  it("leaves a line in the audit when an agent tries", async () => {
    const t = await setUp();
    const { send } = await t.agent(OWNER);
    await send("wipe sda");
    const { code = "" } = (await t.open()) ?? {};
    await send(`/approve ${code} always`);
    const init = { headers: { authorization: `Bearer ${OWNER}` } };
    const response = await t.assistant.fetch(new Request("http://localhost/api/v1/audit?what=approval.refused", init));
    const { lines } = (await response.json()) as { lines: unknown };
    expect(lines).toMatchObject([{ who: "sdk", code, verdict: "refused", reason: expect.stringContaining("/mcp") }]);
  });
});

describe("who is let in, and an agent at /mcp", () => {
  it("lets nobody in, and makes nobody the owner", async () => {
    const channel = inMemoryChannel({ access: { dm: "pairing" } });
    const t = await setUp({ channels: [channel] });
    const from = { peer: { kind: "direct", id: "9" }, sender: { id: "9" } } as const;
    const request = channel.request([{ id: "s1", text: "hello", ...from }]);
    await t.assistant.fetch(new Request("http://localhost/webhooks/memory", request));
    const [asked] = (await t.assistant.access.list()).pending;
    const { send } = await t.agent(OWNER);
    for (const text of [`/approve ${asked?.code}`, `/deny ${asked?.code}`])
      expect((await send(text)).text).toMatch(REFUSED);
    expect(await t.assistant.access.list()).toMatchObject({ pending: [{ code: asked?.code }], people: [] });
    await t.assistant.stop();

    const fresh = await setUp({ owner: { ids: [] } });
    const code = await fresh.assistant.access.ownerCode();
    const said = await (await fresh.agent(ADA)).send(`/owner ${code}`);
    expect(said.text).toMatch(/^Nothing changed\. \/owner CODE only works in a direct chat of a channel/);
    expect((await fresh.assistant.access.list()).owners).toEqual([]);
  });
});

describe("recall, over MCP", () => {
  const keep = (t: Awaited<ReturnType<typeof setUp>>, userId: string, content: string) =>
    t.assistant.memory.save({ userId, content });

  it("is offered with what it takes, as a tool that only reads", async () => {
    const t = await setUp();
    const { client } = await t.agent(ADA);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["send", "recall", "jobs_list", "jobs_create"]);
    const recall = tools[1];
    expect(recall?.inputSchema).toMatchObject({ required: ["query"], additionalProperties: false });
    expect(Object.keys(recall?.inputSchema.properties ?? {})).toEqual(["query", "limit"]);
    expect(recall?.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(tools[0]?.annotations).toMatchObject({ readOnlyHint: false });
  });

  it("finds what the token's user told, and never what anybody else did", async () => {
    const t = await setUp();
    await keep(t, "app:ada", "Ada keeps her telescope in the attic.");
    await keep(t, "app:bob", "Bob keeps his telescope in the cellar.");
    await keep(t, "@owner", "The owner keeps a telescope on the roof.");
    const words = "where is the telescope kept";
    const cases = [
      { token: ADA, own: "attic", others: ["cellar", "roof"] },
      { token: BOB, own: "cellar", others: ["attic", "roof"] },
      { token: OWNER, own: "roof", others: ["attic", "cellar"] },
      { token: BOSS, own: "roof", others: ["attic", "cellar"] },
    ];
    for (const { token, own, others } of cases) {
      const { use } = await t.agent(token);
      const found = await use("recall", { query: words, limit: 20 });
      expect(found.isError).toBe(false);
      expect(found.text).toContain(own);
      expect(found.structured).toMatchObject({
        memories: [{ id: expect.any(String), content: expect.stringContaining(own) }],
      });
      for (const other of others) expect(JSON.stringify(found)).not.toContain(other);
      for (const more of [
        { user: "app:bob" },
        { user_id: "@owner" },
        { session: "app:bob" },
        { limit: 0 },
        { limit: 21 },
      ])
        expect(await use("recall", { query: words, ...more })).toMatchObject({ isError: true });
    }
  });

  it("says plainly when there is nothing, and gives no more than was asked for", async () => {
    const t = await setUp();
    const { use } = await t.agent(ADA);
    expect(await use("recall", { query: "telescope" })).toMatchObject({ isError: false, structured: { memories: [] } });
    for (const place of ["attic", "garden", "car"]) await keep(t, "app:ada", `Ada has a telescope in the ${place}.`);
    const { structured } = await use("recall", { query: "telescope", limit: 2 });
    expect((structured as { memories: unknown[] }).memories).toHaveLength(2);
  });

  it.each([
    {
      what: "a policy that denies memory_recall",
      more: {
        policy: {
          version: 1,
          profiles: [{ name: "default", policy: { deny: [{ tool: "memory_recall" }], allow: [] } }],
        },
      },
    },
    { what: "no memory", more: { memory: { enabled: false } } },
  ] as const)("is neither offered nor given with $what", async ({ more }) => {
    const t = await setUp(more);
    await keep(t, "app:ada", "Ada keeps her telescope in the attic.");
    const { client, use } = await t.agent(ADA);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["send", "jobs_list", "jobs_create"]);
    const refused = await use("recall", { query: "telescope" });
    expect(refused.isError).toBe(true);
    expect(refused.text).not.toContain("attic");
  });
});

describe("jobs, over MCP", () => {
  const jobsOf = (found: { readonly structured: unknown }) =>
    (found.structured as { jobs: { task: string }[] }).jobs.map(({ task }) => task);

  it("are made and seen by the token's user alone, with the next times", async () => {
    const t = await setUp({ timezone: "UTC" });
    const tokens = { ada: ADA, bob: BOB, boss: BOSS, owner: OWNER };
    for (const [name, token] of Object.entries(tokens)) {
      const { use } = await t.agent(token);
      expect(await use("jobs_list", {})).toMatchObject({ text: "There are no jobs", structured: { jobs: [] } });
      const made = await use("jobs_create", { schedule: "every day at 5", task: `Task of ${name}`, name: "daily" });
      expect(made).toMatchObject({ isError: true, text: expect.stringContaining("Ask the person first") });
      expect(await use("jobs_create", { schedule: "every day at 9:00", task: `Task of ${name}` })).toMatchObject({
        isError: false,
        text: expect.stringMatching(/^\S+ {2}Task of \w+: 2026-01-05 09:00 \(UTC\)$/),
        structured: {
          status: "active",
          next: Array.from({ length: 3 }, () => expect.stringMatching(/09:00 \(UTC\)$/)),
        },
      });
      expect(jobsOf(await use("jobs_list", {}))).toEqual([`Task of ${name}`]);
    }
    const made = (await t.assistant.jobs.list()).map(({ job }) => [job.user, job.roles, job.startedBy]);
    expect(made).toEqual([
      ["app:ada", ["user"], "app:ada"],
      ["app:bob", ["user"], "app:bob"],
      ["app:boss", ["owner", "user"], "app:boss"],
      ["sdk", ["owner", "user"], "sdk"],
    ]);
  });

  it("take no user, place or right from the call", async () => {
    const t = await setUp();
    const { use } = await t.agent(ADA);
    const job = { schedule: "every day at 9:00", task: "Stretch" };
    for (const more of [{ user: "app:bob" }, { channel: "memory" }, { chat_id: "1" }, { roles: ["owner"] }])
      expect(await use("jobs_create", { ...job, ...more })).toMatchObject({ isError: true });
    expect(await use("jobs_list", { user: "app:bob" })).toMatchObject({ isError: true });
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it.each([
    {
      what: "a policy that denies the group scheduler",
      more: {
        policy: { version: 1, profiles: [{ name: "default", policy: { deny: [{ group: "scheduler" }], allow: [] } }] },
      },
    },
    { what: "jobs switched off", more: { scheduler: { enabled: false } } },
  ] as const)("are neither offered nor made with $what", async ({ more }) => {
    const t = await setUp(more);
    const { client, use } = await t.agent(ADA);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["send", "recall"]);
    for (const [name, given] of [
      ["jobs_list", {}],
      ["jobs_create", { schedule: "every day at 9:00", task: "Stretch" }],
    ] as const)
      expect(await use(name, given)).toMatchObject({ isError: true });
    expect(await t.assistant.jobs.list()).toEqual([]);
  });

  it("are offered by the roles of the token's user", async () => {
    const scheduler = { deny: [{ group: "scheduler" }], allow: [] };
    const t = await setUp({
      policy: {
        version: 1,
        profiles: [
          { name: "owner", match: { roles: ["owner"] }, policy: { deny: [], allow: [] } },
          { name: "default", policy: scheduler },
        ],
      },
    });
    const offered = async (token: string) => {
      const { tools } = await (await t.agent(token)).client.listTools();
      return tools.map(({ name }) => name).filter((name) => name.startsWith("jobs_"));
    };
    expect(await offered(ADA)).toEqual([]);
    expect(await offered(OWNER)).toEqual(["jobs_list", "jobs_create"]);
  });
});
