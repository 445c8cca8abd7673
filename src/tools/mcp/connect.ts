import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import { type Lookup, createGuardedFetch } from "../../guard/index.ts";
import type { McpClient, McpClientLibrary } from "../../libraries.ts";
import { type Platform, REMEDIES } from "../../platform.ts";
import { withTimeout } from "../../time-limit.ts";
import { type McpHttpServer, type McpServerOptions, type McpStdioServer, isHttpServer } from "./options.ts";
import { ownOriginFetch } from "./own-origin-fetch.ts";
import { stdioTransport } from "./stdio-transport.ts";

/** Longest message of a server in bytes. */
const MAX_MCP_MESSAGE_BYTES = 4 * 1024 * 1024;
/** How long saying goodbye may take, in milliseconds. */
const GOODBYE_MS = 2_000;

/** What opens connections. */
export interface ConnectorDeps {
  readonly clock: Clock;
  /** What servers are told about the assistant. */
  readonly version: string;
  readonly platform: Pick<Platform, "load" | "network">;
  /** The library that speaks MCP. Default: the platform's. */
  readonly client?: McpClientLibrary | undefined;
  /** The host's own way out; addresses are checked around it. */
  readonly fetch?: typeof globalThis.fetch;
  readonly lookup?: Lookup;
  /** Default `MAX_MCP_MESSAGE_BYTES`. */
  readonly maxMessageBytes?: number;
}

export interface ConnectEvents {
  /** The server says that its tools are others now. */
  onListChanged(): void;
  /** The connection ended by itself. */
  onClosed(reason: string): void;
  /** What is worth a line only when somebody looks for a fault. */
  onDetail(text: string): void;
}

export interface Connection {
  readonly client: McpClient;
  /** Ends the session, and a program that was started. Contract: never throws, takes no longer than some seconds. */
  close(): Promise<void>;
}

/**
 * Opens a connection to a server.
 *
 * @throws {AssistantError} `OPTION_INVALID` when this can never work here (a library is missing, there are no processes); anything else may be tried again.
 */
export type Connect = (
  name: string,
  server: McpServerOptions,
  events: ConnectEvents,
  signal: AbortSignal,
) => Promise<Connection>;

export function createConnector(deps: ConnectorDeps): Connect {
  const { clock, version, platform } = deps;
  return async (name, server, events, signal) => {
    const library = deps.client ?? (await platform.load("@ai-sdk/mcp"));
    if (library === null) {
      throw new AssistantError(
        "OPTION_INVALID",
        `The MCP server ${name} cannot be used as the library is missing: ${REMEDIES["@ai-sdk/mcp"]}`,
      );
    }
    const end = new AbortController();
    const transport = isHttpServer(server)
      ? http(server, deps, events, end.signal)
      : await stdio(name, server, deps, events);
    const client = await library.createMCPClient({
      transport,
      clientName: "wakeful",
      version,
      initializationOptions: { signal },
      onUncaughtError: (error) => events.onDetail(String(error)),
    });
    return {
      client,
      async close() {
        const closed = client.close().catch((error: unknown) => events.onDetail(String(error)));
        // A program that does not end is killed by its transport, which takes as long again.
        await withTimeout(clock, GOODBYE_MS * 2, closed, () => {});
        end.abort(new Error("The connection is closed"));
      },
    };
  };
}

function http(
  server: McpHttpServer,
  { clock, platform, fetch, lookup, maxMessageBytes: maxBytes = MAX_MCP_MESSAGE_BYTES }: ConnectorDeps,
  { onListChanged }: ConnectEvents,
  signal: AbortSignal,
) {
  const { url, headers = {}, allowPrivate = false } = server;
  const { origin } = new URL(url);
  const limits = {
    // Calls have a time of their own, and a stream of events stays open.
    timeoutMs: Infinity,
    maxBytes: Infinity,
    ...(allowPrivate && { trustedOrigins: [origin] }),
  };
  const way = { ...(fetch && { fetch }), ...(lookup && { lookup }) };
  const guarded = createGuardedFetch({ clock, ...limits, ...way }, platform.network);
  return {
    type: "http" as const,
    url,
    headers: { ...headers },
    terminateSessionOnClose: true,
    fetch: ownOriginFetch({ fetch: guarded, origin, maxBytes, signal, onListChanged }),
  };
}

async function stdio(
  name: string,
  server: McpStdioServer,
  {
    clock,
    platform,
    maxMessageBytes: maxBytes = MAX_MCP_MESSAGE_BYTES,
  }: Pick<ConnectorDeps, "clock" | "platform" | "maxMessageBytes">,
  { onListChanged, onClosed, onDetail }: ConnectEvents,
) {
  const library = await platform.load("@ai-sdk/mcp/mcp-stdio");
  if (library === null) {
    throw new AssistantError(
      "OPTION_INVALID",
      `The MCP server ${name} is a program (command), and this runtime starts none: ${REMEDIES["@ai-sdk/mcp/mcp-stdio"]}`,
    );
  }
  return stdioTransport({ library, server, clock, maxBytes, onListChanged, onClosed, onWords: onDetail });
}
