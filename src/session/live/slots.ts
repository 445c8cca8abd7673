import type { Metrics } from "../../telemetry/index.ts";

/** How many turns may run at once: a semaphore, first come first served. */
export interface Slots {
  /** Waits for a free place. @returns A function that gives it back. Rejects with the signal's reason when that aborts. */
  take(signal: AbortSignal): Promise<() => void>;
}

/** @param most Places; 0 = unlimited. @param metrics Is told how many wait (`queue.depth`) and run (`queue.running`). */
export function createSlots(most: number, metrics: Pick<Metrics, "set">): Slots {
  const semaphore = createSemaphore(most);
  return {
    async take(signal) {
      metrics.set("queue.depth", semaphore.waiting + 1);
      const release = await semaphore.take(signal);
      metrics.set("queue.depth", semaphore.waiting);
      metrics.set("queue.running", semaphore.taken);
      return () => {
        release();
        metrics.set("queue.running", semaphore.taken);
      };
    },
  };
}

interface Semaphore extends Slots {
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
