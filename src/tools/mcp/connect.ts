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
/** Milliseconds that closing a connection may take. */
const GOODBYE_MS = 2_000;

/** Dependencies of a connector. */
export interface ConnectorDeps {
  readonly clock: Clock;
  /** The assistant's version, which servers are told. */
  readonly version: string;
  readonly platform: Pick<Platform, "load" | "network">;
  /** The MCP library. Default: the platform's. */
  readonly client?: McpClientLibrary | undefined;
  /** The host's own `fetch`; addresses are checked around it. */
  readonly fetch?: typeof globalThis.fetch;
  readonly lookup?: Lookup;
  /** Default `MAX_MCP_MESSAGE_BYTES`. */
  readonly maxMessageBytes?: number;
}

export interface ConnectEvents {
  /** Called when the server reports that its tools changed. */
  onListChanged(): void;
  /** Called when the connection ended by itself. */
  onClosed(reason: string): void;
  /** Called with details for debugging. */
  onDetail(text: string): void;
}

export interface Connection {
  readonly client: McpClient;
  /** Ends the session and a started program. Contract: never throws, takes some seconds at most. */
  close(): Promise<void>;
}

/**
 * Opens a connection to a server.
 *
 * @throws {AssistantError} `OPTION_INVALID` if this can never work here (a library is missing, there are no
 * processes); after any other error the caller may try again.
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
        // The transport kills a program that does not end, which takes as long again.
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
    // Calls have their own timeout, and an event stream stays open.
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
      `The MCP server ${name} is a program (command), which this runtime cannot start: ${REMEDIES["@ai-sdk/mcp/mcp-stdio"]}`,
    );
  }
  return stdioTransport({ library, server, clock, maxBytes, onListChanged, onClosed, onWords: onDetail });
}
