import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { calls, hangs, says } from "../../src/testing/scripted-model.ts";
import { until } from "../support/until.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";

const KEY = "agent:main:memory:direct:ada-7001";

async function setUp(store: Store = memoryStore()) {
  const t = await testAssistant({
    store,
    from: "ada-7001",
    script(prompt) {
      const text = JSON.stringify(prompt.at(-1));
      return text.includes("take long") ? hangs() : says(`you said ${text.slice(-200)}`);
    },
    queue: { debounceMs: 0 },
  });
  const tell = (text: string, from = "ada-7001") => t.receive(text, { from });
  return { ...t, tell, answered: t.sent };
}

async function textIn(store: Store): Promise<string> {
  const texts: string[] = [];
  for await (const { key } of store.list("")) {
    const value = await store.get(key).catch(() => null);
    if (value)
      texts.push(
        key,
        value.value instanceof Uint8Array ? new TextDecoder().decode(value.value) : JSON.stringify(value.value),
      );
    else for await (const { record } of store.read(key)) texts.push(key, JSON.stringify(record));
  }
  return texts.join("\n");
}

describe("assistant.memory.forget()", () => {
  it("leaves nothing, not even in the engine's log", async () => {
    const { assistant, store, tell, answered, clock } = await setUp();
    await tell("I prefer canary milk in my coffee");
    await answered(1);
    await until(clock, async () => (await assistant.memory.counts("memory:ada-7001")).entries > 0);
    expect(await assistant.memory.forget({ userId: "memory:ada-7001" })).toEqual({
      userId: "memory:ada-7001",
      entries: 1,
      sessions: 1,
    });
    await until(clock, async () => !/ada-7001|canary/.test(await textIn(store)));
    await assistant.stop();
    expect(await textIn(store)).not.toMatch(/ada-7001|canary/);
  });

  it("ends for each whose id is in ids of messages, and such a message is a new one afterwards", async () => {
    const t = await testAssistant({ script: () => says("noted"), server: { token: OWNER_TOKEN } });
    const { store } = t;
    const order = async (user: string, text = "one more") => {
      const body = { text, user, session: "shop", id: `order:${user}` };
      return (await (await t.during(t.call("/messages", { body }))).json()) as { text: string; turn_id: string };
    };
    const users = ["app:bob77", "app:ada77", "app:cyd77"];
    const turns = new Set<string>();
    await order("app:eve", "half a loaf");
    for (const user of users) turns.add((await order(user)).turn_id);
    for (const user of users)
      expect((await t.during(t.call("/memory/forget", { body: { user } }))).status, user).toBe(200);
    await until(t.clock, async () => !/(?:bob|ada|cyd)77/.test(await textIn(store)));
    const said = (await t.records()).filter(({ type }) => type === "in");
    expect(said.map(({ text }) => text)).toEqual(["half a loaf", "[forgotten]", "[forgotten]", "[forgotten]"]);
    expect(new Set(said.map(({ id }) => id)).size).toBe(4);
    const again = await order("app:ada77");
    expect(again.text).toBe("noted");
    expect(turns).not.toContain(again.turn_id);
  });

  it("leaves nothing of what was about to be kept right then", async () => {
    const { assistant, store, clock } = await setUp();
    await assistant.send({ text: "I prefer canary milk in my coffee", user: "app:ada-7001" });
    await assistant.memory.forget({ userId: "app:ada-7001" });
    await until(clock, async () => !/ada-7001|canary/.test(await textIn(store)));
    await assistant.stop();
    expect(await textIn(store)).not.toMatch(/ada-7001|canary/);
  });

  it("takes out of a group's notes what came from the person's turns or words, and leaves the rest", async () => {
    const note = (input: object) => ["acp_context", { scope: "group", aid: "main", ...input }] as const;
    const t = await testAssistant({
      channel: { access: { groups: "always" } },
      owner: { ids: ["memory:1"] },
      queue: { debounceMs: 0 },
      script(prompt) {
        const said = JSON.stringify(prompt.at(-1)?.role === "user" ? prompt.at(-1) : "");
        if (said.includes("I live in Lund"))
          return calls(
            note({ action: "append_memory", content: "Alice is from a town in the south" }),
            note({ action: "update_group", section: "Members", content: "# Alice\n\nShe paints." }),
          );
        if (said.includes("tea")) return calls(note({ action: "append_memory", content: "Bo likes tea" }));
        return says("ok");
      },
    });
    const group = "g";
    await t.say("I live in Lund", { from: "1", name: "Alice", group });
    await t.say("tea for me", { from: "2", name: "Bo", group });
    const key = (file: string) => `contexts/main/groups/memory:g/${file}.md`;
    const memory = await t.store.get(key("MEMORY"));
    expect(memory?.value).toContain("Alice is from a town in the south");
    await t.store.put(key("MY_ROLE"), "## Role\r\n\r\nTo know who it is: I live in Lund\r\nTo pour\r\n");
    await t.assistant.memory.forget({ userId: "memory:1" });
    expect((await t.store.get(key("MEMORY")))?.value).toMatch(/^- \S+ Bo likes tea\n$/);
    expect((await t.store.get(key("GROUP")))?.value).toBe("## Members\n\n\n");
    expect((await t.store.get(key("MY_ROLE")))?.value).toBe("## Role\r\n\r\nTo pour\r\n");
    await t.say("hello", { from: "2", name: "Bo", group });
    expect(JSON.stringify(t.model.requests.at(-1)?.prompt)).not.toMatch(/Alice|town in the south/);
  });

  it("is heard of at once by recall, whose lines of MEMORY.md and of digests were read a moment before", async () => {
    const { assistant } = await setUp();
    const { memory } = assistant;
    const userId = "memory:ada-7001";
    await memory.save({ userId, content: "Prefers canary milk" });
    await memory.digest({ userId });
    await memory.files.write(userId, "MEMORY.md", "- Canary milk always\n", { expect: null });
    const layers = (await memory.recall({ userId, text: "canary milk" })).map(({ layer }) => layer);
    expect(layers).toContain("long_term");
    await memory.forget({ userId });
    expect(await memory.recall({ userId, text: "canary milk" })).toEqual([]);
  });

  it("keeps what the person writes meanwhile, in a conversation that knows nothing of before", async () => {
    const { assistant, store, tell, answered } = await setUp();
    await tell("I prefer canary milk in my coffee");
    await answered(1);
    const forgetting = assistant.memory.forget({ userId: "memory:ada-7001" });
    const [, status] = await Promise.all([forgetting, tell("hello robin")]);
    expect(status).toBe(200);
    await answered(2);
    const shown = await assistant.sessions.show(KEY);
    expect(shown?.entries[0]).toMatchObject({ type: "user", text: "hello robin", seq: 1 });
    expect(await textIn(store)).not.toContain("canary");
  });

  it("lets nobody in who writes while it waits for what is still being captured", async () => {
    const base = memoryStore();
    const held = { reads: 0, letGo: () => {} };
    const free = new Promise<void>((resolve) => (held.letGo = resolve));
    const get: Store["get"] = async (key) => {
      // First whether anything is to be captured, then the work itself.
      if (key.startsWith(".index/capture/") && key.includes("ada-7001") && (held.reads += 1) === 2) await free;
      return base.get(key);
    };
    const { assistant, tell, answered, clock } = await setUp(Object.assign(Object.create(base) as Store, { get }));
    await tell("I prefer canary milk in my coffee");
    await answered(1);
    await until(clock, () => held.reads === 2);
    const forgetting = assistant.memory.forget({ userId: "memory:ada-7001" });
    const told = tell("hello robin");
    for (let round = 0; round < 10; round += 1) await clock.advance(10);
    expect(await textIn(base)).not.toContain("robin");
    held.letGo();
    expect(await Promise.all([told, forgetting.then(() => "forgotten")])).toEqual([200, "forgotten"]);
    await answered(2);
    expect(await textIn(base)).not.toContain("canary");
  });

  it("leaves nothing in a group of what worked for them there, and all of what worked for others", async () => {
    const t = await testAssistant({
      script(prompt) {
        const last = prompt.at(-1);
        const text = JSON.stringify(last?.content);
        const [, how, word = ""] = /(workflow|background|plan|job): find the (\w+)\W*$/.exec(text) ?? [];
        if (last?.role !== "user") return says("begun");
        if (how === "workflow") return calls(["workflow_run", { name: "look", inputs: { what: word } }]);
        if (how === "background") return calls(["bg_dispatch", { task: `look for the ${word}` }]);
        if (how === "plan") return calls(["plan", { steps: [`find the ${word}`] }]);
        if (how === "job")
          return calls(["scheduler_create", { schedule: "in 10 minutes", task: "sing", name: `${word} reminder` }]);
        return says(text.includes("canary") ? "a canary sings" : "a robin sings");
      },
      queue: { debounceMs: 0 },
      policy: { version: 1, profiles: [{ name: "default", match: {}, policy: { deny: [], allow: [] } }] },
    });
    const { assistant, store } = t;
    const step = '{ id: a, run: prompt, prompt: "look for ${inputs.what}" }';
    await assistant.workflows.save(
      `name: look\ndescription: looks\ninputs: { what: { type: string } }\nsteps:\n  - ${step}\n`,
    );
    const group = "g1";
    for (const [from, word] of [
      ["bob", "robin"],
      ["ada-7001", "canary"],
    ] as const) {
      const noted = async () =>
        (await t.records()).filter(({ type, text }) => type === "note" && JSON.stringify(text).includes(word)).length;
      await t.say(`workflow: find the ${word}`, { from, group });
      await until(t.clock, async () => (await noted()) === 1);
      await t.say(`background: find the ${word}`, { from, group });
      await until(t.clock, async () => (await noted()) === 2);
      await t.say(`plan: find the ${word}`, { from, group });
      await t.say(`job: find the ${word}`, { from, group });
    }
    await until(t.clock, async () => JSON.stringify(await t.records()).includes('"source":"job canary reminder"'), {
      stepMs: 5000,
    });
    await assistant.memory.forget({ userId: "memory:ada-7001" });
    expect(await textIn(store)).not.toMatch(/canary|ada-7001/);
    const notes = (await t.records()).filter(({ type }) => type === "note").map(({ text }) => JSON.stringify(text));
    expect(notes.filter((text) => text.includes("robin"))).toHaveLength(2);
    expect(notes.filter((text) => text === '"[forgotten]"')).toHaveLength(2);
  });

  it("takes a conversation in which they were told something and never spoke", async () => {
    const { assistant, store, during } = await setUp();
    const steps = [{ id: "a", run: "tool" as const, tool: "time" }];
    for (const id of ["ada-7001", "bob"]) {
      const { runId } = await assistant.workflows.run({ name: "look", steps }, { user: `memory:${id}` });
      await during(assistant.workflows.finished(runId));
    }
    expect(await textIn(store)).toContain("sessions/main/memory:direct:ada-7001");
    await during(assistant.memory.forget({ userId: "memory:ada-7001" }));
    expect(await textIn(store)).not.toContain("ada-7001");
    expect(await textIn(store)).toContain("sessions/main/memory:direct:bob");
  });

  it("takes plans that their workflows made in steps, and leaves those of others", async () => {
    const { assistant, store, during } = await setUp();
    const steps = [{ id: "a", run: "tool" as const, tool: "plan", with: { steps: ["find the ${inputs.what}"] } }];
    const inputs = { what: { type: "string" as const } };
    for (const [id, what] of [
      ["ada-7001", "canary"],
      ["bob", "robin"],
    ] as const) {
      const of = { inputs: { what }, user: `memory:${id}` };
      const { runId } = await assistant.workflows.run({ name: "look", inputs, steps }, of);
      expect((await during(assistant.workflows.finished(runId))).status).toBe("done");
    }
    expect(await textIn(store)).toMatch(/find the canary/);
    await during(assistant.memory.forget({ userId: "memory:ada-7001" }));
    expect(await textIn(store)).not.toMatch(/canary/);
    expect(await textIn(store)).toMatch(/find the robin/);
  });

  it("takes their conversation out of the numbers of what an automation used there", async () => {
    const t = await testAssistant({ server: { token: OWNER_TOKEN } });
    for (const id of ["ada-7001", "bob"]) {
      await t.say("hello", { from: id });
      const woken = await t.call("/../../hooks/wake", { body: { text: "news", user: `memory:${id}` } });
      expect(woken.status).toBe(202);
      await t.sent(2, id);
    }
    const before = await t.records("usage/");
    await t.during(t.assistant.memory.forget({ userId: "memory:ada-7001" }));
    const after = await t.records("usage/");
    expect(JSON.stringify(before)).toContain("ada-7001");
    expect(JSON.stringify(after)).not.toContain("ada-7001");
    const used = (records: typeof after) => records.map(({ user, inputTokens }) => [user, inputTokens]);
    expect(used(after)).toEqual(
      used(before).map(([user, tokens]) => [user === "memory:ada-7001" ? "forgotten" : user, tokens]),
    );
    const lines = after.filter(({ session }) => session === "agent:main:memory:direct:bob");
    expect(lines).toHaveLength(2);
  });

  it("stops the turn that is at work for them, and what waits behind it", async () => {
    const { assistant, store, tell, clock } = await setUp();
    await tell("take long with the canary");
    await tell("and then this canary");
    await until(clock, async () => (await assistant.sessions.show(KEY)) !== null);
    await clock.advance(1000);
    const forgetting = assistant.memory.forget({ userId: "memory:ada-7001" });
    let done = false;
    void forgetting.then(() => (done = true));
    await until(clock, () => done);
    expect(await forgetting).toMatchObject({ sessions: 1 });
    expect(await assistant.sessions.show(KEY)).toBeNull();
    for (let hour = 0; hour < 3; hour += 1) await clock.advance(3_600_000);
    expect(await textIn(store)).not.toMatch(/canary|ada-7001/);
  });

  it("ends a turn at work for them alone in a group, whose next messages are answered", async () => {
    const { assistant, store, receive, sent, during, clock } = await setUp();
    const group = "g1";
    await receive("take long with the canary", { from: "ada-7001", group });
    await clock.advance(1000);
    await receive("what of the robin?", { from: "bob", group });
    await clock.advance(1000);
    // Fake time passes for seconds at most, and the turn has minutes.
    await during(assistant.memory.forget({ userId: "memory:ada-7001" }));
    await sent(1, group);
    expect(await textIn(store)).not.toMatch(/canary|ada-7001/);
  });
});
