import type { Notice } from "../../src/notice.ts";
import type { OutboxMessage } from "../../src/outbox/index.ts";
import { describe, expect, it } from "vitest";
import { ChannelSendError } from "../../src/channel.ts";
import type { Channel, Target } from "../../src/channel.ts";
import { createDelivery, createShipping } from "../../src/delivery/index.ts";
import type { DeliveryParts, DeliverySessions } from "../../src/delivery/index.ts";
import {
  LATE_AFTER_MS,
  NO_CHANNEL_RECHECK_MS,
  RETRY_DELAYS_MS,
  SEND_TIMEOUT_MS,
  STOP_GRACE_MS,
} from "../../src/delivery/retry.ts";
import { embeddedEngine } from "../../src/engine/index.ts";
import type { Engine } from "../../src/engine/index.ts";
import { DEAD_LETTERS_KEY, createDeadLetters, createOutbox, letterName, outboxKey } from "../../src/outbox/index.ts";
import type { MarkRecord, OutRecord } from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import type { AuditEntry, Metrics } from "../../src/telemetry/index.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import type { InMemoryChannelOptions } from "../../src/testing/in-memory-channel.ts";

const target: Target = { channel: "memory", account: "default", chat: "ada" };

/** Sessions that hold nothing but replies and their marks. */
function fakeSessions(clock: FakeClock) {
  const outs = new Map<string, { seq: number; record: OutRecord; marks: MarkRecord[] }>();
  const state = { failMarks: 0 };
  const sessions: DeliverySessions = {
    findOut: async (session, turn) => outs.get(`${session} ${turn}`) ?? null,
    async mark(session, mark) {
      if (state.failMarks-- > 0) throw new Error("disk full");
      for (const [key, out] of outs) {
        if (key.startsWith(`${session} `) && out.seq === mark.of)
          out.marks.push({ v: 1, type: "mark", at: clock.now(), ...mark });
      }
    },
  };
  function add(turn: string, parts: readonly string[], to: Target = target) {
    const record: OutRecord = {
      v: 1,
      at: clock.now(),
      type: "out",
      turn,
      of: [`${to.channel}:${to.account}:in-${turn}`],
      text: parts.join("\n\n"),
      silent: parts.length === 0,
      parts,
      target: to,
      toolCalls: [],
      usage: { inputTokens: 0, outputTokens: 0 },
      steps: 1,
    };
    outs.set(`s ${turn}`, { seq: outs.size + 1, record, marks: [] });
  }
  return { sessions, outs, add, state, marksOf: (turn: string) => outs.get(`s ${turn}`)?.marks ?? [] };
}

function setUp(options: { channel?: InMemoryChannelOptions; channels?: readonly Channel[] } = {}) {
  const clock = fakeClock();
  const store = memoryStore();
  const channel = inMemoryChannel(options.channel);
  const fake = fakeSessions(clock);
  const lines: string[] = [];
  const errors: unknown[] = [];

  function boot(more: Pick<DeliveryParts, "holdAgain"> = {}) {
    const engine: Engine = embeddedEngine({ store, clock, onError: (error) => errors.push(error) });
    const outbox = createOutbox({ store, engine, clock });
    const told = {
      logger: { warn: (message: string) => void lines.push(message) },
      audit: { write: (entry: AuditEntry) => void lines.push(`${entry.what} ${entry.target}`) },
    };
    const metrics: Pick<Metrics, "increment"> = {
      increment: (name, labels) => void lines.push([name, ...Object.values(labels ?? {})].join(" ")),
    };
    const delivery = createDelivery({
      outbox,
      sessions: fake.sessions,
      channels: options.channels ?? [channel],
      shipping: createShipping({ outbox, redact: (value) => value, clock, metrics, ...told }),
      clock,
      engine,
      ...told,
      ...more,
    });
    const deadLetters = createDeadLetters({ store, engine, clock, outbox });
    const handle: Parameters<Engine["start"]>[0] = (key, signal) =>
      key === DEAD_LETTERS_KEY ? deadLetters.handle() : delivery.handle(key, signal);
    return { engine, outbox, deadLetters, delivery, start: () => engine.start(handle) };
  }

  const first = boot();
  async function reply(turn: string, parts: readonly string[], to: Target = target) {
    fake.add(turn, parts, to);
    await first.outbox.enqueue(to, { session: "s", turn });
  }
  return { clock, store, channel, ...fake, told: lines, errors, boot, ...first, reply };
}

