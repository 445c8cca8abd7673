import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { says } from "../../src/testing/scripted-model.ts";
import { createDeadLetters, createOutbox } from "../../src/outbox/index.ts";
import { until } from "../support/until.ts";
import { ADA, METRICS, bodyOf, call, fakeAssistant } from "./support.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";

const LETTER = {
  at: 0,
  target: { channel: "telegram", account: "default", chat: "42" },
  id: "t1",
  session: "agent:main:telegram:direct:42",
  part: 0,
  text: "hello",
  error: "403 blocked",
  attempts: 5,
};

describe("GET /api/v1/dead-letters", () => {
  it("shows the owner, and nobody else, what was given up", async () => {
    const asked: unknown[] = [];
    const outbox = { listDead: async (options?: object) => (asked.push(options), [LETTER]) };
    const { app } = fakeAssistant({ parts: { outbox } });
    expect(await bodyOf(await app.request(call("/api/v1/dead-letters?limit=7")))).toEqual({
      dead_letters: [
        {
          at: "1970-01-01T00:00:00.000Z",
          channel: "telegram",
          account: "default",
          chat: "42",
          id: "t1",
          session_key: "agent:main:telegram:direct:42",
          part: 0,
          text: "hello",
          error: "403 blocked",
          attempts: 5,
        },
      ],
    });
    expect(asked).toEqual([{ limit: 7 }]);
    expect((await app.request(call("/api/v1/dead-letters", { token: ADA }))).status).toBe(403);
    expect((await app.request(call("/api/v1/dead-letters?limit=0"))).status).toBe(400);
  });

  it("has what a channel refused for good", async () => {
    const t = await testAssistant({ script: () => says("hello"), server: { token: OWNER_TOKEN } });
    t.channel.script([{ retryable: false, message: "the chat is gone" }]);
    await t.receive("hi");
    await expect
      .poll(async () => {
        await t.clock.advance(2000);
        return ((await (await t.call("/dead-letters")).json()) as { dead_letters: unknown[] }).dead_letters;
      })
      .toMatchObject([{ text: "hello", error: expect.stringContaining("the chat is gone") as string }]);
  });
});

describe("POST /api/v1/dead-letters/:letter/send", () => {
  async function open() {
    const clock = fakeClock();
    const store = memoryStore();
    const engine = { wake: async () => {}, start: async () => {}, stop: async () => {} };
    const outbox = createOutbox({ store, engine, clock });
    const deadLetters = createDeadLetters({ store, engine, clock, outbox });
    await outbox.bury({
      ...LETTER,
      id: "t/1",
      writtenAt: 0,
      target: { ...LETTER.target, replyTo: "https://a.test/?k=1" },
    });
    const starts = { count: 0 };
    const start = async () => void (starts.count += 1);
    const { app, parts } = fakeAssistant({ clock, parts: { outbox, deadLetters, start } });
    const send = (letter: string, token?: string) =>
      app.request(
        call(`/api/v1/dead-letters/${encodeURIComponent(letter)}/send`, { method: "POST", ...(token && { token }) }),
      );
    return { outbox, deadLetters, starts, audit: parts.audit, send };
  }

  it("sends one again where it should have gone, once, and writes down who did", async () => {
    const { outbox, deadLetters, starts, audit, send } = await open();
    const sent = await send("t/1.0");
    expect([sent.status, await bodyOf(sent)]).toEqual([
      202,
      {
        at: "1970-01-01T00:00:00.000Z",
        written_at: "1970-01-01T00:00:00.000Z",
        channel: "telegram",
        account: "default",
        chat: "42",
        id: "t/1",
        session_key: "agent:main:telegram:direct:42",
        part: 0,
        text: "hello",
        error: "403 blocked",
        attempts: 5,
      },
    ]);
    await deadLetters.handle();
    expect(await outbox.pending(LETTER.target)).toMatchObject([
      { id: "again:1:t/1.0", text: "hello", target: { chat: "42", replyTo: "https://a.test/?k=1" } },
    ]);
    expect(starts.count).toBe(1);
    await audit.settled();
    expect(await audit.read({ what: "delivery", day: "2026-01-05" })).toMatchObject([
      { who: "owner", what: "delivery.again", target: "telegram:42", verdict: "ok", reason: "t/1.0" },
    ]);
    const again = await send("t/1.0");
    expect([again.status, (await bodyOf(again))["code"]]).toEqual([409, "CONFLICT"]);
  });

  it("starts nothing for what is not there, and sends nothing for others", async () => {
    const { outbox, deadLetters, starts, send } = await open();
    const missing = await send("t9.0");
    expect([missing.status, (await bodyOf(missing))["code"]]).toEqual([404, "NOT_FOUND"]);
    for (const token of [ADA, METRICS]) expect((await send("t/1.0", token)).status).toBe(403);
    await deadLetters.handle();
    expect([starts.count, await outbox.pending(LETTER.target)]).toEqual([0, []]);
  });

  it("brings to the chat what it refused before, through a whole assistant", async () => {
    const t = await testAssistant({ script: () => says("hello"), server: { token: OWNER_TOKEN } });
    const ask = async (path: string, method = "GET") =>
      (await (await t.call(`/dead-letters${path}`, { method })).json()) as {
        dead_letters: { id: string; part: number }[];
      };
    t.channel.script([{ retryable: false, message: "the chat is gone" }]);
    await t.receive("hi");
    let letters: { id: string; part: number }[] = [];
    await until(t.clock, async () => (letters = (await ask("")).dead_letters).length === 1);
    await ask(`/${letters[0]?.id}.${letters[0]?.part}/send`, "POST");
    await t.sent(1);
    expect(t.channel.sent[0]?.message.text).toBe("hello");
    expect((await ask("")).dead_letters).toEqual([]);
  });
});
