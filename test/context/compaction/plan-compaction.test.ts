import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CompactableMessage, planCompaction, turnStarts } from "../../../src/context/compaction/index.ts";
import { runs } from "../../support/thorough.ts";

const user = (content = "question"): CompactableMessage => ({ role: "user", content });
const says = (text = "answer"): CompactableMessage => ({ role: "assistant", content: [{ type: "text", text }] });
const calls = (...ids: string[]): CompactableMessage => ({
  role: "assistant",
  content: ids.map((toolCallId) => ({ type: "tool-call", toolCallId, toolName: "look", input: {} })),
});
const results = (...ids: string[]): CompactableMessage => ({
  role: "tool",
  content: ids.map((toolCallId) => ({
    type: "tool-result",
    toolCallId,
    toolName: "look",
    output: { type: "text", value: "seen" },
  })),
});
const turns = (count: number): CompactableMessage[] => Array.from({ length: count }, () => [user(), says()]).flat();
const ALWAYS = { contextWindow: 100, estimate: () => 1000 };

describe("planCompaction()", () => {
  it.each([
    { title: "nothing is done when every trigger is far", options: { contextWindow: 32_768 }, cut: null },
    { title: "the reserve is a trigger", options: { contextWindow: 2399, reserveTokens: 2000 }, cut: 24 },
    { title: "the ratio is a trigger", options: { contextWindow: 440, reserveTokens: 0 }, cut: 24 },
    { title: "a ratio that is not reached is none", options: { contextWindow: 480, reserveTokens: 0 }, cut: null },
    { title: "the history's own budget is a trigger", options: { contextWindow: 32_768, historyTokens: 399 }, cut: 24 },
    {
      title: "a budget that is just filled is none",
      options: { contextWindow: 32_768, historyTokens: 400 },
      cut: null,
    },
    {
      title: "as many turns stay as are wanted",
      options: { contextWindow: 100, keepLastTurns: 3 },
      cut: 34,
    },
    { title: "the newest turn stays in any case", options: { contextWindow: 100, keepLastTurns: 0 }, cut: 38 },
    { title: "nothing is done when all turns are kept", options: { contextWindow: 100, keepLastTurns: 20 }, cut: null },
  ])("$title", ({ options, cut }) => {
    const plan = planCompaction(turns(20), { estimate: () => 10, ...options });
    expect(plan).toEqual(cut === null ? null : { summarise: { from: 0, to: cut }, keep: { from: cut, to: 40 } });
  });

  it("reads estimators of messages and of texts", () => {
    const options = { contextWindow: 1_000_000, historyTokens: 100, keepLastTurns: 1 };
    const ofTexts = ((text: string) => text.length * 10) as unknown as () => number;
    expect(planCompaction(turns(2), { ...options, estimate: () => 26 })).not.toBeNull();
    expect(planCompaction(turns(2), { ...options, estimate: () => 25 })).toBeNull();
    expect(planCompaction(turns(2), { ...options, estimate: ofTexts })).not.toBeNull();
  });

  it("counts a conversation by itself", () => {
    const long = Array.from({ length: 40 }, () => [user("word ".repeat(400)), says("word ".repeat(100))]).flat();
    expect(planCompaction(long, { contextWindow: 16_384 })).toEqual({
      summarise: { from: 0, to: 64 },
      keep: { from: 64, to: 80 },
    });
    expect(planCompaction(long, { contextWindow: 65_536 })).toBeNull();
  });

  it.each([
    { options: { contextWindow: 0 }, name: "contextWindow" },
    { options: { contextWindow: Number.NaN }, name: "contextWindow" },
    { options: { contextWindow: 100, triggerRatio: 1.5 }, name: "triggerRatio" },
    { options: { contextWindow: 100, reserveTokens: -1 }, name: "reserveTokens" },
    { options: { contextWindow: 100, keepLastTurns: -1 }, name: "keepLastTurns" },
  ])("refuses $options", ({ options, name }) => {
    expect(() => planCompaction([], options)).toThrow(new RegExp(`${name} must be`));
  });
});

