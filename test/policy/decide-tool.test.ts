import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type PolicyInput,
  type PolicySubject,
  SHIPPED_POLICY,
  createPolicy,
  decideTool,
  groupsOf,
  parsePolicyObject,
} from "../../src/policy/index.ts";
import { anyPolicy, anySubject, anyTool } from "./arbitraries.ts";

const bash = { name: "bash", category: "exec" };
const read = { name: "file_read", tags: ["group:fs"] };
const shell = { name: "node:shell", category: "node" };

/** A policy of one profile for everybody. */
const only = (policy: PolicyInput["profiles"][number]["policy"]) =>
  parsePolicyObject({ profiles: [{ name: "default", policy }] });
/** Which profile decides for the subject. */
const profileOf = (profiles: PolicyInput["profiles"], subject: PolicySubject) =>
  decideTool(parsePolicyObject({ profiles }), { tool: bash, ...subject }).profile;

describe("the rules of a profile", () => {
  it.each([
    { title: "allow everything when there are none", policy: {}, tool: bash, allowed: true },
    { title: "deny by group", policy: { deny: [{ group: "exec" }] }, tool: bash, allowed: false },
    { title: "deny by group with its prefix", policy: { deny: [{ group: "group:exec" }] }, tool: bash, allowed: false },
    { title: "deny by a group that is a tag", policy: { deny: [{ group: "fs" }] }, tool: read, allowed: false },
    { title: "deny by exact name", policy: { deny: [{ tool: "bash" }] }, tool: bash, allowed: false },
    { title: "leave a longer name alone", policy: { deny: [{ tool: "bas" }] }, tool: bash, allowed: true },
    { title: "tell capitals apart", policy: { deny: [{ tool: "Bash" }] }, tool: bash, allowed: true },
    { title: "deny by prefix", policy: { deny: [{ tool: "node:*" }] }, tool: shell, allowed: false },
    {
      title: "cover what a prefix stands for itself",
      policy: { deny: [{ tool: "bash*" }] },
      tool: bash,
      allowed: false,
    },
    { title: "cover everything with *", policy: { deny: [{ tool: "*" }] }, tool: bash, allowed: false },
    { title: "take a tool rule for no group", policy: { deny: [{ tool: "exec" }] }, tool: bash, allowed: true },
    { title: "take a group rule for no tool", policy: { deny: [{ group: "bash" }] }, tool: bash, allowed: true },
    {
      title: "let deny win over allow",
      policy: { deny: [{ group: "exec" }], allow: [{ tool: "bash" }] },
      tool: bash,
      allowed: false,
    },
    { title: "allow by name", policy: { allow: [{ tool: "bash" }] }, tool: bash, allowed: true },
    { title: "allow by group", policy: { allow: [{ group: "exec" }] }, tool: bash, allowed: true },
    { title: "allow by prefix", policy: { allow: [{ tool: "node:*" }] }, tool: shell, allowed: true },
    {
      title: "refuse what an allow list leaves out",
      policy: { allow: [{ tool: "grep" }] },
      tool: bash,
      allowed: false,
    },
    {
      title: "allow what one of several rules covers",
      policy: { allow: [{ tool: "grep" }, { group: "exec" }] },
      tool: bash,
      allowed: true,
    },
    {
      title: "do not take a bare group: tag for a group of all tools",
      policy: { deny: [{ tool: "grep" }] },
      tool: { name: "x", tags: ["group:"] },
      allowed: true,
    },
    {
      title: "do not take a free tag for a group",
      policy: { deny: [{ group: "exec" }] },
      tool: { name: "x", tags: ["exec"] },
      allowed: true,
    },
    {
      title: "take a category with the prefix for the same group",
      policy: { deny: [{ group: "exec" }] },
      tool: { name: "x", category: "group:exec" },
      allowed: false,
    },
  ])("$title", ({ policy, tool, allowed }) => {
    expect(decideTool(only(policy), { tool, channel: "lark" }).allowed).toBe(allowed);
  });

  it.each([
    [{ deny: [{ group: "exec" }] }, 'profile "default" denies group exec'],
    [{ deny: [{ tool: "ba*" }] }, 'profile "default" denies tool ba*'],
    [{ allow: [{ tool: "grep" }] }, 'profile "default" allows only what it lists'],
    [{ allow: [{ group: "exec" }] }, 'profile "default" allows group exec'],
    [{}, 'profile "default" allows what it does not deny'],
  ])("say why: %j", (policy, reason) => {
    expect(decideTool(only(policy), { tool: bash })).toMatchObject({ profile: "default", reason });
  });
});

