import * as v from "valibot";
import { RUNTIME_CHANNEL } from "../../host-channels.ts";
import { defineTool } from "../tool.ts";

export interface McpAcceptOptions {
  /** Contract: accepts exactly this form of the tool. */
  accept(what: {
    readonly server: string;
    readonly tool: string;
    readonly fingerprint: string;
  }): Promise<{ readonly offered: boolean }>;
}

/**
 * The effect of the owner's yes to a changed tool of an MCP server. Only the runtime calls it, always with an
 * approval; no model ever sees it.
 *
 * Source: docs/mcp.md, "When a tool changes".
 */
export function mcpAcceptTool({ accept }: McpAcceptOptions) {
  return {
    mcp_accept: defineTool({
      description: "Accepts the changed definition of a tool of an MCP server",
      inputSchema: v.strictObject({
        server: v.string(),
        tool: v.string(),
        fingerprint: v.string(),
        description: v.string(),
        changes: v.array(v.string()),
      }),
      execute: ({ server, tool, fingerprint }) => accept({ server, tool, fingerprint }),
      meta: {
        category: "mcp",
        dangerous: true,
        idempotent: true,
        visibleTo: ({ channel }) => channel === RUNTIME_CHANNEL,
      },
    }),
  };
}
