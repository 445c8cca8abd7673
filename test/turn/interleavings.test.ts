import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { type Assistant, defineTool, memoryStore } from "../../entry.host.ts";
import type { LogRecord, Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { calls, delayed, says } from "../../src/testing/scripted-model.ts";
import { type Life, beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";
import { testAssistant } from "../support/assistant.ts";

type Act =
  /** Messages that arrive in one moment. */
  | { readonly do: "receive"; readonly messages: number; readonly chat: string; readonly again: boolean }
  | { readonly do: "pass"; readonly ms: number }
  /** A command that changes what runs or how. */
  | { readonly do: "command"; readonly text: string; readonly chat: string }
  /** The program dies in the middle of the write after so many more. */
  | { readonly do: "die"; readonly writes: number };

const chat = fc.constantFrom("1", "2");
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("receive" as const),
      messages: fc.integer({ min: 1, max: 4 }),
      chat,
      again: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.constantFrom(1, 300, 1500, 9000) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("die" as const), writes: fc.integer({ min: 0, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("command" as const),
      text: fc.constantFrom("/compact", "/new", "/stop", "/retry", "/queue steer", "/queue default", "/status"),
      chat,
    }),
  },
);

const MODES = ["collect", "followup", "steer", "interrupt"] as const;

/** Lives through the acts, then in peace until all is settled. @returns What the world and the log saw. */
async function live(mode: (typeof MODES)[number], acts: readonly Act[]) {
  const store = memoryStore();
  const clock = fakeClock();
  const channel = inMemoryChannel();
  const acknowledged = new Map<string, string>();
  const runs = new Map<string, number>();
  let life: Life | undefined;
  let assistant: Assistant | undefined;
  let count = 0;

  async function begin(writes?: number): Promise<void> {
    life = beginLife(store, clock, writes);
    ({ assistant } = await testAssistant({
      store,
      clock,
      life,
      start: false,
      channel,
      queue: { mode, debounceMs: 200, cap: 1000 },
      context: { historyTokens: 600 },
      compaction: { keepLastTurns: 2 },
      script(prompt, _call, { tools = [] }) {
        if (tools.length === 0) return says("They spoke of this and that, and nothing was left open in the end.");
        const isAnswered = prompt.at(-1)?.role === "tool";
        return delayed(700, isAnswered ? says("done") : calls(["once", {}]));
      },
      tools: {
        once: defineTool({
          description: "Not to be repeated",
          inputSchema: v.object({}),
          execute: (_input, { callId }) => void runs.set(callId, (runs.get(callId) ?? 0) + 1),
        }),
      },
    }));
    const begun = assistant;
    void begun.start().catch(() => {});
  }

  function deliver(id: string, chatId: string, text: string): void {
    const peer = { kind: "direct" as const, id: chatId };
    const signed = channel.request([{ id, text, peer, sender: { id: chatId } }]);
    const request = new Request("http://localhost/webhooks/memory", signed);
    void assistant?.fetch(request).then(
      ({ status }) => status === 200 && !text.startsWith("/") && acknowledged.set(id, chatId),
      () => {},
    );
  }

  await begin();
  for (const one of acts) {
    if (life?.killed) await begin();
    if (one.do === "pass") await clock.advance(one.ms);
    if (one.do === "command") deliver(`c${(count += 1)}`, one.chat, one.text);
    if (one.do === "receive") {
      for (let number = 0; number < one.messages; number += 1) deliver(`m${(count += 1)}`, one.chat, `text ${count}`);
      if (one.again) deliver(`m${count}`, one.chat, `text ${count}`);
    }
    if (one.do === "die") {
      life?.kill();
      await begin(one.writes);
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  life?.kill();
  await begin();
  // What was not acknowledged is delivered again, as platforms do.
  const settled = async () => (await unanswered(store, acknowledged)).length === 0 && (await undelivered(store)) === 0;
  await until(clock, settled, { stepMs: 300 });
  const records = await Promise.all(["1", "2"].map((id) => recordsOf(store, id)));
  life?.kill();
  return { records: records.flat(), acknowledged, runs, channel };
}

async function recordsOf(store: Store, id: string): Promise<LogRecord[]> {
  const records: LogRecord[] = [];
  for await (const { record } of store.read(`sessions/main/memory:direct:${id}/log.jsonl`)) records.push(record);
  return records;
}

async function unanswered(store: Store, acknowledged: ReadonlyMap<string, string>): Promise<string[]> {
  const outs = (await Promise.all(["1", "2"].map((id) => recordsOf(store, id)))).flat();
  const answered = new Set(outs.flatMap((record) => (record["type"] === "out" ? (record["of"] as string[]) : [])));
  return [...acknowledged.keys()].filter((id) => !answered.has(`memory:default:${id}`));
}

async function undelivered(store: Store): Promise<number> {
  let open = 0;
  for (const id of ["1", "2"]) {
    const records = await recordsOf(store, id);
    const outs = records.filter(({ type, parts }) => type === "out" && (parts as unknown[]).length > 0).length;
    const sent = records.filter(({ type, delivery }) => type === "mark" && delivery === "sent").length;
    open += Math.max(0, outs - sent);
  }
  return open;
}

describe("whatever happens in whatever order", () => {
  it.each(MODES)(
    "no message is lost and none is answered twice, in the mode %s",
    { timeout: 120_000 },
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 3, maxLength: 14 }), async (acts) => {
          const { records, acknowledged, runs, channel } = await live(mode, acts);
          const outs = records.filter(({ type }) => type === "out");
          const answered = outs.flatMap(({ of }) => of as string[]);
          expect(new Set(answered).size, "answered twice").toBe(answered.length);
          for (const id of acknowledged.keys()) expect(answered).toContain(`memory:default:${id}`);
          expect(new Set(outs.map(({ turn }) => turn)).size, "two turns of one name").toBe(outs.length);
          const ins = records.filter(({ type }) => type === "in").map(({ id }) => id);
          expect(new Set(ins).size, "in the log twice").toBe(ins.length);
          expect(Math.max(0, ...runs.values()), "a tool ran twice").toBeLessThanOrEqual(1);
          const keys = channel.sent.map(({ message }) => message.idempotencyKey).filter((key) => key !== undefined);
          const copies = Math.max(0, ...keys.map((key) => keys.filter((other) => other === key).length));
          const deaths = acts.filter((one) => one.do === "die").length * 2 + 2;
          expect(copies, "re-sent once for each life at most").toBeLessThanOrEqual(deaths);
        }),
        { numRuns: THOROUGH ? 20 : WHOLE ? 5 : 2 },
      );
    },
  );
});
