import { describe, expect, it } from "vitest";
import { boundedAgent, boundedOptions, checkBounds, isOverCalls } from "../../src/turn/bounds.ts";

const step = (tokens: number, calls: number) => ({
  usage: { inputTokens: tokens, outputTokens: 0 },
  calls: Array.from({ length: calls }, () => ({ toolCallId: "1", name: "time", input: {} })),
});

describe("checkBounds()", () => {
  it.each([
    { title: "lets a turn without bounds go on", bounds: undefined, steps: [step(10_000, 50)], problem: undefined },
    {
      title: "lets a turn go on below its tokens",
      bounds: { maxTokens: 100 },
      steps: [step(60, 1), step(39, 1)],
      problem: undefined,
    },
    {
      title: "ends it at its tokens",
      bounds: { maxTokens: 100 },
      steps: [step(60, 1), step(40, 1)],
      problem: "100 of 100 tokens",
    },
    {
      title: "lets it make as many calls as it may",
      bounds: { maxToolCalls: 2 },
      steps: [step(1, 2)],
      problem: undefined,
    },
    {
      title: "ends it after more calls",
      bounds: { maxToolCalls: 2 },
      steps: [step(1, 2), step(1, 1)],
      problem: "3 of 2 calls",
    },
  ])("$title", ({ bounds, steps, problem }) => {
    const check = () => checkBounds(bounds, steps);
    if (problem === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(problem);
  });
});

describe("isOverCalls()", () => {
  it("says so of calls that are more than the turn may make, before they begin", () => {
    expect(isOverCalls({ maxToolCalls: 2 }, [step(1, 1), step(1, 1)])).toBe(false);
    expect(isOverCalls({ maxToolCalls: 2 }, [step(1, 1), step(1, 2)])).toBe(true);
    expect(isOverCalls({}, [step(1, 30)])).toBe(false);
  });
});

describe("a bounded turn", () => {
  it("has its own time, and its tools less those left out", () => {
    const agent = { id: "main", models: [], maxSteps: 3, maxTurnSeconds: 60 };
    expect(boundedAgent(agent, { maxSeconds: 5, model: "unknown/model" })).toEqual({ ...agent, maxTurnSeconds: 5 });
    expect(boundedOptions({ excludeTools: ["time"] }, { withoutTools: ["plan"] })).toEqual({
      excludeTools: ["time", "plan"],
    });
    const options = {};
    expect(boundedOptions(options, {})).toBe(options);
  });
});
