import type { FakeClock } from "../../src/testing/fake-clock.ts";

/**
 * Lets the program go on, time included, until `done` holds: in steps of `stepMs` of fake time, with a turn of the event loop between.
 * @throws {Error} After `mostSteps`: what was waited for did not come.
 */
export async function until(
  clock: FakeClock,
  done: () => boolean | Promise<boolean>,
  options: { stepMs?: number; mostSteps?: number } = {},
): Promise<void> {
  const { stepMs = 500, mostSteps = 400 } = options;
  for (let step = 0; step < mostSteps; step += 1) {
    if (await done()) return;
    await clock.advance(stepMs);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  throw new Error(`Waited ${(stepMs * mostSteps) / 1000} s of fake time, and it did not come`);
}
