import type * as v from "valibot";
import { AssistantError, messageOf } from "../errors.ts";
import type { Clock } from "../clock.ts";
import type { Submission } from "../inbox/index.ts";
import type { Reply } from "../reply.ts";
import type { Logger } from "../telemetry/index.ts";
import type { Caller } from "./auth.ts";
import type { McpServerLibrary, McpToolDescription, McpToolResult } from "../libraries.ts";
import { type OfferedTool, type SpokenTools, offeredTools } from "./mcp-tools.ts";
import { ProblemError } from "./problem.ts";

const INSTRUCTIONS =
  "A personal assistant that stays awake. Say what you need with the tool send; it answers in words. What it remembers is found with recall, and what it does later is listed and made with jobs_list and jobs_create, where those are offered.";

/** Answers one request to `/mcp` whose body is already read. */
export type McpEndpoint = (request: Request, caller: Caller) => Promise<Response>;

export interface McpEndpointDeps {
  send(input: Submission): Promise<Reply>;
  readonly tools?: SpokenTools;
  /** Default `Wakeful`. */
  readonly name?: string;
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Creates the handler of `/mcp` with the protocol library. */
export function createMcpEndpoint(deps: McpEndpointDeps, library: McpServerLibrary): McpEndpoint {
  const tools = offeredTools(deps);
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
      deps.logger.error("A call over MCP failed", { tool: name, error: messageOf(error) });
      return failure("An internal error occurred: see the server's log");
    }
  }

  async function offeredTo(caller: Caller, descriptions: readonly McpToolDescription[]): Promise<McpToolDescription[]> {
    const offered = await Promise.all(tools.map(async (tool) => (await tool.isOffered?.(caller)) ?? true));
    return descriptions.filter((_, at) => offered[at]);
  }

  return async (request, caller) => {
    const descriptions = (described ??= await Promise.all(tools.map(describe)));
    // A server per request, so that a call can only act as its own caller.
    const handler = library.createMcpHandler(
      (() => {
        const server = new library.Server(
          { name: deps.name ?? "Wakeful", version: deps.version },
          { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
        );
        server.setRequestHandler("tools/list", async () => ({ tools: await offeredTo(caller, descriptions) }));
        server.setRequestHandler("tools/call", ({ params }) => call(params.name, params.arguments ?? {}, caller));
        return server;
      }) as never,
      {
        // Sends headers immediately and keep-alives, because a turn may take longer than proxies wait.
        responseMode: "sse",
        // The tool list changes only with policy and configuration, so clients need no subscription.
        maxSubscriptions: 0,
        onerror: (error) => deps.logger.debug("MCP", { error: messageOf(error) }),
      },
    );
    return handler.fetch(request);
  };
}

async function describe({ name, description, input, output, annotations }: OfferedTool): Promise<McpToolDescription> {
  // Loaded here, because only this function needs it; keeps the start fast.
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
    annotations,
  };
}

function failure(text: string): McpToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
