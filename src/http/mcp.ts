import type { McpServerLibrary } from "../libraries.ts";
import * as v from "valibot";
import { originOf } from "./auth.ts";
import { bufferedRequest } from "./body.ts";
import { REMEDIES } from "../platform.ts";
import type { McpEndpoint, McpEndpointDeps } from "./mcp-endpoint.ts";
import type { McpServerStatus } from "../tools/index.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, json } from "./route.ts";

/** A JSON-RPC message. The library validates it fully. */
const JsonRpcMessage = v.looseObject({ jsonrpc: v.literal("2.0"), method: v.optional(v.string()) });

const McpServersJson = v.object({
  servers: v.array(
    v.object({
      name: v.string(),
      transport: v.picklist(["http", "stdio"]),
      state: v.picklist(["connecting", "connected", "waiting", "unusable", "closed"]),
      detail: v.optional(v.pipe(v.string(), v.description("Why it is not connected"))),
      retry_at_ms: v.optional(v.number()),
      tools: v.pipe(v.array(v.string()), v.description("Full names of the offered tools")),
      held_back: v.pipe(
        v.array(v.object({ tool: v.string(), kind: v.picklist(["new", "changed"]), fingerprint: v.string() })),
        v.description("Tools that wait for the owner's approval"),
      ),
      refused: v.array(v.object({ tool: v.string(), reason: v.string() })),
    }),
  ),
});

export interface McpRoutesDeps {
  /** Status of the configured MCP servers. Default: there are none. */
  mcpStatus?(): readonly McpServerStatus[];
  /** Loads the library for MCP servers; `null` if it is not installed. Default: not installed. */
  loadServer?(): Promise<McpServerLibrary | null>;
  readonly endpoint: McpEndpointDeps;
}

/**
 * Routes of the assistant as an MCP server for other agents: streamable HTTP without sessions. Every call carries its
 * token, so any instance may answer.
 *
 * Source: docs/mcp-server.md, "The assistant as a server".
 */
export function mcpRoutes({ mcpStatus, loadServer, endpoint: deps }: McpRoutesDeps): readonly GuardedRoute[] {
  let endpoint: McpEndpoint | undefined;

  return [
    {
      method: "GET",
      path: "/api/v1/mcp",
      summary: "Shows the state of the configured MCP servers",
      access: ["owner"],
      answers: { 200: { description: "One entry per server", schema: McpServersJson } },
      handle: () => json({ servers: (mcpStatus?.() ?? []).map(statusJson) }),
    },
    {
      method: "POST",
      path: "/mcp",
      summary:
        "Serves the assistant over MCP (streamable HTTP, no sessions). Takes one JSON-RPC message; requires a bearer token",
      access: ["owner", "user"],
      body: JsonRpcMessage,
      answers: {
        200: {
          description: "The JSON-RPC answer",
          schema: v.looseObject({ jsonrpc: v.literal("2.0") }),
          also: "text/event-stream",
        },
        202: { description: "The notification was accepted" },
      },
      async handle({ request, caller }) {
        // Only programs call this, not pages, so a browser's cookie or foreign origin is refused.
        if (caller.via !== "bearer")
          throw new ProblemError("FORBIDDEN", "MCP needs a bearer token: the page's cookie is not accepted");
        if (originOf(request) === "foreign")
          throw new ProblemError(
            "FORBIDDEN",
            "Pages of other sites may not call MCP: the header Origin is not this server's",
          );
        const library = (await loadServer?.()) ?? null;
        if (library === null) {
          throw new ProblemError(
            "NOT_INSTALLED",
            `The MCP server needs a library: ${REMEDIES["@modelcontextprotocol/server"]}`,
          );
        }
        const buffered = await bufferedRequest(request, deps.clock);
        const { createMcpEndpoint } = await import("./mcp-endpoint.ts");
        endpoint ??= createMcpEndpoint(deps, library);
        return endpoint(buffered, caller);
      },
    },
  ];
}

function statusJson(status: McpServerStatus): v.InferOutput<typeof McpServersJson>["servers"][number] {
  const { name, transport, state, detail, retryAtMs, tools, heldBack, refused } = status;
  return {
    name,
    transport,
    state,
    ...(detail !== undefined && { detail }),
    ...(retryAtMs !== undefined && { retry_at_ms: retryAtMs }),
    tools: [...tools],
    held_back: heldBack.map((one) => ({ ...one })),
    refused: refused.map((one) => ({ ...one })),
  };
}
