import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { defineTool } from "../../../entry.host.ts";
import { calls, says } from "../../../src/testing/scripted-model.ts";
import { until } from "../../support/until.ts";
import { ALL, HOME, call, documents, isResult, isTask, lastOf, setUp } from "./support.ts";

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
    await t.during(t.assistant.send({ text, session: "s", context: { excludeTools: ["time", "file_*"] } }));
    const asked = t.model.requests.find(({ prompt }) => isTask(JSON.stringify(prompt)));
    const names = (asked?.tools ?? []).map(({ name }) => name);
    expect(names.filter((name) => name === "time" || name.startsWith("file_"))).toEqual([]);
    expect(names).toContain("plan");
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

  it("may call no more after the owner's yes: what an approved tool calls is bounded too", async () => {
    const ran: string[] = [];
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({}),
      execute: async (_, { callTool }) => JSON.stringify(await callTool("beta", {})),
      meta: { dangerous: true },
    });
    const beta = defineTool({ description: "b", inputSchema: v.object({}), execute: () => void ran.push("beta") });
    const t = await setUp((_, prompt) => (isResult(prompt) ? says("I asked") : calls(["wipe", {}])), {
      tools: { wipe, beta },
    });
    await t.say(call("subagent", { task: "wipe it", tools: ["wipe"] }));
    const [request] = await t.assistant.approvals.list();
    await t.receive(`/approve ${request?.code}`);
    await until(t.clock, async () => JSON.stringify(await t.assistant.sessions.show(HOME)).includes("tool denied"));
    expect(ran).toEqual([]);
  });

  it("is refused by the policy what anybody in the chain that started it is refused", async () => {
    const ran: string[] = [];
    const secret = defineTool({ description: "s", inputSchema: v.object({}), execute: () => void ran.push("secret") });
    const t = await setUp(
      (text, prompt) => {
        if (isResult(prompt)) return says(lastOf(prompt));
        return text.includes("outer") ? calls(["subagent", { task: "inner" }], ["secret", {}]) : calls(["secret", {}]);
      },
      {
        tools: { secret },
        policy: {
          version: 1,
          profiles: [
            { name: "subs", match: { sessions: ["agent:main:sub:"] }, policy: {} },
            { name: "default", match: {}, policy: { deny: [{ tool: "secret" }] } },
          ],
        } as never,
      },
    );
    const said = await t.say(call("subagent", { task: "outer" }), { from: "7" });
    expect((await documents(t)).length).toBe(2);
    expect(ran).toEqual([]);
    expect(said.split("for the caller that started this one").length).toBeGreaterThan(2);
  });

  it("asks for everybody for whom it was started", async () => {
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({}),
      execute: () => "wiped",
      meta: { dangerous: true },
    });
    const t = await setUp((_, prompt) => (isResult(prompt) ? says("I asked") : calls(["wipe", {}])), {
      tools: { wipe },
      policy: ALL,
      queue: { debounceMs: 1000 },
      script(prompt) {
        const text = JSON.stringify(prompt);
        if (isTask(text)) return isResult(prompt) ? says("I asked") : calls(["wipe", {}]);
        return isResult(prompt) ? says("ok") : calls(["subagent", { task: "wipe it" }]);
      },
    });
    await t.receive("what now?", { from: "7", group: "g" });
    await t.receive("wipe it", { from: "8", group: "g" });
    await until(t.clock, async () => (await t.assistant.approvals.list()).length === 1);
    const [request] = await t.assistant.approvals.list();
    const kept =
      (await t.store.get(`approvals/requests/${request?.id}.json`)) ??
      (await t.store.get(`approvals/requests/${request?.id}`));
    expect(kept?.value).toMatchObject({ caller: { speakers: ["memory:7", "memory:8"] } });
  });

  it("neither gets tools nor depth by a workflow that it starts", async () => {
    const ran: string[] = [];
    const beta = defineTool({ description: "b", inputSchema: v.object({}), execute: () => void ran.push("beta") });
    const t = await setUp(undefined, {
      tools: { beta },
      subagents: { maxDepth: 1 },
      workflow: {
        definitions: [
          `name: escape
description: Tries to do more
steps:
  - {id: deeper, run: prompt, prompt: GO DEEPER}
  - {id: wider, run: tool, tool: beta, needs: [deeper]}
`,
        ],
      },
      script(prompt) {
        const text = JSON.stringify(prompt);
        if (isTask(text)) return isResult(prompt) ? says("started") : calls(["workflow_run", { name: "escape" }]);
        if (isResult(prompt)) return says(`Told: ${lastOf(prompt)}`);
        if (text.includes("GO DEEPER")) return calls(["subagent", { task: "deeper" }]);
        return calls(["subagent", { task: "outer", tools: ["workflow_run", "subagent"] }]);
      },
    });
    await t.say("go");
    const [run] = await t.assistant.workflows.list({});
    const ended = await t.during(t.assistant.workflows.finished(run?.id ?? ""));
    expect(JSON.stringify(ended.steps)).toContain("TOO_DEEP");
    expect(ended.error?.message).toContain("tool denied: beta");
    expect([ran, (await documents(t)).map(({ task }) => task)]).toEqual([[], ["outer"]]);
  });

  it("gets no more tools for later by a job that it makes, or changes", async () => {
    const ran: string[] = [];
    const probe = (name: string) =>
      defineTool({ description: name, inputSchema: v.object({}), execute: () => void ran.push(name) });
    const both = [["alpha", {}] as const, ["beta", {}] as const];
    const t = await setUp(undefined, {
      tools: { alpha: probe("alpha"), beta: probe("beta") },
      script(prompt) {
        const text = lastOf(prompt);
        if (isResult(prompt)) return says("done");
        if (isTask(text)) {
          const id = /IN (\w+) BOTH/.exec(text)?.[1];
          const job = { schedule: "in 20 minutes", task: "DO BOTH" };
          if (id === undefined) return calls(["scheduler_create", job]);
          return calls(["schedule_task", { action: "update", job: { id, task: "DO BOTH" } }]);
        }
        if (text.includes("DO BOTH")) return calls(...both);
        const task = /CHANGE (\w+)/.exec(text)?.[1];
        const tools = ["alpha", "scheduler_create", "schedule_task"];
        return calls(["subagent", { task: task === undefined ? "MAKE" : `IN ${task} BOTH`, tools }]);
      },
    });
    await t.say("make one");
    const mine = await t.assistant.jobs.create({ schedule: "in 40 minutes", task: "SAY HELLO", user: "memory:42" });
    expect(mine.job.tools).toBeUndefined();
    await t.say(`CHANGE ${mine.job.id}`);
    const jobs = (await t.assistant.jobs.list({ user: "memory:42" })).map(({ job }) => job);
    expect(jobs.map(({ task }) => task)).toEqual(["DO BOTH", "DO BOTH"]);
    for (const { tools } of jobs) expect(tools).toEqual(["alpha", "scheduler_create", "schedule_task"]);
    for (const { id } of jobs) expect((await t.store.get(`jobs/${id}.yaml`))?.value).toContain('\ntools: ["alpha",');
    await t.clock.advance(19 * 60_000);
    await until(t.clock, () => ran.length > 0);
    await t.clock.advance(19 * 60_000);
    await until(t.clock, () => ran.length > 1);
    expect(ran).toEqual(["alpha", "alpha"]);
  });

  it("gets back no tool that a call of the host left out, by a workflow, a job or the owner's yes", async () => {
    const ran: string[] = [];
    const beta = defineTool({ description: "b", inputSchema: v.object({}), execute: () => void ran.push("beta") });
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.object({}),
      execute: async (_, { callTool }) => JSON.stringify(await callTool("workflow_run", { name: "direct" })),
      meta: { dangerous: true },
    });
    const t = await setUp(undefined, {
      tools: { beta, wipe },
      workflow: {
        definitions: [
          "name: direct\nsteps:\n  - {id: one, run: tool, tool: beta}\n",
          "name: asked\nsteps:\n  - {id: one, run: prompt, prompt: NOW BETA}\n",
        ],
      },
      script(prompt) {
        const text = lastOf(prompt);
        if (isResult(prompt)) return says("done");
        if (text.includes("NOW BETA")) return calls(["beta", {}]);
        if (!text.includes("ask for all")) return says("ok");
        return calls(
          ["workflow_run", { name: "direct" }],
          ["workflow_run", { name: "asked" }],
          ["wipe", {}],
          ["scheduler_create", { schedule: "in 20 minutes", task: "NOW BETA" }],
        );
      },
    });
    await t.during(t.assistant.send({ text: "ask for all", user: "memory:42", context: { excludeTools: ["beta"] } }));
    const runs = await t.assistant.workflows.list({});
    expect(runs).toHaveLength(2);
    for (const { id } of runs) await t.during(t.assistant.workflows.finished(id));
    const direct = runs.find(({ name }) => name === "direct");
    expect((await t.assistant.workflows.get(direct?.id ?? "")).error?.message).toContain("tool denied: beta");
    const [request] = await t.assistant.approvals.list();
    await t.during(t.assistant.approvals.answer(request?.code ?? "", { answer: "once", user: "memory:42" }));
    const [approved, ...others] = await t.assistant.workflows.list({});
    expect(others).toHaveLength(2);
    const ended = await t.during(t.assistant.workflows.finished(approved?.id ?? ""));
    expect(ended.error?.message).toContain("tool denied: beta");
    await t.clock.advance(19 * 60_000);
    await until(t.clock, () => t.model.requests.some(({ prompt }) => lastOf(prompt).includes("is due now")));
    await t.clock.advance(60_000);
    expect(ran).toEqual([]);
  });

  it("is no concern of a tool of the host, which may call what the model does without", async () => {
    const ran: string[] = [];
    const beta = defineTool({ description: "b", inputSchema: v.object({}), execute: () => void ran.push("beta") });
    const outer = defineTool({
      description: "o",
      inputSchema: v.object({}),
      execute: (_, { callTool }) => callTool("beta", {}),
    });
    const t = await setUp(undefined, {
      tools: { beta, outer },
      script: (prompt) => (isResult(prompt) ? says("done") : calls(["beta", {}], ["outer", {}])),
    });
    await t.during(t.assistant.send({ text: "go", user: "memory:42", context: { excludeTools: ["beta"] } }));
    expect(ran).toEqual(["beta"]);
  });
});
