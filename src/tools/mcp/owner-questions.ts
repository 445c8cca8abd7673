import type { Clock } from "../../clock.ts";
import { messageOf } from "../../errors.ts";
import type { Audit, Logger, Metrics } from "../../telemetry/index.ts";
import { changesBetween } from "./fingerprint.ts";
import type { HeldBack, Pins } from "./pins.ts";

/** The owner is asked about one change once in so many milliseconds, and about so many changes of one server: nobody is worn down into saying yes. */
const ASK_EVERY_MS = 24 * 60 * 60 * 1000;
const MAX_ASKED = 20;
/** A question that nobody answered in its time, or that could not be put, is put again after so many milliseconds. */
const ASK_AGAIN_MS = 60 * 60 * 1000;

/** What the owner is asked when a tool is new or other than it was. */
export interface McpAcceptInput {
  /** The server's name in the configuration. */
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

/** The owner, who is asked by a request for approval. */
export interface AskedOwner {
  /** Asks the owner. Contract: the input is shown whole; a yes ends in `accept` with the same server, tool and fingerprint. */
  requestApproval(request: { readonly tool: "mcp_accept"; readonly input: McpAcceptInput }): Promise<void>;
  /** Whether a question that was put ended without an answer: the owner did not say no, and cannot answer it any more. Default: never. */
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

/** What the owner is asked about the tools of one server. */
export function createOwnerQuestions(
  server: string,
  { owner, pins, clock, audit, metrics, logger }: OwnerQuestionsDeps,
) {
  /** Questions that could not be put, and when that was. */
  const unasked = new Map<string, number>();

  /** Tells the owner of tools that are new or other than they were: each change once a day, and again when nobody could answer. */
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

/** Also when the clock was set back in between: then for no longer than the span once more. */
function isWithin(spanMs: number, atMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - atMs) < spanMs;
}
