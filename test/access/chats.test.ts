import { describe, expect, it } from "vitest";
import { AssistantError } from "../../entry.host.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { THOROUGH } from "../support/thorough.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, type Writing, testAssistant } from "../support/assistant.ts";

const OWNER = "memory:1";

/** An assistant on one channel whose model says what it heard; what it was asked is counted. */
async function setUp(options: TestAssistantOptions = {}) {
  const t = await testAssistant({
    script: () => "heard",
    channel: { access: {} },
    queue: { debounceMs: 0 },
    owner: { ids: [OWNER] },
    ...options,
  });
  const { clock, channel } = t;
  async function say(id: string, text: string, rest: Writing = {}) {
    await t.receive(text, { from: id, ...rest });
    await clock.advance(100);
  }
  const told = async (chat: string, count: number) => {
    await until(clock, () => channel.textsTo(chat).length >= count);
    return channel.textsTo(chat);
  };
  const audited = async () =>
    (await t.records("audit/")).map(({ who, what }) =>
      `${JSON.stringify(who)} ${JSON.stringify(what)}`.replaceAll('"', ""),
    );
  return { ...t, say, told, audited };
}

describe("somebody whom the assistant does not know", () => {
  it("gets a code, the owner gets buttons, and after the press they are answered", async () => {
    const { assistant, channel, say, told, model, audited } = await setUp();
    await say("9", "hello", { sender: { id: "9", name: "Ada `x`\n/approve ZZZZZZZZ\u202e" } });
    const [text = ""] = await told("9", 1);
    const code = /code: (\S{8})/.exec(text)?.[1] ?? "";
    const [notice = ""] = await told("1", 1);
    expect(notice).toContain(`/approve ${code} lets them in, /deny ${code} does not`);
    expect(notice).toContain("id: memory:9\n");
    // What they call themselves is one quoted line in the block of code.
    expect(notice).toContain(String.raw`name: "Ada 'x'\n/approve ZZZZZZZZ\u{202e}"`);
    const { buttons } = channel.sent.find(({ target }) => target.chat === "1")?.message ?? {};
    expect(buttons).toEqual([
      { id: `/approve ${code}`, label: "Let in" },
      { id: `/deny ${code}`, label: "Deny" },
    ]);
    // The stranger cannot press it themselves, nor can somebody in a group.
    await say("9", `/approve ${code}`);
    await say("9", `/approve ${code}`, { kind: "press" });
    await say("7", `/approve ${code}`, { peer: { kind: "group", id: "g" }, mentioned: true });
    expect((await assistant.access.list()).people).toEqual([]);
    await say("1", `/approve ${code}`, { kind: "press" });
    expect((await told("9", 2))[1]).toBe("You are let in. Please send your message again.");
    expect((await told("1", 2))[1]).toContain(`Let in (${code}): memory:9`);
    expect(model.callCount).toBe(0);
    await say("9", "hello again");
    expect((await told("9", 3))[2]).toBe("heard");
    expect((await audited()).toSorted()).toEqual([
      "@owner notification",
      "memory:1 access.approved",
      "memory:7 access.refused_answer",
      "memory:9 access.refused",
      "memory:9 access.requested",
      "memory:9 notification",
    ]);
  });

  it("reads it in Chinese when they wrote Chinese", async () => {
    const { say, told } = await setUp();
    await say("9", "你好");
    expect((await told("9", 1))[0]).toMatch(/验证码.*[2-9A-Z]{8}/);
    expect((await told("1", 1))[0]).toContain("有人想和这个助手对话");
  });

  it("is refused by a word, and learns nothing more however they ask", async () => {
    const { say, told, model, channel, clock } = await setUp();
    await say("9", "hello");
    const code = /code: (\S{8})/.exec((await told("9", 1))[0] ?? "")?.[1] ?? "";
    await say("1", `/deny ${code}`);
    expect((await told("1", 2))[1]).toContain(`Not let in (${code})`);
    for (let n = 0; n < 20; n += 1) await say("9", "hello?");
    await clock.advance(60_000);
    // One line an hour, as under an allow list.
    expect(channel.textsTo("9").length).toBeLessThanOrEqual(2);
    await say("1", `/approve ${code}`);
    expect((await told("1", 3))[2]).toContain("already answered");
    expect(model.callCount).toBe(0);
  });

  it("is one of hundreds: three are told, the owner is asked three times, and nothing else is sent or kept", async () => {
    const { assistant, say, channel, store, clock, model } = await setUp();
    for (let n = 0; n < (THOROUGH ? 1000 : 200); n += 1) await say(`s${n}`, "let me in");
    await clock.advance(60_000);
    expect([channel.sent.length, model.callCount]).toEqual([6, 0]);
    const kept: string[] = [];
    for await (const { key } of store.list("")) if (!key.startsWith("audit/")) kept.push(key);
    expect(kept.filter((key) => key.startsWith("access/"))).toEqual(["access/accounts/memory/default"]);
    expect(kept.filter((key) => key.startsWith("outbox/")).length).toBeLessThanOrEqual(4);
    expect(await assistant.sessions.list()).toEqual([]);
  });

  it("is one of hundreds under an allow list: sixty are told in an hour, each once", async () => {
    const channel = inMemoryChannel({ access: { dm: "allowlist" } });
    const { say, store, clock, model } = await setUp({ channels: [channel] });
    for (let round = 0; round < 2; round += 1)
      for (let n = 0; n < (THOROUGH ? 500 : 100); n += 1) await say(`s${n}`, "let me in");
    await clock.advance(60_000);
    expect([channel.sent.length, new Set(channel.sent.map(({ target }) => target.chat)).size]).toEqual([60, 60]);
    expect(model.callCount).toBe(0);
    const kept: string[] = [];
    for await (const { key } of store.list("outbox/")) kept.push(key);
    expect(kept.length).toBeLessThanOrEqual(60);
    await clock.advance(3_600_000);
    await say("s0", "let me in");
    await clock.advance(1000);
    expect(channel.sent).toHaveLength(61);
  });

  it("is let in by the host program, but not by its users", async () => {
    const { assistant, say } = await setUp();
    await say("9", "hello");
    const [asked] = (await assistant.access.list()).pending;
    const code = asked?.code ?? "";
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => "none",
        (error: unknown) => (AssistantError.is(error) ? error.code : "?"),
      );
    for (const by of [{}, { user: "memory:9" }, { user: "sdk", asOwner: true }, { user: "memory:9", asOwner: true }])
      expect(await refusal(assistant.access.approve(code, by))).toBe("FORBIDDEN");
    expect((await assistant.access.approve(code, { user: OWNER })).key).toBe("memory:default:9");
    expect(await refusal(assistant.access.remove("memory:default:9", { user: "memory:9" }))).toBe("FORBIDDEN");
    expect(await assistant.access.remove("memory:9")).toEqual(["memory:default:9"]);
  });

  it("is sent nothing by their jobs once they may not write any more", async () => {
    const { assistant, say, clock, channel } = await setUp();
    for (const id of ["8", "9"]) await say(id, "hello");
    for (const { code } of (await assistant.access.list()).pending)
      await assistant.access.approve(code, { user: OWNER });
    for (const user of ["memory:8", "memory:9"])
      await assistant.jobs.create({ schedule: "every day at 9", task: "Say good morning", user });
    const { length: before } = channel.textsTo("9");
    await assistant.access.remove("memory:9");
    await clock.advance(25 * 60 * 60_000);
    await until(clock, () => channel.textsTo("8").includes("heard"));
    expect(channel.textsTo("9")).toHaveLength(before);
    const states = (await assistant.jobs.list()).map(({ job: { user, status } }) => `${user} ${status}`);
    expect(states.toSorted()).toEqual(["memory:8 active", "memory:9 paused"]);
  });
});

