import { groupName, groupsOf } from "../policy/index.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The option `builtins`: all built-in tools, none, or those of these groups and names. A `*` at the end matches any
 * ending.
 */
export type Builtins = boolean | readonly string[];

/** Selects the built-in tools that the host program wants. */
export function chosenTools(
  tools: Readonly<Record<string, AnyTool>>,
  wanted: Builtins = true,
): Readonly<Record<string, AnyTool>> {
  if (wanted === true) return tools;
  const names = wanted === false ? [] : wanted;
  const isWanted = (name: string, groups: readonly string[]) =>
    names.some((one) =>
      one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name || groups.includes(groupName(one)),
    );
  return Object.fromEntries(Object.entries(tools).filter(([name, { meta }]) => isWanted(name, groupsOf(meta ?? {}))));
}
