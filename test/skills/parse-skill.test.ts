import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSkill } from "../../entry.host.ts";
import { readSkill } from "../../src/skills/index.ts";
import { platform } from "../support/this-platform.ts";
import { anyCharacter } from "../support/any-character.ts";
import { runs } from "../support/thorough.ts";
import { PATH, issuesOf, withFields } from "./issues.ts";

const warningsOf = (text: string, path = PATH) =>
  readSkill(text, { path }, platform.yaml).warnings.map(({ line, message }) => `${line} ${message}`);

const EVERY_FIELD = `---
name: competitive-analysis
description: From research to a briefing on competitors
license: MIT
compatibility: Needs the web
allowed-tools: web_search web_fetch
metadata: { author: somebody, version: "1.0" }
triggers:
  intent_patterns: ["research|investigate|analy[sz]e", "调研|研究"]
  tool_signals: [web_search, web_fetch]
  context_signals: { keywords: [competitor, trend], slots: { task_type: [research, analysis], language: zh } }
  confidence_threshold: 0.6
priority: 8
exclusive_group: research
prerequisites: [sources-first]
max_tokens: 1500
cooldown: 300
chain:
  - { skill: deep-research, output_as: research_data, params: { depth: 3, of: { nested: [1, two] } } }
  - { skill: research-briefing, input_from: research_data, output_as: briefing }
output: { format: markdown, artifacts: true, artifact_type: document }
requires: { runtimes: [bun, node], channels: [telegram], env: [API_KEY], bins: [jq], tools: [web_search] }
people: ["telegram:42", "@owner"]
---

# Steps

1. Research
`;

