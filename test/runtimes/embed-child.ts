/** A program that embeds the assistant: `embed-child.ts <program> <store> [place]`. It never calls `process.exit`. */
import process from "node:process";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { redisStore } from "../../adapters/storage/redis/index.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { offlineModel } from "../../adapters/models/offline/index.ts";
import { type AssistantOptions, type Clock, createAssistant, memoryStore, systemClock } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { inMemoryChannel } from "../../src/testing/index.ts";

const [program = "", kind = "memory", place = ""] = process.argv.slice(2);

const STORES: Record<string, () => Store | Promise<Store>> = {
  memory: memoryStore,
  fs: () => fsStore({ root: place }),
  sqlite: () => sqliteStore({ path: place }),
  redis: () => redisStore({ url: place }),
};

const store = await STORES[kind]!();
const create = (options: Partial<AssistantOptions> = {}) =>
  createAssistant({ model: offlineModel(), store, ...options });
const hello = { text: "hello", user: "app:ada" };
const toTelegram = { text: "later", to: "memory:42" };

const PROGRAMS: Record<string, () => Promise<unknown>> = {
  async send() {
    return (await (await create()).send(hello)).text;
  },
  /** Each with an assistant of its own: one that talks must not be what lets another's program end. */
  async "stream, fetch and a tool"() {
    const types: string[] = [];
    for await (const { type } of (await create()).stream(hello)) types.push(type);
    const response = await (await create()).fetch(new Request("http://localhost/healthz"));
    const { ok } = await (await create()).tools.run("time", {});
    return [types.at(-1), await response.text(), ok];
  },
  /** What answers comes only at the second try, a second later. */
  async retried() {
    let failures = 1;
    const failing: Store = {
      ...store,
      async append(log, records, options) {
        const [first] = [records].flat();
        if (first?.["type"] === "out" && failures-- > 0) throw new Error("the disk is busy");
        return store.append(log, records, options);
      },
    };
    return (await (await create({ store: failing })).send(hello)).text;
  },
  /** Its channel is down, so what it sends waits in the outbox. */
  async owe() {
    const channel = inMemoryChannel();
    channel.script(Array.from({ length: 10 }, () => ({ retryable: true })));
    const assistant = await create({ channels: [channel], owner: { ids: ["app:ada"] } });
    return (await assistant.tools.run("message", toTelegram, { user: "app:ada" })).ok;
  },
  /** Runs on what `owe` left, a minute later by its clock: all of it is due. */
  async pay() {
    const channel = inMemoryChannel();
    const { now, at, ...spans } = systemClock();
    const later: Clock = { ...spans, now: () => now() + 60_000, at: (timeMs, call) => at(timeMs - 60_000, call) };
    const assistant = await create({ channels: [channel], owner: { ids: ["app:ada"] }, clock: later });
    await assistant.start();
    while (channel.sent.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await assistant.stop();
    return channel.textsTo("42");
  },
  async "mcp server"() {
    const [command = "", ...args] = JSON.parse(place) as string[];
    const assistant = await create({ mcp: { servers: { tests: { command, args } } } });
    await assistant.send(hello);
    while (!assistant.tools.list().some(({ name }) => name.startsWith("mcp__tests__")))
      await new Promise((resolve) => setTimeout(resolve, 20));
    return "connected";
  },
  async "mcp server that is not there"() {
    const assistant = await create({ mcp: { servers: { gone: { command: "/nowhere/at-all" } } } });
    await assistant.send(hello);
    return "sent";
  },
  /** Nothing else is left to do, and a timer that keeps no process alive fires all the same. */
  async "start and wait"() {
    const assistant = await create();
    await assistant.start();
    return new Promise((resolve) => {
      const stop = () => void assistant.stop().then(() => resolve("stopped"));
      const timer: unknown = setTimeout(stop, 500);
      if (typeof timer === "number")
        (globalThis as unknown as { Deno: { unrefTimer(id: number): void } }).Deno.unrefTimer(timer);
      else (timer as NodeJS.Timeout).unref();
    });
  },
};

// Printed at once, so that what keeps the process from ending comes after it.
console.log(JSON.stringify(await PROGRAMS[program]!()));
