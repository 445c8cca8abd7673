import { TOOL_GROUPS, groupName } from "../../policy/index.ts";
import { type RuleBroken, type Schemas, flagOrNames, nearestName } from "../../settings/index.ts";

export const builtins: Schemas = {
  builtins: flagOrNames("groups and names", {
    what: "Which built-in tools exist: all, none, or these groups, names and prefixes that end in *",
    inCode: 'Example: `["web", "time", "memory_*"]`. Source: docs/tools.md, "The built-in tools".',
    default: true,
  }),
};

/**
 * Refuses names that match no built-in tool. With a misspelled list all other tools would disappear without a
 * warning.
 */
export function builtinsRule({ builtins: wanted }: Readonly<Record<string, unknown>>): RuleBroken | undefined {
  if (!Array.isArray(wanted)) return undefined;
  const names = Object.values(TOOL_GROUPS).flat();
  const all = [...Object.keys(TOOL_GROUPS), ...names];
  const isKnown = (name: string) =>
    all.includes(groupName(name)) || (name.endsWith("*") && names.some((one) => one.startsWith(name.slice(0, -1))));
  const at = wanted.findIndex((name: string) => !isKnown(name));
  if (at === -1) return undefined;
  const nearest = nearestName(wanted[at], all);
  const remedy =
    nearest === undefined ? `the groups are ${Object.keys(TOOL_GROUPS).join(", ")}` : `did you mean "${nearest}"?`;
  return {
    at: ["builtins", at],
    message: `no built-in tool or group is called ${JSON.stringify(wanted[at])}: ${remedy}`,
  };
}
