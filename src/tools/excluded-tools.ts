import type { ContextOptions } from "../channel-options.ts";
import { TOOL_GROUPS } from "../policy/index.ts";
import { nearestName } from "../settings/index.ts";

/**
 * What is wrong with `context.excludeTools`, if anything: a misspelled name would leave its tool offered. Tools of MCP servers come later, so
 * their names are taken as they are.
 *
 * @param registered Names of tools besides the built-in ones, which are known also where they are absent.
 */
export function problemOfExcluded(context: unknown, registered: readonly string[]): string | undefined {
  const { excludeTools = [] } = Object(context) as ContextOptions;
  const known = [...Object.values(TOOL_GROUPS).flat(), ...registered];
  const unknown = excludeTools.find((name) => !name.startsWith("mcp__") && !known.includes(name));
  if (unknown === undefined) return undefined;
  const nearest = nearestName(unknown, known);
  const meant = nearest === undefined ? "give full names" : `did you mean ${JSON.stringify(nearest)}?`;
  return `context.excludeTools has ${JSON.stringify(unknown)}, which is no tool: ${meant}`;
}
