import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../../entry.host.ts";
import type { Subagent } from "../../../src/subagents/index.ts";
import { type ScriptedStep, calls, delayed, says } from "../../../src/testing/scripted-model.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

type Prompt = readonly { readonly role: string; readonly content: unknown }[];

/** What the newest message says to the model. */
const lastOf = (prompt: Prompt) => JSON.stringify(prompt.at(-1)?.content ?? "");
const isTask = (text: string) => text.includes("You are a sub-agent");
const isResult = (prompt: Prompt) => prompt.at(-1)?.role === "tool";

/** What an owner writes is a call of a tool, as JSON, and sub-agents answer their tasks by `task`. */
function setUp(
  task: (text: string, prompt: Prompt) => ScriptedStep = () => says("the result"),
  options: TestAssistantOptions = {},
) {
  return testAssistant({
    owner: { ids: ["memory:42"] },
    session: { ownerMain: false },
    queue: { debounceMs: 0 },
    memory: { enabled: false },
    script(prompt) {
      const first = JSON.stringify(prompt.find(({ role }) => role === "user")?.content ?? "");
      if (isTask(first)) return task(first, prompt);
      if (isResult(prompt)) return says(`Told: ${lastOf(prompt)}`);
      const text = lastOf(prompt);
      const call = /CALL (\w+) (.*?) END/.exec(JSON.parse(text)?.at?.(-1)?.text ?? "");
      return call ? calls([call[1] ?? "", JSON.parse(call[2] ?? "{}")]) : says("ok");
    },
    ...options,
  });
}

const call = (tool: string, input: object) => `CALL ${tool} ${JSON.stringify(input)} END`;
const HOME = "agent:main:memory:direct:42";

async function documents(t: TestAssistant) {
  const found: Subagent[] = [];
  for await (const { key } of t.store.list("subagents/"))
    if (/sa-\w+\.json$/.test(key)) found.push((await t.store.get(key))?.value as unknown as Subagent);
  return found;
}

describe("subagent", () => {
  it("has a task done in a session of its own, and gives its result as data", async () => {
    const t = await setUp();
    const said = await t.say(call("subagent", { task: "read the page" }));
    expect(said).toContain("the result");
    expect(said).toContain("wakeful-data");
    const [one] = await documents(t);
    expect(one).toMatchObject({ task: "read the page", state: "done", parent: HOME, root: HOME, depth: 1 });
    expect(one?.sessionKey).toMatch(/^agent:main:sub:sa-[0-9a-f]{24}$/);
    // The conversation is not seen, and nothing else is said.
    const asked = t.model.requests.filter(({ prompt }) => isTask(JSON.stringify(prompt)));
    expect(asked.map(({ prompt }) => JSON.stringify(prompt).includes("CALL"))).toEqual([false]);
    expect(t.channel.sent.length).toBe(1);
  });

  it("goes on in the background when it takes longer than a call waits, and is told once then", async () => {
    const t = await setUp(() => delayed(60_000, says("late result")), { subagents: { waitSeconds: 10 } });
    const said = await t.say(call("subagent", { task: "dig" }));
    expect(said).toContain("running");
    await t.sent(2);
    expect(t.channel.textsTo("42")[1]).toContain("late result");
    await t.say("and now?");
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).toContain("late result");
    await t.clock.advance(300_000);
    expect(t.channel.textsTo("42").filter((text) => text.includes("late result")).length).toBe(1);
  });

  it("is refused more depth than there may be", async () => {
    const t = await setUp((_, prompt) =>
      isResult(prompt) ? says(`below: ${lastOf(prompt)}`) : calls(["subagent", { task: "deeper" }]),
    );
    expect(await t.say(call("subagent", { task: "deep" }))).toContain("TOO_DEEP");
    expect((await documents(t)).map(({ depth }) => depth).toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  it("is refused when as many run as may", async () => {
    const t = await setUp(() => delayed(50_000, says("done")), { subagents: { maxRunning: 2 } });
    for (const task of ["a", "b"]) await t.say(call("bg_dispatch", { task }));
    expect(await t.say(call("bg_dispatch", { task: "c" }))).toContain("TOO_MANY");
    await t.sent(5);
    expect(await t.say(call("bg_dispatch", { task: "d" }))).toContain("running");
  });

  it("takes no more places than there are when one step asks for several", async () => {
    const t = await setUp(() => delayed(20_000, says("done")), {
      script: (prompt) => {
        const first = JSON.stringify(prompt);
        if (isTask(first)) return delayed(20_000, says("done"));
        if (isResult(prompt)) return says("told");
        return calls(...Array.from({ length: 6 }, (_, index) => ["bg_dispatch", { task: `t${index}` }] as const));
      },
    });
    await t.say("go");
    expect((await documents(t)).length).toBe(4);
  });

  it("ends at its budget, which says which one and what was used", async () => {
    const t = await setUp((_, prompt) => (isResult(prompt) ? calls(["time", {}]) : calls(["time", {}])));
    const said = await t.say(call("subagent", { task: "for ever", budget: 1 }));
    expect(said).toMatch(/BUDGET_EXCEEDED: \d+ of 1 tokens are used/);
  });

  it("gives a place back while it waits: as many parents as places, two deep", async () => {
    const t = await setUp(
      (text, prompt) =>
        text.includes("outer") && !isResult(prompt) ? calls(["subagent", { task: "inner" }]) : says("done"),
      {
        queue: { debounceMs: 0, maxConcurrent: 4 },
      },
    );
    const replies = await Promise.all(
      ["a", "b", "c", "d"].map((session) =>
        t.during(t.assistant.send({ text: call("subagent", { task: "outer" }), session })),
      ),
    );
    expect(replies.map(({ text }) => text.includes("done"))).toEqual([true, true, true, true]);
    expect((await documents(t)).length).toBe(8);
  });
});

describe("rights of a sub-agent", () => {
  it("is no tool of strangers on chat platforms", async () => {
    const t = await setUp(undefined, { channel: { name: "telegram" } });
    await t.say(call("subagent", { task: "x" }), { from: "7" });
    expect(await documents(t)).toEqual([]);
  });

  it("has no tool that its parent has not, however the list is widened", async () => {
    const ran: string[] = [];
    const probe = (name: string) =>
      defineTool({ description: name, inputSchema: v.object({}), execute: () => void ran.push(name) });
    const t = await setUp(
      (text, prompt) => {
        if (isResult(prompt)) return says(lastOf(prompt));
        if (text.includes("outer")) return calls(["subagent", { task: "inner", tools: ["alpha", "beta", "subagent"] }]);
        return calls(["alpha", {}], ["beta", {}]);
      },
      { tools: { alpha: probe("alpha"), beta: probe("beta") } },
    );
    const said = await t.say(call("subagent", { task: "outer", tools: ["alpha", "subagent"] }));
    expect(ran).toEqual(["alpha"]);
    expect(said).toContain("tool denied: beta");
    const inner = t.model.requests.find(
      ({ prompt }) => isTask(JSON.stringify(prompt)) && JSON.stringify(prompt).includes("inner"),
    );
    expect((inner?.tools ?? []).map(({ name }) => name).toSorted()).toEqual(["alpha", "subagent"]);
  });

  it("does not have what the call of the host leaves out", async () => {
    const t = await setUp();
    const text = call("subagent", { task: "x" });
    await t.during(t.assistant.send({ text, session: "s", context: { excludeTools: ["time"] } }));
    const asked = t.model.requests.find(({ prompt }) => isTask(JSON.stringify(prompt)));
    expect((asked?.tools ?? []).map(({ name }) => name)).not.toContain("time");
    expect((asked?.tools ?? []).map(({ name }) => name)).toContain("plan");
  });

  it("asks the owner in the conversation that it is for, and the outcome comes there", async () => {
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({}),
      execute: () => "wiped",
      meta: { dangerous: true },
    });
    const t = await setUp((_, prompt) => (isResult(prompt) ? says("I asked") : calls(["wipe", {}])), {
      tools: { wipe },
    });
    const said = await t.say(call("subagent", { task: "wipe it" }));
    expect(said).toContain("awaits_approval");
    const [request] = await t.assistant.approvals.list();
    expect(request?.sessionKey).toMatch(/:sub:sa-/);
    await t.receive(`/approve ${request?.code}`);
    await until(t.clock, async () => JSON.stringify(await t.assistant.sessions.show(HOME)).includes("wiped"));
  });
});

