import {
  type Assistant,
  type AssistantOptions,
  type Clock,
  type SendInput,
  createAssistant,
  embeddedEngine,
  memoryStore,
} from "../../entry.host.ts";
import { type ChannelAccess, type InboundMessage } from "../../kit.ts";
import { type Script, fakeClock, inMemoryChannel, says, scriptedModel } from "../../src/testing/index.ts";
import { beginLife } from "../support/life.ts";
import { settled, watchedEngine } from "../support/watched-engine.ts";
import { createRecording } from "./recording.ts";

export const OWNER_TOKEN = "owner-token-0123456789abcdef";
export const ADA_TOKEN = "ada-token-0123456789abcdef";
/** The owner is `memory:1`; everybody else may write too. */
export const OWNER = "1";

export interface WorldOptions extends Partial<AssistantOptions> {
  /** What the model does. Default: it says what it was asked last. */
  readonly script?: Script;
  /** Of the channel. Default: everybody may write, and groups are always answered. */
  readonly access?: ChannelAccess;
  /** Longest message that the channel takes. Default 4096. */
  readonly maxTextLength?: number;
  /** Made for each life of the process, on its clock. */
  readonly more?: (clock: Clock) => Partial<AssistantOptions>;
}

/** What somebody writes on the channel. */
export interface Said extends Partial<Pick<InboundMessage, "id" | "attachments" | "replyTo" | "kind" | "thread">> {
  /** Default `42`. */
  readonly from?: string;
  readonly group?: string;
  /** Default true. */
  readonly mentioned?: boolean;
}

/** Turns of the event loop after which what is still at work hangs. */
const MAX_LOOKS = 200;

const tick = () => new Promise((resolve) => setTimeout(resolve, 0));

export type World = Awaited<ReturnType<typeof openWorld>>;

