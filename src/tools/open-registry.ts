import { AssistantError, messageOf } from "../errors.ts";
import type { Logger } from "../telemetry/index.ts";
import { type ToolRegistry, type ToolRegistryOptions, createToolRegistry } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

/**
 * The registry of an assistant's tools: a clash of names is logged.
 *
 * @throws {AssistantError} `OPTION_INVALID` for a name that no tool may have.
 */
export function openRegistry(
  tools: Readonly<Record<string, AnyTool>>,
  { logger, whyAbsent }: Pick<ToolRegistryOptions, "whyAbsent"> & { readonly logger: Pick<Logger, "warn"> },
): ToolRegistry {
  try {
    return createToolRegistry(tools, {
      ...(whyAbsent && { whyAbsent }),
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
