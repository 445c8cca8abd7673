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

/** Answers one request to `/mcp` whose body was read. */
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

/** What answers at `/mcp`, with the library that speaks the protocol. */
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
      return failure("Something went wrong inside: the server's log says more");
    }
  }

  async function offeredTo(caller: Caller, descriptions: readonly McpToolDescription[]): Promise<McpToolDescription[]> {
    const offered = await Promise.all(tools.map(async (tool) => (await tool.isOffered?.(caller)) ?? true));
    return descriptions.filter((_, at) => offered[at]);
  }

  return async (request, caller) => {
    const descriptions = (described ??= await Promise.all(tools.map(describe)));
    // Made for this one request, so that a call can only ever speak as its own caller.
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
        // Headers at once and a sign of life now and then: a turn may take longer than proxies wait.
        responseMode: "sse",
        // The list of tools changes only with the policy and the configuration, so no client has to listen.
        maxSubscriptions: 0,
        onerror: (error) => deps.logger.debug("MCP", { error: messageOf(error) }),
      },
    );
    return handler.fetch(request);
  };
}

async function describe({ name, description, input, output, annotations }: OfferedTool): Promise<McpToolDescription> {
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
    annotations,
  };
}

function failure(text: string): McpToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
