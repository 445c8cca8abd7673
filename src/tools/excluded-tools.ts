import type { ContextOptions } from "../channel-options.ts";
import { AssistantError } from "../errors.ts";
import { TOOL_GROUPS } from "../policy/index.ts";
import { nearestName } from "../settings/index.ts";
import { coversTool } from "../tool-lists.ts";
import type { ToolRegistry } from "./registry.ts";

/**
 * What is wrong with `excludeTools` of a context, if anything: a misspelled name or pattern would leave its tools offered. Built-in tools are known also where they are absent;
 * those of MCP servers come later, so their names are taken as they are.
 *
 * @param configured The contexts of the options.
 * @throws {AssistantError} `OPTION_INVALID` for what is wrong with one of those.
 */
export function createExcludedCheck(
  registry: Pick<ToolRegistry, "names">,
  configured: readonly (ContextOptions | undefined)[],
): (context: unknown) => string | undefined {
  function problemOf(context: unknown): string | undefined {
    const { excludeTools = [] } = Object(context) as ContextOptions;
    const known = [...Object.values(TOOL_GROUPS).flat(), ...registry.names().tools];
    const unknown = excludeTools.find(
      (name) => !name.startsWith("mcp__") && !known.some((tool) => coversTool(name, tool)),
    );
    if (unknown === undefined) return undefined;
    const nearest = nearestName(unknown, known);
    const meant =
      nearest === undefined
        ? "give full names, or a beginning with * as file_*"
        : `did you mean ${JSON.stringify(nearest)}?`;
    return `context.excludeTools has ${JSON.stringify(unknown)}, which is no tool: ${meant}`;
  }

  for (const context of configured) {
    const problem = problemOf(context);
    if (problem !== undefined) throw new AssistantError("OPTION_INVALID", `Invalid option: ${problem}`);
  }
  return problemOf;
}
