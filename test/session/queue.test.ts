import { describe, expect, it } from "vitest";
import { type InRecord, type QueueRules, type Sequenced, decideNextTurn } from "../../src/session/index.ts";

const RULES: QueueRules = { mode: "collect", debounceMs: 1000, cap: 20, overflow: "summarize" };

function waiting(...times: (number | [at: number, chat: string])[]): Sequenced<InRecord>[] {
  return times.map((given, index) => {
    const [at, chat] = typeof given === "number" ? [given, "42"] : given;
    const target = { channel: "telegram", account: "default", chat };
    const peer = { kind: "direct", id: "42" } as const;
    return {
      v: 1,
      type: "in",
      seq: index + 1,
      at,
      id: `m${index}`,
      turn: `t${index}`,
      text: "",
      user: "telegram:42",
      roles: [],
      channel: "telegram",
      account: "default",
      peer,
      sender: { id: "42" },
      target,
    };
  });
}
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

describe("decideNextTurn()", () => {
  it("has nothing to do for an empty session", () => {
    expect(decideNextTurn({ stoppedAt: 0, open: undefined, waiting: [] }, RULES, 0)).toEqual({ kind: "idle" });
  });

  it("goes on with a turn that was begun before anything else", () => {
    const open = { id: "t", inputs: [], steps: [], tools: [], out: undefined };
    expect(decideNextTurn({ stoppedAt: 0, open, waiting: waiting(0) }, RULES, 99_999).kind).toBe("resume");
  });

  it.each([
    { title: "waits for quiet", times: [0], now: 999, expected: { kind: "wait", untilMs: 1000 } },
    { title: "waits from the last message on", times: [0, 900], now: 1500, expected: { kind: "wait", untilMs: 1900 } },
    {
      title: "waits five times the quiet at most",
      times: [0, 4900],
      now: 4999,
      expected: { kind: "wait", untilMs: 5000 },
    },
  ])("$title", ({ times, now, expected }) => {
    expect(decideNextTurn({ stoppedAt: 0, open: undefined, waiting: waiting(...times) }, RULES, now)).toEqual(expected);
  });

  it.each<{
    title: string;
    given: Parameters<typeof waiting>;
    rules?: Partial<QueueRules>;
    batch: string[];
    summarized?: string[];
  }>([
    { title: "gathers a burst that is over", given: [0, 900], batch: ["m0", "m1"] },
    { title: "takes one at a time under followup", given: [0, 1], rules: { mode: "followup" }, batch: ["m0"] },
    { title: "does not wait under followup", given: [9999], rules: { mode: "followup" }, batch: ["m0"] },
    { title: "stops before a reply that goes elsewhere", given: [0, [10, "other"], 20], batch: ["m0"] },
    {
      title: "tells those over the cap in one line each",
      given: [0, 1, 2, 3],
      rules: { cap: 2 },
      batch: ["m2", "m3"],
      summarized: ["m0", "m1"],
    },
    {
      title: "does so under followup too",
      given: [0, 1, 2],
      rules: { cap: 1, mode: "followup" },
      batch: ["m2"],
      summarized: ["m0", "m1"],
    },
  ])("$title", ({ given, rules, batch, summarized = [] }) => {
    const next = decideNextTurn(
      { stoppedAt: 0, open: undefined, waiting: waiting(...given) },
      { ...RULES, ...rules },
      10_000,
    );
    expect(next.kind).toBe("start");
    if (next.kind === "start") expect([ids(next.batch), ids(next.summarized)]).toEqual([batch, summarized]);
  });
});
