import { nearestName } from "../settings/index.ts";
import type { PolicyRule } from "./policy-file.ts";
import { TOOL_GROUPS } from "./tool-groups.ts";

/**
 * Names, besides the built-in ones, that a policy may use without a warning. A final `*` in a tool's name makes it a
 * prefix.
 */
export interface KnownNames {
  /** Full names, or prefixes followed by `*`. Default: none. */
  readonly tools?: readonly string[];
  /** Groups without the prefix `group:`. Default: none. */
  readonly groups?: readonly string[];
}

/** Returns a function that reports what is wrong with the name in a rule, if anything. */
export function createNameCheck({ tools = [], groups = [] }: KnownNames = {}): (
  rule: PolicyRule,
) => string | undefined {
  const allGroups = [...new Set([...Object.keys(TOOL_GROUPS), ...groups])];
  const allTools = [...new Set([...Object.values(TOOL_GROUPS).flat(), ...tools])];
  const isKnown = (tool: string) => allTools.some((known) => overlap(known, tool));

  return (rule) => {
    if ("group" in rule) {
      if (allGroups.includes(rule.group)) return undefined;
      return `Unknown group ${JSON.stringify(rule.group)}: ${remedy(rule.group, allGroups, "no tool is in it")}`;
    }
    if (isKnown(rule.tool)) return undefined;
    const plain = rule.tool.replace(/^group:/, "");
    if (allGroups.includes(plain) && plain !== rule.tool)
      return `Unknown tool ${JSON.stringify(rule.tool)}: did you mean { group: ${plain} }?`;
    return `Unknown tool ${JSON.stringify(rule.tool)}: ${remedy(rule.tool, allTools, "no tool has that name")}`;
  };
}

/** Whether a tool name can match both. */
function overlap(a: string, b: string): boolean {
  const [startA, startB] = [a, b].map((name) => (name.endsWith("*") ? name.slice(0, -1) : undefined));
  if (startA === undefined && startB === undefined) return a === b;
  if (startA === undefined) return a.startsWith(startB ?? "");
  if (startB === undefined) return b.startsWith(startA);
  return startA.startsWith(startB) || startB.startsWith(startA);
}

function remedy(name: string, candidates: readonly string[], otherwise: string): string {
  const nearest = nearestName(name, candidates);
  return nearest === undefined ? otherwise : `did you mean ${JSON.stringify(nearest)}?`;
}
