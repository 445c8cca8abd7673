import type { Clock } from "../../clock.ts";

const WRITES_A_TURN = 3;
const WRITES_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MAX_TURNS = 1000;

/** One call that writes. */
export interface WriteCall {
  readonly identity: string;
  readonly turn: string;
  /** The same call again, after a crash, is counted once. */
  readonly call: string;
}

/** How much is written to context files: 3 times a turn, and 10 times in any minute for one identity. Counted in this process. */
export function createWriteLimits({ clock }: { readonly clock: Pick<Clock, "now"> }) {
  const turns = new Map<string, Set<string>>();
  const minutes = new Map<string, readonly number[]>();

  /** What lies ahead was counted before the clock was set back: it counts as of now, for a minute and no longer. */
  function recent(identity: string): readonly number[] {
    const now = clock.now();
    const known = (minutes.get(identity) ?? []).map((at) => Math.min(at, now)).filter((at) => at > now - MINUTE_MS);
    if (minutes.has(identity)) minutes.set(identity, known);
    return known;
  }

  return {
    allows({ identity, turn, call }: WriteCall): boolean {
      const calls = turns.get(turn);
      if (calls?.has(call)) return true;
      return (calls?.size ?? 0) < WRITES_A_TURN && recent(identity).length < WRITES_A_MINUTE;
    },
    count({ identity, turn, call }: WriteCall): void {
      const calls = turns.get(turn) ?? new Set();
      if (calls.has(call)) return;
      turns.set(turn, calls.add(call));
      minutes.set(identity, [...recent(identity), clock.now()]);
      const [oldest] = turns.keys();
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    },
  };
}
