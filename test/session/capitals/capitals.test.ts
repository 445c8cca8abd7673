import { describe, expect, it } from "vitest";
import { type SendInput } from "../../../entry.host.ts";
import { foldUser, spelledKey } from "../../../src/session/capitals/spellings.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { testAssistant } from "../../support/assistant.ts";

async function setUp() {
  const telegram = inMemoryChannel({ name: "telegram" });
  const t = await testAssistant({
    script: () => "Noted.",
    channel: telegram,
    start: false,
    queue: { debounceMs: 0 },
    server: {
      token: "owner-token-0123456789",
      tokens: [
        { token: "small-token-0123456789", role: "user", user: "app:ada" },
        { token: "capital-token-0123456789", role: "user", user: "app:Ada" },
      ],
    },
  });
  const { assistant, model, during } = t;
  const send = (input: SendInput) => during(assistant.send(input));
  const prompt = () => JSON.stringify(model.requests.at(-1)?.prompt);
  const post = async (path: string, token: string, body: unknown) => {
    const response = await during(t.call(path, { token, body }));
    return { status: response.status, text: await during(response.text()) };
  };
  return { ...t, telegram, send, prompt, post };
}

describe("capitals in the host's ids", () => {
  it("make two people of app:ada and app:Ada: conversations, prompts and memory", async () => {
    const t = await setUp();
    const small = await t.send({ user: "app:ada", text: "I am allergic to peanuts." });
    const capital = await t.send({ user: "app:Ada", text: "What am I allergic to?" });
    expect([small.sessionKey, capital.sessionKey]).toEqual([
      "agent:main:app:direct:ada",
      "agent:main:app:direct:%41da",
    ]);
    expect(t.prompt()).not.toContain("peanuts.");
    const recalled = async (userId: string) =>
      (await t.during(t.assistant.memory.recall({ text: "allergic peanuts", userId }))).length;
    // It is kept behind the reply.
    for (let steps = 0; (await recalled("app:ada")) === 0 && steps < 2000; steps += 1) await t.clock.advance(10);
    expect([await recalled("app:ada"), await recalled("app:Ada")]).toEqual([1, 0]);
  });

  it("make two conversations of two names", async () => {
    const t = await setUp();
    await t.send({ session: "plans", text: "We go to Oslo." });
    await t.send({ session: "Plans", text: "Where do we go?" });
    expect(t.prompt()).not.toContain("Oslo.");
  });

  it("count in the names that tokens have, over HTTP", async () => {
    const t = await setUp();
    await t.post("/messages", "small-token-0123456789", { text: "My PIN is kept in the blue book." });
    const { text } = await t.post("/messages", "capital-token-0123456789", { text: "Where is my PIN?" });
    expect(JSON.parse(text)).toMatchObject({ session_key: "agent:main:app:direct:%41da" });
    expect(t.prompt()).not.toContain("blue book");
    await t.post("/chat", "capital-token-0123456789", {
      id: "aBc",
      messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] }],
    });
    const { conversations } = await t.assistant.sessions.conversations({ prefix: "app:%41da/" });
    expect(conversations.map(({ id }) => id)).toEqual(["aBc"]);
    expect((await t.assistant.sessions.conversations({ prefix: "app:ada/" })).conversations).toEqual([]);
  });

  it("do not count for a channel whose ids are the same in any case, whoever names the person", async () => {
    const t = await setUp();
    expect((await t.send({ user: "telegram:Ada", text: "hi" })).sessionKey).toBe("agent:main:telegram:direct:ada");
  });

  it("keep one person when the other is forgotten", async () => {
    const t = await setUp();
    await t.send({ user: "app:ada7", text: "I am allergic to peanuts." });
    await t.send({ user: "app:Ada7", text: "I am allergic to walnuts." });
    await t.send({ user: "app:ada7", session: "shared", text: "The train leaves at noon." });
    await t.send({ user: "app:Ada7", session: "shared", text: "My suitcase is heavy." });
    const recall = () => t.during(t.assistant.memory.recall({ text: "allergic", userId: "app:ada7" }));
    for (let steps = 0; (await recall()).length === 0 && steps < 2000; steps += 1) await t.clock.advance(10);
    await t.during(t.assistant.memory.forget({ userId: "app:Ada7" }));
    const left: string[] = [];
    for await (const { key } of t.store.list("")) left.push(key);
    expect(
      left.filter((key) => key.includes("%41da7") || key.includes("%2541da7") || key.includes("app:Ada7")),
    ).toEqual([]);
    expect(left).toContain("sessions/main/app:direct:ada7/log.jsonl");
    expect(left.filter((key) => key.startsWith("memory/app:ada7/entries/"))).not.toEqual([]);
    expect((await recall()).map(({ entry }) => entry.content)).toEqual(["I am allergic to peanuts."]);
    const shared = JSON.stringify(await t.assistant.sessions.show("agent:main:sdk:direct:shared"));
    const speakers: unknown[] = [];
    for await (const { record } of t.store.read("sessions/main/sdk:direct:shared/log.jsonl"))
      if (record["type"] === "in") speakers.push(record["user"]);
    expect(speakers).toEqual(["app:ada7", "forgotten"]);
    expect([shared.includes("train leaves"), shared.includes("suitcase")]).toEqual([true, false]);
  });
});

describe("spelledKey()", () => {
  const peer = (id: string) => ({ kind: "direct" as const, id });
  it.each([
    ["agent:main:app:direct:ada", "app:Ada", "Ada", "agent:main:app:direct:%41da"],
    ["agent:main:app:direct:ada", "app:ada", "ada", "agent:main:app:direct:ada"],
    ["agent:main:app:default:direct:ada", "app:Ada", "Ada", "agent:main:app:default:direct:%41da"],
    ["agent:main:direct:ada", "app:Ada", "Ada", "agent:main:direct:%41da"],
    ["agent:main:bob:direct:bob", "Bob", "Bob", "agent:main:%42ob:direct:%42ob"],
    ["agent:main:sdk:direct:notes", "sdk", "Notes", "agent:main:sdk:direct:%4eotes"],
    ["agent:main:web:direct:app%3a%2541da/x1", "app:Ada", "Ada", undefined],
    ["agent:main:app:direct:%41da", "app:Ada", "Ada", "agent:main:app:direct:%41da"],
    ["agent:main:sdk:direct:plans", "app:ole", "ole", undefined],
    ["agent:main:main", "app:Ada", "Ada", "agent:main:main"],
    ["agent:main:direct:@ada", "app:Ada", "Ada", "agent:main:direct:@ada"],
  ])("of %s as %s wrote it", (key, user, id, wanted) => {
    expect(spelledKey(key, { user, peer: peer(id) })).toBe(wanted);
  });
});

describe("foldUser()", () => {
  it.each([
    ["app:Ada", "app:ada"],
    ["Bob", "Bob:bob"],
    ["sdk", "sdk"],
  ])("of %s", (user, folded) => expect(foldUser(user)).toBe(folded));
});
