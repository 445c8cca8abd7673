import type { Engine } from "../../kit.ts";
import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { moment, realMoment } from "./moment.ts";

/** An engine of which is known whether anything is being handled. */
export function watchedEngine(engine: Engine): { readonly engine: Engine; isIdle(): boolean } {
  let running = 0;
  const watched: Engine = {
    ...engine,
    start: (handle) =>
      engine.start(async (key, signal) => {
        running += 1;
        await handle(key, signal).finally(() => (running -= 1));
      }),
  };
  return { engine: watched, isIdle: () => running === 0 };
}

/**
 * Lets everything happen that is due within so long, and what it brings about, however long the machine takes for it: some work (a digest, a file) takes
 * real time, which steps of a fake clock do not wait for.
 *
 * @param times How much fake time, in how many steps, and for how many more steps nothing must be at work.
 */
export async function settled(
  clock: FakeClock,
  isIdle: () => boolean,
  { ms, steps, quietSteps = 5 }: { readonly ms: number; readonly steps: number; readonly quietSteps?: number },
): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    await clock.advance(ms / steps);
    await moment();
  }
  for (let quiet = 0; quiet < quietSteps; quiet = isIdle() ? quiet + 1 : 0) {
    await clock.advance(1);
    await (quiet > 0 ? moment() : realMoment());
  }
}
