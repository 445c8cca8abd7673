import {
  McpServer,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  fromJsonSchema,
} from "@modelcontextprotocol/server";
import { mcpClient } from "../../../adapters/mcp/index.ts";
import type { Clock } from "../../../src/clock.ts";
import { memoryStore } from "../../../src/store/index.ts";
import { type LogFields, type Logger, createAudit, createMetrics, silentLogger } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import {
  type AnyTool,
  type McpAcceptInput,
  type McpManager,
  type McpManagerDeps,
  type McpServerOptions,
  type ToolContext,
  createToolRegistry,
} from "../../../src/tools/index.ts";
import { type ConnectorDeps, createConnector } from "../../../src/tools/mcp/connect.ts";
import type { AskedOwner } from "../../../src/tools/mcp/owner-questions.ts";
import { createMcpManager } from "../../../src/tools/mcp/mcp.ts";
import { platform } from "../../support/this-platform.ts";

/** A tool of a server in these tests. */
export interface ServedTool {
  name: string;
  description?: string;
  inputSchema?: { type: "object"; [member: string]: unknown };
  annotations?: { readOnlyHint?: boolean; idempotentHint?: boolean };
  run?(input: Record<string, unknown>): Promise<unknown> | unknown;
}

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A real server: the official library, asked by a fetch instead of over a network. */
export interface Served {
  tools: ServedTool[];
  readonly fetch: Fetch;
  readonly requests: { readonly url: string; readonly method: string; readonly headers: Headers }[];
  /** What stands in for the server's answer, when it gives one. */
  intercept: (request: Request) => Promise<Response | undefined> | Response | undefined;
}

export function mcpServerOf(tools: readonly ServedTool[]): McpServer {
  const server = new McpServer({ name: "docs", version: "1.0.0" });
  for (const { name, description, inputSchema = { type: "object" }, annotations, run = () => "done" } of tools) {
    server.registerTool(
      name,
      {
        ...(description !== undefined && { description }),
        inputSchema: fromJsonSchema(inputSchema as never),
        ...(annotations && { annotations }),
      },
      (async (input: Record<string, unknown>) => {
        const result = await run(input);
        return typeof result === "string" ? { content: [{ type: "text", text: result }] } : result;
      }) as never,
    );
  }
  return server;
}

export function served(tools: readonly ServedTool[]): Served {
  const handler = createMcpHandler(() => mcpServerOf(state.tools));
  const state: Served = {
    tools: [...tools],
    requests: [],
    intercept: () => undefined,
    async fetch(input, init) {
      const request = new Request(input, init);
      state.requests.push({ url: request.url, method: request.method, headers: request.headers });
      return (await state.intercept(request)) ?? handler.fetch(request);
    },
  };
  return state;
}

/** A server with sessions, in the protocol from before, that tells when its tools change. */
export function servedWithSessions(tools: readonly ServedTool[]) {
  const sessions = new Map<string, { transport: WebStandardStreamableHTTPServerTransport; server: McpServer }>();
  const requests: { method: string; session: string | null }[] = [];
  return {
    sessions,
    requests,
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
      const request = new Request(input, init);
      const id = request.headers.get("mcp-session-id");
      requests.push({ method: request.method, session: id });
      const known = id === null ? undefined : sessions.get(id);
      if (known) return known.transport.handleRequest(request);
      if (id !== null) return new Response("gone", { status: 404 });
      const server = mcpServerOf(tools);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (session) => void sessions.set(session, { transport, server }),
        onsessionclosed: (session) => void sessions.delete(session),
      });
      await server.connect(transport);
      return transport.handleRequest(request);
    },
  };
}

export const PUBLIC = "203.0.114.7";

export interface Managed {
  readonly manager: Omit<McpManager, "open" | "start"> & { open(): Promise<void>; start(): void };
  readonly registry: ReturnType<typeof createToolRegistry>;
  readonly approvals: McpAcceptInput[];
  readonly lines: { readonly level: string; readonly message: string; readonly fields: LogFields | undefined }[];
  run(name: string, input?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  status(name?: string): ReturnType<McpManager["status"]>[number];
}

/** What may differ from a manager with fakes around it. */
export type ManagedOptions = Partial<Omit<McpManagerDeps, "connect"> & ConnectorDeps & AskedOwner> & {
  /** Tools of the host's own. */
  readonly tools?: Readonly<Record<string, AnyTool>>;
};

export function managed(
  servers: Readonly<Record<string, McpServerOptions>>,
  options: ManagedOptions = {},
): Managed & { readonly clock: Clock; readonly store: McpManagerDeps["store"] } {
  const { tools = {}, clock = fakeClock(), store = memoryStore(), requestApproval, mayAskAgain, ...more } = options;
  const registry = createToolRegistry(tools);
  const lines: Managed["lines"] = [];
  const line = (level: string) => (message: string, fields?: LogFields) => void lines.push({ level, message, fields });
  const logger: Logger = {
    ...silentLogger,
    debug: line("debug"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
  };
  const approvals: McpAcceptInput[] = [];
  const { open, start, ...manager } = createMcpManager(servers, {
    ...managerDeps(clock),
    connect: createConnector(connectorDeps({ client: mcpClient, ...more, clock })),
    store,
    logger,
    audit: createAudit({ store, clock }),
    ...more,
  });
  const owner = {
    requestApproval: requestApproval ?? (async ({ input }) => void approvals.push(input)),
    ...(mayAskAgain && { mayAskAgain }),
  };
  return {
    manager: { ...manager, open: () => open(registry, owner), start: () => start(registry, owner) },
    registry,
    clock,
    store,
    approvals,
    lines,
    async run(name, input = {}, signal = new AbortController().signal) {
      const found = registry.find(name);
      if (!found) throw new Error(`There is no tool ${name}`);
      const context = { signal, callId: "c", taskId: "t" } as unknown as ToolContext;
      return found.tool.execute(input as never, context);
    },
    status(name) {
      const found = manager.status().find((one) => name === undefined || one.name === name);
      if (!found) throw new Error(`There is no server ${name}`);
      return found;
    },
  };
}

/** How a manager reaches servers, with nothing behind it. */
export function connectorDeps(given: Partial<ConnectorDeps> = {}): ConnectorDeps {
  return { clock: fakeClock(), version: "1.2.3", platform, lookup: async () => [PUBLIC], ...given };
}

/** What a manager is made of besides, with nothing behind it. */
export function managerDeps(clock: Clock = fakeClock()): Omit<McpManagerDeps, "connect"> {
  const store = memoryStore();
  return {
    clock,
    store,
    logger: silentLogger,
    audit: createAudit({ store, clock }),
    metrics: createMetrics(),
    redact: (value) => value,
  };
}

/** What a manager is started with, with nothing behind it. */
export function startArguments(): Parameters<McpManager["start"]> {
  return [createToolRegistry({}), { requestApproval: async () => {} }];
}
