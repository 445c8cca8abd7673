import type { FakeClock } from "../../src/testing/fake-clock.ts";
import { momentAfter } from "./moment.ts";

/** Many: some work (hashes, streams) takes turns of the event loop, more of them on a busy machine. */
const STEPS = 400;

/**
 * Lets the program go on, time included, until `done` holds: in 400 steps of `stepMs` of fake time (default 500, so for 200 s at most), with a turn of the
 * event loop between.
 * @throws {Error} What was waited for did not come.
 */
export async function until(
  clock: FakeClock,
  done: () => boolean | Promise<boolean>,
  { stepMs = 500 }: { readonly stepMs?: number } = {},
): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    if (await done()) return;
    await clock.advance(stepMs);
    await momentAfter(step);
  }
  throw new Error(`Waited ${(stepMs * STEPS) / 1000} s of fake time, and it did not come`);
}
