import type { Clock } from "../../clock.ts";
import { AssistantError } from "../../errors.ts";
import type { Store } from "../../store/index.ts";
import type { Audit, Logger, Metrics, ModelRedactor } from "../../telemetry/index.ts";
import { createAcceptedTools } from "./accepted-tools.ts";
import type { Connect } from "./connect.ts";
import { type McpRegistry, createOfferedTools } from "./offered-tools.ts";
import { type McpServerOptions, isHttpServer, problemOfServerName } from "./options.ts";
import { type AskedOwner, createOwnerQuestions } from "./owner-questions.ts";
import { acceptPin, createPins } from "./pins.ts";
import { type McpServerStatus, type ServerLink, createServerLink, notConnected } from "./server-link.ts";

export type { McpOptions } from "../options.ts";

export interface McpManagerDeps {
  /** Opens a connection to a server. */
  readonly connect: Connect;
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** Removes configured secrets from the description that the model sees. */
  readonly redact: ModelRedactor;
}

export interface McpManager {
  /** Offers the accepted tools of each server, before the first server is reached. Contract: never throws. */
  open(registry: McpRegistry, owner: AskedOwner): Promise<void>;
  /**
   * Begins to connect to every server and returns; an unreachable server delays no one. A second call changes
   * nothing.
   */
  start(registry: McpRegistry, owner: AskedOwner): void;
  /** Ends the sessions and the programs, and removes the tools. Contract: never throws; takes some seconds at most. */
  close(): Promise<void>;
  status(): readonly McpServerStatus[];
  /**
   * Returns why a called tool is not offered, and connects to its server at once. `undefined`: its server is
   * connected, or no server has that name.
   */
  whyAbsent(fullName: string): string | undefined;
  /**
   * Accepts a tool's definition, after the owner said yes; also works before `start`.
   *
   * @returns `offered`: whether the server has the tool in this form now; if not, the acceptance counts as soon as it
   * does.
   * @throws {AssistantError} `NOT_FOUND` for a server that is not configured.
   */
  accept(what: {
    readonly server: string;
    readonly tool: string;
    readonly fingerprint: string;
  }): Promise<{ readonly offered: boolean }>;
}

/**
 * Manages the tools of MCP servers, in the registry's level `mcp`.
 *
 * Source: docs/mcp.md.
 *
 * @throws {AssistantError} `OPTION_INVALID` for an invalid server name.
 */
export function createMcpManager(
  servers: Readonly<Record<string, McpServerOptions>>,
  { connect, store, clock, logger, audit, metrics, redact }: McpManagerDeps,
): McpManager {
  for (const name of Object.keys(servers)) {
    const problem = problemOfServerName(name);
    if (problem !== undefined) throw new AssistantError("OPTION_INVALID", `Invalid option mcp.servers: ${problem}`);
  }
  /** Empty until `start`. */
  const links = new Map<string, ServerLink>();

  function linkTo(name: string, options: McpServerOptions, registry: McpRegistry, owner: AskedOwner): ServerLink {
    const pins = createPins({ store, server: name });
    const offered = createOfferedTools(name, options, { registry, redact, logger });
    const askOwner = createOwnerQuestions(name, { owner, pins, clock, audit, metrics, logger });
    const accepted = createAcceptedTools(options, { pins, offered, askOwner });
    return createServerLink(name, options, { connect, accepted, offered, clock, logger, metrics });
  }

  function linked(registry: McpRegistry, owner: AskedOwner): readonly ServerLink[] {
    for (const [name, options] of Object.entries(servers))
      if (!links.has(name)) links.set(name, linkTo(name, options, registry, owner));
    return [...links.values()];
  }

  return {
    async open(registry, owner) {
      await Promise.all(linked(registry, owner).map((link) => link.open()));
    },
    start: (registry, owner) => linked(registry, owner).forEach((link) => link.start()),
    async close() {
      await Promise.all([...links.values()].map((link) => link.close()));
    },
    status: () =>
      Object.entries(servers).map(([name, options]) => links.get(name)?.status() ?? notStarted(name, options)),
    whyAbsent(fullName) {
      const name = Object.keys(servers).find((server) => fullName.startsWith(`mcp__${server}__`));
      if (name === undefined) return undefined;
      const link = links.get(name);
      link?.start();
      // The policy was not asked yet, so the text must not contain an address.
      return link?.status().state === "connected" ? undefined : notConnected(name);
    },
    async accept({ server, tool, fingerprint }) {
      if (!Object.hasOwn(servers, server))
        throw new AssistantError("NOT_FOUND", `There is no MCP server ${JSON.stringify(server)} in the configuration`);
      const offered = (await links.get(server)?.accept(tool, fingerprint)) ?? false;
      if (!links.has(server)) await acceptPin(createPins({ store, server }), { name: tool, fingerprint });
      audit.write({ who: `mcp:${server}`, what: "mcp.accept", target: tool, verdict: "ok", fingerprint });
      return { offered };
    },
  };
}

function notStarted(name: string, options: McpServerOptions): McpServerStatus {
  const transport = isHttpServer(options) ? "http" : "stdio";
  return { name, transport, state: "connecting", tools: [], heldBack: [], refused: [] };
}
