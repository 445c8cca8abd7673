import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import type { Store } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";

const LOG = "sessions/main/sdk:direct:trip/log.jsonl";
const LINES = "sessions/main/sdk:direct:trip/summary.jsonl";

/** What a crash between the two leaves: the first summary is in the session's log, and its line is nowhere. */
async function crashedBeforeTheLine() {
  const store = memoryStore();
  let isCrashing = true;
  const dying: Store = {
    ...store,
    append: (log, record, options) =>
      isCrashing && log === LINES ? Promise.reject(new Error("gone")) : store.append(log, record, options),
  };
  const { assistant } = await testAssistant({
    script: () => "The words that the model says.",
    store: dying,
    compaction: { keepLastTurns: 1 },
  });
  const say = (text: string) => assistant.send({ text, session: "trip" });
  for (const place of ["Oslo", "Bergen"]) await say(`We may go to ${place}`);
  const { sessionKey } = await say("/compact");
  isCrashing = false;
  expect(await store.lastSeq(LINES)).toBe(0);

  const written = () => summariesIn(store);
  const listed = async () => (await assistant.sessions.summaries(sessionKey)).map(({ seq }) => seq);
  return { assistant, say, written, listed };
}

/** The summaries of the session's log. */
async function summariesIn(store: Store): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq, record } of store.read(LOG)) if (record["type"] === "compact") seqs.push(seq);
  return seqs;
}

describe("a summary whose line a crash kept back", () => {
  it("is listed also when the next one was written before anybody looked", async () => {
    const { say, written, listed } = await crashedBeforeTheLine();
    await say("And then?");
    await say("/compact");
    expect(await written()).toHaveLength(2);
    expect(await listed()).toEqual(await written());
  });

  it("is listed also when a new conversation was begun before anybody looked", async () => {
    const { say, written, listed } = await crashedBeforeTheLine();
    await say("/new");
    expect(await written()).toHaveLength(1);
    expect(await listed()).toEqual(await written());
  });

  it("is listed also when every life ends as it writes a line", async () => {
    const store = memoryStore();
    const clock = fakeClock();
    const live = async (options: TestAssistantOptions) => {
      const script = () => "The words that the model says.";
      const { assistant } = await testAssistant({ script, clock, compaction: { keepLastTurns: 1 }, ...options });
      return { assistant, say: (text: string) => assistant.send({ text, session: "trip" }) };
    };
    for (const places of [
      ["Oslo", "Bergen"],
      ["Tromsø", "Lofoten"],
    ]) {
      const life = beginLife(store, clock);
      const append = life.store.append;
      life.store.append = (log, record, options) => {
        if (log === LINES) life.kill();
        return append(log, record, options);
      };
      const { say } = await live({ store, life });
      void (async () => {
        for (const place of places) await say(`We may go to ${place}`);
        await say("/compact");
      })().catch(() => {});
      await until(clock, () => life.killed);
    }
    const { assistant, say } = await live({ store });
    await say("And then?");
    const { sessionKey } = await say("/compact");
    expect((await summariesIn(store)).length).toBeGreaterThan(1);
    expect((await assistant.sessions.summaries(sessionKey)).map(({ seq }) => seq)).toEqual(await summariesIn(store));
  });
});
