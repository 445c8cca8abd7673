import type { Clock } from "../clock.ts";
import { type Store, keySegments } from "../store/index.ts";
import { AUDIT } from "./audit.ts";

const DAY_MS = 86_400_000;

/**
 * Returns a function that removes the audit lines of days that ended at least `days` days ago. With 0 it removes
 * none.
 */
export function createOldAudit(
  { store, clock }: { readonly store: Pick<Store, "list" | "remove">; readonly clock: Pick<Clock, "now"> },
  { days }: { readonly days: number },
) {
  return async function sweep({ signal }: { readonly signal: AbortSignal }) {
    if (days === 0) return {};
    const since = `${new Date(clock.now() - days * DAY_MS).toISOString().slice(0, 10)}.jsonl`;
    for await (const { key } of store.list(AUDIT)) {
      if (signal.aborted || (keySegments(key).at(-1) ?? "") >= since) break;
      await store.remove(key);
    }
    return {};
  };
}