const keysOf = (channel: ReturnType<typeof inMemoryChannel>) =>
  channel.sent.map(({ message }) => message.idempotencyKey);

describe("what nobody asked for", () => {
  const unasked = { id: "n", type: "pattern", user: "memory:ada", channel: "memory", sessionKey: "s" } as const;

  /** What is sent, and what is decided again, by a process that starts a minute after it was queued. */
  async function after(messages: readonly OutboxMessage[], { held = [] as readonly string[], before = 0 } = {}) {
    const t = setUp();
    for (const message of messages) await t.outbox.enqueue(target, { message });
    if (before > 0) await t.outbox.mark(target, before, { part: 0, delivery: "pending", attempt: 1 });
    await t.clock.advance(60_000);
    const asked: Notice[] = [];
    const holdAgain = async (notice: Notice) => (asked.push(notice), held.includes(notice.id));
    const next = t.boot({ holdAgain });
    await next.start();
    await t.clock.advance(0);
    return { ...t, next, asked };
  }

  it("is decided on again when a restart left it, and held without holding up what is behind it", async () => {
    const t = await after(
      [
        { id: "n", text: "Shall I?", unasked },
        { id: "reply", text: "Here it is" },
      ],
      { held: ["n"] },
    );
    expect(t.asked).toEqual([{ ...unasked, text: "Shall I?" }]);
    expect(t.channel.textsTo("ada")).toEqual(["Here it is"]);
    expect(await t.next.outbox.pending(target)).toEqual([]);
    await t.next.engine.stop();
  });

  it("is sent when it may still be said", async () => {
    const t = await after([{ id: "n", text: "Shall I?", unasked }]);
    expect(t.asked).toHaveLength(1);
    expect(t.channel.textsTo("ada")).toHaveLength(1);
    await t.next.engine.stop();
  });

  it("is not asked about when it was tried before, or was asked for", async () => {
    const t = await after(
      [
        { id: "n", text: "Shall I?", unasked },
        { id: "job", text: "Drink water" },
      ],
      { held: ["n", "job"], before: 1 },
    );
    expect(t.asked).toEqual([]);
    await t.next.engine.stop();
  });

  it("is not asked about in the process that queued it", async () => {
    const t = setUp();
    await t.clock.advance(1);
    const one = t.boot({ holdAgain: async () => true });
    await one.start();
    await one.outbox.enqueue(target, { message: { id: "n", text: "Shall I?", unasked } });
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["Shall I?"]);
    await one.engine.stop();
  });
});

