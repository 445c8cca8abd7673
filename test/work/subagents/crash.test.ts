import { describe, expect, it } from "vitest";
import { type HostMessage, memoryStore } from "../../../entry.host.ts";
import type { Subagent } from "../../../src/subagents/index.ts";
import { calls, delayed, fakeClock, hangs, says } from "../../../src/testing/index.ts";
import { type TestAssistantOptions, testAssistant } from "../../support/assistant.ts";
import { type Life, beginLife, beginLifeUpToRecord } from "../../support/life.ts";
import { stride } from "../../support/thorough.ts";
import { until } from "../../support/until.ts";
import { type Prompt, call, documents, isResult, setUp } from "./support.ts";

const ASKED = { id: "m1", text: "hand on", session: "s" };

/** A turn hands on two tasks, one that it waits for and one in the background, in a process that dies after so many writes; the next one goes on. */
async function liveThrough(writes: number) {
  const store = memoryStore();
  const clock = fakeClock();
  const told: HostMessage[] = [];
  const options: TestAssistantOptions = {
    store,
    clock,
    channels: [],
    memory: { enabled: false },
    proactive: { patterns: { enabled: false } },
    skills: { enabled: false },
    script(prompt) {
      const text = JSON.stringify(prompt);
      const task = /You are a sub-agent.*(fetch|dig)/.exec(text)?.[1];
      if (task !== undefined) return says(`result of ${task}`);
      if (prompt.at(-1)?.role === "tool") return says("answered");
      return calls(["subagent", { task: "fetch" }], ["bg_dispatch", { task: "dig" }]);
    },
    deliver: async (message) => {
      told.push(message);
      return { id: message.id };
    },
  };
  const first = beginLife(store, clock, writes);
  const { assistant: dying } = await testAssistant({ ...options, life: first, start: false });
  let isAnswered = false;
  void dying.send(ASKED).then(
    () => (isAnswered = true),
    () => {},
  );
  const isOver = async () => isAnswered && (await documentsIn(store)).every(({ delivery }) => delivery !== "open");
  await until(clock, async () => first.killed || ((await isOver()) && told.length > 0));
  await until(
    clock,
    async () => first.killed || (await documentsIn(store)).some(({ delivery }) => delivery === "told"),
  );
  const survived = !first.killed;
  first.kill();

  const second = await testAssistant(options);
  const reply = await second.during(second.assistant.send(ASKED));
  await until(clock, async () =>
    (await documentsIn(store)).every(({ delivery }) => delivery === "told" || delivery === "taken"),
  );
  for (let minute = 0; minute < 10; minute += 1) await clock.advance(60_000);
  const records = (await second.records()) as { type: string; turn?: string; source?: string }[];
  const outs = records.filter(({ type }) => type === "out").map(({ turn }) => turn);
  const notes = records.filter(({ type, source }) => type === "note" && source === "sub-agent");
  return { survived, reply, told, outs, notes, documents: await documentsIn(store) };
}

async function documentsIn(store: ReturnType<typeof memoryStore>): Promise<Subagent[]> {
  const found: Subagent[] = [];
  for await (const { key } of store.list("subagents/"))
    if (/sa-\w+\.json$/.test(key)) found.push((await store.get(key))?.value as unknown as Subagent);
  return found;
}

describe("sub-agents", () => {
  it("are answered once, and told once, whenever the program dies", { timeout: 120_000 }, async () => {
    let writes = 0;
    for (let survived = false; !survived; writes += stride(2)) {
      const lived = await liveThrough(writes);
      ({ survived } = lived);
      const at = `killed after ${writes} writes`;
      const { reply, told, outs, notes, documents } = lived;
      expect([reply.text, reply.toolCalls.map(({ name, error }) => [name, error])], at).toEqual([
        "answered",
        [
          ["subagent", undefined],
          ["bg_dispatch", undefined],
        ],
      ]);
      expect(JSON.stringify(reply.toolCalls[0]?.output), at).toContain("result of fetch");
      expect(
        Object.fromEntries(documents.map(({ task, state, delivery }) => [task, `${state} ${delivery}`])),
        at,
      ).toEqual({
        fetch: "done taken",
        dig: "done told",
      });
      // The turn and its two: each has one reply.
      expect([outs.length, new Set(outs).size], at).toEqual([3, 3]);
      expect([...new Set(told.map(({ text }) => text))], at).toEqual(["Done in the background: dig\n\nresult of dig"]);
      expect([new Set(told.map(({ id }) => id)).size, notes.length], at).toEqual([1, 1]);
    }
    expect(writes).toBeGreaterThan(20);
  });

  it.each(["subagent", "bg_collect"])(
    "are told when a message broke into %s and the program died before it knew",
    async (tool) => {
      const store = memoryStore();
      const clock = fakeClock();
      const told: HostMessage[] = [];
      const options: TestAssistantOptions = {
        store,
        clock,
        channels: [],
        memory: { enabled: false },
        queue: { mode: "interrupt", debounceMs: 0 },
        script(prompt) {
          const text = JSON.stringify(prompt);
          const last = JSON.stringify(prompt.at(-1));
          if (text.includes("You are a sub-agent")) return delayed(30_000, says("late find"));
          const id = /sa-[0-9a-f]+/.exec(last)?.[0];
          if (id !== undefined && !text.includes("bg_collect")) return calls([tool, { id }]);
          if (!last.includes("hand on") || last.includes("hello")) return says("answered");
          return calls([tool === "subagent" ? tool : "bg_dispatch", { task: "dig" }]);
        },
        deliver: async (message) => {
          told.push(message);
          return { id: message.id };
        },
      };
      const life = beginLifeUpToRecord(store, clock, (record) => JSON.stringify(record).includes('"INTERRUPTED"'));
      const { assistant: dying } = await testAssistant({ ...options, life, start: false });
      const say = (id: string, text: string) => void dying.send({ id, text, session: "s" }).catch(() => {});
      say("m1", "hand on");
      await until(clock, async () => (await documentsIn(store)).some(({ awaited }) => awaited), { stepMs: 10 });
      say("m2", "hello");
      await until(clock, () => life.killed, { stepMs: 10 });
      await testAssistant(options);
      await until(clock, () => told.length > 0);
      expect(told.map(({ text }) => text)).toEqual(["Done in the background: dig\n\nlate find"]);
      expect(await documentsIn(store)).toMatchObject([{ state: "done", delivery: "told" }]);
    },
  );
});

it("a sub-agent that is ended has what it used, also when the process dies before its turn has ended", async () => {
  const store = memoryStore();
  const clock = fakeClock();
  const life: Life = beginLife(
    {
      ...store,
      async put(key, value, options) {
        const version = await store.put(key, value, options);
        if (JSON.stringify(value).includes('"state":"cancelled"')) life.kill();
        return version;
      },
    },
    clock,
  );
  let asked = 0;
  const task = (_: string, prompt: Prompt) => {
    asked += 1;
    return isResult(prompt) ? hangs() : calls(["time", {}]);
  };
  const dying = await setUp(task, { store, clock, life });
  await dying.say(call("bg_dispatch", { task: "dig" }));
  await until(clock, () => asked === 2);
  void dying.receive("/stop");
  await until(clock, () => life.killed);

  const second = await setUp(task, { store, clock });
  await clock.advance(60_000);
  expect(await documents(second)).toMatchObject([{ state: "cancelled", tokens: 15, toolCalls: 1 }]);
});
