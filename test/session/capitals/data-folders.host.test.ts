import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import * as v from "valibot";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { redisStore } from "../../../adapters/storage/redis/index.ts";
import { sqliteStore } from "../../../adapters/storage/sqlite/index.ts";
import { type JsonValue, createAssistant, defineTool, memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { mixedSpellings } from "../../../src/session/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../../src/testing/in-memory-channel.ts";
import { scriptedModel } from "../../../src/testing/scripted-model.ts";
import { redisMissing, startRedis } from "../../support/redis.ts";
import { WHOLE, runs } from "../../support/thorough.ts";
import { testAssistant } from "../../support/assistant.ts";

// Data that the version before capitals counted wrote: `app:ole` and `app:Ada` spoke, `app:Bob` and `app:BOB` did, a conversation was called Notes, another
// one Plans by `app:ole`; a request of Ada's is open, a message of hers is not answered, and a reply to telegram:7 could not be sent.
const FIXTURES = join(import.meta.dirname, "fixtures");
/** Ten minutes after. */
const LATER = Date.parse("2026-01-05T08:10:00Z");
const ADA = "agent:main:app:direct:%41da";
const folders: string[] = [];
const temporary = async () => {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-before-"));
  folders.push(folder);
  return folder;
};
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function fsBefore(): Promise<() => Promise<Store>> {
  const root = join(await temporary(), "data");
  await cp(join(FIXTURES, "fs"), root, { recursive: true });
  return () => fsStore({ root });
}
async function sqliteBefore(): Promise<() => Promise<Store>> {
  const path = join(await temporary(), "before.db");
  await cp(join(FIXTURES, "before.db"), path);
  return () => sqliteStore({ path });
}

/** An assistant a little later. */
async function awake(store: Store) {
  const clock = fakeClock(LATER);
  const telegram = inMemoryChannel({ name: "telegram" });
  let wiped = 0;
  const t = await testAssistant({
    script: () => "Here I am.",
    store,
    clock,
    channel: telegram,
    start: false,
    owner: { ids: ["telegram:1"] },
    queue: { debounceMs: 0 },
    tools: {
      wipe: defineTool({
        description: "Wipes a disk",
        inputSchema: v.object({ disk: v.string() }),
        execute: () => `wiped ${(wiped += 1)}`,
        meta: { dangerous: true },
      }),
    },
  });
  const { assistant, model, during } = t;
  const send = (input: Parameters<typeof assistant.send>[0]) => during(assistant.send(input));
  const prompts = () => model.requests.map(({ prompt }) => JSON.stringify(prompt));
  await during(assistant.start());
  return { ...t, telegram, send, prompts, wiped: () => wiped };
}

async function logOf(store: Store, key: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [, agent, ...rest] = key.split(":");
  const records = [];
  for await (const { record } of store.read(`sessions/${agent}/${rest.join(":").replaceAll("%", "%25")}/log.jsonl`))
    records.push(record);
  return records;
}

async function keysOf(store: Store): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list("")) keys.push(key);
  return keys.filter((key) => /^(?:sessions|memory|contexts|artifacts|approvals|migrations)\//.test(key));
}

/** Everything that the promise of the move says. */
async function goesOn(open: () => Promise<Store>): Promise<void> {
  const store = await open();
  const before = await logOf(store, "agent:main:app:direct:ada");
  const t = await awake(store);
  // What was accepted is answered, once, in the conversation of who asked.
  const again = await t.send({ user: "app:Ada", text: "This one is never answered before the stop.", id: "late" });
  expect(again).toMatchObject({ sessionKey: ADA, text: "Here I am." });
  const log = await logOf(store, ADA);
  expect(log.slice(0, before.length)).toEqual(before);
  expect(log.filter(({ type, of }) => type === "out" && String(of) === "send:late")).toHaveLength(1);
  expect(await logOf(store, "agent:main:app:direct:ada")).toEqual([]);

  // The open request is answered and runs once.
  const [open_ = { code: "" }] = await t.assistant.approvals.list();
  expect(
    await t.during(t.assistant.approvals.answer(open_.code, { answer: "once", user: "telegram:1" })),
  ).toMatchObject({ ok: true, output: "wiped 1" });

  // The reply that could not be sent is.
  await t.during(t.clock.advance(700_000));
  for (let steps = 0; t.telegram.textsTo("7").length === 0 && steps < 500; steps += 1)
    await t.during(t.clock.advance(10));
  expect(t.telegram.textsTo("7")).toEqual(["As you say."]);

  // What is remembered is hers alone.
  const recalled = (userId: string) => t.during(t.assistant.memory.recall({ text: "peanuts allergic", userId }));
  expect((await recalled("app:Ada")).map(({ entry }) => entry.content)).toContain("I am allergic to peanuts.");
  expect(await recalled("app:ada")).toEqual([]);
  const [file] = await t.during(t.assistant.artifacts.list({ session: ADA }));
  expect((await t.during(t.assistant.artifacts.read({ session: ADA, id: file?.id ?? "" })))?.content).toBe(
    "milk, eggs",
  );
  await t.send({ user: "app:Ada", text: "Hello" });
  expect(t.prompts().at(-1)).toContain("plays the cello");
  expect(t.prompts().at(-1)).toContain("I am allergic to peanuts");
  await t.send({ user: "app:ada", text: "Hello" });
  expect(t.prompts().at(-1)).not.toMatch(/cello|peanuts/);

  // Two spellings spoke: it stays with the small one, and neither sees the other's.
  await t.send({ user: "app:Bob", text: "Hello" });
  expect(t.prompts().at(-1)).not.toMatch(/Rex|Tom/);
  expect(await mixedSpellings(store)).toEqual([
    {
      what: "session",
      id: "agent:main:app:direct:bob",
      spellings: ["agent:main:app:direct:%42ob", "agent:main:app:direct:%42%4f%42"],
    },
    { what: "person", id: "app:bob", spellings: ["app:Bob", "app:BOB"] },
  ]);

  // Conversations that the host names: by the name that was written down, else by any spelling.
  expect((await t.send({ session: "Notes", text: "Go on" })).sessionKey).toBe("agent:main:sdk:direct:%4eotes");
  expect(t.prompts().at(-1)).toContain("I like long notes.");
  await t.send({ user: "app:ole", session: "Plans", text: "Go on" });
  expect(t.prompts().at(-1)).toContain("I like short plans.");
  await t.send({ user: "app:ole", text: "Go on" });
  expect(t.prompts().at(-1)).toContain("What is the weather?");
  await t.during(t.assistant.stop());

  // Later starts find nothing to do.
  const later = await open();
  const keys = await keysOf(later);
  const u = await awake(later);
  expect(await keysOf(later)).toEqual(keys);
  expect(await logOf(later, ADA)).toHaveLength((await logOf(later, ADA)).length);
  await u.during(u.assistant.stop());
}

