import { describe, expect, it } from "vitest";
import { type Channel, ChannelSendError, type Deliver } from "../../src/channel.ts";
import { createChannelStatuses, createConnect, createLeases, createListeners } from "../../src/listening/index.ts";
import { reconnectMs } from "../../src/listening/connection.ts";
import type { InboundMessage } from "../../src/message.ts";
import type { DeadLetter } from "../../src/outbox/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";

const message = (id: string): InboundMessage => ({
  channel: "memory",
  id,
  peer: { kind: "direct", id: "ada" },
  sender: { id: "ada" },
  text: id,
});

type Attempt = (signal: AbortSignal, deliver: Deliver, log: (sentence: string) => void) => Promise<void>;

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const fails = (error: Error) => async () => {
  throw error;
};

/** Listeners of one channel, whose connection does what the attempts say, one after another; the last goes on. */
async function setUp({
  attempts = [],
  publicUrl,
  channel: more = {},
  accept = async () => {},
  bury = async () => {},
}: {
  attempts?: readonly Attempt[];
  publicUrl?: string;
  channel?: Partial<Channel>;
  accept?: (channel: Channel, message: InboundMessage) => Promise<unknown>;
  bury?: (letter: DeadLetter) => Promise<void>;
} = {}) {
  const clock = fakeClock();
  const begunMs: number[] = [];
  const lines: string[] = [];
  const said = (level: string) => (text: string, fields?: object) =>
    void lines.push(`${level} ${text} ${JSON.stringify(fields ?? {})}`);
  const logger = { debug: said("debug"), info: said("info"), warn: said("warn"), error: said("error") };
  const startedMs = clock.now();
  const channel: Channel = {
    ...inMemoryChannel(),
    async listen(signal, deliver, log) {
      begunMs.push(clock.now() - startedMs);
      const attempt = attempts[begunMs.length - 1] ?? untilAborted;
      await attempt(signal, deliver, log);
    },
    ...more,
  };
  const statuses = createChannelStatuses([channel], { publicUrl, redact: (text) => text });
  const listeners = createListeners({
    channels: [channel],
    connect: createConnect({
      accept,
      outbox: { bury },
      takeUp: async () => {},
      leases: createLeases({ store: memoryStore(), clock, logger }),
      statuses,
      publicUrl,
      clock,
      logger,
    }),
    lifecycle: { start: async () => {}, stop: async () => {} },
    clock,
  });
  return { clock, listeners, lines, begunMs, statuses, state: () => statuses.all()[0]?.state };
}

