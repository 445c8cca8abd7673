import type { Clock } from "../clock.ts";
import type { Subagents } from "./subagents.ts";

/** Days that ended sub-agents are kept. */
export const DEFAULT_KEEP_SUBAGENTS_DAYS = 30;
const DAY_MS = 86_400_000;

export interface OldSubagentsDeps {
  readonly subagents: Pick<Subagents, "all" | "remove">;
  readonly clock: Pick<Clock, "now">;
}

/** @returns A function that removes sub-agents that ended more than `days` ago. 0 days: none. */
export function createOldSubagents({ subagents, clock }: OldSubagentsDeps, { days }: { readonly days: number }) {
  return async function sweep({ signal }: { readonly signal: AbortSignal }): Promise<Record<string, never>> {
    if (days === 0) return {};
    const since = clock.now() - days * DAY_MS;
    for await (const one of subagents.all()) {
      if (signal.aborted) return {};
      if (one.state !== "running" && (one.endedAt ?? 0) < since) await subagents.remove(one);
    }
    return {};
  };
}
