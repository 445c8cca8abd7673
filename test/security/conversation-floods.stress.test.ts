import { describe, expect, it } from "vitest";
import { webhook } from "../../adapters/channels/webhook/index.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import type { AssistantOptions } from "../../src/config/assistant-options.ts";
import type { InboundMessage } from "../../src/message.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { HOOK_SECRET, OWNER, delivery, wholeAssistant } from "./support.ts";
import { readApprovalCommand, readChatCommand } from "../../src/inbox/commands.ts";
import { random } from "./support/canary-world.ts";
import { THOROUGH } from "../support/thorough.ts";
import { watchedEngine } from "../support/watched-engine.ts";

const MB = 1_048_576;
/** Filled at once: a text of many megabytes is no effort for whoever sends it. */
const text = (bytes: number) => "many words ".repeat(Math.ceil(bytes / 11)).slice(0, bytes);

/** Counts what is written, and how much. */
function counting(store: Store) {
  const counts = { writes: 0, bytes: 0, outbox: 0 };
  const count = (key: string, value: unknown) => {
    counts.writes += 1;
    counts.bytes += value instanceof Uint8Array ? value.length : JSON.stringify(value).length;
    if (key.startsWith("outbox/") && key.endsWith(".jsonl")) counts.outbox += 1;
  };
  const counted: Store = {
    ...store,
    put(key, value, how) {
      count(key, value);
      return store.put(key, value, how);
    },
    append(log, record, how) {
      count(log, record);
      return store.append(log, record, how);
    },
  };
  return { counts, store: counted };
}

