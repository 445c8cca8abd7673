import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../entry.host.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { calls, delayed, hangs, says } from "../../../src/testing/scripted-model.ts";
import { OWNER_TOKEN } from "../../support/assistant.ts";
import { failingOnce } from "../../support/failing-once.ts";
import { beginLife } from "../../support/life.ts";
import { until } from "../../support/until.ts";
import { ALL, HOME, type Prompt, call, documents, isResult, isTask, lastOf, setUp } from "./support.ts";

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

  it("that the store did not take takes no place, and another is done", async () => {
    const { store, failed } = failingOnce("append", /wakes.*sub:sa-/);
    const t = await setUp(() => says("done"), { store, subagents: { maxRunning: 1 } });
    expect(await t.say(call("bg_dispatch", { task: "a" }))).toContain("the store is down");
    expect(failed).toHaveLength(1);
    expect(await documents(t)).toEqual([]);
    // The place that was claimed is free again after a minute.
    await t.clock.advance(60_000);
    expect(await t.say(call("bg_dispatch", { task: "b" }))).toContain("running");
    await t.sent(3);
    expect(t.channel.textsTo("42").at(-1)).toContain("done");
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

  it("that was being started when /stop came is ended too", async () => {
    const inner = memoryStore();
    let stopped = () => {};
    const isStopped = new Promise<void>((resolve) => (stopped = resolve));
    let isBeginning = false;
    const store: typeof inner = {
      ...inner,
      async put(key, value, options) {
        if (key.startsWith("subagents/sa-") && !isBeginning) {
          isBeginning = true;
          await isStopped;
        }
        return inner.put(key, value, options);
      },
    };
    const t = await setUp(() => delayed(90_000, says("done")), { store });
    await t.receive(call("bg_dispatch", { task: "outer" }));
    await until(t.clock, () => isBeginning);
    await t.say("/stop");
    stopped();
    await until(t.clock, async () => (await documents(t)).some(({ state }) => state === "cancelled"));
    await t.clock.advance(300_000);
    expect(t.channel.sent.length).toBe(1);
  });

  describe("that began a workflow", () => {
    const workflow = {
      definitions: [{ name: "inner", steps: [{ id: "a", run: "wait" as const, with: { event: "never" } }] }],
    };
    const beginsRun = (_: string, prompt: Prompt) =>
      isResult(prompt) ? hangs() : calls(["workflow_run", { name: "inner" }]);
    const states = async ({ assistant }: Awaited<ReturnType<typeof setUp>>) =>
      (await assistant.workflows.list({ name: "inner" })).map(({ status }) => status);

    it("is ended by /stop with that, and no run of others is", async () => {
      const t = await setUp(beginsRun, { workflow });
      await t.say(call("workflow_run", { name: "inner" }));
      await until(t.clock, async () => (await states(t)).join(" ") === "waiting");
      await t.say(call("bg_dispatch", { task: "outer" }));
      await until(t.clock, async () => (await states(t)).join(" ") === "waiting waiting");
      await t.say("/stop");
      await until(t.clock, async () => (await states(t)).join(" ") === "cancelled waiting");
      await t.clock.advance(60_000);
      expect(await states(t)).toEqual(["cancelled", "waiting"]);
    });

    it("is ended with it where a crash came between", async () => {
      const [store, clock] = [memoryStore(), fakeClock()];
      const life = beginLife(store, clock);
      const t = await setUp(beginsRun, { workflow, store, clock, life });
      await t.say(call("bg_dispatch", { task: "outer" }));
      await until(clock, async () => (await states(t)).join(" ") === "waiting");
      life.kill();
      for await (const { key } of store.list("subagents/sa-")) {
        const kept = await store.get(key);
        await store.put(key, { ...(kept?.value as object), state: "cancelled", delivery: "taken" });
      }
      const next = await setUp(beginsRun, { workflow, store, clock });
      await until(clock, async () => (await states(next)).join(" ") === "cancelled");
    });

    it("is ended with it also while that begins", async () => {
      const inner = memoryStore();
      let open = () => {};
      const isOpen = new Promise<void>((resolve) => (open = resolve));
      let isBeginning = false;
      const store: typeof inner = {
        ...inner,
        async put(key, value, options) {
          if (key.startsWith("workflows/run-") && !isBeginning) {
            isBeginning = true;
            await isOpen;
          }
          return inner.put(key, value, options);
        },
      };
      const t = await setUp(beginsRun, { store, workflow });
      await t.say(call("bg_dispatch", { task: "outer" }));
      await until(t.clock, () => isBeginning);
      await t.say("/stop");
      open();
      await until(t.clock, async () => (await states(t)).join(" ") === "cancelled");
    });
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

describe("a sub-agent in time", () => {
  it("goes on in the background when a message breaks in", async () => {
    const t = await setUp(() => delayed(30_000, says("late find")), { queue: { debounceMs: 0, mode: "interrupt" } });
    await t.receive(call("subagent", { task: "dig" }));
    await until(t.clock, async () => (await documents(t)).length === 1, { stepMs: 10 });
    await t.receive("hello");
    await t.sent(2);
    expect(t.channel.textsTo("42").some((text) => text.includes("late find"))).toBe(true);
    expect(await documents(t)).toMatchObject([{ state: "done", delivery: "told" }]);
  });

  it("spends what its job may spend, and a conversation's is the conversation's", async () => {
    const t = await setUp(
      (text, prompt) =>
        text.includes("outer") && !isResult(prompt) ? calls(["subagent", { task: "inner" }]) : says("done"),
      { scheduler: { budget: { daily: 1 } } },
    );
    await t.say(call("subagent", { task: "of a person" }));
    const job = {
      schedule: "every hour",
      user: "memory:42",
      mode: "main",
      task: call("subagent", { task: "outer" }),
    } as const;
    await t.assistant.jobs.create(job);
    await t.clock.advance(3_600_000);
    await until(t.clock, async () => (await documents(t)).filter(({ state }) => state === "done").length === 3);
    const found = await documents(t);
    expect(Object.fromEntries(found.map(({ task, unattended }) => [task, unattended]))).toEqual({
      "of a person": undefined,
      outer: true,
      inner: true,
    });
    const lines: { readonly session?: unknown; readonly purpose?: unknown }[] = await t.records("usage/");
    for (const { sessionKey, unattended } of found)
      expect(lines.find(({ session }) => session === sessionKey)?.purpose).toBe(unattended && "job");
  });

  it("of a workflow spends what the job may spend that started that", async () => {
    const outer = {
      name: "outer",
      steps: [
        { id: "ask", run: "prompt" as const, prompt: "TASK of the prompt" },
        { id: "hand", run: "tool" as const, tool: "subagent", with: { task: "of the step" }, needs: ["ask"] },
      ],
    };
    const t = await setUp(undefined, { scheduler: { budget: { daily: 1 } }, workflow: { definitions: [outer] } });
    const started = { schedule: "every hour", user: "memory:42", mode: "main" } as const;
    await t.assistant.jobs.create({ ...started, task: call("workflow_run", { name: "outer", inputs: {} }) });
    await t.clock.advance(3_600_000);
    await until(t.clock, async () => (await t.assistant.workflows.list({ user: "memory:42" }))[0]?.status === "done");
    const lines: { readonly session?: unknown; readonly purpose?: unknown }[] = await t.records("usage/");
    const ofRun = lines.filter(({ session }) => String(session).includes(":sub:"));
    expect(ofRun.map(({ purpose }) => purpose)).toEqual(["job", "job"]);
    // A conversation's run is the conversation's.
    await t.say(call("workflow_run", { name: "outer", inputs: {} }));
    await until(t.clock, async () => (await t.assistant.workflows.list({ user: "memory:42" }))[0]?.status === "done");
    const later: typeof lines = await t.records("usage/");
    const ofPerson = later.filter(({ session }) => String(session).includes(":sub:")).slice(2);
    expect(ofPerson.map(({ purpose }) => purpose)).toEqual([undefined, undefined]);
  });

  it("has a session that ends with it", async () => {
    const t = await setUp();
    const ended: string[] = [];
    t.assistant.events.subscribe(
      "session.ended",
      ({ sessionId, payload }) => {
        if (sessionId?.includes(":sub:")) ended.push(payload.reason ?? "");
      },
      { name: "spy" },
    );
    await t.say(call("subagent", { task: "x" }));
    await until(t.clock, () => ended.length > 0);
    await t.clock.advance(7_200_000);
    expect(ended).toEqual(["done"]);
  });

  it("is told to listeners, the audit and the metrics", async () => {
    const t = await setUp(undefined, { server: { token: OWNER_TOKEN } });
    const heard: unknown[] = [];
    for (const type of ["subagent.started", "subagent.ended"] as const)
      t.assistant.events.subscribe(type, ({ sessionId, payload }) => void heard.push([type, sessionId, payload]), {
        name: type,
      });
    await t.say(call("subagent", { task: "x" }));
    const [one] = await documents(t);
    const { id, sessionKey, tokens } = one ?? {};
    await until(t.clock, () => heard.length === 2);
    expect(heard).toEqual([
      ["subagent.started", HOME, { id, task: "x", user: "memory:42", sessionKey, depth: 1, background: false }],
      ["subagent.ended", HOME, { id, user: "memory:42", status: "done", tokens, durationMs: expect.any(Number) }],
    ]);
    const audit = (await t.records("audit/")) as unknown as { what: string; target: string }[];
    expect(audit.filter(({ target }) => target === id).map(({ what }) => what)).toEqual([
      "subagent.started",
      "subagent.ended",
    ]);
    expect(
      await (
        await t.assistant.fetch(
          new Request("http://localhost/metrics", { headers: { authorization: `Bearer ${OWNER_TOKEN}` } }),
        )
      ).text(),
    ).toContain('subagent_run_total{status="done"} 1');
  });

  it("has no more of its starter's budget than is left for all of them together", async () => {
    const t = await setUp(
      (text, prompt) => {
        if (text.includes("inner")) return says("done");
        const results = prompt.filter(({ role }) => role === "tool").length;
        return results < 3 ? calls(["subagent", { task: `inner ${results}` }]) : says("over");
      },
      { subagents: { maxTokens: 1010 } },
    );
    await t.say(call("subagent", { task: "outer" }));
    const inner = (await documents(t))
      .filter(({ depth }) => depth === 2)
      .toSorted((a, b) => a.task.localeCompare(b.task));
    expect(inner.length).toBeGreaterThan(0);
    const [first, second] = inner;
    expect(first?.limits.maxTokens).toBe(1010);
    if (second) expect(second.limits.maxTokens).toBe(1010 - (first?.tokens ?? 0));
    else expect(JSON.stringify(t.model.requests.map(({ prompt }) => prompt))).toContain("BUDGET_EXCEEDED");
  });

  it("shares its starter's budget with those that are started in the same step", async () => {
    const t = await setUp(
      (text, prompt) => {
        // What it was given counts while it runs: one that has ended gives back what it did not use.
        if (text.includes("inner")) return hangs();
        return isResult(prompt)
          ? says(lastOf(prompt))
          : calls(
              ["bg_dispatch", { task: "inner 1", budget: 1500 }],
              ["bg_dispatch", { task: "inner 2", budget: 1500 }],
            );
      },
      { subagents: { maxTokens: 2400 } },
    );
    expect(await t.say(call("subagent", { task: "outer" }))).toContain("BUDGET_EXCEEDED");
    const inner = (await documents(t)).filter(({ depth }) => depth === 2);
    expect(inner.map(({ limits }) => limits.maxTokens)).toEqual([1500]);
  });

  it("goes with its person, is given to them, and goes when it is old", async () => {
    const t = await setUp(undefined, {
      owner: { ids: ["memory:1"] },
      policy: ALL,
      memory: {},
      retention: { subagents: 2 },
    });
    const { assistant } = t;
    for (const from of ["42", "7"]) await t.say(call("subagent", { task: `of ${from}` }), { from });
    await t.say(call("subagent", { task: "of 42 in a group" }), { from: "42", group: "g" });
    await t.say("hello", { from: "7", group: "g" });
    let given = "";
    for await (const line of await assistant.memory.export({ userId: "memory:42", everything: true })) given += line;
    expect(given).toContain("of 42");
    expect(given).not.toContain("of 7");
    await t.during(assistant.memory.forget({ userId: "memory:42" }));
    expect((await documents(t)).map(({ task }) => task)).toEqual(["of 7"]);
    await t.clock.advance(3 * 86_400_000);
    await t.say("hello", { from: "7" });
    await until(t.clock, async () => (await documents(t)).length === 0);
  });
});
