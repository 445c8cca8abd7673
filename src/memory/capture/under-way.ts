import type { Clock } from "../../clock.ts";
import { withTimeout } from "../../time-limit.ts";

/** Nobody waits longer for what is about to be captured. */
const MAX_WAIT_MS = 5000;

/** What was said and is about to be captured, by session, in this process: whoever has something forgotten waits for it. */
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
    /** A turn ended of which something may have to be captured. */
    begin(sessionKey: string): void {
      const known = open.get(sessionKey);
      if (known) known.turns += 1;
      else {
        let tell = () => {};
        const done = new Promise<void>((resolve) => (tell = resolve));
        open.set(sessionKey, { turns: 1, done, tell });
      }
    },
    /** How many turns are open that have begun up to now. */
    turnsOf: (sessionKey: string): number => open.get(sessionKey)?.turns ?? 0,
    end,
    /** Resolves when no turn of the session is open, or after five seconds. @throws The signal's reason when that aborts. */
    async settled(sessionKey: string, signal?: AbortSignal): Promise<void> {
      const one = open.get(sessionKey);
      if (one) await withTimeout(clock, MAX_WAIT_MS, one.done, () => {}, signal);
    },
  };
}
