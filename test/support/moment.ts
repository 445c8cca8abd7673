/** How many turns of the event loop streams and message ports take at most between two timers. */
const TURNS = 3;

const QUICK_STEPS = 100;

/** Digests and signatures that are being made. They take real time, which no turn of the event loop and no fake clock counts. */
let underWay = 0;

// On a busy machine another thread makes them when it comes by: so whoever waits asks whether one is under way, not how late it is.
for (const name of ["digest", "sign", "verify", "importKey"] as const) {
  const original = crypto.subtle[name].bind(crypto.subtle) as (...args: never[]) => Promise<unknown>;
  const counted = (...args: never[]) => {
    underWay += 1;
    return original(...args).finally(() => (underWay -= 1));
  };
  Object.defineProperty(crypto.subtle, name, { value: counted, configurable: true, writable: true });
}

/** workerd has no turn that is quicker than a timer and comes after its streams: a message overtakes them. */
const isWorkerd = navigator.userAgent === "Cloudflare-Workers";

/** Lets go on what needs no timer: promises, streams, digests. A timer would wait a whole millisecond for it. */
export async function moment(): Promise<void> {
  if (isWorkerd) return realMoment();
  for (let turn = 0; turn < TURNS || underWay > 0; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The rest after a step of a fake clock: what is not there after many quick ones has to do with a disk, or with a module that is being loaded. */
export function momentAfter(step: number): Promise<void> {
  return step < QUICK_STEPS ? moment() : realMoment();
}

/** For what is read from a disk, or is loaded: that takes real time of which nobody here knows. */
export function realMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