describe("turnStarts()", () => {
  it.each([
    { title: "each question begins a turn", messages: turns(3), starts: [0, 2, 4] },
    { title: "notes before a question belong to its turn", messages: [user(), user(), says(), user()], starts: [0, 3] },
    { title: "what stands before the first question begins none", messages: [says(), user()], starts: [1] },
    {
      title: "a question between a call and its result begins none",
      messages: [user(), calls("a"), user(), results("a"), says(), user()],
      starts: [0, 5],
    },
    {
      title: "parallel calls bind until the last of their results",
      messages: [user(), calls("a", "b"), results("a"), user(), results("b"), user()],
      starts: [0, 5],
    },
    {
      title: "an answered call binds no longer",
      messages: [user(), calls("a"), results("a"), user(), says()],
      starts: [0, 3],
    },
    {
      title: "a call that nothing answers binds the next question, and no more once the model went on",
      messages: [user(), calls("a"), user(), says(), user()],
      starts: [0, 4],
    },
    {
      title: "an id that is used again belongs to the newest call",
      messages: [user(), calls("1"), results("1"), user(), calls("1"), results("1"), user()],
      starts: [0, 3, 6],
    },
    { title: "a result without a call binds nothing", messages: [user(), results("x"), user()], starts: [0, 2] },
    {
      title: "a call that its provider ran binds nothing",
      messages: [
        user(),
        {
          role: "assistant",
          content: [
            { type: "tool-call", toolCallId: "p" },
            { type: "tool-result", toolCallId: "p" },
          ],
        },
        user(),
      ],
      starts: [0, 2],
    },
    {
      title: "content of any shape is taken",
      messages: [{ role: "user", content: [null, 5] }, { role: "assistant", content: {} }, user()],
      starts: [0, 2],
    },
  ])("$title", ({ messages, starts }) => {
    expect(turnStarts(messages)).toEqual(starts);
  });
});

describe("any conversation", () => {
  const id = fc.integer({ min: 0, max: 8 }).map(String);
  const message = fc.oneof(
    fc.constant(user()),
    fc.constant(user("x".repeat(5000))),
    fc.constant(says()),
    fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => calls(...ids)),
    fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => results(...ids)),
  );

  it("is cut in two, between turns, with no result parted from its call and enough turns kept", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 60 }), fc.integer({ min: 0, max: 10 }), (messages, keepLastTurns) => {
        const plan = planCompaction(messages, { ...ALWAYS, keepLastTurns });
        const starts = turnStarts(messages);
        const kept = Math.max(1, keepLastTurns);
        if (plan === null) {
          expect(starts.length < kept || starts.at(-kept) === 0 || messages.length === 0).toBe(true);
          return;
        }
        const { summarise, keep } = plan;
        expect(summarise.from).toBe(0);
        expect(summarise.to).toBe(keep.from);
        expect(keep.to).toBe(messages.length);
        expect(keep.from).toBeGreaterThan(0);
        expect(messages[keep.from]?.role).toBe("user");
        expect(messages[keep.from - 1]?.role).not.toBe("user");
        expect(starts.filter((start) => start >= keep.from)).toHaveLength(kept);
        expect(openCalls(messages.slice(0, keep.from)).filter((call) => isAnswered(call, messages, keep.from))).toEqual(
          [],
        );
      }),
      { numRuns: runs(500) },
    );
  });
});

/** Ids of calls that no result in the list answers. */
function openCalls(messages: readonly CompactableMessage[]): string[] {
  const open: string[] = [];
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const { type, toolCallId } of content as { type: string; toolCallId: string }[]) {
      if (type === "tool-call") open.push(toolCallId);
      const at = type === "tool-result" ? open.lastIndexOf(toolCallId) : -1;
      if (at !== -1) open.splice(at, 1);
    }
  }
  return open;
}

/** Whether the first thing after the cut that names the id is a result that is not the answer to a later call. */
function isAnswered(id: string, messages: readonly CompactableMessage[], from: number): boolean {
  const later = messages.slice(from).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const first = (later as { type: string; toolCallId?: string }[]).find(({ toolCallId }) => toolCallId === id);
  return first?.type === "tool-result";
}
