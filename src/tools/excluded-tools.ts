import type { ContextOptions } from "../channel-options.ts";
import { AssistantError } from "../errors.ts";
import { TOOL_GROUPS } from "../policy/index.ts";
import { nearestName } from "../settings/index.ts";
import { coversTool } from "../tool-lists.ts";
import type { ToolRegistry } from "./registry.ts";

/**
 * Returns why a name or pattern matches no known tool; `undefined` if it does. @param others Tools besides the
 * built-in ones.
 */
export function unknownTool(name: string, others: readonly string[] = []): string | undefined {
  const known = [...Object.values(TOOL_GROUPS).flat(), ...others];
  if (name.startsWith("mcp__") || known.some((tool) => coversTool(name, tool))) return undefined;
  const nearest = nearestName(name, known);
  const meant =
    nearest === undefined
      ? "use full names, or a prefix with *, such as file_*"
      : `did you mean ${JSON.stringify(nearest)}?`;
  return `${JSON.stringify(name)}, which is not a tool: ${meant}`;
}

/**
 * Creates a check of a context's `excludeTools`: a misspelled name or pattern would leave its tools offered. Built-in
 * tools are known even where they are absent. Tools of MCP servers arrive later, so their names are accepted
 * unchecked.
 *
 * @param configured The contexts of the options.
 * @returns A function that returns what is wrong with a context; `undefined` if nothing is.
 * @throws {AssistantError} `OPTION_INVALID` if one of the configured contexts is wrong.
 */
export function createExcludedCheck(
  registry: Pick<ToolRegistry, "names">,
  configured: readonly (ContextOptions | undefined)[],
): (context: unknown) => string | undefined {
  function problemOf(context: unknown): string | undefined {
    const { excludeTools = [] } = Object(context) as ContextOptions;
    const { tools } = registry.names();
    for (const name of excludeTools) {
      const problem = unknownTool(name, tools);
      if (problem !== undefined) return `context.excludeTools has ${problem}`;
    }
    return undefined;
  }

  for (const context of configured) {
    const problem = problemOf(context);
    if (problem !== undefined) throw new AssistantError("OPTION_INVALID", `Invalid option: ${problem}`);
  }
  return problemOf;
}