describe("a channel that listens", () => {
  it("does so only when the assistant is started for it, once", async () => {
    const t = await setUp();
    await t.listeners.start();
    await t.clock.advance(60_000);
    expect([t.begunMs, t.state()]).toEqual([[], "off"]);
    // As a Worker does, which listens to nothing and takes webhooks that a person registered.
    expect(t.statuses.all()[0]?.detail).toContain("a webhook that is registered at the platform works all the same");
    await t.listeners.start({ listen: true });
    await t.listeners.start({ listen: true });
    await t.clock.advance(60_000);
    expect([t.begunMs.length, t.state()]).toEqual([1, "open"]);
    expect(t.statuses.all()[0]?.detail).toBeUndefined();
    await t.listeners.stop();
  });

  it("hands on what comes one after another, and says so only when all of it is stored", async () => {
    const log: string[] = [];
    const stores: (() => void)[] = [];
    const t = await setUp({
      accept: async (_channel, { id }) => {
        log.push(`begins ${id}`);
        await new Promise<void>((resolve) => stores.push(resolve));
        log.push(`stored ${id}`);
      },
      attempts: [
        async (signal, deliver) => {
          await deliver([message("1"), message("2")]);
          log.push("confirmed");
          await untilAborted(signal);
        },
      ],
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(0);
    expect(log).toEqual(["begins 1"]);
    stores.shift()?.();
    await t.clock.advance(0);
    expect(log).toEqual(["begins 1", "stored 1", "begins 2"]);
    stores.shift()?.();
    await t.clock.advance(0);
    expect(log.slice(3)).toEqual(["stored 2", "confirmed"]);
    await t.listeners.stop();
  });

  it("does not take for stored what could not be, and connects again", async () => {
    const confirmed: string[] = [];
    let isFull = true;
    const attempt: Attempt = async (signal, deliver) => {
      await deliver([message("1")]);
      confirmed.push("1");
      await untilAborted(signal);
    };
    const t = await setUp({
      accept: async () => {
        if (isFull) throw new Error("the store is full");
      },
      attempts: [attempt, attempt],
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(0);
    expect([confirmed, t.state()]).toEqual([[], "retrying"]);
    isFull = false;
    await t.clock.advance(1000);
    expect([confirmed, t.state()]).toEqual([["1"], "open"]);
    await t.listeners.stop();
  });

  it("puts aside what can never be stored, once that is kept, and goes on with what is behind it", async () => {
    const taken: string[] = [];
    const letters: DeadLetter[] = [];
    let isFull = true;
    const attempt: Attempt = async (signal, deliver) => {
      for (const id of ["poison", "next"]) await deliver([message(id)]);
      await untilAborted(signal);
    };
    const t = await setUp({
      accept: async (_, { id }) => {
        if (isFull || id === "poison") throw new Error("cannot be read");
        taken.push(id);
      },
      bury: async (letter) => {
        if (isFull) throw new Error("the store is full");
        letters.push(letter);
      },
      attempts: Array.from({ length: 100 }, () => attempt),
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(600_000);
    expect([taken, letters, t.state()]).toEqual([[], [], "retrying"]);
    isFull = false;
    await t.clock.advance(60_000);
    expect([taken, t.state()]).toEqual([["next"], "open"]);
    expect(letters).toMatchObject([
      { id: "in:memory:default:poison", part: 0, target: { channel: "memory", chat: "ada" }, error: "cannot be read" },
    ]);
    expect(letters[0]?.text).toContain("Please send it again: poison");
    expect(t.lines.some((line) => line.startsWith("error A message could not be taken"))).toBe(true);
    await t.listeners.stop();
  });

  it("tries what cannot be stored a few times before it is put aside", async () => {
    const letters: DeadLetter[] = [];
    let takes = 0;
    const attempt: Attempt = async (signal, deliver) => {
      await deliver([message("late")]);
      await untilAborted(signal);
    };
    const t = await setUp({
      accept: async () => {
        if ((takes += 1) < 6) throw new Error("not now");
      },
      bury: async (letter) => void letters.push(letter),
      attempts: Array.from({ length: 10 }, () => attempt),
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(60_000);
    expect([takes, letters, t.state()]).toEqual([6, [], "open"]);
    await t.listeners.stop();
  });

  it("connects again after longer and longer waits, up to a minute, and at once after it had worked for a while", async () => {
    const broken = fails(new Error("connection reset"));
    const t = await setUp({
      attempts: [
        ...Array.from({ length: 9 }, () => broken),
        async () => {
          await t.clock.sleep(30_000);
          throw new Error("connection reset");
        },
      ],
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(600_000);
    const waits = t.begunMs.slice(1).map((ms, index) => ms - (t.begunMs[index] ?? 0));
    const longest = [1, 2, 4, 8, 16, 32, 60, 60, 60];
    for (const [index, seconds] of longest.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(seconds * 500);
      expect(waits[index]).toBeLessThanOrEqual(seconds * 1000);
    }
    expect((waits[9] ?? 0) - 30_000).toBeLessThanOrEqual(1000);
    expect(t.state()).toBe("open");
    await t.listeners.stop();
  });

  it("waits as long as the platform asks, and says why in the log", async () => {
    const limited = new ChannelSendError("Too many requests", { retryable: true, retryAfterMs: 90_000 });
    const t = await setUp({ attempts: [fails(limited)] });
    await t.listeners.start({ listen: true });
    await t.clock.advance(89_999);
    expect([t.begunMs, t.state()]).toEqual([[0], "retrying"]);
    expect(t.lines.filter((line) => line.startsWith("warn"))).toEqual([
      'warn A channel is not connected, and is tried again {"channel":"memory","account":"default","error":"Too many requests","inSeconds":90}',
    ]);
    await t.clock.advance(1);
    expect(t.begunMs).toEqual([0, 90_000]);
    await t.listeners.stop();
  });

  it("stops soon when the platform refuses the account", async () => {
    const refused = fails(new ChannelSendError("The token is refused", { retryable: false }));
    const t = await setUp({ attempts: Array.from({ length: 9 }, () => refused) });
    await t.listeners.start({ listen: true });
    await t.clock.advance(600_000);
    expect(t.begunMs.length).toBe(3);
    expect(t.begunMs[2]).toBeLessThanOrEqual(3000);
    expect(t.statuses.all()).toMatchObject([{ state: "refused", detail: "The token is refused" }]);
    expect(t.lines.filter((line) => line.startsWith("error"))).toHaveLength(1);
    await t.listeners.stop();
  });

  it("connects again when its connection ends without an error", async () => {
    const t = await setUp({ attempts: [async () => {}] });
    await t.listeners.start({ listen: true });
    await t.clock.advance(1000);
    expect(t.begunMs).toEqual([0, 1000]);
    await t.listeners.stop();
  });

  it("is set up before it listens, again until that went well, and what was changed is logged", async () => {
    let tries = 0;
    const t = await setUp({
      attempts: [fails(new Error("reset")), fails(new Error("reset"))],
      channel: {
        async setUp({ webhookUrl }) {
          expect(webhookUrl).toBe(undefined);
          tries += 1;
          if (tries === 1) throw new Error("no network");
          return ["The webhook was deleted"];
        },
      },
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(60_000);
    expect([tries, t.begunMs.length]).toEqual([2, 3]);
    expect(t.lines.filter((line) => line.includes("deleted"))).toEqual([
      'info The webhook was deleted {"channel":"memory","account":"default"}',
    ]);
    await t.listeners.stop();
  });

  it("ends before the assistant does, though its connection does not", async () => {
    const t = await setUp({ attempts: [() => new Promise(() => {})] });
    await t.listeners.start({ listen: true });
    await t.clock.advance(0);
    let hasStopped = false;
    void t.listeners.stop().then(() => (hasStopped = true));
    await t.clock.advance(1999);
    expect(hasStopped).toBe(false);
    await t.clock.advance(1);
    expect(hasStopped).toBe(true);
  });
});

describe("a channel at a public address", () => {
  it("has its webhook registered there, again until that went well, and does not listen", async () => {
    const asked: (string | undefined)[] = [];
    const t = await setUp({
      publicUrl: "https://bot.example.com/",
      channel: {
        async setUp({ webhookUrl }) {
          asked.push(webhookUrl);
          if (asked.length === 1) throw new Error("no network");
          return [];
        },
      },
    });
    await t.listeners.start({ listen: true });
    await t.clock.advance(0);
    expect(t.statuses.all()).toMatchObject([{ by: "webhook", state: "retrying" }]);
    await t.clock.advance(60_000);
    const url = "https://bot.example.com/webhooks/memory";
    expect([asked, t.begunMs, t.state()]).toEqual([[url, url], [], "open"]);
    await t.listeners.stop();
  });
});

describe("reconnectMs()", () => {
  it.each([
    [1, 0, 1000],
    [1, 1, 500],
    [4, 0, 8000],
    [4, 0.5, 6000],
    [30, 0, 60_000],
  ])("after %i failures, by the chance %d, is %i ms", (failures, chance, ms) => {
    expect(reconnectMs(failures, chance)).toBe(ms);
  });
});
