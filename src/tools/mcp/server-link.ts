import { after, type Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { McpListedTool } from "../../libraries.ts";
import type { Logger, Metrics } from "../../telemetry/index.ts";
import { type ToolContext, ToolError } from "../tool.ts";
import type { AcceptedTools } from "./accepted-tools.ts";
import type { Connect, Connection } from "./connect.ts";
import type { OfferedTools, RefusedTool } from "./offered-tools.ts";
import { DEFAULT_MCP_TIMEOUT_MS, type McpServerOptions, isHttpServer } from "./options.ts";
import { readCallResult } from "./output.ts";
import { reasonOf } from "./reason.ts";
import { within } from "./within.ts";

const MAX_TOOLS = 256;
const MAX_PAGES = 32;
/** Longest wait for a connection and a list of tools, in milliseconds. */
const CONNECT_MS = 30_000;
/**
 * Shortest interval between two requests for a server's tools, even if it reports changes more often, in
 * milliseconds.
 */
const LIST_EVERY_MS = 1_000;
/** A list older than this is requested again after a call, in milliseconds. */
const LIST_STALE_MS = 300_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
/** A connection that lasted this long resets the back-off, in milliseconds. */
const STEADY_MS = 60_000;
export interface LinkDeps {
  readonly connect: Connect;
  /** The listed tools, as far as they were accepted. */
  readonly accepted: AcceptedTools;
  /** The tools in the registry. */
  readonly offered: OfferedTools;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** State of a server. Times are milliseconds since the epoch. */
export interface McpServerStatus {
  /** The server's name in the configuration. */
  readonly name: string;
  /** `http`: Streamable HTTP. `stdio`: a started program. */
  readonly transport: "http" | "stdio";
  /** `waiting`: retried at `retryAtMs`. `unusable`: not retried, see `detail`. `closed`: the assistant stops. */
  readonly state: "connecting" | "connected" | "waiting" | "unusable" | "closed";
  /** Why it is not connected. */
  readonly detail?: string;
  /** Time of the next attempt. */
  readonly retryAtMs?: number;
  /** Full names of the offered tools. */
  readonly tools: readonly string[];
  /** Tools that wait for the owner. */
  readonly heldBack: readonly {
    readonly tool: string;
    readonly kind: "new" | "changed";
    readonly fingerprint: string;
  }[];
  /** Tools that cannot be offered. */
  readonly refused: readonly RefusedTool[];
}

export type ServerLink = ReturnType<typeof createServerLink>;

/** The link to one server: connected while it lives, reconnected after every loss, with its tools in the registry. */
export function createServerLink(
  name: string,
  options: McpServerOptions,
  { connect: open, accepted, offered, clock, logger, metrics }: LinkDeps,
) {
  const timeoutMs = options.timeoutMs ?? DEFAULT_MCP_TIMEOUT_MS;
  const closing = new AbortController();

  let state: McpServerStatus["state"] = "connecting";
  let detail: string | undefined;
  let retryAtMs: number | undefined;
  let connection: Connection | undefined;
  let connectedAtMs = 0;
  let failures = 0;
  let cancelRetry = () => {};
  /** The running attempt to connect. */
  let connecting: Promise<void> | undefined;
  let losing: Promise<void> | undefined;
  /** Lists are read one after another. */
  let listing: Promise<void> = Promise.resolve();
  let listedAtMs = -Infinity;
  let cancelList: (() => void) | undefined;

  /** Connects now, unless an attempt is running. Never throws. */
  function connect(): Promise<void> {
    if (closing.signal.aborted || state === "unusable" || state === "connected") return Promise.resolve();
    connecting ??= attempt().finally(() => (connecting = undefined));
    return connecting;
  }

  async function attempt(): Promise<void> {
    await losing;
    cancelRetry();
    state = "connecting";
    retryAtMs = undefined;
    let opened: Connection | undefined;
    try {
      const result = await within(clock, Math.min(timeoutMs, CONNECT_MS), closing.signal, async (signal) => {
        const own = await open(
          name,
          options,
          events(() => opened),
          signal,
        );
        opened = own;
        if (signal.aborted) void own.close(); // No one waits for it any more.
        const tools = await readTools(own, signal);
        return { opened: own, tools };
      });
      if (result === "stopped") return await opened?.close();
      if (result === "late") throw new Error(`The server does not answer within ${Math.min(timeoutMs, CONNECT_MS)} ms`);
      const { tools } = result.value;
      connection = result.value.opened;
      connectedAtMs = clock.now();
      const applied = listing.then(() => accepted.apply(tools, call));
      listing = applied.catch(() => {});
      await applied;
      if (connection !== result.value.opened) return; // It was lost in the meantime.
      state = "connected";
      detail = undefined;
      metrics.set("mcp.server.connected", 1, { server: name });
      logger.info("An MCP server is connected", {
        server: name,
        tools: offered.names().length,
        heldBack: accepted.heldBack().length,
      });
    } catch (error) {
      connection = undefined;
      await opened?.close();
      fail(error);
    }
  }

  function events(own: () => Connection | undefined) {
    return {
      onListChanged: () => relist(),
      onClosed: (reason: string) => void (own() === connection && connection && lose(new Error(reason))),
      onDetail: (text: string) => logger.debug("An MCP server says", { server: name, text: text.slice(0, 500) }),
    };
  }

  function fail(error: unknown): void {
    if (closing.signal.aborted) return;
    metrics.set("mcp.server.connected", 0, { server: name });
    metrics.increment("mcp.connection.failure_total", { server: name });
    detail = reasonOf(error);
    if (AssistantError.is(error, "OPTION_INVALID")) {
      state = "unusable";
      offered.clear();
      logger.error("An MCP server cannot be used", { server: name, error: detail });
      return;
    }
    if (AssistantError.is(error, "URL_REFUSED") && isHttpServer(options) && !options.allowPrivate)
      detail += "; set allow_private (allowPrivate in code) if this address is intended";
    failures++;
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
    state = "waiting";
    retryAtMs = clock.now() + waitMs;
    cancelRetry = after(clock, waitMs, () => void connect(), { idle: true });
    logger.warn("An MCP server is not connected", { server: name, error: detail, retryInMs: waitMs });
  }

  /** Drops a broken connection. Its tools stay offered: a call reports what is wrong until the server is back. */
  function lose(error: unknown): void {
    const lost = connection;
    if (lost === undefined) return;
    connection = undefined;
    losing = closed(lost);
    if (clock.now() - connectedAtMs >= STEADY_MS) failures = 0;
    fail(error);
  }

  async function closed(lost: Connection): Promise<void> {
    await lost.close();
    losing = undefined;
  }

  async function readTools({ client }: Connection, signal: AbortSignal): Promise<readonly McpListedTool[]> {
    const tools: McpListedTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
      const result = await client.listTools({
        options: { signal },
        ...(cursor !== undefined && { params: { cursor } }),
      });
      tools.push(...result.tools);
      cursor = result.nextCursor;
      if (cursor === undefined) break;
    }
    listedAtMs = clock.now();
    if (tools.length > MAX_TOOLS || cursor !== undefined)
      logger.warn("An MCP server has more tools than are read", { server: name, read: MAX_TOOLS });
    return tools.slice(0, MAX_TOOLS);
  }

  /** Schedules a request for the server's tools. */
  function relist(): void {
    if (cancelList || closing.signal.aborted) return;
    const waitMs = Math.max(0, Math.min(LIST_EVERY_MS, listedAtMs + LIST_EVERY_MS - clock.now()));
    cancelList = after(clock, waitMs, listAgain, { idle: true });
  }

  function listAgain(): void {
    cancelList = undefined;
    const current = connection;
    if (current === undefined) return; // Connecting lists the tools too.
    listing = listing.then(async () => {
      try {
        const result = await within(clock, Math.min(timeoutMs, CONNECT_MS), closing.signal, (signal) =>
          readTools(current, signal),
        );
        if (result === "stopped" || connection !== current) return;
        if (result === "late") throw new Error("The server does not answer any more");
        await accepted.apply(result.value, call);
      } catch (error) {
        if (connection === current) lose(error);
      }
    });
  }

  async function call(tool: string, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
    const startedAtMs = clock.now();
    // Before the server's list is compared with the accepted tools, a name can stand for anything.
    if (state !== "connected") {
      const ready = await within(clock, timeoutMs, context.signal, connect);
      if (ready === "stopped") throw context.signal.reason;
    }
    const current = connection;
    if (!current) throw new ToolError("MCP_UNAVAILABLE", notConnected(name, detail));
    // The wait for the connection counts towards the timeout; the accepted tools may have changed during it.
    if (!offered.has(tool))
      throw new ToolError("MCP_UNAVAILABLE", `The MCP server ${name} no longer offers ${tool} as it was accepted`);
    const leftMs = Math.max(1, timeoutMs - (clock.now() - startedAtMs));
    let result: Awaited<ReturnType<typeof within<unknown>>>;
    try {
      result = await within(clock, leftMs, context.signal, (signal) =>
        current.client.callTool({ name: tool, arguments: input, options: { signal } }),
      );
    } catch (error) {
      if (isAnswer(error)) relist();
      else if (connection === current) lose(error);
      throw new ToolError("MCP_ERROR", `The MCP server ${name} failed: ${reasonOf(error)}`);
    }
    if (result === "stopped") throw context.signal.reason;
    if (result === "late") {
      relist(); // Also shows whether the server is still alive.
      throw new ToolError("TIMEOUT", `The MCP server ${name} did not answer within ${timeoutMs} ms`);
    }
    if (clock.now() - listedAtMs > LIST_STALE_MS) relist();
    return readCallResult(name, result.value);
  }

  return {
    /**
     * Offers the tools that were accepted before: calls that the last process left need them at once, and a call
     * connects. Never throws: connecting reads the same document and reports errors.
     */
    open: () => accepted.offerKnown(call).catch(() => {}),
    /** Begins to connect, without waiting for it. */
    start: () => void connect(),
    /** Stores a definition as accepted. @returns Whether the server has it now. */
    async accept(tool: string, fingerprint: string): Promise<boolean> {
      const isHere = await accepted.accept(tool, fingerprint);
      relist();
      return isHere;
    },
    status(): McpServerStatus {
      return {
        name,
        transport: isHttpServer(options) ? "http" : "stdio",
        state,
        ...(detail !== undefined && { detail }),
        ...(retryAtMs !== undefined && { retryAtMs }),
        tools: offered.names(),
        heldBack: accepted
          .heldBack()
          .map(({ definition, kind, fingerprint }) => ({ tool: definition.name, kind, fingerprint })),
        refused: offered.refused(),
      };
    },
    /** Ends the session and the program. Contract: never throws. */
    async close(): Promise<void> {
      closing.abort(new Error("The assistant stops"));
      offered.close();
      cancelRetry();
      cancelList?.();
      await connecting;
      await losing;
      const last = connection;
      connection = undefined;
      state = "closed";
      retryAtMs = undefined;
      offered.clear();
      await Promise.all([last?.close(), listing]);
      metrics.set("mcp.server.connected", 0, { server: name });
    },
  };
}

export function notConnected(name: string, detail?: string): string {
  return `The MCP server ${name} is not connected${detail === undefined ? "" : `: ${detail}`}`;
}

/**
 * Whether the server answered, even with an error, so that the connection works. JSON-RPC errors have a numeric code.
 */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}
