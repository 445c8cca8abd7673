import type { Clock } from "../../clock.ts";
import { messageOf } from "../../errors.ts";
import type { Audit, Logger, Metrics } from "../../telemetry/index.ts";
import { changesBetween } from "./fingerprint.ts";
import type { HeldBack, Pins } from "./pins.ts";

/**
 * The owner is asked about one change once in this many milliseconds, and about at most `MAX_ASKED` changes of one
 * server in that time, so that no one is worn down into saying yes.
 */
const ASK_EVERY_MS = 24 * 60 * 60 * 1000;
const MAX_ASKED = 20;
/** Milliseconds before a question is asked again that expired or could not be asked. An hour. */
const ASK_AGAIN_MS = 60 * 60 * 1000;

/** The question about a new or changed tool. */
export interface McpAcceptInput {
  /** The server's name in the configuration. */
  readonly server: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Fingerprint of the definition to be accepted. */
  readonly fingerprint: string;
  /** Its current description, in full. */
  readonly description: string;
  /** Differences from the accepted definition, one per line. */
  readonly changes: readonly string[];
}

/** The owner, who is asked through approval requests. */
export interface AskedOwner {
  /**
   * Asks the owner. Contract: the input is shown in full; a yes ends in `accept` with the same server, tool and
   * fingerprint.
   */
  requestApproval(request: { readonly tool: "mcp_accept"; readonly input: McpAcceptInput }): Promise<void>;
  /**
   * Whether an earlier question ended without an answer, so the owner did not say no and can no longer answer it.
   * Default: never.
   */
  mayAskAgain?(input: Pick<McpAcceptInput, "server" | "tool" | "fingerprint">): Promise<boolean>;
}

export interface OwnerQuestionsDeps {
  readonly owner: AskedOwner;
  readonly pins: Pins;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "write">;
  readonly metrics: Pick<Metrics, "increment">;
  readonly logger: Pick<Logger, "warn" | "error">;
}

export type OwnerQuestions = ReturnType<typeof createOwnerQuestions>;

/** Asks the owner about the tools of one server. */
export function createOwnerQuestions(
  server: string,
  { owner, pins, clock, audit, metrics, logger }: OwnerQuestionsDeps,
) {
  /** Times of questions that could not be asked, by fingerprint. */
  const unasked = new Map<string, number>();

  /** Asks about new and changed tools: each change once a day, and again if it could not be answered. */
  return async function ask(heldBack: readonly HeldBack[]): Promise<void> {
    if (heldBack.length === 0) return;
    const now = clock.now();
    const recent = ((await pins.read())?.asked ?? []).filter(({ atMs }) => isWithin(ASK_EVERY_MS, atMs, now));
    let left = MAX_ASKED - recent.reduce((sum, { times = 1 }) => sum + times, 0);
    for (const { definition, fingerprint, kind, before } of heldBack) {
      const known = recent.find((one) => one.name === definition.name && one.fingerprint === fingerprint);
      const lastMs = Math.max(known?.atMs ?? -Infinity, unasked.get(fingerprint) ?? -Infinity);
      if (left <= 0 || isWithin(ASK_AGAIN_MS, lastMs, now)) continue;
      const question = { server, tool: definition.name, fingerprint };
      if (known !== undefined && (await owner.mayAskAgain?.(question)) !== true) continue;
      left--;
      const reason = kind === "new" ? "a new tool" : "its definition changed";
      metrics.increment("mcp.drift_total", { server });
      audit.write({
        who: `mcp:${server}`,
        what: "mcp.drift",
        target: definition.name,
        verdict: "refused",
        reason,
        fingerprint,
      });
      logger.warn("A tool of an MCP server waits for the owner", { server, tool: definition.name, reason });
      const input = {
        ...question,
        description: definition.description,
        changes: changesBetween(before, definition),
      };
      try {
        await owner.requestApproval({ tool: "mcp_accept", input });
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
          server,
          tool: definition.name,
          error: messageOf(error),
        });
      }
    }
  };
}

/** Uses the absolute difference: after the clock was set back, the span holds at most once more. */
function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}