describe("a data folder of the version before", () => {
  it("goes on, on files", async () => goesOn(await fsBefore()));
  it("goes on, in SQLite", async () => goesOn(await sqliteBefore()));
});

const missing = redisMissing();
describe.skipIf(missing !== undefined)("a server's data of the version before — needs redis-server", () => {
  it("goes on, in Redis", async () => {
    const server = await startRedis();
    try {
      const dump = JSON.parse(await readFile(join(FIXTURES, "redis.json"), "utf8")) as Record<string, string>;
      const client = new Redis(server.url);
      const bytes = (text: string) => Buffer.from(text, "base64");
      for (const [key, value] of Object.entries(dump)) await client.restore(bytes(key), 0, bytes(value));
      client.disconnect();
      await goesOn(() => redisStore({ url: server.url }));
    } finally {
      await server.stop();
    }
  });
});

/** The data in memory, as what a move changes is the same on every store. */
async function inMemory(from: Store): Promise<Store> {
  const store = memoryStore();
  for await (const { key } of from.list("")) {
    if (/^(?:engine|health)\//.test(key)) continue;
    const isLog = await from.lastSeq(key).then(
      (seq) => seq > 0,
      () => false,
    );
    if (isLog) {
      for await (const { record } of from.read(key)) {
        const { type, id } = record;
        await store.append(key, record, type === "in" && typeof id === "string" ? { id } : {});
      }
    } else await store.put(key, (await from.get(key))?.value as JsonValue, { expect: null });
  }
  return store;
}

describe("the move to capitals", () => {
  it("is finished after a crash at any write, with nothing lost or doubled", async () => {
    const files = await (await fsBefore())();
    const settled = async (store: Store) => {
      const t = await awake(store);
      await t.during(t.assistant.stop());
    };
    const plain = await inMemory(files);
    await settled(plain);
    const wanted = await keysOf(plain);
    const hers = (await logOf(plain, ADA)).map(({ type, turn, text }) => ({ type, turn: type === "in" && turn, text }));
    const step = Math.max(1, Math.round(60 / runs(60)) * (WHOLE ? 1 : 3));
    let writes = 0;
    for (let survived = false; !survived; writes += step) {
      const store = await inMemory(files);
      let left = writes;
      const dies = Object.fromEntries(
        (["put", "append", "remove"] as const).map((name) => [
          name,
          async (...args: unknown[]) => {
            if (left-- <= 0) throw new Error("killed");
            return (store[name] as (...given: unknown[]) => unknown)(...args);
          },
        ]),
      );
      const outcome = await createAssistant({
        model: scriptedModel(() => "Here I am."),
        store: { ...store, ...dies },
        clock: fakeClock(LATER),
        channels: [inMemoryChannel({ name: "telegram" })],
        owner: { ids: ["telegram:1"] },
      }).then((assistant) =>
        assistant.start().then(
          () => true,
          () => false,
        ),
      );
      left = 0;
      survived = outcome;
      await settled(store);
      expect(await keysOf(store), `died before write ${writes}`).toEqual(wanted);
      const found = (await logOf(store, ADA)).map(({ type, turn, text }) => ({
        type,
        turn: type === "in" && turn,
        text,
      }));
      expect(found, `died before write ${writes}`).toEqual(hers);
    }
    expect(writes).toBeGreaterThan(20);
    await files.close?.();
  });
});
