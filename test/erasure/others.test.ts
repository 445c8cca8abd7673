import { describe, expect, it } from "vitest";
import { memoryStore } from "../../mod.ts";
import type { Store } from "../../kit.ts";
import { quotesOf } from "../../src/erasable/index.ts";
import { wordsOf } from "../../src/erasure/person-words.ts";
import { saidBy } from "../../src/memory/said-by.ts";
import { storeKey } from "../../src/store/index.ts";
import { createDeadLetters, readDeadLetters } from "../../src/outbox/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { rooms } from "./support.ts";

const NOTES = "## Profile\n\nlikes rain\n";

async function keep(store: Store, userId: string): Promise<void> {
  await rooms(store).memory.save({ userId, content: `order 12345 was for ${userId}` });
  await store.put(storeKey("contexts", "main", "peers", userId, "PEER.md"), NOTES);
}

async function keptOf(store: Store, userId: string) {
  const { entries } = await rooms(store).memory.counts(userId);
  const notes = await store.get(storeKey("contexts", "main", "peers", userId, "PEER.md"));
  return { entries, notes: notes?.value };
}

const letter = (id: string, chat: string, more: object = {}) => ({
  v: 1,
  at: 1,
  id,
  part: 0,
  text: `for ${id}`,
  error: "blocked",
  attempts: 1,
  target: { channel: "telegram", account: "default", chat },
  ...more,
});

describe("forgetting somebody whose id is like another's", () => {
  it.each([
    ["telegram:12345", "discord:12345"],
    ["telegram:12345", "group:telegram:-12345"],
    ["telegram:12345", "group:telegram:12345"],
    ["telegram:1", "telegram:12"],
    ["telegram:1", "telegram:1.5"],
    ["telegram:1", "telegram:1-2"],
    ["@ann", "@anna"],
    ["@ann", "@ann-marie"],
    ["@ann", "@ann.lee"],
    ["web:alice", "web:alice-b"],
    ["web:alice", "irc:alice"],
    ["email:ann@x.com", "email:ann@x.com.au"],
    ["matrix:@ann:example.org", "matrix:@ann:example.org.uk"],
    ["web:owner", "@owner"],
    ["sdk:agent", "telegram:42"],
    ["sdk:telegram", "telegram:42"],
    ["slack:group", "group:slack:c1"],
    ["group:telegram:-100", "group:telegram:-1001"],
  ])("of %s leaves %s what it is", async (gone, other) => {
    const store = memoryStore();
    for (const userId of [gone, other]) await keep(store, userId);
    await rooms(store).forget({ userId: gone });
    expect(await keptOf(store, gone)).toEqual({ entries: 0, notes: undefined });
    expect(await keptOf(store, other)).toEqual({ entries: 1, notes: NOTES });
  });

  it("leaves messages on their way to others, and takes those to the person", async () => {
    const store = memoryStore();
    const to = (channel: string, chat: string) => storeKey("outbox", channel, "default", `${chat}.jsonl`);
    const others = [to("discord", "12345"), to("telegram", "-12345"), to("telegram", "123456")];
    for (const key of [to("telegram", "12345"), ...others]) await store.append(key, { v: 1, type: "sent", text: "hi" });
    await rooms(store).forget({ userId: "telegram:12345" });
    const left: string[] = [];
    for await (const { key } of store.list("outbox/")) left.push(key);
    expect(left).toEqual(others.toSorted());
  });

  it("empties what answers the person in a chat of others, and leaves what has an id that holds theirs", async () => {
    const store = memoryStore();
    const message = { v: 1, at: 1, type: "in", turn: "t", user: "telegram:12345", sender: { id: "12345" }, text: "hi" };
    const peer = { kind: "group", id: "-9" };
    for (const id of ["7", "a:b"])
      await store.append("sessions/main/telegram:group:-9/log.jsonl", {
        ...{ ...message, id, peer, channel: "telegram", account: "default", roles: [] },
      });
    await store.put("approvals/requests/T.0.0", { id: "T.0.0", code: "QRS", caller: { user: "telegram:12345" } });
    const theirs = [
      "answer:7",
      "answer:a:b",
      "again:1:answer:7.0",
      "again:2:approval:T.0.0.0.0",
      "ask:T.0.0:telegram:default:1",
      "approval:T.0.0",
      "digest:ask:T.0.0:x",
    ];
    const others = [
      "answer:17",
      "answer:77",
      "n7",
      "sub:sa-7",
      "job:j7:1767",
      "ask:AT.0.0:x",
      "again:7:answer:8.0",
      "late:T.0.01",
    ];
    const log = storeKey("outbox", "telegram", "default", "-9.jsonl");
    for (const id of [...theirs, ...others])
      await store.append(log, { v: 1, at: 1, type: "message", id, text: id }, { id });
    await rooms(store).forget({ userId: "telegram:12345" });
    const left: unknown[] = [];
    for await (const { record } of store.read(log)) left.push(record["text"]);
    expect(left).toEqual([...theirs.map(() => "[forgotten]"), ...others]);
  });

  it("takes letters to the person that were given up, and leaves those to others", async () => {
    const store = memoryStore();
    const session = "agent:main:telegram:direct:12345";
    const said = { channel: "telegram", account: "default", peer: { kind: "direct", id: "12345" }, roles: ["user"] };
    await store.append(`sessions/main/telegram:direct:12345/log.jsonl`, {
      ...said,
      v: 1,
      at: 1,
      type: "in",
      id: "1",
      turn: "t",
      text: "hello",
      user: "telegram:12345",
      sender: {},
    });
    await store.append("outbox/dead.jsonl", letter("a", "12345"), { id: "a.0" });
    await store.append("outbox/dead.jsonl", letter("b", "123456"), { id: "b.0" });
    await store.append("outbox/dead.jsonl", letter("c", "999", { session }), { id: "c.0" });
    await store.append("outbox/dead.jsonl", { v: 1, type: "again", letter: "a.0", at: 2 }, { id: "again a.0" });
    await rooms(store).forget({ userId: "telegram:12345" });
    const sent: unknown[] = [];
    const outbox = { enqueue: async (_target: unknown, entry: unknown) => void sent.push(entry) };
    await createDeadLetters({ store, engine: { wake: async () => {} }, clock: fakeClock(), outbox }).handle();
    expect(sent).toEqual([]);
    expect((await readDeadLetters(store)).map(({ text }) => text)).toEqual(["for b"]);
    // What is kept already is known also after the log was written again.
    const again = await store.append("outbox/dead.jsonl", letter("b", "123456"), { id: "b.0" });
    expect(again.duplicate).toBe(true);
  });

  it("keeps letters to others apart whose ids name the person", async () => {
    const store = memoryStore();
    const ids = ["for telegram:12345", "for TELEGRAM:12345"];
    for (const [index, id] of ids.entries())
      await store.append("outbox/dead.jsonl", letter(id, "999", { text: `letter ${index}` }), { id: `${id}.0` });
    const mark = { v: 1, type: "again", letter: `${ids[1]}.0`, at: 2 };
    await store.append("outbox/dead.jsonl", mark, { id: `again ${ids[1]}.0` });
    await rooms(store).forget({ userId: "telegram:12345" });
    const sent: unknown[] = [];
    const outbox = { enqueue: async (_target: unknown, entry: unknown) => void sent.push(entry) };
    await createDeadLetters({ store, engine: { wake: async () => {} }, clock: fakeClock(), outbox }).handle();
    expect(sent).toMatchObject([{ message: { text: expect.stringContaining("letter 1") as string } }]);
    expect(JSON.stringify([sent, await readDeadLetters(store)])).not.toContain("12345");
  });

  it("takes what they have on another account of the channel", async () => {
    const store = memoryStore();
    await keep(store, "telegram@acme:12345");
    await rooms(store).forget({ userId: "telegram:12345" });
    expect(await keptOf(store, "telegram@acme:12345")).toEqual({ entries: 0, notes: undefined });
  });
});

