import { describe, expect, it } from "vitest";
import { type Skill, type SkillDraft, parseSkill as parse, writeSkill as write } from "../../src/skills/index.ts";
import { platform } from "../support/this-platform.ts";

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
});