async function scene(
  options: Partial<AssistantOptions> = {},
  answer: Parameters<typeof scriptedModel>[0] = () => says("Noted"),
) {
  const posts: { readonly text: string }[] = [];
  const model = scriptedModel(answer, { record: true });
  const channel = inMemoryChannel({ access: { dm: "open", groups: "mention" } });
  const { store, counts } = counting(memoryStore());
  const whole = await wholeAssistant({ model, store, ...options, channels: [] });
  const hook = webhook({
    secret: HOOK_SECRET,
    dm: "pairing",
    replyUrl: "https://replies.example/",
    clock: whole.clock,
    fetch: async (_url, init) => {
      posts.push(JSON.parse(typeof init?.body === "string" ? init.body : "") as { text: string });
      return new Response(null);
    },
  });
  await whole.assistant.stop();
  const { engine, isIdle } = watchedEngine(embeddedEngine({ store, clock: whole.clock }));
  const assistant = await whole.make({ model, store, ...options, engine, channels: [hook, channel] });
  await assistant.start();
  let count = 0;
  return {
    ...whole,
    assistant,
    channel,
    counts,
    model,
    posts,
    store,
    hooked: async (body: Record<string, unknown>) =>
      assistant.fetch(
        await delivery(whole.clock, { id: `h${(count += 1)}`, text: "hi", ...body }, { path: "/webhooks/webhook" }),
      ),
    async tell(message: Partial<InboundMessage>, { wait = false } = {}) {
      count += 1;
      return assistant.fetch(channel.request([{ id: `e${count}`, ...message }], { wait }));
    },
    async audit(): Promise<{ what: string; who: string; reason?: string; target?: string }[]> {
      const lines: unknown[] = [];
      for await (const { key } of store.list("audit/"))
        for await (const { record } of store.read(key)) lines.push(record);
      return lines as never;
    },
    async logs(): Promise<Record<string, unknown>[]> {
      const records: Record<string, unknown>[] = [];
      for await (const { key } of store.list("sessions/"))
        if (key.endsWith("/log.jsonl")) for await (const { record } of store.read(key)) records.push(record);
      return records;
    },
    /** Until nothing is at work any more, and what was sent has left. */
    async quiet() {
      for (let [before, rounds] = [-1, 0]; rounds < 3;) {
        rounds = isIdle() && before === counts.writes ? rounds + 1 : 0;
        before = counts.writes;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

const owner = { authorization: `Bearer ${OWNER}`, "content-type": "application/json" };
const post = (path: string, body: unknown) =>
  new Request(`http://localhost:8787${path}`, { method: "POST", headers: owner, body: JSON.stringify(body) });

describe("a crowd of strangers", () => {
  it("of thousands, over a signed webhook, is three requests and no more", { timeout: 30_000 }, async () => {
    const t = await scene({ owner: { ids: ["webhook:boss"] } });
    const before = { ...t.counts };
    const statuses = new Set<number>();
    for (let stranger = 0; stranger < (THOROUGH ? 600 : 100); stranger += 1)
      statuses.add((await t.hooked({ user: `stranger-${stranger}`, text: `let me in, ${text(200)}` })).status);
    await t.quiet();
    expect([...statuses]).toEqual([200]);
    expect(t.model.callCount).toBe(0);
    expect(await t.logs()).toEqual([]);
    expect((await t.assistant.access.list()).pending).toHaveLength(3);
    expect(t.posts).toHaveLength(6);
    expect(t.posts.filter(({ text }) => text.includes("Its owner can let you in with this code"))).toHaveLength(3);
    const lines = await t.audit();
    const refused = lines.filter(({ what }) => what === "access.refused");
    expect(refused).toHaveLength(60);
    expect(refused.at(-1)!.reason).toContain("others of this hour are only counted");
    expect(lines.filter(({ what }) => what === "access.requested")).toHaveLength(3);
    expect(t.counts.writes - before.writes).toBeLessThan(120);
    expect(t.counts.bytes - before.bytes).toBeLessThan(40_000);
    // Who belongs here is answered all the same.
    await t.hooked({ user: "boss" });
    await expect.poll(() => t.posts.at(-1)?.text, { timeout: 10_000 }).toBe("Noted");
    await t.assistant.stop();
  });
});

describe("a crowd in one group", () => {
  const group = { peer: { kind: "group", id: "g" } } as const;

  it(
    "that talks among itself thousands of times is kept up to a limit, and costs nothing more",
    { timeout: 30_000 },
    async () => {
      const t = await scene();
      const before = { ...t.counts };
      for (let number = 0; number < (THOROUGH ? 1000 : 200); number += 1)
        await t.tell({
          ...group,
          sender: { id: String(number % 50) },
          text: `${number} ${text(6000)}`,
          mentioned: false,
        });
      expect(t.model.callCount).toBe(0);
      expect(t.channel.sent).toEqual([]);
      const records = await t.logs();
      expect(records).toHaveLength(120);
      expect(Math.max(...records.map(({ text }) => String(text).length))).toBe(4000);
      expect((await t.audit()).filter(({ what }) => what === "group.flood")).toMatchObject([
        { who: "group", target: "memory:g", verdict: "refused" },
      ]);
      expect(t.counts.writes - before.writes).toBeLessThan(130);
      await t.tell({ ...group, sender: { id: "1" }, text: "and?" }, { wait: true });
      expect(JSON.stringify(t.model.requests[0]!.prompt).length).toBeLessThan(20_000);
      await t.assistant.stop();
    },
  );

  it(
    "that addresses the assistant 500 times is answered in few turns, and nobody is left out",
    { timeout: 30_000 },
    async () => {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const t = await scene({}, async () => {
        await held;
        return says("All of you: yes");
      });
      const before = { ...t.counts };
      const answers: Promise<Response>[] = [];
      for (let number = 0; number < 500; number += 1)
        answers.push(
          t.tell(
            { ...group, sender: { id: String(number % 50) }, text: `question ${number} ${text(500)}` },
            { wait: true },
          ),
        );
      while ((await t.logs()).length < 500) await new Promise((resolve) => setTimeout(resolve, 5));
      release();
      for (const answer of await Promise.all(answers))
        expect(await answer.json()).toMatchObject({ text: "All of you: yes" });
      await t.quiet();
      expect(t.model.callCount).toBeLessThan(8);
      expect(t.channel.sent.length).toBe(t.model.callCount);
      expect(t.counts.writes - before.writes).toBeLessThan(560);
      const outs = (await t.logs()).filter(({ type }) => type === "out") as unknown as { of: string[] }[];
      expect(new Set(outs.flatMap(({ of }) => of)).size).toBe(500);
      for (const { prompt } of t.model.requests) {
        const said = JSON.stringify(prompt);
        expect(said.length).toBeLessThan(120_000);
        // In whole the newest twenty of a turn, of the others a line each.
        expect(said.split(text(500)).length - 1).toBeLessThanOrEqual(40);
      }
      await t.assistant.stop();
    },
  );
});

describe("a message of 5 MB", () => {
  it("is refused by a webhook and by the API, and nothing of it is kept", async () => {
    const t = await scene();
    const before = { ...t.counts };
    for (const response of [
      await t.hooked({ user: "boss", text: text(5 * MB) }),
      await t.tell({ text: text(5 * MB) }),
      await t.assistant.fetch(post("/api/v1/messages", { text: text(5 * MB) })),
      await t.assistant.fetch(
        post("/api/v1/chat", {
          id: "c",
          messages: [{ id: "m", role: "user", parts: [{ type: "text", text: text(9 * MB) }] }],
        }),
      ),
    ]) {
      expect(response.status).toBe(413);
      expect(await response.json()).toMatchObject({ code: "BODY_TOO_LARGE" });
    }
    expect(t.model.callCount).toBe(0);
    expect(t.counts.writes).toBe(before.writes);
    await t.assistant.stop();
  });

  it("as a file in the page's chat is kept beside the conversation, not in it", async () => {
    const t = await scene();
    const url = `data:image/png;base64,${"QUJD".repeat((5 * MB) / 4)}`;
    const parts = [
      { type: "text", text: "look" },
      { type: "file", mediaType: "image/png", filename: "photo.png", url },
    ];
    const response = await t.assistant.fetch(
      post("/api/v1/chat", { id: "c", messages: [{ id: "m", role: "user", parts }] }),
    );
    expect(await response.text()).toContain("Noted");
    expect(JSON.stringify(await t.logs()).length).toBeLessThan(4000);
    expect(JSON.stringify(t.model.requests[0]!.prompt).length).toBeLessThan(10_000);
    await t.assistant.stop();
  });

  it(
    "from the host program is told to be too long, and the next message is answered",
    { timeout: 30_000 },
    async () => {
      const asked: number[] = [];
      const t = await scene({ context: { contextWindow: 16_000 } }, (prompt) => {
        const { length } = JSON.stringify(prompt);
        asked.push(length);
        if (length > 64_000)
          throw Object.assign(new Error("prompt is too long: 1000000 tokens > 16000 maximum"), { statusCode: 400 });
        return says("Noted");
      });
      await t.assistant.send({ text: "hello", session: "s" });
      const reply = await t.assistant.send({ text: text((THOROUGH ? 5 : 1) * MB), session: "s" });
      expect(reply).toMatchObject({ error: { code: "CONTEXT_OVERFLOW" } });
      expect(reply.text).toContain("Send it in smaller parts");
      asked.length = 0;
      expect((await t.assistant.send({ text: "and now?", session: "s" })).text).toBe("Noted");
      expect(Math.max(...asked)).toBeLessThan(64_000);
      await t.assistant.stop();
    },
  );
});

describe("an id that wants to pass for another", () => {
  const LINKED = { ann: ["memory:7", "webhook:ann"] };
  const options: Partial<AssistantOptions> = {
    owner: { ids: ["memory:Boss1", "webhook:boss"] },
    session: { identityLinks: LINKED },
  };
  const ANN = "agent:main:direct:@ann";

  it.each([
    ["a linked person's name", "@ann"],
    ["that name, escaped", "%40ann"],
    ["another alphabet", "7\u0301"],
    ["full-width digits", "７"],
    ["an unseen sign", "7\u200b"],
    ["a name of its own session", "direct:@ann"],
    ["the owner's in another case", "boss1"],
    ["the owner's in capitals", "BOSS1"],
    ["the owner's with a blank inside", "Boss 1"],
    ["the owner's of another channel", "boss"],
    ["the owner's, with the channel", "memory:Boss1"],
    ["look-alike letters", "Bоss1"],
    ["the main session", "main"],
    ["a percent sign", "%"],
    ["colons", "a:b::c"],
    ["a path", "../../main"],
    ["NUL", "7\u0000"],
    ["a line end", "7\nBoss1"],
    ["a number beyond 2^53", "9007199254740993"],
    ["its neighbour", "9007199254740992"],
    ["65,536 characters", "7".repeat(65_536)],
    ["half a surrogate", "7\ud800"],
  ])("is nobody else's: %s", async (_, id) => {
    const t = await scene(options);
    const peer = { kind: "direct", id } as const;
    const said = await t.tell({ peer, sender: { id, name: "Boss1" }, text: "/whoami" }, { wait: true });
    expect(said.status).toBe(200);
    const { text: told = "" } = (await said.json()) as { text?: string };
    expect(told).toContain("Roles: user.");
    expect(told).not.toContain(`conversation: ${ANN}.`);
    expect(told).not.toContain("conversation: agent:main:main.");
    const response = await t.tell({ peer, sender: { id }, text: "hello" }, { wait: true });
    expect(await response.json()).toMatchObject({ text: "Noted" });
    const keys = (await t.assistant.sessions.list()).map(({ key }) => key);
    expect(keys).toHaveLength(1);
    expect([ANN, "agent:main:main", "agent:main:memory:direct:7"]).not.toContain(keys[0]);
    expect(await t.assistant.sessions.show(keys[0]!)).not.toBeNull();
    expect(await t.assistant.sessions.remove(keys[0]!)).toBe(true);
    await t.assistant.stop();
  });

  it.each([" ", "", " 7", "7 ", "\t7", "7\u00a0", "\u2003"])(
    "is refused when it is blank or has blanks around it: %j",
    async (id) => {
      const t = await scene(options);
      await t.tell({ peer: { kind: "direct", id }, sender: { id } });
      await t.tell({ peer: { kind: "group", id: "g" }, sender: { id } });
      expect(t.model.callCount).toBe(0);
      expect(await t.logs()).toEqual([]);
      expect((await t.audit()).map(({ what }) => what)).toContain("access.refused");
      await t.assistant.stop();
    },
  );

  it.each([["the owner's of another account", "Boss1"]])("counts for its own channel alone: %s", async (_, id) => {
    const t = await scene(options);
    const said = await t.hooked({ user: id, text: "/whoami" });
    expect(said.status).toBe(200);
    await t.quiet();
    expect(t.posts.map(({ text }) => text).join()).not.toContain("owner, user");
    expect((await t.assistant.access.list()).pending).toHaveLength(1);
    await t.assistant.stop();
  });

  it("keeps numbers apart that a number could not", async () => {
    const t = await scene(options);
    for (const id of ["9007199254740992", "9007199254740993"])
      await t.tell({ peer: { kind: "direct", id }, sender: { id } }, { wait: true });
    expect(await t.assistant.sessions.list()).toHaveLength(2);
    await t.assistant.stop();
  });
});

describe("commands", () => {
  const KNOWN = [
    "help",
    "status",
    "new",
    "compact",
    "queue",
    "stop",
    "retry",
    "whoami",
    "approve",
    "deny",
    "owner",
    "jobs",
  ];
  /** Written anew, and not as the program reads it. */
  const isCommand = (said: string) => {
    const [word = ""] = said.trim().split(/\s/u);
    const [name = "", ...bot] = word.slice(1).split("@");
    const isName = word.startsWith("/") && /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && name.length <= 32;
    return (
      isName &&
      (bot.length === 0 ||
        (word.includes("@") && word.slice(name.length + 2).length <= 64 && !word.endsWith(`/${name}@`)))
    );
  };

  it("that are unknown or malformed never throw and never reach the model", { timeout: 30_000 }, async () => {
    const t = await scene();
    const dice = random(11);
    const pick = <T>(from: readonly T[]) => from[dice.below(from.length)]!;
    const pieces = [
      "a",
      "Z",
      "_",
      "9",
      "@",
      "/",
      " ",
      "\n",
      "\u0000",
      "е",
      "字",
      "\u200b",
      "😀",
      "-",
      ":",
      "..",
      "%",
      "always",
      "\ud800",
    ];
    const some = (most: number) => Array.from({ length: dice.below(most) }, () => pick(pieces)).join("");
    let commands = 0;
    for (let round = 0; round < (THOROUGH ? 4000 : 400); round += 1) {
      const word = Array.from({ length: 1 + dice.below(8) }, () => pick("aeiourstlm_7".split(""))).join("");
      const name = pick([pick(KNOWN), word, word, dice.chance(0.3) ? some(6) : word]);
      const rest = dice.chance(0.1) ? pick([some(3), "x".repeat(40)]) : pick(["", "@bot", "@", " ", ` ${some(5)}`]);
      const said = `${pick(["", " ", "\n"])}/${dice.chance(0.3) ? name.toUpperCase() : name}${rest}`;
      expect([said, readChatCommand(said) !== null || readApprovalCommand(said) !== null]).toEqual([
        said,
        isCommand(said),
      ]);
      if (round % 8 !== 0) continue;
      const asked = t.model.callCount;
      const reply = await t.assistant.send({ text: said, session: String(round % 50) });
      const wasAsked = t.model.callCount > asked;
      if (!isCommand(said)) continue;
      commands += 1;
      // Only `/retry` asks, and not with its own text.
      if (!/^\s*\/(retry|compact)\b/i.test(said)) expect([said, wasAsked]).toEqual([said, false]);
      expect([said, reply.text === ""]).toEqual([said, false]);
    }
    expect(commands).toBeGreaterThan(THOROUGH ? 240 : 20);
    const inbound = (await t.logs()).filter(({ type, command }) => type === "in" && command === undefined);
    for (const { text } of inbound) expect([text, isCommand(String(text))]).toEqual([text, false]);
    await t.assistant.stop();
  });

  it.each(["/status", "/approve ABCDEF", "/deny ABCDEF no", "/nonsense"])(
    "%s, again and again in a minute, is answered twenty times, and once that it is too much",
    async (said) => {
      const t = await scene({ owner: { ids: ["memory:1"] } });
      const before = { ...t.counts };
      const direct = { peer: { kind: "direct", id: "9" }, sender: { id: "9" } } as const;
      for (let round = 0; round < (THOROUGH ? 200 : 60); round += 1) await t.tell({ ...direct, text: said });
      await t.quiet();
      const told = t.channel.textsTo("9");
      expect(told).toHaveLength(21);
      expect(told.at(-1)).toContain("more commands than I answer in a minute");
      expect(t.model.callCount).toBe(0);
      expect(await t.logs()).toEqual([]);
      const lines = await t.audit();
      expect(lines.length).toBeLessThanOrEqual(21);
      expect(lines.filter(({ what }) => what === "command.flood")).toHaveLength(1);
      expect(t.counts.writes - before.writes).toBeLessThan(130);
      expect(t.counts.bytes - before.bytes).toBeLessThan(40_000);
      expect(t.lines.join("").length).toBeLessThan(10_000);
      // A minute later they are heard again.
      t.clock.step(60_000);
      await t.tell({ ...direct, text: "/help" });
      await t.quiet();
      expect(t.channel.textsTo("9").at(-1)).toContain("/status");
      await t.assistant.stop();
    },
  );
});
