import { after, type Clock } from "../../clock.ts";
import { AssistantError, messageOf } from "../../errors.ts";
import type { Store } from "../../store/index.ts";
import type { Audit, Logger, Metrics, ModelRedactor } from "../../telemetry/index.ts";
import { type ToolContext, ToolError } from "../tool.ts";
import { asTool } from "./as-tool.ts";
import { type ConnectParts, type Connection, connectTo } from "./connect.ts";
import { readDefinition } from "./definition.ts";
import { changesBetween, fingerprintOf } from "./fingerprint.ts";
import type { McpListedTool } from "../../libraries.ts";
import { DEFAULT_MCP_TIMEOUT_MS, type McpServerOptions, isHttpServer } from "./options.ts";
import { readCallResult } from "./output.ts";
import { type Fingerprinted, type HeldBack, createPins, decideDrift } from "./pins.ts";
import { reasonOf } from "./reason.ts";
import { mcpToolName } from "./tool-name.ts";
import { within } from "./within.ts";
import type { AnyTool } from "../tool.ts";

const MAX_TOOLS = 256;
const MAX_PAGES = 32;
/** Longest wait for a connection and a list of tools, in milliseconds. */
const CONNECT_MS = 30_000;
/** A server is not asked for its tools more often than this, whatever it says, in milliseconds. */
const LIST_EVERY_MS = 1_000;
/** A call finds a list older than this: the server is asked for its tools again, in milliseconds. */
const LIST_STALE_MS = 300_000;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 300_000;
/** A connection that held so long begins the waits anew, in milliseconds. */
const STEADY_MS = 60_000;
/** The owner is asked about one change once in so many milliseconds, and about so many changes of one server: nobody is worn down into saying yes. */
const ASK_EVERY_MS = 24 * 60 * 60 * 1000;
const MAX_ASKED = 20;
/** A question that nobody answered in its time, or that could not be put, is put again after so many milliseconds. */
const ASK_AGAIN_MS = 60 * 60 * 1000;

/** What the owner is asked when a tool is new or other than it was. */
export interface McpAcceptInput {
  readonly server: string;
  /** The name that the server gives it. */
  readonly tool: string;
  /** Of the definition that is to be accepted. */
  readonly fingerprint: string;
  /** What it says of itself now, whole. */
  readonly description: string;
  /** What is different from the accepted definition, a line each. */
  readonly changes: readonly string[];
}

/** The part of the tool registry that is used. */
export interface McpRegistry {
  register(level: "mcp", name: string, tool: AnyTool): () => void;
  find(name: string): { readonly tool: AnyTool } | undefined;
}

export interface LinkParts extends ConnectParts {
  readonly registry: McpRegistry;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** Takes configured secrets out of what the model is shown of a tool. Default: nothing is taken out. */
  readonly redact?: ModelRedactor;
  /** Asks the owner. Contract: the input is shown whole; a yes ends in `accept` with the same server, tool and fingerprint. */
  requestApproval(request: { readonly tool: "mcp_accept"; readonly input: McpAcceptInput }): Promise<void>;
  /** Whether a question that was put ended without an answer: the owner did not say no, and cannot answer it any more. Default: never. */
  mayAskAgain?(input: Pick<McpAcceptInput, "server" | "tool" | "fingerprint">): Promise<boolean>;
}

/** How a server is. Times are milliseconds since the epoch. */
export interface McpServerStatus {
  readonly name: string;
  readonly transport: "http" | "stdio";
  readonly state: "connecting" | "connected" | "waiting" | "unusable" | "closed";
  /** Why it is not connected. */
  readonly detail?: string;
  /** When it is tried again. */
  readonly retryAtMs?: number;
  /** Full names of the tools that are offered. */
  readonly tools: readonly string[];
  /** Tools that wait for the owner. */
  readonly heldBack: readonly {
    readonly tool: string;
    readonly kind: "new" | "changed";
    readonly fingerprint: string;
  }[];
  /** Tools that cannot be offered. */
  readonly refused: readonly { readonly tool: string; readonly reason: string }[];
}

export type ServerLink = ReturnType<typeof createServerLink>;

