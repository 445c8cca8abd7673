import type { Clock } from "../../clock.ts";
import { withTimeout } from "../../time-limit.ts";

/** Most milliseconds to wait for captures. */
const MAX_WAIT_MS = 5000;

/** Turns whose captures are pending, by session, in this process. Forgetting waits for them. */
export type CapturesUnderWay = ReturnType<typeof createCapturesUnderWay>;

export function createCapturesUnderWay({ clock }: { readonly clock: Clock }) {
  const open = new Map<string, { turns: number; readonly done: Promise<void>; readonly tell: () => void }>();

  function end(sessionKey: string, turns = 1): void {
    const one = open.get(sessionKey);
    if (!one) return;
    one.turns -= turns;
    if (one.turns > 0) return;
    open.delete(sessionKey);
    one.tell();
  }

  return {
    /** Counts a turn that ended and may have something to capture. */
    begin(sessionKey: string): void {
      const known = open.get(sessionKey);
      if (known) known.turns += 1;
      else {
        let tell = () => {};
        const done = new Promise<void>((resolve) => (tell = resolve));
        open.set(sessionKey, { turns: 1, done, tell });
      }
    },
    /** Number of turns that are open now. */
    turnsOf: (sessionKey: string): number => open.get(sessionKey)?.turns ?? 0,
    end,
    /** Resolves when no turn of the session is open, or after five seconds. @throws The signal's reason when that aborts. */
    async settled(sessionKey: string, signal?: AbortSignal): Promise<void> {
      const one = open.get(sessionKey);
      if (one) await withTimeout(clock, MAX_WAIT_MS, one.done, () => {}, signal);
    },
  };
}
