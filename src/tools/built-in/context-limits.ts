import type { Clock } from "../../clock.ts";

const WRITES_A_TURN = 3;
const WRITES_A_MINUTE = 10;
const MINUTE_MS = 60_000;
const MOST_TURNS = 1000;

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

  /** Clocks may be set back: what lies ahead does not count. */
  function recent(identity: string): readonly number[] {
    const now = clock.now();
    return (minutes.get(identity) ?? []).filter((at) => at > now - MINUTE_MS && at <= now);
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
      if (turns.size > MOST_TURNS && oldest !== undefined) turns.delete(oldest);
    },
  };
}
