import type { Metrics } from "../../telemetry/index.ts";

/**
 * Limits how many turns run at once: a first-come, first-served semaphore that knows which session holds each place.
 */
export interface Slots {
  /**
   * Waits for a free place.
   * @returns A function that gives it back. Rejects with the signal's reason when the signal aborts.
   */
  take(sessionKey: string, signal: AbortSignal): Promise<() => void>;
  /**
   * Waits for work with the session's place given back, and takes a place again before it resolves. With several
   * works at a time, the place stays free until the last one has ended. A session without a place only waits. Rejects
   * as the work does, or with the signal's reason when the signal aborts.
   */
  lend<T>(sessionKey: string, work: Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A session that has a place, or has lent it. */
interface Holder {
  /** Number of works that the place is lent for. */
  lentFor: number;
  /** Whether the turn has ended, so that no place is taken again. */
  hasEnded: boolean;
  giveBack(): void;
}

/**
 * @param most Places; 0 = unlimited.
 * @param metrics Receives how many wait (`queue.depth`) and run (`queue.running`).
 */
export function createSlots(most: number, metrics: Pick<Metrics, "set">): Slots {
  const semaphore = createSemaphore(most);
  const holders = new Map<string, Holder>();

  async function takePlace(signal: AbortSignal): Promise<() => void> {
    metrics.set("queue.depth", semaphore.waiting + 1);
    // Also counts down when the wait is aborted.
    const release = await semaphore.take(signal).finally(() => metrics.set("queue.depth", semaphore.waiting));
    metrics.set("queue.running", semaphore.taken);
    return () => {
      release();
      metrics.set("queue.running", semaphore.taken);
    };
  }

  /** Takes a place again, once the session waits for no more work. */
  async function takeAgain(holder: Holder, signal: AbortSignal): Promise<void> {
    if (holder.hasEnded || holder.lentFor > 0) return;
    const giveBack = await takePlace(signal);
    // In the meantime another call of the session can have begun to wait, or the turn can have ended.
    if (holder.hasEnded || holder.lentFor > 0) giveBack();
    else holder.giveBack = giveBack;
  }

  return {
    async take(sessionKey, signal) {
      const holder: Holder = { lentFor: 0, hasEnded: false, giveBack: await takePlace(signal) };
      holders.set(sessionKey, holder);
      return () => {
        holder.hasEnded = true;
        if (holders.get(sessionKey) === holder) holders.delete(sessionKey);
        holder.giveBack();
      };
    },
    async lend(sessionKey, work, signal) {
      const holder = holders.get(sessionKey);
      if (holder === undefined) return work;
      holder.lentFor += 1;
      holder.giveBack();
      try {
        return await work;
      } finally {
        holder.lentFor -= 1;
        await takeAgain(holder, signal);
      }
    },
  };
}

interface Semaphore {
  take(signal: AbortSignal): Promise<() => void>;
  readonly waiting: number;
  readonly taken: number;
}

function createSemaphore(most: number): Semaphore {
  let free = most === 0 ? Infinity : most;
  let taken = 0;
  const queue = new Set<() => void>();

  function giveBack(): void {
    const [next] = queue;
    if (next) {
      queue.delete(next);
      next();
    } else {
      free += 1;
    }
  }
  const once = () => {
    taken += 1;
    let given = false;
    return () => {
      if (given) return;
      given = true;
      taken -= 1;
      giveBack();
    };
  };

  return {
    get waiting() {
      return queue.size;
    },
    get taken() {
      return taken;
    },
    take(signal) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(once());
      }
      return new Promise((resolve, reject) => {
        const enter = () => {
          signal.removeEventListener("abort", leave);
          resolve(once());
        };
        const leave = () => {
          queue.delete(enter);
          reject(signal.reason);
        };
        queue.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
