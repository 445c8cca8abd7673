/** How many turns may run side by side. */
export interface Slots {
  /** Waits for a free place, first come first served. @returns A function that gives it back. Rejects with the signal's reason when that aborts. */
  take(signal: AbortSignal): Promise<() => void>;
  readonly waiting: number;
  readonly taken: number;
}

/** @param most Places; 0 = unlimited. */
export function createSlots(most: number): Slots {
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
