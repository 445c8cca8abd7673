import { createArtifacts, createLongResults } from "./artifacts/index.ts";
import { type BuiltInToolsParts, createBuiltInTools } from "./built-in-tools.ts";
import { AssistantError, messageOf } from "./errors.ts";
import type { Audit, Metrics, Redactor } from "./telemetry/index.ts";
import {
  type AnyTool,
  type McpManagerParts,
  createMcpManager,
  createToolRegistry,
  mcpAcceptTool,
} from "./tools/index.ts";
import { VERSION } from "./version.ts";

export interface ToolsetParts extends Omit<BuiltInToolsParts, "artifacts"> {
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly redact: Redactor;
  /** Asks the owner about a changed tool of an MCP server. */
  readonly requestApproval: McpManagerParts["requestApproval"];
}

/** All tools of an assistant on their levels, and where they keep what is long. Nothing connects before `start()`. */
export async function createToolset(parts: ToolsetParts) {
  const { options, store, clock, logger, audit, metrics, redact, requestApproval } = parts;
  const artifacts = createArtifacts({ store, clock, ...options.artifacts });
  const keepLong = createLongResults({
    artifacts,
    ...(options.artifacts?.thresholdBytes !== undefined && { thresholdBytes: options.artifacts.thresholdBytes }),
    onFailure: (error) => logger.warn("A long result could not be kept", { error: messageOf(error) }),
  });
  const builtIn = await createBuiltInTools({ ...parts, artifacts });
  const registry = readTools({
    ...builtIn,
    ...(options.mcp?.servers && mcpAcceptTool({ accept: (what) => mcp.accept(what) })),
    ...options.tools,
  });
  const mcp = createMcpManager({
    ...options.mcp,
    version: VERSION,
    registry,
    store,
    clock,
    logger,
    audit,
    metrics,
    redact,
    ...(options.fetch && { fetch: options.fetch }),
    ...(options.lookup && { lookup: options.lookup }),
    requestApproval,
  });

  function readTools(tools: Readonly<Record<string, AnyTool>>) {
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

  return {
    registry,
    artifacts,
    keepLong,
    mcpStatus: mcp.status,
    start() {
      mcp.start();
      artifacts.sweep().catch((error: unknown) => {
        logger.warn("Old artifacts were not removed", { error: messageOf(error) });
      });
    },
    close: mcp.close,
  };
}