describe("groupsOf()", () => {
  it("takes tags that start with group: and the category, each once", () => {
    expect(groupsOf({ tags: ["group:fs", "fast", "group:", "group:files", "group:fs"], category: "fs" })).toEqual([
      "fs",
      "files",
    ]);
    expect(groupsOf({})).toEqual([]);
    expect(groupsOf({ tags: [], category: "" })).toEqual([]);
  });
});

describe("the profile for a caller", () => {
  const lark = { name: "lark", match: { channels: ["lark"] }, policy: {} };
  const staff = { name: "staff", match: { roles: ["staff", "boss"] }, policy: {} };
  const groups = { name: "groups", match: { sessions: ["agent:main:lark:group:"] }, policy: {} };
  const both = { name: "both", match: { channels: ["lark", "slack"], roles: ["staff"] }, policy: {} };
  const fallback = { name: "default", match: {}, policy: {} };
  const all = { name: "all", match: {}, policy: {} };

  it.each<[string, PolicyInput["profiles"], PolicySubject, string | null]>([
    ["is found by channel", [lark, fallback], { channel: "lark" }, "lark"],
    ["is not found by a channel that starts the same", [lark, fallback], { channel: "lark2" }, "default"],
    ["is not found by the start of a channel", [lark, fallback], { channel: "lar" }, "default"],
    ["is not found by a channel in capitals", [lark, fallback], { channel: "Lark" }, "default"],
    ["is found by one of several roles", [staff, fallback], { roles: ["user", "boss"] }, "staff"],
    ["is found by the start of the session's key", [groups], { sessionKey: "agent:main:lark:group:7" }, "groups"],
    ["is not found by a key that holds the start later", [groups], { sessionKey: "x:agent:main:lark:group:7" }, null],
    ["needs a hit in every field", [both, fallback], { channel: "lark", roles: ["user"] }, "default"],
    [
      "needs a hit in every field, whichever is missing",
      [both, fallback],
      { channel: "web", roles: ["staff"] },
      "default",
    ],
    ["has a hit in every field", [both, fallback], { channel: "slack", roles: ["staff"] }, "both"],
    ["is the first that matches", [staff, lark, fallback], { channel: "lark", roles: ["staff"] }, "staff"],
    [
      "is the first that matches, in the order of the file",
      [lark, staff],
      { channel: "lark", roles: ["staff"] },
      "lark",
    ],
    ["is default only when no other matches, also when it stands first", [fallback, lark], { channel: "lark" }, "lark"],
    ["is default wherever it stands", [lark, fallback, staff], { channel: "sms" }, "default"],
    ["is the one without conditions before default", [fallback, all], { channel: "sms" }, "all"],
    ["is none without a default", [lark], { channel: "sms" }, null],
    ["is default for an unknown channel", [lark, fallback], {}, "default"],
    ["is default for an empty channel", [lark, fallback], { channel: "" }, "default"],
    ["is default without roles", [staff, fallback], { channel: "lark" }, "default"],
    ["is default with empty roles", [staff, fallback], { roles: ["", " "] }, "default"],
    ["is none for an empty session key", [groups], { sessionKey: "" }, null],
    ["does not match an empty list", [{ ...lark, match: { channels: [] } }, fallback], { channel: "lark" }, "default"],
  ])("%s", (_, profiles, subject, expected) => {
    expect(profileOf(profiles, subject)).toBe(expected);
  });

  it("ignores the match of default", () => {
    const odd = [{ ...fallback, match: { channels: ["cli"] } }];
    expect(profileOf(odd, { channel: "lark" })).toBe("default");
  });

  it("is none for empty values that a hand-made policy lists", () => {
    const match = { channels: [""], roles: [""], sessions: [""] };
    for (const [field, values] of Object.entries(match)) {
      const policy = {
        ...SHIPPED_POLICY,
        profiles: [{ ...lark, match: { [field]: values }, policy: { deny: [], allow: [] } }],
      };
      const subject = { channel: "", roles: [""], sessionKey: "" };
      expect(decideTool(policy, { tool: bash, ...subject }).allowed).toBe(false);
    }
  });

  it("refuses when there is none, unless fallback is allow", () => {
    const profiles = [lark];
    expect(decideTool(parsePolicyObject({ profiles }), { tool: bash, channel: "sms" })).toEqual({
      allowed: false,
      profile: null,
      reason: "no profile matches, and there is no default",
    });
    expect(decideTool(parsePolicyObject({ profiles, fallback: "allow" }), { tool: bash, channel: "sms" })).toEqual({
      allowed: true,
      profile: null,
      reason: "no profile matches, and fallback is allow",
    });
  });

  it("is default before fallback is thought of", () => {
    const policy = parsePolicyObject({
      profiles: [{ name: "default", policy: { deny: [{ group: "exec" }] } }],
      fallback: "allow",
    });
    expect(decideTool(policy, { tool: bash, channel: "sms" }).allowed).toBe(false);
  });
});