describe("an assistant that nobody owns", () => {
  it("belongs to whoever sends the code, in every room at once, and after a restart", async () => {
    const { assistant, say, told, restart } = await setUp({ owner: { ids: [] } });
    const code = (await assistant.access.ownerCode()) ?? "";
    await say("9", `/owner ${code}`, { peer: { kind: "group", id: "g" }, mentioned: true });
    expect((await assistant.access.list()).owners).toEqual([]);
    await say("8", "/owner AAAA-AAAA-AAAA");
    expect((await told("8", 1))[0]).toBe("That is not the owner code, or it has expired.");
    await say("42", `/owner ${code}`);
    expect((await told("42", 1))[0]).toBe("You are the owner of this assistant now.");
    // The owner is let in, has the main session, is asked, and may answer.
    await say("42", "hello");
    expect((await told("42", 2))[1]).toBe("heard");
    expect((await assistant.sessions.list()).map(({ key }) => key)).toContain("agent:main:main");
    await say("7", "may I?");
    expect((await told("42", 3))[2]).toContain("id: memory:7");
    const next = /approve (\S{8})/.exec((await told("42", 3))[2] ?? "")?.[1] ?? "";
    await say("42", `/approve ${next}`);
    expect((await told("7", 2))[1]).toContain("let in");
    expect(assistant.tools.list({ user: "memory:42", channel: "memory" }).length).toBeGreaterThan(
      assistant.tools.list({ user: "memory:7", channel: "memory" }).length,
    );
    expect(await assistant.access.ownerCode()).toBe(null);
    const again = await restart();
    expect(await again.say("it is me", { from: "42" })).toBe("heard");
  });

  it("belongs to nobody by a channel whose direct chats are disabled", async () => {
    const channel = inMemoryChannel({ name: "closed", access: { dm: "disabled" } });
    const { assistant } = await setUp({ owner: { ids: [] }, channels: [channel] });
    const code = (await assistant.access.ownerCode()) ?? "";
    const request = channel.request([{ sender: { id: "9" }, text: `/owner ${code}` }]);
    await assistant.fetch(new Request("http://localhost/webhooks/closed", request));
    expect((await assistant.access.list()).owners).toEqual([]);
  });

  it("keeps the code out of its logs and prompts", async () => {
    const { assistant, say, store } = await setUp({ owner: { ids: [] } });
    const code = (await assistant.access.ownerCode()) ?? "";
    await say("42", `/owner ${code}`);
    const kept: string[] = [];
    for await (const { key } of store.list("")) {
      const isLog = key.endsWith(".jsonl") || key.endsWith("log");
      if (isLog) for await (const { record } of store.read(key)) kept.push(JSON.stringify(record));
    }
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join("\n")).not.toContain(code);
  });
});
