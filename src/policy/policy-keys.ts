import { choice, list, only, section, text, textLike } from "../settings/index.ts";
import type { RuleBroken, Schema } from "../settings/index.ts";
import { groupName } from "./tool-groups.ts";

// The schema of a policy file. docs/policy.md explains it.

const rule = section(
  {
    group: textLike(/^(?!group:$)[^\s*]+$/, "the name of a group, as exec; * has no meaning here", {
      what: "All tools of a group",
    }),
    tool: textLike(/^(?:[A-Za-z0-9_:.-]{1,128}\*?|\*)$/, "the full name of a tool, with * at its end at most", {
      what: "One tool, or with * at the end all whose name starts so",
    }),
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
export const policyKeys: Schema = section(
  {
    version: only(1, { what: "The version of the format" }),
    profiles: list(profile, { what: "The first that matches decides", required: true }),
    fallback: choice(["deny", "allow"], { what: "What happens when no profile matches", default: "deny" }),
  },
  { what: "The tool policy", rule: uniqueNames, expected: "profiles and their rules" },
);

function names(what: string): Schema {
  return list(text({ what }), { what });
}

function rules(verb: string): Schema {
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

/** Returns a rule in its compact form, with the group's name without prefix. */
export function plainRule(rule: { readonly group?: string; readonly tool?: string }) {
  return rule.group === undefined ? { tool: rule.tool ?? "" } : { group: groupName(rule.group) };
}
