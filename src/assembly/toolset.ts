import { type AttachmentParts, createArtifactSweeps, createLongResults } from "../artifacts/index.ts";
import { type BuiltInToolsParts, createBuiltInTools } from "./built-in-tools.ts";
import type { ApprovalView } from "../approvals/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import { createGuardedFetch } from "../guard/index.ts";
import { type JsonValue, canonicalJson } from "../store/index.ts";
import type { Audit, Metrics, ModelRedactor } from "../telemetry/index.ts";
import {
  type AnyTool,
  type McpManagerParts,
  createToolRegistry,
  loadMcpManager,
  mcpAcceptTool,
} from "../tools/index.ts";
import { VERSION } from "../version.ts";

export interface ToolsetParts extends BuiltInToolsParts {
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly redact: ModelRedactor;
  /** Asks the owner about a changed tool of an MCP server. */
  readonly requestApproval: McpManagerParts["requestApproval"];
  /** All requests that were made of the owner. */
  readonly listApprovals: () => Promise<readonly ApprovalView[]>;
}

/** Whether none of the requests that asked this about a tool of an MCP server is open, or was denied. */
export function mayAskAgain(
  requests: readonly Pick<ApprovalView, "tool" | "input" | "outcome">[],
  { server, tool, fingerprint }: { readonly server: string; readonly tool: string; readonly fingerprint: string },
): boolean {
  const question = canonicalJson({ server, tool, fingerprint });
  return requests
    .filter((one) => {
      if (one.tool !== "mcp_accept" || typeof one.input !== "object" || one.input === null) return false;
      const asked = one.input as Readonly<Record<string, JsonValue>>;
      return (
        question === canonicalJson({ server: asked["server"], tool: asked["tool"], fingerprint: asked["fingerprint"] })
      );
    })
    .every(({ outcome }) => outcome !== undefined && outcome.verdict !== "denied");
}

/** All tools of an assistant on their levels, and where they keep what is long. Nothing connects before `start()`. */
export async function createToolset(parts: ToolsetParts) {
  const { options, platform, store, clock, logger, audit, metrics, redact } = parts;
  const { artifacts, requestApproval, listApprovals } = parts;
  const keepLong = createLongResults({
    artifacts,
    ...(options.artifacts?.thresholdBytes !== undefined && { thresholdBytes: options.artifacts.thresholdBytes }),
    onFailure: (error) => logger.warn("A long result could not be kept", { error: messageOf(error) }),
  });
  const sweeps = createArtifactSweeps({
    artifacts,
    clock,
    onFailure: (error) => logger.warn("Old artifacts were not removed", { error: messageOf(error) }),
  });
  const { fetch, lookup } = options;
  const attachments: AttachmentParts = {
    artifacts,
    fetch: createGuardedFetch({ clock, ...(fetch && { fetch }), ...(lookup && { lookup }) }, platform.network),
    clock,
    logger,
    ...(options.artifacts?.maxBytes !== undefined && { maxBytes: options.artifacts.maxBytes }),
  };
  const builtIn = await createBuiltInTools(parts);
  const registry = readTools({
    ...builtIn,
    ...(options.mcp?.servers && mcpAcceptTool({ accept: (what) => mcp.accept(what) })),
    ...options.tools,
  });
  const mcp = await loadMcpManager({
    ...options.mcp,
    version: VERSION,
    platform,
    registry,
    store,
    clock,
    logger,
    audit,
    metrics,
    redact,
    ...(fetch && { fetch }),
    ...(lookup && { lookup }),
    requestApproval,
    mayAskAgain: async (question) => mayAskAgain(await listApprovals(), question),
  });

  function readTools(tools: Readonly<Record<string, AnyTool>>) {
    try {
      return createToolRegistry(tools, {
        onClash: ({ name, level, takenBy }) =>
          logger.warn("A tool is not offered as its name is taken", {
            tool: name,
            level,
            takenBy: `${takenBy.name} (${takenBy.level})`,
          }),
      });
    } catch (error) {
      throw new AssistantError("OPTION_INVALID", `Invalid option tools: ${messageOf(error)}`, { cause: error });
    }
  }

  return {
    registry,
    keepLong,
    mcpStatus: mcp.status,
    attachments,
    start() {
      mcp.start();
      sweeps.look();
    },
    /** To be called whenever something is done anyway: what is due once a day is done then. */
    look: sweeps.look,
    async close() {
      sweeps.stop();
      await mcp.close();
    },
  };
}
