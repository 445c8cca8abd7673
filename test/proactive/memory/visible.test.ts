import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visibleIn } from "../../../src/proactive/memory/visible.ts";
import type { LoggedTurn, Session } from "../../../src/session/index.ts";

describe("visibleIn", () => {
  const turn = (text: string, output?: unknown) =>
    ({
      id: text,
      inputs: [{ type: "in", id: text, text, peer: { kind: "direct", id: "1" } }],
      steps: [],
      tools: output === undefined ? [] : [{ output }],
    }) as unknown;
  const history = [
    turn("I moved to Lisbon, with my SISTER!"),
    turn("ok", { lines: "first line\nsecond line" }),
    turn("我上周搬到里斯本了"),
    turn("a b c"),
    turn("well", { text: "Written down.\nPrefers tea" }),
    turn("good", { text: "写好了。\n喜欢喝茶。\nPrefers rice" }),
  ] as LoggedTurn[];
  const { has } = visibleIn({ key: "s", history } as unknown as Session, ["Is the kettle on?"]);

  it.each([
    ["I moved to Lisbon with my sister", true],
    ["moved to\nLISBON", true],
    ["I moved to Lisbon with my brother", false],
    ["moved to Lis", false],
    ["sister moved", false],
    ["the kettle", true],
    ["the kettles", false],
    ["first line second line", true],
    ["line\\nsecond", true],
    ["prefers tea", true],
    ["prefers rice", true],
    ["b c", true],
    ["c b", false],
    ["搬到里斯本", true],
    ["搬到波尔图", false],
    ["…", true],
  ])("sees whether a conversation says %j", (content, isVisible) => {
    expect(has({ content, slots: {} })).toBe(isVisible);
  });

  it("sees whatever stands in it, word for word, whatever signs are between", () => {
    const words = fc.array(
      fc.string({ unit: fc.constantFrom("a", "n", "z", "0", "9", "é", "ß"), minLength: 1, maxLength: 12 }),
      {
        minLength: 1,
        maxLength: 20,
      },
    );
    const signs = fc.constantFrom(" ", ", ", "\n", ".\n", " - ", "_", "\\n", '\\n"');
    fc.assert(
      fc.property(words, signs, signs, fc.nat(20), fc.nat(20), (said, sign, other, from, count) => {
        const part = said.slice(from % said.length).slice(0, count + 1);
        const seen = visibleIn({ key: "s", history: [turn(said.join(sign))] } as unknown as Session, []);
        expect(seen.has({ content: part.join(other), slots: {} })).toBe(true);
      }),
    );
  });
});
