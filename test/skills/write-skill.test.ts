import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Skill, type SkillDraft, parseSkill as parse, writeSkill as write } from "../../src/skills/index.ts";
import { platform } from "../support/this-platform.ts";
import { runs } from "../support/thorough.ts";

const parseSkill = (text: string) => parse(text, {}, platform.yaml);
const writeSkill = (draft: SkillDraft, previous?: string) => write(draft, previous, platform.yaml);

const BY_HAND = `---
# Mine
name: greet   # as the folder
description: >-
  Says hello
  to people
license: MIT
metadata:
  author: somebody
  openclaw: { emoji: "👋" }
version: 1.10
triggers:
  # when it comes
  intent_patterns:
    - hello # English
    - 你好
priority: 3 # low
---

# Hello

---
Say hello.
`;

describe("writeSkill()", () => {
  it("changes what is another value, and leaves comments, order, unknown fields and body", () => {
    const skill = parseSkill(BY_HAND);
    const text = writeSkill({ ...skill, priority: 9, cooldown: 60 }, BY_HAND);
    expect(text).toBe(BY_HAND.replace("priority: 3 # low", "priority: 9 # low\ncooldown: 60"));
  });

  it("gives the same text when nothing is another", () => {
    for (const text of [BY_HAND, `\uFEFF${BY_HAND.replaceAll("\n", "\r\n")}`])
      expect(writeSkill(parseSkill(text), text)).toBe(text);
  });

  it("keeps the line ends of the file", () => {
    const text = BY_HAND.replaceAll("\n", "\r\n");
    const written = writeSkill({ ...parseSkill(text), priority: 9, body: "One\nTwo" }, text);
    expect(written.replaceAll("\r\n", "")).not.toContain("\n");
    expect(parseSkill(written).body).toBe("One\nTwo");
  });

  it("takes another body, and takes away what is left out", () => {
    const { triggers: _, ...rest } = parseSkill(BY_HAND);
    const text = writeSkill({ ...rest, priority: 5, body: "Other" }, BY_HAND);
    expect(text).not.toContain("intent_patterns");
    expect(text).not.toContain("priority");
    expect(text.endsWith("---\n\nOther\n")).toBe(true);
    expect(text).toContain('openclaw: { emoji: "👋" }');
  });

  it("changes a field where it stands, under metadata.wakeful too", () => {
    const text = "---\nname: greet\ndescription: Says hello\nmetadata:\n  wakeful:\n    priority: 3 # low\n---\n";
    const written = writeSkill({ ...parseSkill(text), priority: 9, cooldown: 60 }, text);
    expect(written).toBe(text.replace("priority: 3 # low", "priority: 9 # low\n    cooldown: 60"));
  });

  it("does not touch what another assistant has under a name of ours", () => {
    const text = "---\nname: greet\ndescription: Says hello\ntriggers: [ hello, hi ]\n---\n";
    const triggers: Skill["triggers"] = {
      intentPatterns: ["hello"],
      toolSignals: [],
      contextSignals: { keywords: [], slots: {} },
      confidenceThreshold: 0.5,
    };
    const written = writeSkill({ ...parseSkill(text), triggers }, text);
    expect(written).toContain("triggers: [ hello, hi ]\n");
    expect(parseSkill(written).triggers).toEqual(triggers);
  });

  it("writes a new file with the unknown fields of the draft", () => {
    const { body, name, description, frontmatter } = parseSkill(BY_HAND);
    const written = writeSkill({ name, description, body, frontmatter });
    expect(parseSkill(written).frontmatter).toEqual({
      name: "greet",
      description: "Says hello to people",
      license: "MIT",
      metadata: { author: "somebody", openclaw: { emoji: "👋" } },
      version: 1.1,
    });
    expect(writeSkill({ name: "greet", description: "Says hello", body: "Say hello." })).toBe(
      "---\nname: greet\ndescription: Says hello\n---\n\nSay hello.\n",
    );
  });

  it("mends the text that should have been in quotes", () => {
    const text = "---\nname: greet\ndescription: Use it when: people come\n---\nBody\n";
    expect(writeSkill({ ...parseSkill(text), priority: 9 }, text)).toBe(
      '---\nname: greet\ndescription: "Use it when: people come"\npriority: 9\n---\nBody\n',
    );
  });

  it.each<[string, Partial<SkillDraft>]>([
    ["a name that is none", { name: "Not a name" }],
    ["no description", { description: " " }],
    ["a priority out of range", { priority: 11 }],
    ["a body over 1 MiB", { body: "a".repeat(1_048_577) }],
  ])("refuses %s", (_, changes) => {
    expect(() => writeSkill({ name: "greet", description: "Says hello", body: "", ...changes })).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
    expect(() => writeSkill({ ...parseSkill(BY_HAND), ...changes }, BY_HAND)).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID" }),
    );
  });

  it("does not change a file whose aliases stand in the way", () => {
    const text = "---\nname: greet\ndescription: Says hello\nrequires: &r { bins: [ a ] }\nother: *r\n---\n";
    const aliased = text.replace("requires: &r { bins: [ a ] }\nother: *r", "other: &r { bins: [ a ] }\nrequires: *r");
    const draft = { ...parseSkill(aliased), requires: { ...parseSkill(aliased).requires, bins: ["b"] } };
    expect(() => writeSkill(draft, aliased)).toThrow();
  });

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
