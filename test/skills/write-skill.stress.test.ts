import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type SkillDraft, parseSkill as parse, writeSkill as write } from "../../src/skills/index.ts";
import { platform } from "../support/this-platform.ts";
import { runs } from "../support/thorough.ts";

const parseSkill = (text: string) => parse(text, {}, platform.yaml);
const writeSkill = (draft: SkillDraft, previous?: string) => write(draft, previous, platform.yaml);

describe("writeSkill()", () => {
  const words = (maxLength: number) =>
    fc.string({ unit: fc.constantFrom(..."ab:#-'\"[]{}|>&*!%@`,? \n\t\\~é调👋0\u2028".split(/(?:)/u)), maxLength });
  const text = (most: number) => words(most).filter((one) => one.trim() !== "" && one === one.trim());
  const name = fc.stringMatching(/^[a-z0-9]{1,10}(-[a-z0-9]{1,5}){0,2}$/);
  const list = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 4 });
  const maybe = <K extends string, T>(key: K, value: fc.Arbitrary<T>) =>
    fc.option(value, { nil: undefined }).map((one) => (one === undefined ? {} : { [key]: one }) as { [P in K]?: T });
  const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null);
  const draft: fc.Arbitrary<SkillDraft> = fc
    .tuple(
      fc.record({ name, description: text(80), body: text(200), prerequisites: list(name) }),
      maybe("priority", fc.integer({ min: 1, max: 10 })),
      maybe("cooldown", fc.integer({ min: 0, max: 1000 })),
      maybe("exclusiveGroup", text(20)),
      maybe("people", fc.array(text(20), { minLength: 1, maxLength: 3 })),
      maybe(
        "triggers",
        fc.record({
          intentPatterns: list(text(40)),
          toolSignals: list(text(20)),
          contextSignals: fc.record({
            keywords: list(text(20)),
            slots: fc.dictionary(
              fc.constantFrom("task_type", "channel", "language", "of mine"),
              fc.array(text(10), { minLength: 1, maxLength: 2 }),
              {
                maxKeys: 3,
              },
            ),
          }),
          confidenceThreshold: fc.integer({ min: 1, max: 10 }).map((tenths) => tenths / 10),
        }),
      ),
      maybe(
        "chain",
        fc.array(
          fc
            .tuple(
              fc.record({ skill: name }),
              maybe("outputAs", text(20)),
              maybe("params", fc.dictionary(text(8), json, { minKeys: 1 })),
            )
            .map((parts) => Object.assign({}, ...parts) as { skill: string }),
          { minLength: 1, maxLength: 3 },
        ),
      ),
    )
    .map((parts) => Object.assign({}, ...parts) as SkillDraft);

  it("writes what is read again as the same skill, over any other file", () => {
    fc.assert(
      fc.property(draft, draft, (one, other) => {
        const first = writeSkill(one);
        expect(parseSkill(first)).toMatchObject({ name: one.name, description: one.description, body: one.body });
        const second = writeSkill(
          { ...parseSkill(first), ...other },
          first.replace("---\n", "---\nunknown: kept # so\n"),
        );
        expect(second).toContain("\nunknown: kept # so\n");
        expect(parseSkill(second)).toMatchObject({
          name: other.name,
          description: other.description,
          body: other.body,
        });
        expect(writeSkill(parseSkill(second), second)).toBe(second);
      }),
      { numRuns: runs(1000) },
    );
  });
});
