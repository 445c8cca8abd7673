import { AssistantError, messageOf } from "../errors.ts";
import type { Logger } from "../telemetry/index.ts";
import { type ToolRegistry, createToolRegistry } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The registry of an assistant's tools: a clash of names is logged.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a name that no tool may have.
 */
export function openRegistry(tools: Readonly<Record<string, AnyTool>>, logger: Pick<Logger, "warn">): ToolRegistry {
  try {
    return createToolRegistry(tools, {
      onClash: ({ name, level, takenBy }) =>
        logger.warn("A tool is not offered as its name is taken", {
          tool: name,
          level,
          takenBy: `${takenBy.name} (${takenBy.level})`,
        }),
    });
  } catch (error) {
    throw new AssistantError("OPTION_INVALID", `Invalid option tools: ${messageOf(error)}`, { cause: error });
  }
}
