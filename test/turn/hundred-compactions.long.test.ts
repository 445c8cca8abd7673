import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";

const TURNS = 240;
const KEY = "agent:main:sdk:direct:long";
const FILES = "sessions/main/sdk:direct:long/";
const idOf = (turn: number) => `message-${turn}`;

/** Counts the records that are read of the session's log. */
function counted(store: Store) {
  const counts = { read: 0 };
  const counting: Store = {
    ...store,
    async *read(log, options) {
      for await (const one of store.read(log, options)) {
        if (log === `${FILES}log.jsonl`) counts.read += 1;
        yield one;
      }
    },
  };
  return { counts, counting };
}

/** One conversation with room for some three turns, whose process ends after the turns that are named. */
async function converse(restarts: (turn: number) => boolean) {
  const clock = fakeClock();
  const { counts, counting: store } = counted(memoryStore());
  const prompts: string[] = [];
  let release: (() => void) | undefined;
  const model = scriptedModel(async (prompt, _call, { abortSignal }) => {
    const text = JSON.stringify(prompt);
    if (text.includes("You write the summary")) {
      // Asked again when a process ends before it could write the answer down.
      const turns = text.match(/\d+: the sun/g) ?? [];
      return says(`They spoke about the boat and the weather up to ${turns.at(-1)}, and enjoyed it a lot.`);
    }
    prompts.push(text);
    if (text.includes("wait for it") && release === undefined) {
      await new Promise<void>((resolve, reject) => {
        release = resolve;
        abortSignal?.addEventListener("abort", () => reject(abortSignal.reason), { once: true });
      });
    }
    return says(`answer ${prompts.length}`);
  });
  let t = await testAssistant({
    model,
    clock,
    store,
    // What memory recalls depends on when it was captured, and capture reads the log.
    memory: { enabled: false },
    context: { historyTokens: 90 },
    compaction: { keepLastTurns: 1, summaryTokens: 600 },
    start: false,
  });
  const restart = async () => {
    await t.during(t.assistant.stop({ graceMs: 0 }));
    t = await t.restart({ start: true });
  };
  const replies: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const matters = turn === 7 ? " We decided to paint the boat green." : turn === 9 ? " My ticket is INC-77120." : "";
    const text = `${turn}: the sun came out after lunch and we sat on the balcony for a while.${matters}`;
    const { turnId } = await t.assistant.send({ text, session: "long", id: idOf(turn) });
    replies.push(turnId);
    clock.step(1000);
    if (turn === 40) await t.assistant.sessions.configure(KEY, { queueMode: "followup" });
    if (turn === 150) {
      const newest = (await t.assistant.sessions.summaries(KEY)).at(-1)!.summary;
      expect(newest).toContain("INC-77120");
      const lines = newest.split("\n").filter((line) => !line.includes("INC-77120"));
      await t.assistant.sessions.editSummary(KEY, [...lines, "We decided to sail on Friday."].join("\n"));
    }
    if (restarts(turn)) await restart();
  }
  return {
    clock,
    counts,
    async compactions() {
      return store.lastSeq(`${FILES}summary.jsonl`);
    },
    get assistant() {
      return t.assistant;
    },
    model,
    prompts,
    release: () => release?.(),
    replies,
    restart,
    store,
  };
}

describe("a session after a hundred compactions", () => {
  /** The same conversation, in one process. */
  let unbroken: { readonly prompts: readonly string[]; readonly compactions: number } | undefined;
  async function inOneProcess() {
    if (unbroken) return unbroken;
    const one = await converse(() => false);
    unbroken = { prompts: one.prompts, compactions: await one.compactions() };
    await one.assistant.stop();
    return unbroken;
  }

  it("was compacted so often in one process", { timeout: 30_000 }, async () => {
    expect((await inOneProcess()).compactions).toBeGreaterThan(100);
  });

  it(
    "is what its log says: prompts, settings, edits, what waits, and every reply by its id",
    { timeout: 30_000 },
    async () => {
      const one = await inOneProcess();
      const other = await converse((turn) => turn % 11 === 10);
      // A fold of the log shows a prompt the very bytes that the fold in memory does.
      expect(other.prompts).toEqual(one.prompts);
      expect(await other.compactions()).toBe(one.compactions);

      const { counts, store } = other;
      await other.restart();
      counts.read = 0;
      expect(await other.assistant.sessions.settings(KEY)).toEqual({ queueMode: "followup" });
      const total = await store.lastSeq(`${FILES}log.jsonl`);
      expect(total).toBeGreaterThan(3 * TURNS);
      expect(counts.read).toBeLessThanOrEqual(256);

      let inLog = 0;
      for await (const { record } of store.read(`${FILES}log.jsonl`)) if (record["type"] === "compact") inLog += 1;
      let newest: unknown;
      for await (const { record } of store.read(`${FILES}summary.jsonl`)) newest = record["summary"];
      expect(await other.compactions()).toBe(inLog);
      const listed = await other.assistant.sessions.summaries(KEY);
      expect(listed).toHaveLength(100);
      expect(listed.at(-1)!.summary).toBe(newest);
      expect(listed.at(-1)!.turns).toBeGreaterThan(TURNS - 8);
      expect(newest).toContain("paint the boat green");
      expect(newest).toContain("sail on Friday");
      expect(newest).not.toContain("INC-77120");

      const asked = other.model.callCount;
      for (let turn = 0; turn < TURNS; turn += 13) {
        const again = await other.assistant.send({ text: "again", session: "long", id: idOf(turn) });
        expect([turn, again.turnId]).toEqual([turn, other.replies[turn]]);
      }
      expect(other.model.callCount).toBe(asked);

      // What waited when the process ended is answered by the next one, in order, each once.
      const waiting = ["wait for it", "second", "third"].map((text) =>
        other.assistant.send({ text, session: "long", id: text }).catch((error: unknown) => error),
      );
      while (!other.prompts.at(-1)!.includes("wait for it")) await other.clock.advance(10);
      while ((await store.lastSeq(`${FILES}log.jsonl`)) < total + 3) await other.clock.advance(10);
      await other.restart();
      await Promise.all(waiting);
      other.release();
      const before = other.prompts.length;
      for (const text of ["wait for it", "second", "third"])
        expect((await other.assistant.send({ text, session: "long", id: text })).text).toMatch(/^answer /);
      expect(other.prompts.length - before).toBeLessThanOrEqual(3);
      const { entries } = (await other.assistant.sessions.show(KEY, { limit: 20 }))!;
      const told = JSON.stringify(entries);
      for (const text of ["wait for it", "second", "third"])
        expect([text, told.split(`"${text}"`).length]).toEqual([text, 2]);

      expect(await other.assistant.sessions.remove(KEY)).toBe(true);
      for await (const { key } of store.list("sessions/")) expect(key).toBe("nothing is left");
      await other.assistant.send({ text: "hello", session: "long" });
      expect(other.prompts.at(-1)).not.toMatch(/boat|Friday|balcony/);
      expect(await other.assistant.sessions.summaries(KEY)).toEqual([]);
      await other.assistant.stop();
    },
  );
});