/** One server: connected as long as it lives, asked again after every loss, its tools in the registry. */
export function createServerLink(name: string, options: McpServerOptions, parts: LinkParts) {
  const { registry, clock, logger, audit, metrics } = parts;
  const timeoutMs = options.timeoutMs ?? DEFAULT_MCP_TIMEOUT_MS;
  const pins = createPins({ store: parts.store, server: name });
  const closing = new AbortController();

  let state: McpServerStatus["state"] = "connecting";
  let detail: string | undefined;
  let retryAtMs: number | undefined;
  let connection: Connection | undefined;
  let connectedAtMs = 0;
  let failures = 0;
  let cancelRetry = () => {};
  /** The attempt that is under way. */
  let connecting: Promise<void> | undefined;
  let losing: Promise<void> | undefined;
  /** Lists are read one after another. */
  let listing: Promise<void> = Promise.resolve();
  let listedAtMs = -Infinity;
  let cancelList: (() => void) | undefined;

  const offered = new Map<
    string,
    { readonly fullName: string; readonly fingerprint: string; readonly tool: AnyTool; remove(): void }
  >();
  let heldBack: readonly HeldBack[] = [];
  /** Questions that could not be put, and when that was. */
  const unasked = new Map<string, number>();
  let refused: McpServerStatus["refused"] = [];

  /** Connects now, unless that is under way already. Never throws. */
  function connect(): Promise<void> {
    if (closing.signal.aborted || state === "unusable" || connection) return Promise.resolve();
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
        const own = await connectTo(
          name,
          options,
          parts,
          events(() => opened),
          signal,
        );
        opened = own;
        if (signal.aborted) void own.close(); // Nobody waits for it any more.
        const tools = await readTools(own, signal);
        return { opened: own, tools };
      });
      if (result === "stopped") return await opened?.close();
      if (result === "late") throw new Error(`The server does not answer within ${Math.min(timeoutMs, CONNECT_MS)} ms`);
      const { tools } = result.value;
      connection = result.value.opened;
      connectedAtMs = clock.now();
      const applied = listing.then(() => apply(tools));
      listing = applied.catch(() => {});
      await applied;
      if (connection !== result.value.opened) return; // It was lost meanwhile.
      state = "connected";
      detail = undefined;
      metrics.set("mcp.server.connected", 1, { server: name });
      logger.info("An MCP server is connected", { server: name, tools: offered.size, heldBack: heldBack.length });
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
      logger.error("An MCP server cannot be used", { server: name, error: detail });
      return;
    }
    if (AssistantError.is(error, "URL_REFUSED") && isHttpServer(options) && !options.allowPrivate)
      detail += "; set allow_private (allowPrivate in code) if this address is meant";
    failures++;
    const waitMs = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
    state = "waiting";
    retryAtMs = clock.now() + waitMs;
    cancelRetry = after(clock, waitMs, () => void connect(), { idle: true });
    logger.warn("An MCP server is not connected", { server: name, error: detail, retryInMs: waitMs });
  }

  /** The connection is of no more use. Its tools stay offered: they say what is wrong until it is back. */
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

  /** Asks the server for its tools again, soon. */
  function relist(): void {
    if (cancelList || closing.signal.aborted) return;
    const waitMs = Math.max(0, Math.min(LIST_EVERY_MS, listedAtMs + LIST_EVERY_MS - clock.now()));
    cancelList = after(clock, waitMs, listAgain, { idle: true });
  }

  function listAgain(): void {
    cancelList = undefined;
    const current = connection;
    if (current === undefined) return; // Connecting lists as well.
    listing = listing.then(async () => {
      try {
        const result = await within(clock, Math.min(timeoutMs, CONNECT_MS), closing.signal, (signal) =>
          readTools(current, signal),
        );
        if (result === "stopped" || connection !== current) return;
        if (result === "late") throw new Error("The server does not answer any more");
        await apply(result.value);
      } catch (error) {
        if (connection === current) lose(error);
      }
    });
  }

  /** Brings the registry to what the server lists, as far as it was accepted. */
  async function apply(listed: readonly McpListedTool[]): Promise<void> {
    const wanted = options.tools && new Set(options.tools);
    const tools: Fingerprinted[] = [];
    const unfit: { tool: string; reason: string }[] = [];
    const seen = new Set<string>();
    for (const one of listed) {
      if (wanted && !wanted.has(one.name)) continue;
      const read = readDefinition(one);
      if (!read.ok) unfit.push({ tool: read.name, reason: read.reason });
      else if (seen.has(one.name))
        unfit.push({ tool: one.name, reason: "the server lists it twice: the first counts" });
      else tools.push({ definition: read.definition, fingerprint: await fingerprintOf(read.definition) });
      if (read.ok) seen.add(one.name);
    }
    // A server that lists nothing yet was not seen yet.
    const file = await pins.read();
    if (file === null && tools.length === 0) return offer([], unfit);
    const decision = decideDrift(file?.pins ?? null, tools, options.trustNewTools ?? false);
    if (decision.toPin.length > 0) await pin(decision.toPin);
    heldBack = decision.heldBack;
    await offer(decision.offered, unfit);
    await ask();
  }

  function pin(tools: readonly Fingerprinted[]): Promise<void> {
    return pins.update(({ pins: known, asked }) => {
      const names = new Set(tools.map(({ definition }) => definition.name));
      const added = tools.map(({ definition, fingerprint }) => ({ name: definition.name, fingerprint, definition }));
      return {
        pins: [...known.filter((one) => !names.has(one.name)), ...added],
        asked: asked.filter((one) => !names.has(one.name)),
      };
    });
  }

  async function offer(tools: readonly Fingerprinted[], unfit: McpServerStatus["refused"]): Promise<void> {
    const keep = new Map(tools.map((tool) => [tool.definition.name, tool]));
    for (const [toolName, { fingerprint, remove }] of offered) {
      if (keep.get(toolName)?.fingerprint === fingerprint) continue;
      remove();
      offered.delete(toolName);
    }
    const refusals = [...unfit];
    for (const { definition, fingerprint } of tools) {
      if (closing.signal.aborted) return;
      let known = offered.get(definition.name);
      if (!known) {
        const fullName = await mcpToolName(name, definition.name);
        const tool = await asTool(
          name,
          options,
          { definition, fingerprint },
          (input, context) => call(definition.name, input, context),
          parts.redact,
        );
        if ([...offered.values()].some((other) => other.fullName === fullName)) {
          refusals.push({ tool: definition.name, reason: `another tool of the server is called ${fullName}` });
          continue;
        }
        try {
          known = { fullName, fingerprint, tool, remove: registry.register("mcp", fullName, tool) };
        } catch (error) {
          refusals.push({ tool: definition.name, reason: messageOf(error) });
          continue;
        }
        offered.set(definition.name, known);
      }
      if (registry.find(known.fullName)?.tool !== known.tool)
        refusals.push({
          tool: definition.name,
          reason: `another tool has the name ${known.fullName}, or one that looks the same to the model`,
        });
    }
    const told = new Set(refused.map(({ tool, reason }) => `${tool}\n${reason}`));
    for (const { tool, reason } of refusals)
      if (!told.has(`${tool}\n${reason}`))
        logger.warn("A tool of an MCP server is not offered", { server: name, tool, reason });
    refused = refusals;
  }

  /** Tells the owner of tools that are new or other than they were: each change once a day, and again when nobody could answer. */
  async function ask(): Promise<void> {
    if (heldBack.length === 0) return;
    const now = clock.now();
    const recent = ((await pins.read())?.asked ?? []).filter(({ atMs }) => isWithin(ASK_EVERY_MS, atMs, now));
    let left = MAX_ASKED - recent.reduce((sum, { times = 1 }) => sum + times, 0);
    for (const { definition, fingerprint, kind, before } of heldBack) {
      const known = recent.find((one) => one.name === definition.name && one.fingerprint === fingerprint);
      const lastMs = Math.max(known?.atMs ?? -Infinity, unasked.get(fingerprint) ?? -Infinity);
      if (left <= 0 || isWithin(ASK_AGAIN_MS, lastMs, now)) continue;
      const question = { server: name, tool: definition.name, fingerprint };
      if (known !== undefined && (await parts.mayAskAgain?.(question)) !== true) continue;
      left--;
      const reason = kind === "new" ? "a new tool" : "its definition changed";
      metrics.increment("mcp.drift_total", { server: name });
      audit.write({
        who: `mcp:${name}`,
        what: "mcp.drift",
        target: definition.name,
        verdict: "refused",
        reason,
        fingerprint,
      });
      logger.warn("A tool of an MCP server waits for the owner", { server: name, tool: definition.name, reason });
      const input = {
        ...question,
        description: definition.description,
        changes: changesBetween(before, definition),
      };
      try {
        await parts.requestApproval({ tool: "mcp_accept", input });
        unasked.delete(fingerprint);
        const asked = { name: definition.name, fingerprint, atMs: now, times: (known?.times ?? (known ? 1 : 0)) + 1 };
        await pins.update((file) => ({
          ...file,
          asked: [
            ...file.asked.filter(
              (one) =>
                isWithin(ASK_EVERY_MS, one.atMs, now) &&
                (one.name !== definition.name || one.fingerprint !== fingerprint),
            ),
            asked,
          ],
        }));
      } catch (error) {
        unasked.set(fingerprint, now);
        logger.error("The owner could not be asked about a tool", {
          server: name,
          tool: definition.name,
          error: messageOf(error),
        });
      }
    }
  }

  async function call(tool: string, input: Record<string, unknown>, context: ToolContext): Promise<unknown> {
    const startedAtMs = clock.now();
    if (!connection) {
      const ready = await within(clock, timeoutMs, context.signal, connect);
      if (ready === "stopped") throw context.signal.reason;
    }
    const current = connection;
    if (!current) {
      const why = detail === undefined ? "" : `: ${detail}`;
      throw new ToolError("MCP_UNAVAILABLE", `The MCP server ${name} is not connected${why}`);
    }
    // The wait for the connection counts; what is accepted may be other after it.
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
      relist(); // Also finds out whether the server still lives.
      throw new ToolError("TIMEOUT", `The MCP server ${name} did not answer within ${timeoutMs} ms`);
    }
    if (clock.now() - listedAtMs > LIST_STALE_MS) relist();
    return readCallResult(name, result.value);
  }

  return {
    /** Begins to connect; does not wait for it. */
    start: () => void connect(),
    /** Remembers a definition as the accepted one. @returns Whether it is what the server has now. */
    async accept(tool: string, fingerprint: string): Promise<boolean> {
      const found = heldBack.find((one) => one.definition.name === tool && one.fingerprint === fingerprint);
      await pins.update(({ pins: known, asked }) => ({
        pins: [
          ...known.filter((one) => one.name !== tool),
          { name: tool, fingerprint, ...(found && { definition: found.definition }) },
        ],
        asked: asked.filter((one) => one.name !== tool || one.fingerprint !== fingerprint),
      }));
      audit.write({ who: `mcp:${name}`, what: "mcp.accept", target: tool, verdict: "ok", fingerprint });
      relist();
      return found !== undefined;
    },
    status(): McpServerStatus {
      return {
        name,
        transport: isHttpServer(options) ? "http" : "stdio",
        state,
        ...(detail !== undefined && { detail }),
        ...(retryAtMs !== undefined && { retryAtMs }),
        tools: [...offered.values()].map(({ fullName }) => fullName).sort(),
        heldBack: heldBack.map(({ definition, kind, fingerprint }) => ({ tool: definition.name, kind, fingerprint })),
        refused,
      };
    },
    /** Ends the session and the program. Contract: never throws. */
    async close(): Promise<void> {
      closing.abort(new Error("The assistant stops"));
      cancelRetry();
      cancelList?.();
      await connecting;
      await losing;
      const last = connection;
      connection = undefined;
      state = "closed";
      retryAtMs = undefined;
      for (const { remove } of offered.values()) remove();
      offered.clear();
      await Promise.all([last?.close(), listing]);
      metrics.set("mcp.server.connected", 0, { server: name });
    },
  };
}

/** Did the server answer, if only with an error? Then the connection is well. Errors of JSON-RPC carry a number. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "number";
}

/** Also when the clock was set back in between: then for no longer than the span once more. */
function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}
