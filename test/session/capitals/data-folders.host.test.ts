import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { redisStore } from "../../../adapters/storage/redis/index.ts";
import { sqliteStore } from "../../../adapters/storage/sqlite/index.ts";
import type { Store } from "../../../kit.ts";
import { mixedSpellings } from "../../../src/session/index.ts";
import { redisMissing, startRedis } from "../../support/redis.ts";
import { ADA, FIXTURES, awake, fsBefore, keysOf, logOf, temporary } from "./data-before.ts";

async function sqliteBefore(): Promise<() => Promise<Store>> {
  const path = join(await temporary(), "before.db");
  await cp(join(FIXTURES, "before.db"), path);
  return () => sqliteStore({ path });
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
