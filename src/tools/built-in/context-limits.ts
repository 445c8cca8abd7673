import type { Clock } from "../../clock.ts";

const WRITES_A_TURN = 3;
const WRITES_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_KEPT = 1000;

/** One writing call. */
export interface WriteCall {
  /** Writes of one writer are counted together. */
  readonly writer: string;
  readonly turn: string;
  /** The call's id. A call that runs again after a crash is counted once. */
  readonly call: string;
}

/** Limits writes to context files: 3 per turn, and 10 per minute for one person. Counted in this process. */
export function createWriteLimits({ clock }: { readonly clock: Pick<Clock, "now"> }) {
  const turns = new Map<string, Set<string>>();
  const minutes = new Map<string, readonly number[]>();

  /** A time in the future was counted before the clock was set back: it counts as now, so for at most a minute. */
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
