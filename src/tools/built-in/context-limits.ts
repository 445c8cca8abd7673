import type { Clock } from "../../clock.ts";

const WRITES_A_TURN = 3;
const WRITES_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_KEPT = 1000;

/** One call that writes. */
export interface WriteCall {
  /** Whose writes are counted together. */
  readonly writer: string;
  readonly turn: string;
  /** The same call again, after a crash, is counted once. */
  readonly call: string;
}

/** How much is written to context files: 3 times a turn, and 10 times in any minute for one person. Counted in this process. */
export function createWriteLimits({ clock }: { readonly clock: Pick<Clock, "now"> }) {
  const turns = new Map<string, Set<string>>();
  const minutes = new Map<string, readonly number[]>();

  /** What lies ahead was counted before the clock was set back: it counts as of now, for a minute and no longer. */
  function recent(writer: string): readonly number[] {
    const now = clock.now();
    const known = (minutes.get(writer) ?? []).map((at) => Math.min(at, now)).filter((at) => at > now - MINUTE_MS);
    if (minutes.has(writer)) minutes.set(writer, known);
    return known;
  }

  return {
    allows({ writer, turn, call }: WriteCall): boolean {
      const calls = turns.get(turn);
      if (calls?.has(call)) return true;
      return (calls?.size ?? 0) < WRITES_A_TURN && recent(writer).length < WRITES_A_MINUTE;
    },
    count({ writer, turn, call }: WriteCall): void {
      const calls = turns.get(turn) ?? new Set();
      if (calls.has(call)) return;
      turns.set(turn, calls.add(call));
      minutes.set(writer, [...recent(writer), clock.now()]);
      for (const kept of [turns, minutes]) {
        const [oldest] = kept.keys();
        if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
      }
    },
  };
}
