import { choice, list, section, text, whole } from "../settings/index.ts";
import type { Leaf, Option, RuleBroken, Section } from "../settings/index.ts";
import { groupName } from "./tool-groups.ts";
import * as v from "valibot";

// What may stand in a policy file. docs/policy.md explains it.

const name = (expected: string, what: string, pattern: RegExp): Leaf => ({
  kind: "leaf",
  schema: v.pipe(v.string(), v.regex(pattern)),
  expected,
  what,
});

const rule = section(
  {
    group: name("the name of a group, as exec; * has no meaning here", "All tools of a group", /^(?!group:$)[^\s*]+$/),
    tool: name(
      "the full name of a tool, with * at its end at most",
      "One tool, or with * at the end all whose name starts so",
      /^(?:[A-Za-z0-9_:.-]{1,128}\*?|\*)$/,
    ),
  },
  { what: "Which tools", expected: "{ group: name } or { tool: name }", rule: exactlyOne },
);

const profile = section(
  {
    name: text({ what: "What the profile is called in reasons and audit lines", required: true }),
    match: section(
      {
        channels: names("A channel"),
        roles: names("A role"),
        sessions: names("What a session's key starts with"),
      },
      { what: "Whom it is for" },
    ),
    policy: section({ deny: rules("refused"), allow: rules("allowed") }, { what: "Which tools", required: true }),
  },
  { what: "A profile", expected: "a profile { name, match, policy }" },
);

/** The policy file. */
export const policyKeys: Section = section(
  {
    version: { ...whole(1, { what: "The version of the format", max: 1 }), expected: "1" },
    profiles: list(profile, { what: "The first that matches decides", required: true }),
    fallback: choice(["deny", "allow"], { what: "What happens when no profile matches", default: "deny" }),
  },
  { what: "The tool policy", rule: uniqueNames, expected: "profiles and their rules" },
);

function names(what: string): Option {
  return list(text({ what }), { what });
}

function rules(verb: string): Option {
  return list(rule, { what: `Tools that are ${verb}` });
}

function exactlyOne(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const given = ["group", "tool"].filter((key) => value[key] !== undefined);
  if (given.length === 1) return undefined;
  return { at: [], message: `expected exactly one of group and tool, got ${given.length === 2 ? "both" : "neither"}` };
}

function uniqueNames(value: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  const all = (value["profiles"] as readonly { readonly name: string }[]).map((one) => one.name);
  const twice = all.findIndex((one, index) => all.indexOf(one) !== index);
  if (twice === -1) return undefined;
  return { at: ["profiles", twice, "name"], message: `there are two profiles ${JSON.stringify(all[twice])}` };
}

/** What the table leaves of a rule, with the group's name as it is compared. */
export function plainRule(rule: { readonly group?: string; readonly tool?: string }) {
  return rule.group === undefined ? { tool: rule.tool ?? "" } : { group: groupName(rule.group) };
}
