import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import {
  type ParsePolicyOptions,
  type PolicyInput,
  type PolicySource,
  SHIPPED_POLICY,
  TOOL_GROUPS,
  parsePolicyObject,
  printPolicy,
} from "../../src/policy/index.ts";
import { ConfigError } from "../../src/settings/index.ts";
import { anyPolicy } from "./arbitraries.ts";

function thrownBy(source: unknown, options?: ParsePolicyOptions): unknown {
  try {
    parsePolicy(source as PolicySource, options);
  } catch (error) {
    return error;
  }
  throw new Error("It was taken");
}

/** Each as `line:column [path] message`. */
function issuesOf(text: string): readonly string[] {
  const error = thrownBy(text);
  if (!(error instanceof ConfigError)) throw error;
  return error.issues.map(({ line, column, path, message }) => `${line}:${column} [${path}] ${message}`);
}

function warningsOf(text: string, options?: ParsePolicyOptions): readonly string[] {
  return parsePolicy(text, options).warnings.map(({ line, path, message }) => `${line} [${path}] ${message}`);
}

const profile = (inside: string) => `profiles:\n  - name: default\n    policy:\n      ${inside}\n`;

describe("parsePolicy()", () => {
  it("reads a policy file", () => {
    const text = `
# comments are welcome
version: 1
fallback: deny
profiles:
  - name: lark_user
    match: { channels: [lark], roles: [staff], sessions: ["agent:main:lark:"] }
    policy: { deny: [{ group: group:exec }, { group: fs }], allow: [{ tool: "node:*" }] }
  - name: default
    match: {}
    policy: { deny: [], allow: [] }
`;
    expect(parsePolicy(text, { file: "a.yaml" })).toEqual({
      version: 1,
      profiles: [
        {
          name: "lark_user",
          match: { channels: ["lark"], roles: ["staff"], sessions: ["agent:main:lark:"] },
          policy: { deny: [{ group: "exec" }, { group: "fs" }], allow: [{ tool: "node:*" }] },
        },
        { name: "default", match: {}, policy: { deny: [], allow: [] } },
      ],
      fallback: "deny",
      file: "a.yaml",
      warnings: [],
    });
  });

  it("takes lists that are left out for empty ones", () => {
    expect(parsePolicy("profiles: [{ name: a, policy: {} }]").profiles).toEqual([
      { name: "a", match: {}, policy: { deny: [], allow: [] } },
    ]);
  });

  it("takes what it gave before, with the file and the warnings of that time", () => {
    const parsed = parsePolicy(profile("deny: [{ group: exek }]"), { file: "p.yaml" });
    expect(parsed.warnings).toHaveLength(1);
    expect(parsePolicy(parsed)).toEqual(parsed);
  });

  it("takes no text from the environment", () => {
    expect(parsePolicy(`profiles: [{ name: "\${HOME}", policy: {} }]`).profiles[0]?.name).toBe("${HOME}");
  });

  it("reads the shipped policy without a warning", () => {
    expect(parsePolicy(printPolicy(SHIPPED_POLICY)).warnings).toEqual([]);
    expect(parsePolicyObject({ profiles: SHIPPED_POLICY.profiles }).warnings).toEqual([]);
  });
});

