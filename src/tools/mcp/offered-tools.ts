import { messageOf } from "../../errors.ts";
import type { Logger, ModelRedactor } from "../../telemetry/index.ts";
import type { AnyTool, ToolContext } from "../tool.ts";
import { asTool } from "./as-tool.ts";
import type { McpServerOptions } from "./options.ts";
import type { Fingerprinted } from "./pins.ts";
import { mcpToolName } from "./tool-name.ts";

/** The part of the tool registry that is used here. */
export interface McpRegistry {
  register(level: "mcp", name: string, tool: AnyTool): () => void;
  find(name: string): { readonly tool: AnyTool } | undefined;
}

/** A tool that is not offered, and why. */
export interface RefusedTool {
  readonly tool: string;
  readonly reason: string;
}

export interface OfferedToolsDeps {
  readonly registry: McpRegistry;
  /** Removes configured secrets from the description that the model sees. */
  readonly redact: ModelRedactor;
  readonly logger: Pick<Logger, "warn">;
}

export type OfferedTools = ReturnType<typeof createOfferedTools>;

/** Registers the tools of one server. */
export function createOfferedTools(
  server: string,
  options: McpServerOptions,
  { registry, redact, logger }: OfferedToolsDeps,
) {
  const offered = new Map<
    string,
    { readonly fullName: string; readonly fingerprint: string; readonly tool: AnyTool; remove(): void }
  >();
  let refused: readonly RefusedTool[] = [];
  let isClosed = false;

  /** Makes the registry contain exactly these tools. @param unfit Tools that are already known to be unusable. */
  async function offer(
    tools: readonly Fingerprinted[],
    unfit: readonly RefusedTool[],
    call: (tool: string, input: Record<string, unknown>, context: ToolContext) => Promise<unknown>,
  ): Promise<void> {
    const keep = new Map(tools.map((tool) => [tool.definition.name, tool]));
    for (const [toolName, { fingerprint, remove }] of offered) {
      if (keep.get(toolName)?.fingerprint === fingerprint) continue;
      remove();
      offered.delete(toolName);
    }
    const refusals = [...unfit];
    for (const { definition, fingerprint } of tools) {
      if (isClosed) return;
      let known = offered.get(definition.name);
      if (!known) {
        const fullName = await mcpToolName(server, definition.name);
        const tool = await asTool(
          server,
          options,
          { definition, fingerprint },
          (input, context) => call(definition.name, input, context),
          redact,
        );
        if ([...offered.values()].some((other) => other.fullName === fullName)) {
          refusals.push({ tool: definition.name, reason: `another tool of the server is called ${fullName}` });
          continue;
        }
        try {
          known = { fullName, fingerprint, tool, remove: registry.register("mcp", fullName, tool) };
        } catch (error) {
          refusals.push({ tool: definition.name, reason: messageOf(error) });
          continue;
        }
        offered.set(definition.name, known);
      }
      if (registry.find(known.fullName)?.tool !== known.tool)
        refusals.push({
          tool: definition.name,
          reason: `another tool has the name ${known.fullName}, or one that looks the same to the model`,
        });
    }
    const told = new Set(refused.map(({ tool, reason }) => `${tool}\n${reason}`));
    for (const { tool, reason } of refusals)
      if (!told.has(`${tool}\n${reason}`))
        logger.warn("A tool of an MCP server is not offered", { server, tool, reason });
    refused = refusals;
  }

  return {
    offer,
    has: (tool: string): boolean => offered.has(tool),
    /** Full names of the offered tools. */
    names: (): readonly string[] => [...offered.values()].map(({ fullName }) => fullName).sort(),
    refused: (): readonly RefusedTool[] => refused,
    /** Registers no more tools; registered ones stay until `clear`. */
    close: () => void (isClosed = true),
    clear(): void {
      for (const { remove } of offered.values()) remove();
      offered.clear();
    },
  };
}
