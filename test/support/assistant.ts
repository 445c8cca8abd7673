// Loaded with the first date in words, which takes a second in workerd: within a test its time would run out.
import "chrono-node/en";
import "chrono-node/zh/hans";
import { onTestFinished } from "vitest";
import { type Assistant, type AssistantOptions, createAssistant, memoryStore } from "../../entry.host.ts";
import type { InboundMessage } from "../../src/message.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import {
  type InMemoryChannel,
  type InMemoryChannelOptions,
  inMemoryChannel,
} from "../../src/testing/in-memory-channel.ts";
import { type Script, type ScriptedModel, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import type { Life } from "./life.ts";
import { momentAfter } from "./moment.ts";
import { until } from "./until.ts";

/** The token of the owner at `call`, for tests that give `server: { token: OWNER_TOKEN }`. */
export const OWNER_TOKEN = "owner-token-0123456789";

/** Options of an assistant, and what the test holds in its hand. */
export type TestAssistantOptions = Omit<Partial<AssistantOptions>, "clock" | "store"> & {
  /** What the model answers; its requests are recorded. Default: "ok" to everything. With `model` it is not used. */
  readonly script?: Script;
  /** Default: one of its own, which stands still until the test moves it. */
  readonly clock?: FakeClock;
  /** Default: one of its own, in memory. */
  readonly store?: Store;
  /** The channel that `receive` and `say` write to, or what it is made with. Default: everybody may write. The option `channels` is what the assistant has instead. */
  readonly channel?: InMemoryChannel | InMemoryChannelOptions;
  /** Who writes when `receive` and `say` are not told. Default `42`. */
  readonly from?: string;
  /** One life of a process (`beginLife`): the assistant has its store and its clock. */
  readonly life?: Life;
  /** Default true. */
  readonly start?: boolean;
};

/** Who writes, where, and how. */
export interface Writing extends Partial<Omit<InboundMessage, "text">> {
  /** Default: the option `from`. */
  readonly from?: string;
  /** What the sender is called. */
  readonly name?: string;
  /** The group that it is written in. Default: their direct chat. */
  readonly group?: string;
}

/** An assistant with everything about it that a test looks at. It is stopped when the test has ended. */
export interface TestAssistant {
  readonly assistant: Assistant;
  readonly store: Store;
  readonly clock: FakeClock;
  readonly channel: InMemoryChannel;
  /** What answers: made from `script`, or the scripted model that was given. */
  readonly model: ScriptedModel;
  /** A webhook's message; @returns the status of the answer. */
  receive(text: string, writing?: Writing): Promise<number>;
  /** A message, and what came back to its chat: the texts, a line each. */
  say(text: string, writing?: Writing): Promise<string>;
  /** Waits until a chat (default: the direct one of `from`) was sent so many messages. */
  sent(count: number, chat?: string): Promise<void>;
  /** Moves the clock on until the work has ended. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Calls the HTTP API under `/api/v1`, as the owner unless told otherwise; a body makes it a POST. */
  call(path: string, options?: { method?: string; token?: string; body?: unknown }): Promise<Response>;
  /** The records of every log whose key begins so, in the order of the keys. Default: what all sessions keep. */
  records(prefix?: string): Promise<LogRecord[]>;
  /** Stops it, and starts another on the same store, clock, channel and model, with the same options but for those given. */
  restart(more?: TestAssistantOptions): Promise<TestAssistant>;
}

/** Makes an assistant for one test, and starts it. */
export async function testAssistant(given: TestAssistantOptions = {}): Promise<TestAssistant> {
  const {
    script = () => says("ok"),
    clock = fakeClock(),
    store = memoryStore(),
    channel: wanted = {},
    from: me = "42",
    life,
    start = true,
    ...options
  } = given;
  const channel = "send" in wanted ? wanted : inMemoryChannel(wanted);
  const model = scriptedIn(options.model) ?? scriptedModel(script, { clock: life?.clock ?? clock, record: true });
  const assistant = await createAssistant({
    channels: [channel],
    model,
    ...options,
    store: life?.store ?? store,
    clock: life?.clock ?? clock,
  });
  onTestFinished(async () => {
    if (!life?.killed) await during(clock, assistant.stop({ graceMs: 0 }));
  });
  if (start) await assistant.start();

  async function receive(text: string, { from = me, name, group, ...rest }: Writing = {}): Promise<number> {
    const peer =
      group === undefined ? ({ kind: "direct", id: from } as const) : ({ kind: "group", id: group } as const);
    const sender = { id: from, ...(name !== undefined && { name }) };
    const request = channel.request([{ id: crypto.randomUUID(), text, peer, sender, ...rest }]);
    const path = rest.account === undefined ? channel.name : `${channel.name}/${rest.account}`;
    return (await assistant.fetch(new Request(`http://localhost/webhooks/${path}`, request))).status;
  }

  return {
    assistant,
    store,
    clock,
    channel,
    model,
    receive,
    async say(text, writing = {}) {
      const chat = writing.group ?? writing.from ?? me;
      const before = channel.textsTo(chat).length;
      await receive(text, writing);
      await until(clock, () => channel.textsTo(chat).length > before);
      return channel.textsTo(chat).slice(before).join("\n");
    },
    sent: (count, chat = me) => until(clock, () => channel.textsTo(chat).length >= count),
    during: (work) => during(clock, work),
    call(path, { method, token = OWNER_TOKEN, body } = {}) {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const init = { ...how, headers, ...(method !== undefined && { method }) };
      return assistant.fetch(new Request(`http://localhost/api/v1${path}`, init));
    },
    async records(prefix = "sessions/") {
      const records: LogRecord[] = [];
      for await (const { key } of store.list(prefix))
        if (key.endsWith(".jsonl")) for await (const { record } of store.read(key)) records.push(record);
      return records;
    },
    async restart(more = {}) {
      await during(clock, assistant.stop());
      return testAssistant({ ...given, store, clock, channel, ...(more.script === undefined && { model }), ...more });
    },
  };
}

/** Real time is needed too, for what is hashed or read from a disk; fake time passes for 3 s at most, so that nothing begins that is far off. */
async function during<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  let isDone = false;
  const end = () => void (isDone = true);
  work.then(end, end);
  for (let step = 0; !isDone && step < 20_000; step += 1) {
    if (step < 3000) await clock.advance(1);
    await momentAfter(step);
  }
  return work;
}

function scriptedIn(model: AssistantOptions["model"] | undefined): ScriptedModel | undefined {
  return model !== undefined && "requests" in model ? (model as ScriptedModel) : undefined;
}
