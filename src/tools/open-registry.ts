import { AssistantError, messageOf } from "../errors.ts";
import type { Logger } from "../telemetry/index.ts";
import { type ToolRegistry, type ToolRegistryOptions, createToolRegistry } from "./registry.ts";
import type { AnyTool } from "./tool.ts";

/**
 * Creates the registry of an assistant's tools, which logs clashes of names.
 *
 * @throws {AssistantError} `OPTION_INVALID` for an invalid tool name.
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
