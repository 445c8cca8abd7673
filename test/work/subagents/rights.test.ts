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
    expect(said.split("for whoever started this caller").length).toBeGreaterThan(2);
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
});
