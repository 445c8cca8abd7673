import { after, type Clock } from "../clock.ts";

/** Waits for it, but no longer than so. Leaves no timer behind. */
export async function atMost(ms: number, work: Promise<void>, clock: Clock): Promise<void> {
  let cancel = () => {};
  const over = new Promise<void>((resolve) => (cancel = after(clock, ms, resolve)));
  await Promise.race([work, over]);
  cancel();
}