describe("the shipped profiles", () => {
  const tools = {
    bash,
    code_execute: { name: "code_execute", category: "exec" },
    "node:shell": shell,
    install_skill: { name: "install_skill", category: "skills" },
    file_write: { name: "file_write", category: "fs" },
    file_edit: { name: "file_edit", category: "fs" },
    file_read: { name: "file_read", category: "fs" },
    web_fetch: { name: "web_fetch", category: "web" },
    time: { name: "time", category: "ui" },
  };
  const strangers = ["file_read", "time", "web_fetch"];
  const every = Object.keys(tools).sort();

  it.each<[PolicySubject, string, readonly string[]]>([
    [{ channel: "telegram", roles: ["owner", "user"] }, "owner", every],
    [{ channel: "", roles: ["owner"] }, "owner", every],
    [{ channel: "cli", roles: ["user"] }, "local", every],
    [{ channel: "sdk", roles: [] }, "local", every],
    [{ channel: "web", roles: ["user"] }, "web", every.filter((name) => name !== "bash")],
    [{ channel: "telegram", roles: ["user"] }, "chat", strangers],
    [{ channel: "lark", roles: [] }, "chat", strangers],
    [{ channel: "webhook", roles: ["user"] }, "chat", strangers],
    [{ channel: "email" }, "chat", strangers],
    [{ channel: "http", roles: ["user"] }, "default", strangers],
    [{ channel: "", roles: [] }, "default", strangers],
    [{ channel: "cli ", roles: ["Owner"] }, "default", strangers],
    [{}, "default", strangers],
  ])("give %j the profile %s", (subject, profile, expected) => {
    const decisions = Object.entries(tools).map(([name, tool]) => ({
      name,
      ...decideTool(undefined, { tool, ...subject }),
    }));
    expect(new Set(decisions.map((one) => one.profile))).toEqual(new Set([profile]));
    expect(
      decisions
        .filter(({ allowed }) => allowed)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(expected);
  });
});

describe("a caller that somebody started", () => {
  const owner = { channel: "telegram", roles: ["owner"] };
  const stranger = { channel: "telegram", roles: ["user"] };

  it.each<[string, PolicySubject, boolean]>([
    ["may do what both may", { ...owner, startedBy: owner }, true],
    ["may not do what only it may", { ...owner, startedBy: stranger }, false],
    ["may not do what only its starter may", { ...stranger, startedBy: owner }, false],
    ["may not do what somebody further up may not", { ...owner, startedBy: { ...owner, startedBy: stranger } }, false],
    ["gets nothing from an unknown starter", { ...owner, startedBy: {} }, false],
  ])("%s", (_, subject, allowed) => {
    expect(decideTool(undefined, { tool: bash, ...subject }).allowed).toBe(allowed);
  });

  it("is told when it was the starter who may not", () => {
    expect(decideTool(undefined, { tool: bash, ...owner, startedBy: stranger })).toEqual({
      allowed: false,
      profile: "chat",
      reason: 'profile "chat" denies group exec, for the caller that started this one',
    });
  });

  it("is refused at the end of a chain without end", () => {
    const endless: { -readonly [Key in keyof PolicySubject]: PolicySubject[Key] } = { ...owner };
    endless.startedBy = endless;
    expect(decideTool(undefined, { tool: bash, ...endless })).toMatchObject({ allowed: false, profile: null });
  });
});

describe("decideTool(), whatever the policy", () => {
  const asked = fc.record({ policy: anyPolicy, tool: anyTool, subject: anySubject });

  it("lets a deny rule win wherever it stands", () => {
    fc.assert(
      fc.property(asked, fc.nat(), ({ policy, tool, subject }, seed) => {
        const denying = (rules: PolicyInput["profiles"][number]["policy"]) => {
          const deny = [...(rules.deny ?? [])];
          deny.splice(seed % (deny.length + 1), 0, { tool: tool.name });
          return { ...rules, deny };
        };
        const profiles = policy.profiles.map((one) => ({ ...one, policy: denying(one.policy) }));
        const decision = decideTool(parsePolicyObject({ ...policy, profiles }), { tool, ...subject });
        expect(decision.allowed).toBe(decision.profile === null && policy.fallback === "allow");
      }),
    );
  });

  it("decides the same in whatever order the rules stand", () => {
    fc.assert(
      fc.property(asked, ({ policy, tool, subject }) => {
        const turned = policy.profiles.map((one) => ({
          ...one,
          policy: { deny: one.policy.deny?.toReversed() ?? [], allow: one.policy.allow?.toReversed() ?? [] },
        }));
        const before = decideTool(parsePolicyObject(policy), { tool, ...subject });
        const after = decideTool(parsePolicyObject({ ...policy, profiles: turned }), { tool, ...subject });
        expect([after.allowed, after.profile]).toEqual([before.allowed, before.profile]);
      }),
    );
  });

  it("never allows more for one deny rule more", () => {
    fc.assert(
      fc.property(asked, anyTool, ({ policy, tool, subject }, other) => {
        const profiles = policy.profiles.map((one) => ({
          ...one,
          policy: { ...one.policy, deny: [...(one.policy.deny ?? []), { tool: other.name }] },
        }));
        const before = decideTool(parsePolicyObject(policy), { tool, ...subject }).allowed;
        const after = decideTool(parsePolicyObject({ ...policy, profiles }), { tool, ...subject }).allowed;
        expect(after && !before).toBe(false);
      }),
    );
  });

  it("gives nobody more than whoever started them", () => {
    fc.assert(
      fc.property(asked, anySubject, ({ policy, tool, subject }, starter) => {
        const file = parsePolicyObject(policy);
        const own = decideTool(file, { tool, ...subject, startedBy: starter }).allowed;
        const each = [subject, starter].map((one) => decideTool(file, { tool, ...one }).allowed);
        expect(own).toBe(each.every(Boolean));
      }),
    );
  });

  it("does not depend on where default stands", () => {
    fc.assert(
      fc.property(asked, ({ policy, tool, subject }) => {
        const isDefault = (one: { readonly name: string }) => one.name === "default";
        const profiles = [...policy.profiles.filter(isDefault), ...policy.profiles.filter((one) => !isDefault(one))];
        const moved = decideTool(parsePolicyObject({ ...policy, profiles }), { tool, ...subject });
        expect(moved).toEqual(decideTool(parsePolicyObject(policy), { tool, ...subject }));
      }),
    );
  });

  it("is what createPolicy() decides, at the first and at the second call", () => {
    fc.assert(
      fc.property(asked, fc.option(anySubject, { nil: undefined }), ({ policy, tool, subject }, starter) => {
        const file = parsePolicyObject(policy);
        const compiled = createPolicy({ file, parse: parsePolicyObject as never });
        const registered = { name: tool.name, groups: groupsOf(tool) };
        const caller = { ...subject, ...(starter && { startedBy: starter }) };
        const expected = decideTool(file, { tool, ...caller });
        expect(compiled.decide(registered, caller)).toEqual(expected);
        expect(compiled.decide(registered, caller)).toEqual(expected);
      }),
    );
  });
});
