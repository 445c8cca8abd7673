import { describe, expect, it } from "vitest";
import { embeddedEngine, memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { says } from "../../src/testing/scripted-model.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";
import { type TestAssistantOptions, type Writing, testAssistant } from "../support/assistant.ts";

/** An assistant that knows nobody; `tell` waits for all that comes of a message. */
async function setUp(options: TestAssistantOptions = {}) {
  const { clock = fakeClock(), store = memoryStore() } = options;
  const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock }));
  const t = await testAssistant({
    script: () => says("hello"),
    channel: { access: { dm: "pairing", groups: "mention" } },
    queue: { debounceMs: 0 },
    engine,
    ...options,
    clock,
    store,
  });
  async function tell(text: string, from: string, writing: Writing = {}) {
    await t.receive(text, { from, ...writing });
    await settled(clock, isIdle, { ms: 1000, steps: 20 });
  }
  return { ...t, tell };
}

const OWNER = { owner: { ids: ["memory:1"] } };
const codeIn = (text: string) => /[A-Z0-9]{8}/.exec(text)?.[0] ?? "";

describe("pairing", () => {
  it("lets a stranger in when the owner says so in a chat, and nobody else can", async () => {
    const t = await setUp(OWNER);
    await t.tell("hi", "9");
    const code = codeIn(t.channel.textsTo("9").join());
    expect(t.channel.textsTo("1").join()).toContain(`/approve ${code}`);
    await t.tell(`/approve ${code}`, "9");
    expect(t.model.callCount).toBe(0);
    await t.tell(`/approve ${code}`, "1");
    expect(t.channel.textsTo("9").at(-1)).toContain("You are let in");
    await t.tell("hi again", "9");
    expect(t.channel.textsTo("9").at(-1)).toBe("hello");
    await t.tell(`/approve ${code}`, "1");
    expect(t.channel.textsTo("1").at(-1)).toContain("already answered");
    expect((await t.assistant.access.list()).people.map(({ user }) => user)).toEqual(["memory:9"]);
  });

  it("holds after a restart, and is taken back", async () => {
    const clock = fakeClock();
    const store = memoryStore();
    const one = await setUp({ ...OWNER, clock, store });
    await one.tell("hi", "9");
    await one.assistant.access.approve(codeIn(one.channel.textsTo("9").join()), { user: "memory:1" });
    await one.assistant.stop();
    const two = await setUp({ ...OWNER, clock, store });
    await two.tell("hi", "9");
    expect(two.channel.textsTo("9")).toEqual(["hello"]);
    await two.assistant.access.remove("memory:9");
    await two.tell("still there?", "9");
    expect(two.channel.textsTo("9").at(-1)).toContain("does not know you yet");
  });

  it("stays small in a flood of strangers", async () => {
    const t = await setUp(OWNER);
    for (let from = 100; from < 500; from += 1) await t.receive("let me in", { from: String(from) });
    await t.clock.advance(1000);
    expect(t.model.callCount).toBe(0);
    expect(t.channel.sent.length).toBeLessThanOrEqual(2 * 3);
    const { pending } = await t.assistant.access.list();
    expect(pending).toHaveLength(3);
    let lines = 0;
    for await (const { key } of t.store.list("audit/")) for await (const _ of t.store.read(key)) lines += 1;
    expect(lines).toBeLessThan(100);
  });

  it("is for direct chats alone: in a group the assistant answers whoever addresses it", async () => {
    const t = await setUp(OWNER);
    await t.tell("hi", "9", { group: "g" });
    expect(t.channel.textsTo("g")).toEqual(["hello"]);
    expect((await t.assistant.access.list()).pending).toEqual([]);
  });
});

describe("/owner", () => {
  it("makes the first who knows the code the owner, with everything that follows from it", async () => {
    const t = await setUp();
    const code = await t.assistant.access.ownerCode();
    await t.tell("/owner AAAA-AAAA-AAAA", "5");
    expect(t.channel.textsTo("5").at(-1)).toContain("not the owner code");
    await t.tell(`/owner ${code}`, "4");
    expect(t.channel.textsTo("4")).toEqual(["You are the owner of this assistant now."]);
    await t.tell("/whoami", "4");
    expect(t.channel.textsTo("4").at(-1)).toBe(
      "You are memory:4. Roles: owner, user. This conversation: agent:main:main.",
    );
    expect(await t.assistant.access.ownerCode()).toBeNull();
    await t.tell(`/owner ${code}`, "5");
    expect(t.channel.textsTo("5").at(-1)).not.toContain("You are the owner");
    for (const text of [`/owner ${code}`, "/owner"]) {
      await t.tell(text, "1", { group: "g" });
      expect(t.channel.textsTo("g").at(-1)).toMatch(
        /^Nothing changed\. \/owner CODE only works in a direct chat of a channel/,
      );
      expect((await t.assistant.send({ text })).text).toBe(t.channel.textsTo("g").at(-1));
    }
    expect(t.model.callCount).toBe(0);
    await t.tell("hi", "9");
    expect(t.channel.textsTo("4").at(-1)).toContain("/approve");
  });
});

describe("what a group says among itself", () => {
  it("is context of the next turn that is meant for the assistant, and answered by nobody", async () => {
    const t = await setUp();
    await t.tell("shall we meet at six?", "7", { group: "g", mentioned: false });
    await t.tell("six is fine", "8", { group: "g", mentioned: false });
    expect(t.model.callCount).toBe(0);
    await t.tell("when do we meet?", "7", { group: "g" });
    const prompt = JSON.stringify(t.model.requests[0]!.prompt);
    expect(prompt).toContain("shall we meet at six?");
    expect(prompt).toContain("six is fine");
    await t.tell("thanks", "7", { group: "g" });
    expect(JSON.stringify(t.model.requests[1]!.prompt).split("six is fine")).toHaveLength(2);
  });

  it("is kept up to its newest fifty, and a flood of it is not kept at all", async () => {
    const t = await setUp();
    for (let number = 0; number < 400; number += 1) {
      const message = {
        id: `f${number}`,
        text: `word-${number}-`,
        peer: { kind: "group" as const, id: "g" },
        sender: { id: "7" },
        mentioned: false,
      };
      await t.assistant.fetch(new Request("http://localhost/webhooks/memory", t.channel.request([message])));
    }
    let kept = 0;
    for await (const { record } of t.store.read("sessions/main/memory:group:g/log.jsonl"))
      if (record["type"] === "heard") kept += 1;
    expect(kept).toBe(120);
    await t.tell("and?", "7", { group: "g" });
    const prompt = JSON.stringify(t.model.requests[0]!.prompt);
    expect(prompt).toContain("word-119-");
    expect(prompt).toContain("word-70-");
    expect(prompt).not.toContain("word-69-");
    const lines: unknown[] = [];
    for await (const { key } of t.store.list("audit/"))
      for await (const { record } of t.store.read(key)) lines.push(record["what"]);
    expect(lines.filter((what) => what === "group.flood")).toHaveLength(1);
  });
});