describe("background work", () => {
  it("is collected once, and not told besides", async () => {
    const t = await setUp(() => delayed(5000, says("the find")));
    const said = await t.say(call("bg_dispatch", { task: "find" }));
    const id = /sa-[0-9a-f]+/.exec(said)?.[0] ?? "";
    expect(await t.say(call("bg_status", {}))).toContain("running");
    expect(await t.say(call("bg_collect", { id }))).toContain("the find");
    await t.clock.advance(60_000);
    expect(t.channel.sent.length).toBe(3);
    expect(await documents(t)).toMatchObject([{ state: "done", delivery: "taken" }]);
  });

  it("is told as failed when it failed", async () => {
    const t = await setUp(() => calls(["time", {}]));
    await t.say(call("bg_dispatch", { task: "for ever", budget: 1 }));
    await t.sent(2);
    expect(t.channel.textsTo("42")[1]).toMatch(/failed: for ever[\s\S]*tokens are used/);
  });

  it("is not seen from another conversation", async () => {
    const t = await setUp(() => delayed(5000, says("secret")));
    const id = /sa-[0-9a-f]+/.exec(await t.say(call("bg_dispatch", { task: "find" })))?.[0] ?? "";
    const other = await t.during(t.assistant.send({ text: call("bg_collect", { id }), session: "other" }));
    expect(other.text).toContain("NOT_FOUND");
  });

  it("is ended by /stop, with what it started, and nothing is told of it", async () => {
    const t = await setUp((text, prompt) =>
      text.includes("outer") && !isResult(prompt)
        ? calls(["subagent", { task: "inner" }])
        : delayed(90_000, says("done")),
    );
    await t.say(call("bg_dispatch", { task: "outer" }));
    await until(t.clock, async () => (await documents(t)).length === 2);
    await t.say("/stop");
    expect((await documents(t)).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
    await t.clock.advance(300_000);
    expect(t.channel.sent.length).toBe(2);
  });

  it("is ended with the turn that waits for it", async () => {
    const t = await setUp(() => delayed(90_000, says("done")));
    await t.receive(call("subagent", { task: "long" }));
    await until(t.clock, async () => (await documents(t)).length === 1);
    const stop = new AbortController();
    const sent = t.assistant.send({ text: call("subagent", { task: "other" }), session: "s", signal: stop.signal });
    await until(t.clock, async () => (await documents(t)).length === 2);
    stop.abort(new Error("gone"));
    await expect(sent).rejects.toThrow("gone");
    await until(t.clock, async () => (await documents(t)).some(({ state }) => state === "cancelled"));
    expect(Object.fromEntries((await documents(t)).map(({ task, state }) => [task, state]))).toEqual({
      long: "running",
      other: "cancelled",
    });
  });
});