/** An assistant on a fixed clock, and everything that is seen of it, as one text. */
export async function openWorld({ script = echo, access, maxTextLength, more, ...options }: WorldOptions = {}) {
  const recording = createRecording();
  const clock = fakeClock();
  const durable = memoryStore();
  const channel = inMemoryChannel({
    ...(access !== undefined && { access }),
    ...(maxTextLength !== undefined && { limits: { maxTextLength } }),
  });
  let assistant: Assistant;
  let isIdle: () => boolean;
  let life = beginLife(durable, clock);
  let shown = 0;
  let count = 0;

  async function begin(changes: Partial<AssistantOptions> = {}, writes?: number): Promise<void> {
    life = beginLife(durable, clock, writes);
    const { store, clock: ownClock } = life;
    const watched = watchedEngine(embeddedEngine({ store, clock: ownClock }));
    isIdle = () => life.killed || watched.isIdle();
    const heard = life;
    const model = scriptedModel(
      (prompt, index, call) => {
        if (!heard.killed) recording.prompt(call);
        return typeof script === "function" ? script(prompt, index, call) : (script[index] ?? "There is no more");
      },
      { clock },
    );
    const log = (level: string) => (message: string, fields?: unknown) => {
      if (!heard.killed) recording.value(`log ${level} ${message}`, fields ?? {});
    };
    assistant = await createAssistant({
      model,
      store,
      clock: ownClock,
      engine: watched.engine,
      channels: [channel],
      owner: { ids: [`memory:${OWNER}`] },
      queue: { debounceMs: 0 },
      server: {
        token: OWNER_TOKEN,
        tokens: [{ token: ADA_TOKEN, role: "user", user: "app:ada" }],
      },
      logger: { debug() {}, info: log("info"), warn: log("warn"), error: log("error") },
      ...options,
      ...more?.(ownClock),
      ...changes,
    });
    assistant.events.subscribe("*", (event) => void (heard.killed || recording.event(event)), { name: "recording" });
    await assistant.start();
  }

  /** Lets everything happen that is due within so long, and tells what was sent. */
  async function settle(ms = 5000): Promise<void> {
    let looks = 0;
    // What hangs is never idle.
    await settled(clock, () => isIdle() || (looks += 1) > MAX_LOOKS, { ms, steps: 25 });
    if (looks > MAX_LOOKS) recording.note("still at work");
    for (const { id, target, message } of channel.sent.slice(shown)) recording.value(`out ${id}`, { target, message });
    shown = channel.sent.length;
  }

  /** What comes of a call, or how it failed, while the clock goes on. */
  async function outcome<T>(title: string, call: () => Promise<T>): Promise<T | undefined> {
    const called = call().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    await settle();
    const ended = await called;
    if ("value" in ended) recording.value(title, ended.value);
    else recording.value(`${title} failed`, ended.error);
    return "value" in ended ? ended.value : undefined;
  }

  async function arrive(text: string, said: Said = {}): Promise<void> {
    const { from = "42", group, mentioned = true, ...rest } = said;
    count += 1;
    const peer =
      group === undefined ? ({ kind: "direct", id: from } as const) : ({ kind: "group", id: group } as const);
    const message = { id: `e${count}`, text, peer, sender: { id: from, name: `Person ${from}` }, mentioned, ...rest };
    recording.value(`in ${group ?? from}`, { text, ...said });
    const answered = assistant.fetch(channel.request([message])).then(({ status }) => `status ${status}`);
    recording.note((await unlessDead(answered)) ?? "no answer: it died");
  }

  /** A process that died answers nobody. */
  async function unlessDead<T>(answer: Promise<T>): Promise<T | undefined> {
    const { life: asked } = { life };
    const given: T[] = [];
    const waited = answer.then((value) => given.push(value));
    while (given.length === 0 && !asked.killed) await Promise.race([waited, tick()]);
    return given[0];
  }

  await begin();
  return {
    recording,
    clock,
    channel,
    settle,
    outcome,
    get assistant() {
      return assistant;
    },

    /** A message on the channel. */
    arrive,
    /** A message on the channel, and all that comes of it. */
    async say(text: string, said: Said = {}): Promise<void> {
      await arrive(text, said);
      await settle();
    },
    /** A request as a platform makes it, and all that comes of it. */
    async deliver(title: string, request: Request): Promise<void> {
      recording.note(`delivered ${title}`);
      const response = await assistant.fetch(request);
      recording.note(`status ${response.status} ${await response.text()}`);
      await settle();
    },

    async send(input: SendInput): Promise<void> {
      recording.value("send", input);
      await outcome("reply", () => assistant.send(input));
    },

    /** A request with the owner's token, or another. */
    async http(method: string, path: string, body?: unknown, token: string | null = OWNER_TOKEN): Promise<unknown> {
      recording.value(`http ${method} ${path}`, body ?? null);
      const headers = {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
      };
      const request = new Request(`http://localhost${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = await outcome("answer", async () => {
        const response = await assistant.fetch(request);
        const text = await response.text();
        const isJson = response.headers.get("content-type")?.includes("json") === true && !text.includes("\n");
        return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text.split("\n") };
      });
      return answer?.body;
    },

    async restart(changes?: Partial<AssistantOptions>): Promise<void> {
      recording.note("restart");
      await Promise.all([assistant.stop({ graceMs: 0 }), clock.advance(10)]);
      await begin(changes);
      await settle();
    },

    /** The process dies after so many more writes of what follows; `restart` goes on from there. */
    async mortal(writes: number): Promise<void> {
      // A start that finds a wake writes: what is owed of a task is done before.
      await settle(40_000);
      recording.note(`dies after ${writes} writes`);
      await Promise.all([assistant.stop({ graceMs: 0 }), clock.advance(10)]);
      await begin({}, writes);
    },
    async resume(changes?: Partial<AssistantOptions>): Promise<void> {
      recording.note(life.killed ? "starts after its death" : "starts, though it did not die");
      life.kill();
      await begin(changes);
      await settle(60_000);
    },

    /** Ends it, and gives all that was seen. */
    async close(): Promise<{ readonly text: string; readonly blocks: ReadonlyMap<string, string> }> {
      await Promise.all([assistant.stop({ graceMs: 0 }), clock.advance(10)]);
      recording.note("store");
      await recording.store(durable);
      return { text: recording.text(), blocks: recording.blocks };
    },
  };
}

/** Says again what stands last in the prompt. */
export const echo: Script = (prompt) => says(`You said: ${lastText(prompt).slice(-60)}`);

/** The text of the last message, without the runtime's block. */
export function lastText(prompt: readonly { readonly role: string; readonly content: unknown }[]): string {
  const { content } = prompt.at(-1) ?? { content: "" };
  const parts = Array.isArray(content) ? (content as { readonly text?: string }[]) : [{ text: String(content) }];
  const text = parts.map((part) => part.text ?? JSON.stringify(part)).join("");
  return text.replace(/^<wakeful-context>[^]*?<\/wakeful-context>\n\n/, "");
}