describe("an error of a policy file", () => {
  it.each([
    ["", ["1:1 [] profiles is missing: expected a list"]],
    ["- a", ["1:1 [] expected profiles and their rules, got a list"]],
    [
      "profiles: all",
      ["1:11 [profiles] profiles: expected a list, each entry a profile { name, match, policy }, got text"],
    ],
    ["version: 2\nprofiles: []", ["1:10 [version] version: expected 1, got 2"]],
    [
      "profiles: []\nfallback: alow",
      ['2:11 [fallback] fallback: expected "deny" or "allow", got "alow" (did you mean "allow"?)'],
    ],
    ["profiles: []\nprofile: []", ['2:1 [profile] Unknown key profile: did you mean "profiles"?']],
    ["profiles: [{ policy: {} }]", ["1:12 [profiles[0]] profiles[0].name is missing: expected text"]],
    ["profiles: [{ name: '', policy: {} }]", ['1:20 [profiles[0].name] profiles[0].name: expected text, got ""']],
    [
      "profiles: [{ name: 7, policy: {} }]",
      ["1:20 [profiles[0].name] profiles[0].name: expected text, got 7 (put it in quotes)"],
    ],
    ["profiles: [{ name: a }]", ["1:12 [profiles[0]] profiles[0].policy is missing: expected a group of options"]],
    [
      "profiles:\n  - name: a\n    deny: []\n    policy: {}",
      ["3:5 [profiles[0].deny] Unknown key profiles[0].deny: known: name, match, policy"],
    ],
    [
      "profiles:\n  - name: a\n    match: { chanels: [lark] }\n    policy: {}",
      ['3:14 [profiles[0].match.chanels] Unknown key profiles[0].match.chanels: did you mean "channels"?'],
    ],
    [
      "profiles:\n  - name: a\n    match: { channels: lark }\n    policy: {}",
      ['3:24 [profiles[0].match.channels] profiles[0].match.channels: expected a list, each entry text, got "lark"'],
    ],
    [
      "profiles:\n  - name: a\n    match: { roles: [''] }\n    policy: {}",
      ['3:22 [profiles[0].match.roles[0]] profiles[0].match.roles[0]: expected text, got ""'],
    ],
    [
      profile("deny:"),
      [
        "4:12 [profiles[0].policy.deny] profiles[0].policy.deny: expected a list, each entry { group: name } or { tool: name }, got nothing",
      ],
    ],
    [
      profile("deny: [bash]"),
      [
        "4:14 [profiles[0].policy.deny[0]] profiles[0].policy.deny[0]: expected { group: name } or { tool: name }, got text",
      ],
    ],
    [
      profile("deny: [{ group: exec, tool: bash }]"),
      [
        "4:14 [profiles[0].policy.deny[0]] profiles[0].policy.deny[0]: expected exactly one of group and tool, got both",
      ],
    ],
    [
      profile("allow: [{}]"),
      [
        "4:15 [profiles[0].policy.allow[0]] profiles[0].policy.allow[0]: expected exactly one of group and tool, got neither",
      ],
    ],
    [
      "profiles: [{ name: a, policy: {} }, { name: b, policy: {} }, { name: a, policy: {} }]",
      ['1:70 [profiles[2].name] profiles[2].name: there are two profiles "a"'],
    ],
    ["profiles: [", [expect.stringMatching(/^1:12 \[\] Not valid YAML: /)]],
    ["profiles: []\nprofiles: []", ['2:1 [profiles] The key "profiles" is given twice']],
  ])("names the place: %j", (text, issues) => {
    expect(issuesOf(text)).toEqual(issues);
  });

  it.each(["'group:'", "''", "'ex ec'", "'exec*'", "[exec]", "7"])("refuses the group %s", (group) => {
    expect(issuesOf(profile(`deny: [{ group: ${group} }]`))).toEqual([
      expect.stringMatching(/^4:23 \[profiles\[0\]\.policy\.deny\[0\]\.group\] .*expected the name of a group/),
    ]);
  });

  it.each(["''", "'*bash'", "'a*b'", "'node:**'", "'ba sh'", "'bash\\n'", "7"])("refuses the tool %s", (tool) => {
    expect(issuesOf(profile(`deny: [{ tool: ${tool} }]`))).toEqual([
      expect.stringMatching(/^4:22 \[profiles\[0\]\.policy\.deny\[0\]\.tool\] .*expected the full name of a tool/),
    ]);
  });

  it("is told with the file's name, and all of them at once", () => {
    const error = thrownBy("profiles: []\nfallback: 1\nx: 2", { file: "conf/p.yaml" });
    expect(error).toMatchObject({ name: "ConfigError", code: "CONFIG_INVALID" });
    expect((error as ConfigError).message.split("\n")).toEqual([
      'conf/p.yaml:2:11 fallback: expected "deny" or "allow", got 1',
      "conf/p.yaml:3:1 Unknown key x: known: version, profiles, fallback",
    ]);
  });
});

describe("an error of a policy object", () => {
  it.each<[unknown, string]>([
    [null, "expected YAML text or an object with profiles and their rules, got nothing"],
    [[], "expected YAML text or an object with profiles and their rules, got a list"],
    [{}, "profiles is missing: expected a list"],
    [
      { profiles: [{ name: "a", policy: { deny: [{ grup: "exec" }] } }], x: 1 },
      'Unknown option profiles[0].policy.deny[0].grup: did you mean "group"?; profiles[0].policy.deny[0]: expected exactly one of group and tool, got neither; Unknown option x: known: version, profiles, fallback',
    ],
    [
      { profiles: [{ name: "a", match: null, policy: {} }] },
      "profiles[0].match: expected a group of options, got nothing",
    ],
  ])("of %j names the option", (source, message) => {
    const error = thrownBy(source);
    expect(AssistantError.is(error, "OPTION_INVALID")).toBe(true);
    expect((error as Error).message).toBe(`Invalid tool policy: ${message}`);
  });
});