describe("the words of a person", () => {
  it("are no words of programs, whatever somebody is called", () => {
    const { isNamed } = wordsOf(["web:owner", "sdk:assistant", "sdk:telegram"]);
    expect(isNamed(JSON.stringify({ role: "assistant", roles: ["owner"], channel: "telegram" }))).toBe(false);
  });

  it("are their id alone unless somebody else has it on another channel", () => {
    expect(wordsOf(["telegram:12345"]).isNamed("12345")).toBe(true);
    const { isNamed } = wordsOf(["telegram:12345"], new Set(["12345"]));
    expect(isNamed("12345")).toBe(false);
    expect(isNamed("telegram:12345")).toBe(true);
  });

  it.each(["-12345", "x-12345", "12345-6", "1.12345", "12345@mail", "telegram:12345.6"])(
    "are not found in %j",
    (text) => {
      expect(wordsOf(["telegram:12345"]).isNamed(text)).toBe(false);
    },
  );

  it("take no record apart when they are what records are made of", () => {
    const { scrub } = quotesOf(["assistant", "tool-call", "toolCallId"]);
    const message = { role: "assistant", content: [{ type: "tool-call", toolCallId: "c1" }] };
    expect(scrub(message)).toBe(message);
    expect(scrub({ text: "you wrote: assistant" })).toEqual({ text: "you wrote: [forgotten]" });
  });
});

describe("what a group remembers of somebody's words", () => {
  const filler = Array.from({ length: 400 }, (_, index) => `word${index}`);
  const page = filler.map((word, index) => ["bob", "likes", "oat", "milk"][index / 100] ?? word).join(" ");
  const isTheirs = saidBy({ texts: [page, "Ann keeps three bees in Rome"], quotes: quotesOf([]) });

  it.each([
    ["Ann keeps bees in Rome", true],
    ["word7 word8 word9 word10", true],
    ["word301 word310 word320 word340", true],
    [`word1 word2 ${filler.slice(150, 350).join(" ")}`, true],
    ["Bob likes oat milk", false],
    ["Ann likes milk", false],
  ])("of %j is %s", (line, expected) => {
    expect(isTheirs(line)).toBe(expected);
  });
});
