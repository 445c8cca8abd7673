import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { describe, expect, it } from "vitest";
import {
  type PromptMessage,
  buildContext,
  estimatePrompt,
  promptFits,
  withInjections,
} from "../../src/context/index.ts";
import { messageTokens, mostTokens, mostTokensByText } from "../../src/context/tokens.ts";
import type { InRecord } from "../../src/session/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { anyCharacter } from "../support/any-character.ts";

const message = {
  v: 1,
  type: "in",
  at: 0,
  id: "m1",
  turn: "t1",
  text: "where is the blue folder",
  user: "sdk",
  roles: [],
  channel: "sdk",
  account: "default",
  peer: { kind: "direct", id: "sdk" },
  sender: { id: "sdk" },
} as InRecord;
const context = buildContext({
  session: { key: "agent:main:sdk:direct:sdk", history: [], complete: true, summary: undefined },
  agent: { id: "main" },
  options: {},
  timezone: "UTC",
  clock: fakeClock(),
  inputs: [message],
});
const TOOL = { modelName: "look", description: "Looks into a drawer", jsonSchema: { type: "object", properties: {} } };
const step: PromptMessage[] = [
  { role: "assistant", content: [{ type: "text", text: "I look into the drawer" }] },
  { role: "tool", content: [{ type: "tool-result", output: { drawers: ["a", "b"] } }] },
];

describe("estimatePrompt()", () => {
  it("adds up instructions, messages and tools", () => {
    const begin = estimatePrompt(context, [], []);
    const content = context.messages[0]!.content as string;
    expect(begin).toBe(context.instructionsTokens + estimateTokenCount(content) + 4);
    expect(estimatePrompt(context, step, []) - begin).toBeGreaterThan(20);
    expect(estimatePrompt(context, [], [TOOL]) - begin).toBeGreaterThan(15);
  });

  it("counts what hooks injected", () => {
    const injected = withInjections(context, [
      { type: "memory_recall", content: "The folder is in the kitchen", source: "memory", priority: 0 },
    ]);
    expect(estimatePrompt(injected, [], [])).toBeGreaterThan(estimatePrompt(context, [], []) + 10);
  });

  it("looks at each message and tool once", () => {
    let looks = 0;
    const watched = (role: PromptMessage["role"]): PromptMessage => ({
      role,
      get content() {
        looks += 1;
        return "some words";
      },
    });
    const tool = {
      ...TOOL,
      get description() {
        looks += 1;
        return "Looks";
      },
    };
    const steps = [watched("assistant"), watched("user")];
    const first = estimatePrompt(context, steps, [tool]);
    expect(looks).toBe(3);
    expect(estimatePrompt(context, steps, [tool])).toBe(first);
    expect(looks).toBe(3);
    estimatePrompt(context, [...steps, watched("user")], [tool]);
    expect(looks).toBe(4);
  });
});

describe("promptFits()", () => {
  it("says what the estimate says", () => {
    const most = estimatePrompt(context, step, [TOOL]);
    for (const limit of [0, most - 1, most, most + 1, 100_000]) {
      const fresh = withInjections({ ...context }, []);
      expect(promptFits(fresh, step, [TOOL], limit)).toBe(most <= limit);
      expect(promptFits(context, step, [TOOL], limit)).toBe(most <= limit);
    }
  });

  it("counts nothing in a short prompt", () => {
    let instructions = 0;
    const counted = { ...context, messages: [{ role: "user", content: "hi" }] as const };
    Object.defineProperty(counted, "instructionsTokens", {
      get: () => {
        instructions += 1;
        return 10;
      },
    });
    expect(promptFits(counted, [], [], 1000)).toBe(true);
    expect(promptFits(counted, [], [], 10)).toBe(false);
    expect(instructions).toBe(3);
  });
});

describe("the most tokens that a message may have", () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...Array.from("aZ9 -_{}\n.,'😀字é")) }),
  );
  const content = fc.oneof(
    text,
    fc.array(text.map((said) => ({ type: "text", text: said }))),
    fc.array(
      fc.oneof(
        text.map((said) => ({ type: "text", text: said })),
        fc.constant({ type: "reasoning", text: "hm" }),
      ),
    ),
  );

  it("are never fewer than the estimate, however closely it is looked at", () => {
    fc.assert(
      fc.property(fc.constantFrom("user", "assistant", "tool"), content, (role, said) => {
        const one = { role, content: said } as PromptMessage;
        expect(mostTokensByText(one)).toBeGreaterThanOrEqual(messageTokens(one));
        expect(mostTokensByText(one)).toBeLessThanOrEqual(mostTokens(one));
      }),
    );
    const plain: PromptMessage = { role: "user", content: "where is the blue folder" };
    expect(mostTokensByText(plain)).toBe(4 + 24);
  });
});