describe("a warning of a policy file", () => {
  it.each([
    [
      "deny:\n        - group: exek",
      ['5 [profiles[0].policy.deny[0].group] Unknown group "exek": did you mean "exec"?'],
    ],
    [
      "allow: [{ group: pottery }]",
      ['4 [profiles[0].policy.allow[0].group] Unknown group "pottery": no tool is in it'],
    ],
    ["deny: [{ tool: bahs }]", ['4 [profiles[0].policy.deny[0].tool] Unknown tool "bahs": did you mean "bash"?']],
    [
      "deny: [{ tool: pottery_wheel }]",
      ['4 [profiles[0].policy.deny[0].tool] Unknown tool "pottery_wheel": no tool has that name'],
    ],
    ["deny: [{ tool: 'pot*' }]", ['4 [profiles[0].policy.deny[0].tool] Unknown tool "pot*": no tool has that name']],
    [
      "deny: [{ tool: 'group:exec' }]",
      ['4 [profiles[0].policy.deny[0].tool] Unknown tool "group:exec": did you mean { group: exec }?'],
    ],
  ])("tells unknown names: %j", (rules, warnings) => {
    expect(warningsOf(profile(rules))).toEqual(warnings);
  });

  it.each(["'*'", "'file_*'", "bash", "'node:*'", "'node:shell'", "'node:sh*'", "mcp__a__b", "'mcp__a__*'", "'mcp*'"])(
    "is not given for the tool %s",
    (tool) => {
      expect(warningsOf(profile(`deny: [{ tool: ${tool} }]`))).toEqual([]);
    },
  );

  it.each(Object.keys(TOOL_GROUPS))("is not given for the group %s", (group) => {
    expect(warningsOf(profile(`deny: [{ group: ${group} }, { group: group:${group} }]`))).toEqual([]);
  });

  it("is not given for names that are known here", () => {
    const text = profile("deny: [{ tool: stock }, { group: shop }, { tool: 'till_*' }]");
    expect(warningsOf(text)).toHaveLength(3);
    expect(warningsOf(text, { known: { tools: ["stock", "till_open"], groups: ["shop"] } })).toEqual([]);
  });

  it("tells what can never have an effect", () => {
    const text = `profiles:
  - name: all
    policy: {}
  - name: late
    match: { roles: [], channels: ["*"] }
    policy: {}
  - name: default
    match: { channels: [lark] }
    policy: {}
`;
    expect(warningsOf(text)).toEqual([
      '4 [profiles[1]] The profile "late" is never reached: "all" before it matches every caller',
      '5 [profiles[1].match.channels[0]] The * in "*" has no meaning here: names are compared exactly',
      "5 [profiles[1].match.roles] An empty list of roles matches no caller",
      "8 [profiles[2].match] The profile default is only a fallback: its match has no effect",
    ]);
  });

  it("tells that nothing is allowed", () => {
    expect(warningsOf("profiles: []")).toEqual(["1 [profiles] There are no profiles, so every tool is refused"]);
  });

  it("has the line 0 when there are no lines", () => {
    const policy = parsePolicy({ profiles: [{ name: "a", policy: { deny: [{ tool: "bahs" }] } }] });
    expect(policy.warnings).toMatchObject([{ line: 0, path: "profiles[0].policy.deny[0].tool" }]);
  });
});

describe("printPolicy()", () => {
  const names = fc.oneof(
    fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
    fc.constantFrom("true", "no", "null", "1", "0x1", "~", "- a", "a: b", "#", "<<", "2026-01-01", "*", "&a", "\n"),
  );
  const withOddNames: fc.Arbitrary<PolicyInput> = fc
    .tuple(anyPolicy, fc.uniqueArray(names, { minLength: 5, maxLength: 5 }), fc.array(names, { maxLength: 3 }))
    .map(([policy, odd, values]) => ({
      ...policy,
      profiles: policy.profiles.map((one, index) => ({
        ...one,
        name: odd[index] ?? one.name,
        match: { ...one.match, ...(values.length > 0 && { channels: values }) },
      })),
    }));

  it("writes what parsePolicy() reads as the same policy", () => {
    fc.assert(
      fc.property(fc.oneof(anyPolicy, withOddNames), (policy) => {
        const { profiles, fallback } = parsePolicyObject(policy);
        const again = parsePolicy(printPolicy({ profiles, fallback }));
        expect(again.profiles).toEqual(profiles);
        expect(again.fallback).toBe(fallback);
      }),
    );
  });
});

describe("parsePolicy(), whatever the text", () => {
  it("gives a policy or a ConfigError with places in the file", () => {
    const pieces = fc.constantFrom(
      "profiles:",
      "- name: a",
      "policy: {}",
      "match:",
      "deny: [",
      "{ group: exec }",
      "]",
      "}",
      "\n",
      "  ",
      "&a",
      "*a",
      "tool: '*'",
      ":",
      "---\n",
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 14 }).map((all) => all.join("")),
        (text) => {
          try {
            parsePolicy(text);
          } catch (error) {
            if (!(error instanceof ConfigError)) throw error;
            expect(error.issues.length).toBeGreaterThan(0);
            for (const { line, column } of error.issues) {
              expect(line).toBeGreaterThanOrEqual(1);
              expect(column).toBeGreaterThanOrEqual(1);
            }
          }
        },
      ),
    );
  });
});
