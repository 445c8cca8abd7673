import { loadMcpServer } from "#optional";
import * as v from "valibot";
import { AssistantError, messageOf } from "../errors.ts";
import { originOf } from "./auth.ts";
import type { Caller } from "./auth.ts";
import { bufferedRequest } from "./body.ts";
import type { McpServerLibrary, McpToolDescription, McpToolResult } from "./mcp-library.ts";
import { type OfferedTool, offeredTools } from "./mcp-tools.ts";
import type { McpServerStatus } from "../tools/index.ts";
import type { HttpParts } from "./parts.ts";
import { ProblemError } from "./problem.ts";
import { type GuardedRoute, json } from "./route.ts";

/** One JSON-RPC message; the library checks it in full. */
const JsonRpcMessage = v.looseObject({ jsonrpc: v.literal("2.0"), method: v.optional(v.string()) });

const McpServersJson = v.object({
  servers: v.array(
    v.object({
      name: v.string(),
      transport: v.picklist(["http", "stdio"]),
      state: v.picklist(["connecting", "connected", "waiting", "unusable", "closed"]),
      detail: v.optional(v.pipe(v.string(), v.description("Why it is not connected"))),
      retry_at_ms: v.optional(v.number()),
      tools: v.pipe(v.array(v.string()), v.description("Full names of the tools that are offered")),
      held_back: v.pipe(
        v.array(v.object({ tool: v.string(), kind: v.picklist(["new", "changed"]), fingerprint: v.string() })),
        v.description("Tools that wait for the owner"),
      ),
      refused: v.array(v.object({ tool: v.string(), reason: v.string() })),
    }),
  ),
});

const INSTRUCTIONS =
  "A personal assistant that stays awake. Say what you need with the tool send; it answers in words.";

/**
 * The assistant as an MCP server, for other agents: streamable HTTP without sessions, so every call brings its token and any instance may answer.
 *
 * Source: docs/mcp.md, "The assistant as a server".
 */
export function mcpRoutes(parts: HttpParts): readonly GuardedRoute[] {
  const tools = offeredTools(parts);
  let described: readonly McpToolDescription[] | undefined;

  async function call(name: string, input: Readonly<Record<string, unknown>>, caller: Caller): Promise<McpToolResult> {
    const tool = tools.find((one) => one.name === name);
    if (!tool)
      return failure(`There is no tool ${JSON.stringify(name)}; there are: ${tools.map((one) => one.name).join(", ")}`);
    try {
      const { text, structured, failed = false } = await tool.run(input, caller);
      return { content: [{ type: "text", text }], structuredContent: structured, ...(failed && { isError: true }) };
    } catch (error) {
      if (error instanceof ProblemError || AssistantError.is(error)) return failure(error.message);
      parts.logger.error("A call over MCP failed", { tool: name, error: messageOf(error) });
      return failure("Something went wrong inside: the server's log says more");
    }
  }

  return [
    {
      method: "GET",
      path: "/api/v1/mcp",
      summary: "How the MCP servers of the configuration are",
      access: ["owner"],
      answers: { 200: { description: "One entry a server", schema: McpServersJson } },
      handle: () => json({ servers: (parts.mcpStatus?.() ?? []).map(statusJson) }),
    },
    {
      method: "POST",
      path: "/mcp",
      summary:
        "The assistant as an MCP server (streamable HTTP, no sessions): one JSON-RPC message; only with a bearer token",
      access: ["owner", "user"],
      body: JsonRpcMessage,
      answers: {
        200: { description: "The JSON-RPC answer", schema: v.looseObject({ jsonrpc: v.literal("2.0") }), stream: true },
        202: { description: "A notification was taken" },
        501: { description: "The library for it is not installed" },
      },
      async handle({ request, caller }) {
        // Programs call this, not pages: what a browser would add by itself has no place here.
        if (caller.via !== "bearer")
          throw new ProblemError("FORBIDDEN", "MCP takes a bearer token, not the page's cookie");
        if (originOf(request) === "foreign")
          throw new ProblemError(
            "FORBIDDEN",
            "A page of another site may not call this: the header Origin is not this server's",
          );
        const library: McpServerLibrary | null = parts.mcpServer ?? (await loadMcpServer());
        if (library === null) {
          throw new ProblemError(
            "NOT_INSTALLED",
            "The MCP server needs a library: npm install @modelcontextprotocol/server and start again; on Workers give the option mcp.endpoint from wakeful/mcp/server",
          );
        }
        const buffered = await bufferedRequest(request, parts.clock);
        const descriptions = (described ??= await Promise.all(tools.map(describe)));
        // Made for this one request, so that a call can only ever speak as its own caller.
        const handler = library.createMcpHandler(
          (() => {
            const server = new library.Server(
              { name: parts.name ?? "Wakeful", version: parts.version },
              { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
            );
            server.setRequestHandler("tools/list", async () => ({ tools: [...descriptions] }));
            server.setRequestHandler("tools/call", ({ params }) => call(params.name, params.arguments ?? {}, caller));
            return server;
          }) as never,
          {
            // Headers at once and a sign of life now and then: a turn may take longer than proxies wait.
            responseMode: "sse",
            // The list of tools never changes while the program runs, so there is nothing to listen for.
            maxSubscriptions: 0,
            onerror: (error) => parts.logger.debug("MCP", { error: messageOf(error) }),
          },
        );
        return handler.fetch(buffered);
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

async function describe({ name, description, input, output }: OfferedTool): Promise<McpToolDescription> {
  // Only this needs it, so it does not weigh on the start.
  const { toJsonSchema } = await import("@valibot/to-json-schema");
  const schemaOf = (schema: v.GenericSchema) => {
    const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12", errorMode: "ignore" });
    return { ...rest, type: "object" as const };
  };
  return {
    name,
    description,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(output),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  };
}

function failure(text: string): McpToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
