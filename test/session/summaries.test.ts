import { describe, expect, it } from "vitest";
import { createSessions, createSummaries } from "../../src/session/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { compact, message, out } from "./support.ts";

const KEY = "agent:main:telegram:direct:42";
const LINES = "sessions/main/telegram:direct:42/summary.jsonl";

function setUp() {
  const store = memoryStore();
  const sessions = createSessions({ store, clock: fakeClock() });
  const summaries = createSummaries({ store });
  const lines = async () => {
    const found: unknown[] = [];
    for await (const { record } of store.read(LINES)) found.push(record);
    return found;
  };
  return { store, sessions, summaries, lines };
}

describe("createSummaries()", () => {
  it("writes a line beside the log, once however often it is added", async () => {
    const { sessions, summaries, lines } = setUp();
    await sessions.append(KEY, [message("a"), out("turn-a", ["a"])]);
    const { seq } = await sessions.append(KEY, compact(3, { reason: "command" }));
    const record = { ...compact(3, { reason: "command" }), v: 1 as const, at: 1767600000000, seq };
    await summaries.add(KEY, record);
    await summaries.add(KEY, record);
    expect(await lines()).toEqual([
      {
        v: 1,
        role: "compact",
        summary: "up to 3",
        range: { from: 1, to: 3 },
        tokens_before: 900,
        tokens_after: 100,
        ts: "2026-01-05T08:00:00.000Z",
        turns: 3,
        reason: "command",
        seq: 3,
      },
    ]);
    expect(await summaries.list(KEY)).toMatchObject([{ seq: 3, atMs: 1767600000000, tokensBefore: 900, turns: 3 }]);
  });

  it("adds the session's newest one when a crash kept its line back, and lists in the order of the log", async () => {
    const { sessions, summaries, lines } = setUp();
    await sessions.append(KEY, compact(2));
    await sessions.append(KEY, compact(4, { reason: "edit", by: "telegram:1", problem: "none" }));
    const { summary: newest } = await sessions.load(KEY);
    expect((await summaries.list(KEY, { newest })).map(({ seq }) => seq)).toEqual([2]);
    if (!newest) throw new TypeError("The session has a summary");
    await summaries.add(KEY, { ...newest, ...compact(2), seq: 1 });
    expect(await summaries.list(KEY, { newest })).toMatchObject([
      { seq: 1, summary: "up to 2", reason: "history" },
      { seq: 2, summary: "up to 4", reason: "edit", by: "telegram:1", problem: "none" },
    ]);
    expect(await lines()).toHaveLength(2);
  });

  it("keeps no line of a session that was removed, so that the next one's are its own", async () => {
    const { sessions, summaries, lines } = setUp();
    for (const text of ["first", "second"]) {
      await sessions.append(KEY, compact(2, { summary: text }));
      const { summary: newest } = await sessions.load(KEY);
      expect((await summaries.list(KEY, { newest })).map(({ summary }) => summary)).toEqual([text]);
      expect(await sessions.remove(KEY)).toBe(true);
      expect(await lines()).toEqual([]);
    }
  });

  it("loses the log last: a removal that failed can be tried again", async () => {
    const { store, sessions, summaries, lines } = setUp();
    await sessions.append(KEY, compact(2));
    const { summary: newest } = await sessions.load(KEY);
    await summaries.list(KEY, { newest });
    const { remove } = store;
    store.remove = async (key, options) => {
      if (key.endsWith("/log.jsonl")) throw new Error("the disk is gone");
      return remove(key, options);
    };
    await expect(sessions.remove(KEY)).rejects.toThrow("the disk is gone");
    expect([await lines(), await sessions.size(KEY)]).toEqual([[], 1]);
    store.remove = remove;
    expect(await sessions.remove(KEY)).toBe(true);
  });
});

describe("a summary that a person wrote", () => {
  it("stands for the one that it was written for", async () => {
    const { sessions } = setUp();
    await sessions.append(KEY, compact(4));
    await sessions.append(KEY, compact(4, { summary: "mine", reason: "edit" }));
    expect((await sessions.load(KEY)).summary?.summary).toBe("mine");
  });

  it("never stands for one that tells more, also when the session is read back", async () => {
    const { store, sessions } = setUp();
    await sessions.load(KEY);
    await sessions.append(KEY, compact(4));
    await sessions.append(KEY, compact(9));
    await sessions.append(KEY, compact(4, { summary: "mine", reason: "edit" }));
    const again = createSessions({ store, clock: fakeClock() });
    for (const read of [sessions, again]) expect((await read.load(KEY)).summary?.summary).toBe("up to 9");
  });
});