describe("createDelivery()", () => {
  it("sends the parts of a reply in order, each with its key, and marks them", async () => {
    const t = setUp();
    await t.start();
    await t.reply("t1", ["one", "two"]);
    await t.clock.advance(0);
    expect(t.channel.sent.map(({ message }) => message)).toEqual([
      { text: "one", idempotencyKey: "t1.0", inReplyTo: "in-t1" },
      { text: "two", idempotencyKey: "t1.1", inReplyTo: "in-t1" },
    ]);
    expect(
      t
        .marksOf("t1")
        .map(({ of, part, delivery, platformId, attempt }) => ({ of, part, delivery, platformId, attempt })),
    ).toEqual([
      { of: 1, part: 0, delivery: "sent", platformId: "sent-1", attempt: 1 },
      { of: 1, part: 1, delivery: "sent", platformId: "sent-2", attempt: 1 },
    ]);
    expect(t.clock.pending).toBe(0);
    await t.engine.stop();
  });

  it("sends nothing for a silent reply, and nothing again for one that is queued twice", async () => {
    const t = setUp();
    await t.start();
    await t.reply("t1", []);
    await t.reply("t2", ["once"]);
    await t.outbox.enqueue(target, { session: "s", turn: "t2" });
    await t.clock.advance(0);
    await t.outbox.enqueue(target, { session: "s", turn: "t2" });
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["once"]);
    await t.engine.stop();
  });

  it("keeps the order of a chat's replies while one of them is tried again, and other chats go on", async () => {
    const t = setUp();
    t.channel.script([{ retryable: true }, { retryable: true }], { chat: "ada" });
    await t.start();
    await t.reply("t1", ["a1", "a2"]);
    await t.reply("t2", ["a3"]);
    await t.reply("t3", ["b1"], { ...target, chat: "bo" });
    await t.clock.advance(4_999);
    expect(t.channel.textsTo("ada")).toEqual([]);
    expect(t.channel.textsTo("bo")).toEqual(["b1"]);
    await t.clock.advance(1 + 25_000);
    expect(t.channel.textsTo("ada")).toEqual(["a1", "a2", "a3"]);
    await t.engine.stop();
  });

  it("tries again after 5 s, 25 s, 2 min and 10 min, then gives up and goes on with what comes after", async () => {
    const t = setUp();
    const times: number[] = [];
    const startMs = t.clock.now();
    t.channel.script([1, 2, 3, 4, 5].map((round) => ({ retryable: true, message: `failure ${round}` })));
    await t.start();
    await t.reply("t1", ["lost"]);
    await t.reply("t2", ["arrives"]);
    for (let second = 0; second <= 800; second++) {
      await t.clock.advance(second === 0 ? 0 : 1000);
      while (times.length < t.channel.tries.length) times.push((t.clock.now() - startMs) / 1000);
    }
    expect(times).toEqual([0, 5, 30, 150, 750, 750]);
    expect(t.channel.textsTo("ada")).toEqual(["(late: written 2026-01-05 08:00 UTC)\n\narrives"]);
    expect(t.marksOf("t1").map(({ delivery, attempt }) => `${delivery} ${attempt}`)).toEqual([
      "pending 1",
      "pending 2",
      "pending 3",
      "pending 4",
      "dead 5",
    ]);
    expect(await t.outbox.listDead()).toEqual([
      {
        at: startMs + 750_000,
        writtenAt: startMs,
        target,
        id: "t1",
        session: "s",
        part: 0,
        text: "lost",
        error: "failure 5",
        attempts: 5,
      },
    ]);
    expect(t.told).toContain("delivery.dead memory:ada");
    await t.engine.stop();
  });

  it("gives up at once what the platform will never take", async () => {
    const t = setUp();
    t.channel.script([{ retryable: false, message: "bot was blocked by the user" }]);
    await t.start();
    await t.reply("t1", ["one", "two"]);
    await t.clock.advance(0);
    expect(t.marksOf("t1").map(({ part, delivery }) => `${part} ${delivery}`)).toEqual(["0 dead", "1 sent"]);
    expect(await t.outbox.listDead()).toMatchObject([
      { id: "t1", part: 0, error: "bot was blocked by the user", attempts: 1 },
    ]);
    expect(t.channel.textsTo("ada")).toEqual(["two"]);
    await t.engine.stop();
  });

  it("sends a letter again as a message of its own, once, and says when it was written", async () => {
    const t = setUp();
    t.channel.script([{ retryable: false, message: "chat not found" }]);
    await t.start();
    await t.reply("t1", ["lost"]);
    await t.clock.advance(0);
    await t.clock.advance(86_400_000);
    const asked = await Promise.all([t.deadLetters.sendAgain("t1.0"), t.deadLetters.sendAgain("t1.0")]);
    expect(asked).toMatchObject([{ text: "lost" }, { text: "lost" }]);
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["(late: written 2026-01-05 08:00 UTC)\n\nlost"]);
    expect(keysOf(t.channel)).toEqual(["again:1:t1.0.0"]);
    expect(await t.outbox.listDead()).toEqual([]);
    await expect(t.deadLetters.sendAgain("t1.0")).rejects.toMatchObject({ code: "CONFLICT" });
    await t.engine.stop();
  });

  it("makes a new letter of one that fails again, which can be sent again too", async () => {
    const t = setUp();
    const gone = { retryable: false, message: "chat not found" };
    t.channel.script([gone, gone, gone]);
    await t.start();
    await t.reply("t1", ["lost"]);
    await t.clock.advance(0);
    const names: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const [letter] = await t.outbox.listDead();
      if (letter === undefined) throw new Error("There is no letter");
      names.push(letterName(letter));
      await t.deadLetters.sendAgain(letterName(letter));
      await t.clock.advance(0);
    }
    expect(names).toEqual(["t1.0", "again:1:t1.0.0"]);
    expect(await t.outbox.listDead()).toMatchObject([{ id: "again:2:t1.0.0", part: 0, text: "lost", target }]);
    await t.deadLetters.sendAgain("again:2:t1.0.0.0");
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["lost"]);
    await t.engine.stop();
  });

  it("waits exactly as long as Retry-After says, and does not count such a try as failed", async () => {
    const t = setUp();
    t.channel.script(
      Array.from({ length: RETRY_DELAYS_MS.length + 3 }, () => ({ retryable: true, retryAfterMs: 7_000 })),
    );
    await t.start();
    await t.reply("t1", ["patience"]);
    await t.clock.advance(6_999);
    expect(t.channel.tries).toHaveLength(1);
    await t.clock.advance(1);
    expect(t.channel.tries).toHaveLength(2);
    await t.clock.advance(6 * 7_000);
    expect(t.channel.textsTo("ada")).toEqual([]);
    await t.clock.advance(7_000);
    expect(t.channel.textsTo("ada")).toEqual(["patience"]);
    expect(await t.outbox.listDead()).toEqual([]);
    await t.engine.stop();
  });

  it("leaves a second between tries for a platform that says to try again at once", async () => {
    const t = setUp();
    t.channel.script(Array.from({ length: 4 }, () => ({ retryable: true, retryAfterMs: 0 })));
    await t.start();
    await t.reply("t1", ["soon"]);
    await t.clock.advance(999);
    expect(t.channel.tries).toHaveLength(1);
    await t.clock.advance(3_001);
    expect(t.channel.textsTo("ada")).toEqual(["soon"]);
    await t.engine.stop();
  });

  it("gives up a message that a platform puts off for ever", async () => {
    const t = setUp();
    t.channel.script(Array.from({ length: 200 }, () => ({ retryable: true, retryAfterMs: 60_000 })));
    await t.start();
    await t.reply("t1", ["never"]);
    await t.clock.advance(5 * 3_600_000);
    expect(await t.outbox.listDead()).toMatchObject([{ id: "t1", attempts: 5 }]);
    await t.engine.stop();
  });

  it("ends a try that gets no answer, and tries again", async () => {
    const t = setUp();
    t.channel.script([new Promise(() => {})]);
    await t.start();
    await t.reply("t1", ["slow"]);
    await t.clock.advance(SEND_TIMEOUT_MS - 1);
    expect(t.marksOf("t1")).toEqual([]);
    await t.clock.advance(1 + 5_000);
    expect(t.marksOf("t1").map(({ delivery }) => delivery)).toEqual(["pending", "sent"]);
    expect(t.clock.pending).toBe(0);
    await t.engine.stop();
  });

  it("sends a part again under the same key when a crash came between the send and its mark, and only that part", async () => {
    const t = setUp();
    t.state.failMarks = 1; // stands for the crash: part 0 is sent, its mark is not written, the process is gone
    await t.start();
    await t.reply("t1", ["one", "two"]);
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["one"]);
    await t.engine.stop();

    const again = t.boot();
    await again.start();
    await t.clock.advance(0);
    expect(keysOf(t.channel)).toEqual(["t1.0", "t1.0", "t1.1"]);
    expect(t.marksOf("t1").map(({ part, delivery }) => `${part} ${delivery}`)).toEqual(["0 sent", "1 sent"]);
    await again.engine.stop();
  });

  it("does not send a part again when only its mark could not be written", async () => {
    const t = setUp();
    t.state.failMarks = 2;
    await t.start();
    await t.reply("t1", ["one", "two"]);
    await t.clock.advance(60_000);
    expect(keysOf(t.channel)).toEqual(["t1.0", "t1.1"]);
    expect(t.marksOf("t1").map(({ platformId }) => platformId)).toEqual(["sent-1", "sent-2"]);
    expect(t.errors.map(String)).toEqual(["Error: disk full", "Error: disk full"]);
    await t.engine.stop();
  });

  it("says that a reply is late when it was never tried for ten minutes, once for a run of parts", async () => {
    const t = setUp();
    await t.reply("t1", ["one", "two"]);
    await t.reply("t2", ["three"]);
    await t.clock.advance(LATE_AFTER_MS + 1);
    await t.reply("t3", ["fresh"]);
    await t.start();
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual([
      "(late: written 2026-01-05 08:00 UTC)\n\none",
      "two",
      "(late: written 2026-01-05 08:00 UTC)\n\nthree",
      "fresh",
    ]);
    await t.engine.stop();
  });

  it("says it in a message of its own when the part leaves no room", async () => {
    const t = setUp({ channel: { limits: { maxTextLength: 50 } } });
    const full = "x".repeat(50);
    await t.reply("t1", [full]);
    await t.clock.advance(LATE_AFTER_MS + 1);
    await t.start();
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["(late: written 2026-01-05 08:00 UTC)", full]);
    expect(keysOf(t.channel)).toEqual(["t1.0.late", "t1.0"]);
    await t.engine.stop();
  });

  it("does not call a part late that it has tried before", async () => {
    const t = setUp();
    t.channel.script([1, 2, 3, 4].map(() => ({ retryable: true })));
    await t.start();
    await t.reply("t1", ["one"]);
    await t.clock.advance(800_000);
    expect(t.channel.textsTo("ada")).toEqual(["one"]);
    await t.engine.stop();
  });

  it("splits a message of its own by the channel's limit and keeps its marks in the outbox", async () => {
    const t = setUp({ channel: { limits: { maxTextLength: 12 } } });
    t.channel.script([null, { retryable: true }]);
    await t.start();
    await t.outbox.enqueue({ ...target, thread: "7" }, { message: { id: "m1", text: "first line\nsecond line" } });
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["first line"]);
    await t.engine.stop();

    const again = t.boot();
    await again.start();
    await t.clock.advance(5_000);
    expect(keysOf(t.channel)).toEqual(["m1.0", "m1.1"]);
    expect(t.channel.sent.map((entry) => entry.target.thread)).toEqual(["7", "7"]);
    await again.engine.stop();
  });

  it("paces a chat and an account as the channel's limits say, and the rest goes on", async () => {
    const t = setUp({ channel: { limits: { perChatPerSecond: 1, perSecond: 4 } } });
    const startMs = t.clock.now();
    const times: [string, number][] = [];
    const send = t.channel.send.bind(t.channel);
    const watched: Channel = {
      ...t.channel,
      send: (to, message, signal) => (times.push([message.text, t.clock.now() - startMs]), send(to, message, signal)),
    };
    const paced = setUp({ channels: [watched] });
    // The clock of the first set-up is the one that is read above; both begin at the same time.
    await paced.start();
    await paced.reply("t1", ["a1", "a2", "a3"]);
    await paced.reply("t2", ["b1"], { ...target, chat: "bo" });
    for (let step = 0; step < 60; step++) {
      await paced.clock.advance(50);
      t.clock.step(50);
    }
    expect(times.map(([text]) => text).toSorted()).toEqual(["a1", "a2", "a3", "b1"]);
    const at = Object.fromEntries(times);
    expect(at["a2"]! - at["a1"]!).toBeGreaterThanOrEqual(950);
    expect(at["a3"]! - at["a2"]!).toBeGreaterThanOrEqual(950);
    expect(at["b1"]!).toBeLessThan(500);
    await paced.engine.stop();
  });

  it("comes back by a wake when the pace of the account is far behind", async () => {
    const t = setUp({ channel: { limits: { perSecond: 0.5 } } });
    await t.start();
    await t.reply("t1", ["one", "two", "three"]);
    await t.clock.advance(0);
    expect(t.channel.textsTo("ada")).toEqual(["one"]);
    await t.clock.advance(2_000);
    expect(t.channel.textsTo("ada")).toEqual(["one", "two"]);
    await t.clock.advance(2_000);
    expect(t.channel.textsTo("ada")).toEqual(["one", "two", "three"]);
    await t.engine.stop();
  });

  it("is not locked out when the host's clock is set back", async () => {
    const t = setUp({ channel: { limits: { perChatPerSecond: 1 } } });
    t.channel.script([null, { retryable: true }]);
    await t.start();
    await t.reply("t1", ["one", "two"]);
    await t.clock.advance(1_000);
    expect(t.marksOf("t1").map(({ delivery }) => delivery)).toEqual(["sent", "pending"]);
    t.clock.step(-3_600_000);
    await t.clock.advance(60_000);
    expect(t.channel.textsTo("ada")).toEqual(["one", "two"]);
    await t.engine.stop();
  });

  it("waits a moment for a reply that is not in its session yet", async () => {
    const t = setUp();
    await t.start();
    await t.outbox.enqueue(target, { session: "s", turn: "t1" });
    await t.clock.advance(100);
    t.add("t1", ["there"]);
    await t.clock.advance(1_000);
    expect(t.channel.textsTo("ada")).toEqual(["there"]);
    await t.engine.stop();
  });

  it("passes over a reply that is not in its session any more, and says so", async () => {
    const t = setUp();
    await t.start();
    await t.outbox.enqueue(target, { session: "s", turn: "gone" });
    await t.reply("t2", ["next"]);
    await t.clock.advance(6_000);
    expect(t.channel.textsTo("ada")).toEqual(["next"]);
    expect(t.told).toContain("A queued reply is not in its session");
    expect(t.told).toContain("delivery.skip s");
    await t.engine.stop();
  });

  it("keeps what waits for a channel that is not configured until it is", async () => {
    const t = setUp();
    const elsewhere = { ...target, channel: "slack" };
    await t.start();
    await t.reply("t1", ["hello"], elsewhere);
    await t.clock.advance(0);
    expect(t.told).toContain("A message waits for a channel that is not configured");
    await t.engine.stop();

    const slack = inMemoryChannel({ name: "slack" });
    const delivery = createDelivery({
      outbox: t.outbox,
      sessions: t.sessions,
      channels: [slack],
      shipping: createShipping({ outbox: t.outbox, redact: (value) => value, clock: t.clock }),
      clock: t.clock,
      engine: t.engine,
    });
    const engine = embeddedEngine({ store: t.store, clock: t.clock });
    await engine.start(delivery.handle);
    await t.clock.advance(NO_CHANNEL_RECHECK_MS);
    expect(slack.sent).toHaveLength(1);
    await engine.stop();
  });

  it("finds the account of a channel that has several", async () => {
    const second = inMemoryChannel({ access: { account: "second" } });
    const first = inMemoryChannel();
    const t = setUp({ channels: [first, second] });
    await t.start();
    await t.reply("t1", ["to the second"], { ...target, account: "second" });
    await t.clock.advance(0);
    expect([first.sent.length, second.sent.length]).toEqual([0, 1]);
    await t.engine.stop();
  });

  it("lets a try under way end when the engine stops, so that it is not sent again", async () => {
    const t = setUp();
    let answer = () => {};
    t.channel.script([new Promise<void>((resolve) => (answer = resolve))]);
    await t.start();
    await t.reply("t1", ["one"]);
    await t.clock.advance(0);
    const stopping = t.engine.stop();
    await t.clock.advance(STOP_GRACE_MS - 1);
    answer();
    await stopping;
    expect(t.marksOf("t1").map(({ delivery }) => delivery)).toEqual(["sent"]);
  });

  it("does not hold a stop for longer than its grace, and leaves the part for the next start", async () => {
    const t = setUp();
    t.channel.script([new Promise(() => {})]);
    await t.start();
    await t.reply("t1", ["one"]);
    await t.clock.advance(0);
    const stopping = t.engine.stop();
    await t.clock.advance(STOP_GRACE_MS);
    await stopping;
    expect(t.marksOf("t1")).toEqual([]);
    const again = t.boot();
    await again.start();
    await t.clock.advance(0);
    expect(keysOf(t.channel)).toEqual(["t1.0"]);
    await again.engine.stop();
  });

  it("takes any other throw of a channel as one that may be gone at the next try", async () => {
    const t = setUp();
    t.channel.script([new TypeError("fetch failed"), new ChannelSendError("try later", { retryable: true })]);
    await t.start();
    await t.reply("t1", ["one"]);
    await t.clock.advance(30_000);
    expect(t.channel.textsTo("ada")).toEqual(["one"]);
    await t.engine.stop();
  });

  it("has nothing to do for a key that is not an outbox's", async () => {
    const t = setUp();
    await t.delivery.handle("session:a", new AbortController().signal);
    await t.delivery.handle(outboxKey(target), new AbortController().signal);
    expect(t.told).toEqual(["Not the key of an outbox"]);
  });
});