describe("parseSkill()", () => {
  it("reads every field", () => {
    const { frontmatter, ...skill } = parseSkill(EVERY_FIELD, { path: "skills/competitive-analysis/SKILL.md" });
    expect(skill).toEqual({
      name: "competitive-analysis",
      description: "From research to a briefing on competitors",
      body: "# Steps\n\n1. Research",
      triggers: {
        intentPatterns: ["research|investigate|analy[sz]e", "调研|研究"],
        toolSignals: ["web_search", "web_fetch"],
        contextSignals: {
          keywords: ["competitor", "trend"],
          slots: { task_type: ["research", "analysis"], language: ["zh"] },
        },
        confidenceThreshold: 0.6,
      },
      priority: 8,
      exclusiveGroup: "research",
      prerequisites: ["sources-first"],
      maxTokens: 1500,
      cooldown: 300,
      chain: [
        { skill: "deep-research", outputAs: "research_data", params: { depth: 3, of: { nested: [1, "two"] } } },
        { skill: "research-briefing", inputFrom: "research_data", outputAs: "briefing" },
      ],
      output: { format: "markdown", artifacts: true, artifactType: "document" },
      requires: {
        runtimes: ["bun", "node"],
        channels: ["telegram"],
        env: ["API_KEY"],
        bins: ["jq"],
        tools: ["web_search"],
      },
      people: ["telegram:42", "@owner"],
      path: "skills/competitive-analysis/SKILL.md",
    });
    expect(frontmatter["metadata"]).toEqual({ author: "somebody", version: "1.0" });
    expect(frontmatter["allowed-tools"]).toBe("web_search web_fetch");
  });

  it("has the documented defaults", () => {
    expect(parseSkill(withFields("triggers: { intent_patterns: hello }"))).toEqual({
      name: "greet",
      description: "Says hello",
      body: "Say hello.",
      triggers: {
        intentPatterns: ["hello"],
        toolSignals: [],
        contextSignals: { keywords: [], slots: {} },
        confidenceThreshold: 0.5,
      },
      priority: 5,
      prerequisites: [],
      maxTokens: 2000,
      cooldown: 0,
      requires: { runtimes: [], channels: [], env: [], bins: [], tools: [] },
      frontmatter: { name: "greet", description: "Says hello", triggers: { intent_patterns: "hello" } },
    });
    expect("triggers" in parseSkill(withFields(""))).toBe(false);
  });

  it("takes our fields under metadata.wakeful, and those of the top level before them", () => {
    const inner = "metadata:\n  wakeful:\n    priority: 8\n    cooldown: 60\n    people: [telegram:42]";
    const skill = parseSkill(withFields(`${inner}\npriority: 2`));
    expect([skill.priority, skill.cooldown, skill.people]).toEqual([2, 60, ["telegram:42"]]);
    expect(issuesOf(withFields("metadata:\n  wakeful:\n    priority: 11"))).toMatchObject([
      { line: 6, column: 5, path: "metadata.wakeful.priority" },
    ]);
  });

  it.each([
    ["line ends of Windows", withFields("priority: 7", "a\nb").replaceAll("\n", "\r\n"), "a\nb"],
    ["a byte order mark", `\uFEFF${withFields("priority: 7")}`, "Say hello."],
    ["blank lines before the frontmatter", `\n \n${withFields("priority: 7")}`, "Say hello."],
    ["blanks behind the dashes", withFields("priority: 7").replaceAll("---", "---  "), "Say hello."],
    ["dashes in the body", withFields("priority: 7", "a\n---\nname: b\n---\nc"), "a\n---\nname: b\n---\nc"],
    ["dashes within a text", withFields("priority: 7\nnote: |\n  a\n  ---\n  b"), "Say hello."],
    ["no body", withFields("priority: 7", "").trimEnd(), ""],
    ["comments", withFields("# first\npriority: 7 # seven"), "Say hello."],
  ])("reads a file with %s", (_, text, body) => {
    const skill = parseSkill(text, { path: PATH });
    expect([skill.name, skill.priority, skill.body]).toEqual(["greet", 7, body]);
  });

  it.each([
    ["name: Greet", 2, "name"],
    ["name: -greet", 2, "name"],
    ["name: greet-", 2, "name"],
    ["name: gr--eet", 2, "name"],
    ["name: grüße", 2, "name"],
    ["name: gr_eet", 2, "name"],
    [`name: ${"a".repeat(65)}`, 2, "name"],
    ["name: 12", 2, "name"],
    ["name: [greet]", 2, "name"],
    ["name: ../greet", 2, "name"],
  ])("refuses the name of %s", (line, at, path) => {
    expect(issuesOf(`---\n${line}\ndescription: Says hello\n---\n`)).toMatchObject([{ line: at, column: 1, path }]);
  });

  it.each([
    ["description: ''", "description"],
    ["description: [a]", "description"],
    [`description: ${"d".repeat(1025)}`, "description"],
    ["other: 1", "description"],
  ])("refuses as a description: %s", (line, path) => {
    expect(issuesOf(`---\nname: greet\n${line}\n---\n`)).toMatchObject([{ path }]);
  });

  it.each([
    ["priority: 0", "priority", 4],
    ["priority: 11", "priority", 4],
    ["priority: 2.5", "priority", 4],
    ["priority: high", "priority", 4],
    ["max_tokens: 0", "max_tokens", 4],
    ["cooldown: -1", "cooldown", 4],
    ["cooldown: soon", "cooldown", 4],
    ["cooldown: .inf", "cooldown", 4],
    ["priority: .nan", "priority", 4],
    ["exclusive_group: [a]", "exclusive_group", 4],
    ["prerequisites: [fine, Not Fine]", "prerequisites[1]", 4],
    ["people: { a: b }", "people", 4],
    ["people: []", "people", 4],
    ["people:", "people", 4],
    ["metadata: { wakeful: { people: } }", "metadata.wakeful.people", 4],
    ["peopel: [telegram:42]", "peopel", 4],
    ["People: [telegram:42]", "People", 4],
    ["triggers:\n  confidence_threshold: 0", "triggers.confidence_threshold", 5],
    ["triggers:\n  confidence_threshold: 1.1", "triggers.confidence_threshold", 5],
    ["triggers:\n  confidence_threshold: .inf", "triggers.confidence_threshold", 5],
    ["triggers:\n  intent_patterns:\n    - ok\n    - 5", "triggers.intent_patterns[1]", 7],
    ["triggers:\n  intentPatterns: [a]", "triggers.intentPatterns", 5],
    ["triggers:\n  intent_pattern: [a]", "triggers.intent_pattern", 5],
    ["triggers:\n  context_signals: { slots: [a] }", "triggers.context_signals.slots", 5],
    ["chain:\n  - output_as: a", "chain[0].skill", 5],
    ["chain:\n  - skill: a\n    input_form: b", "chain[0].input_form", 6],
    ["chain: []", "chain", 4],
    ["output: { artifacts: maybe }", "output.artifacts", 4],
    ["requires: { runtimes: [node, browser] }", "requires.runtimes[1]", 4],
    ["requires: { bins: [jq, 5] }", "requires.bins[1]", 4],
    ["metadata: { wakeful: [priority] }", "metadata.wakeful", 4],
    ["metadata: { wakeful: { prioriti: 3 } }", "metadata.wakeful.prioriti", 4],
  ])("names field and line of %j", (fields, path, line) => {
    expect(issuesOf(withFields(fields))).toMatchObject([{ path, line, message: expect.stringContaining(path) }]);
  });

  it("counts the characters of a text as its limit does", () => {
    const [issue] = issuesOf(`---\nname: greet\ndescription: ${"d".repeat(1025)}\n---\n`);
    expect(issue?.message).toContain("expected a text of 1 to 1024 characters, but it has 1025 characters");
  });

  it("tells everything that is wrong at once, in the order of the file", () => {
    const text =
      "---\nname: A b\ndescription: x\npriority: 11\ntriggers:\n  intent_pattern: [x]\n  confidence_threshold: 0\n---\n";
    expect(issuesOf(text).map(({ line, path }) => `${line} ${path}`)).toEqual([
      "2 name",
      "4 priority",
      "6 triggers.intent_pattern",
      "7 triggers.confidence_threshold",
    ]);
  });

  it.each([
    ["no frontmatter", "# Hello\n", 1, "no frontmatter"],
    ["an empty file", "", 1, "no frontmatter"],
    ["a frontmatter that is not ended", "---\nname: greet\n", 1, "has no end"],
    ["broken YAML", "---\nname: greet\ndescription: a\ntriggers: [a\n---\n", 5, "Not valid YAML"],
    ["a key given twice", "---\nname: greet\ndescription: a\nname: greet\n---\n", 4, "given twice"],
    ["a tab", "---\nname: greet\ndescription: a\nrequires:\n\tbins: [a]\n---\n", 5, "Not valid YAML"],
  ])("says what is wrong with %s", (_, text, line, message) => {
    const [issue] = issuesOf(text);
    expect(issue?.message).toContain(message);
    expect(issue?.line).toBe(line);
  });

  it("counts lines in the whole file, also where lines end as on Windows or blank ones come first", () => {
    const text = `\n\n${withFields("cooldown: 5\npriority: 11")}`;
    expect(issuesOf(text)).toMatchObject([{ line: 7, path: "priority" }]);
    expect(issuesOf(text.replaceAll("\n", "\r\n"))).toMatchObject([{ line: 7, path: "priority" }]);
  });

  it("does not unfold a bomb of aliases", () => {
    const bomb = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
    for (let level = 1; level < 5; level += 1)
      bomb.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`);
    expect(issuesOf(withFields(bomb.join("\n")))).toMatchObject([{ message: expect.stringContaining("unfolds into") }]);
    expect(issuesOf(withFields("a: &a [*a]"))).toMatchObject([{ message: expect.stringContaining("holds itself") }]);
  });

  it("takes of an anchor that is given twice the last one before the alias", () => {
    const { frontmatter } = parseSkill(withFields("a: [&a 1, *a, &a 2, *a, { b: &b [*a, &a 3] }, *a, *b]"));
    expect(frontmatter["a"]).toEqual([1, 1, 2, 2, { b: [2, 3] }, 3, [2, 3]]);
    expect(issuesOf(withFields("a: [*a, &a 1]"))).toMatchObject([{ message: "There is no anchor &a" }]);
  });

  it("tells the first hundred mistakes", () => {
    const issues = issuesOf(withFields("a:\n".repeat(300).trim()));
    expect(issues.slice(0, 2)).toMatchObject([{ line: 5, message: 'The key "a" is given twice' }, { line: 6 }]);
    expect(issues).toHaveLength(100);
  });

  it.each([
    ["a file of more than 1 MiB", withFields("", "a".repeat(1_048_577)), "1048576 bytes"],
    ["also when it has fewer characters", withFields("", "调".repeat(400_000)), "1048576 bytes"],
    ["a frontmatter of more than 64 KiB", withFields(`note: ${"a".repeat(65_536)}`), "65536"],
    ["more than 50 patterns", withFields(`triggers: { intent_patterns: [${"a,".repeat(51)}] }`), "at most 50"],
    [
      "a pattern over 500 characters",
      withFields(`triggers: { intent_patterns: [${"a".repeat(501)}] }`),
      "500 characters",
    ],
    ["more than 20 steps", withFields(`chain: [${"{ skill: a },".repeat(21)}]`), "at most 20"],
    [
      "more than 10 slots",
      withFields(
        `triggers: { context_signals: { slots: { ${Array.from({ length: 11 }, (_, n) => `s${n}: a`).join(", ")} } } }`,
      ),
      "at most 10",
    ],
  ])("refuses %s", (_, text, message) => {
    expect(issuesOf(text)).toMatchObject([{ message: expect.stringContaining(message) }]);
  });

  it("takes what is just within the limits", () => {
    const patterns = Array.from({ length: 50 }, () => "a".repeat(500)).join(", ");
    expect(
      issuesOf(
        `---\nname: ${"a".repeat(64)}\ndescription: ${"d".repeat(1024)}\ntriggers: { intent_patterns: [${patterns}] }\n---\n${"b".repeat(1_000_000)}`,
      ),
    ).toEqual([]);
  });

  it("keeps a name that is not that of the folder, and says so", () => {
    expect(parseSkill(withFields(""), { path: "skills/other/SKILL.md" }).name).toBe("greet");
    expect(warningsOf(withFields(""), "skills/other/SKILL.md")).toEqual([
      '2 name: "greet" is not the name of its folder, "other": give both the same name',
    ]);
    expect(warningsOf(withFields(""), String.raw`C:\skills\greet\SKILL.md`)).toEqual([]);
    expect(warningsOf(withFields(""), "SKILL.md")).toEqual([]);
  });

  it("tells of what has no effect", () => {
    expect(
      warningsOf(withFields("trigger: hello\ntriggers:\n  keywords: [a]\n  tool_signals: [b]\nlicense: [MIT]")),
    ).toEqual([
      "4 trigger: has no effect: did you mean triggers?",
      "6 triggers.keywords: has no effect: expected one of intent_patterns, tool_signals, context_signals, confidence_threshold",
      "8 license: expected a text: it has no effect",
    ]);
  });

  it("reads any text, or refuses it with issues that have places", () => {
    const line = fc.oneof(
      fc.constantFrom(
        "---",
        "name: greet",
        "description: Says hello",
        "priority: 3",
        "triggers:",
        "  tool_signals: [a]",
        "- a",
        "&a *a",
        "? b",
        "metadata: {wakeful: {priority: 4}}",
        "\t",
        "|",
        '"',
        "{",
        "description: a: b: c",
      ),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.boolean(), (lines, begins) => {
        const text = `${begins ? "---\n" : ""}${lines.join("\n")}`;
        for (const issue of issuesOf(text)) {
          expect(issue.line).toBeGreaterThan(0);
          expect(issue.line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length);
          expect(issue.message).not.toBe("");
        }
      }),
      { numRuns: runs(3000) },
    );
  });
});
