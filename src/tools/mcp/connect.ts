import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import { type Lookup, createGuardedFetch } from "../../guard/index.ts";
import type { McpClient, McpClientLibrary, McpStdioLibrary } from "../../libraries.ts";
import { type Network, REMEDIES } from "../../platform.ts";
import { type McpHttpServer, type McpServerOptions, type McpStdioServer, isHttpServer } from "./options.ts";
import { ownOriginFetch } from "./own-origin-fetch.ts";
import { stdioTransport } from "./stdio-transport.ts";

/** Longest message of a server in bytes. */
export const MAX_MCP_MESSAGE_BYTES = 4 * 1024 * 1024;
/** How long saying goodbye may take, in milliseconds. */
const GOODBYE_MS = 2_000;

/** What opens connections; the libraries give `null` where they are not installed. */
export interface ConnectParts {
  readonly clock: Clock;
  /** What servers are told about the assistant. */
  readonly version: string;
  loadClient(): Promise<McpClientLibrary | null>;
  /** `null` where there are no processes. */
  loadStdio(): Promise<McpStdioLibrary | null>;
  readonly network: Network | null;
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
export async function connectTo(
  name: string,
  server: McpServerOptions,
  parts: ConnectParts,
  events: ConnectEvents,
  signal: AbortSignal,
): Promise<Connection> {
  const library = await parts.loadClient();
  if (library === null) {
    throw new AssistantError(
      "OPTION_INVALID",
      `The MCP server ${name} cannot be used as the library is missing: ${REMEDIES["@ai-sdk/mcp"]}`,
    );
  }
  const end = new AbortController();
  const transport = isHttpServer(server)
    ? http(server, parts, events, end.signal)
    : await stdio(name, server, parts, events);
  const client = await library.createMCPClient({
    transport,
    clientName: "wakeful",
    version: parts.version,
    initializationOptions: { signal },
    onUncaughtError: (error) => events.onDetail(String(error)),
  });
  return {
    client,
    async close() {
      const stopWaiting = new AbortController();
      const closed = client.close().catch((error: unknown) => events.onDetail(String(error)));
      // A program that does not end is killed by its transport, which takes as long again.
      const late = parts.clock.sleep(GOODBYE_MS * 2, stopWaiting.signal).catch(() => {});
      await Promise.race([closed, late]);
      stopWaiting.abort();
      end.abort(new Error("The connection is closed"));
    },
  };
}

function http(
  server: McpHttpServer,
  { clock, network, fetch, lookup, maxMessageBytes: maxBytes = MAX_MCP_MESSAGE_BYTES }: ConnectParts,
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
  const guarded = createGuardedFetch({ clock, ...limits, ...(fetch && { fetch }), ...(lookup && { lookup }) }, network);
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
  { clock, loadStdio, maxMessageBytes: maxBytes = MAX_MCP_MESSAGE_BYTES }: ConnectParts,
  { onListChanged, onClosed, onDetail }: ConnectEvents,
) {
  const library = await loadStdio();
  if (library === null) {
    throw new AssistantError(
      "OPTION_INVALID",
      `The MCP server ${name} is a program (command), and this runtime starts none: ${REMEDIES["@ai-sdk/mcp/mcp-stdio"]}`,
    );
  }
  return stdioTransport({ library, server, clock, maxBytes, onListChanged, onClosed, onWords: onDetail });
}
