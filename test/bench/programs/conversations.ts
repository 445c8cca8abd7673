import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/** 160 characters. */
export const TEXT =
  "Where did I put the blue folder with the papers of the house, the one that the notary gave me in spring before we went to the sea for a week with the children??";

const AT_ONCE = 32;

/** Each session says something, then each again, until half of `messages` (the rest are answers) are said; thirty-two sessions at once. */
export async function converse(sessions: number, messages: number, say: (session: number) => Promise<unknown>) {
  for (let turn = 0; turn < messages / 2; turn += 1) {
    let next = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (next < sessions) await say(next++);
      }),
    );
  }
}

/** What a program takes, in MB. */
export interface MemoryTaken {
  readonly resident: number;
  /** Heap and buffers that are left after a forced collection; needs `--expose-gc`. */
  readonly alive: number;
}

/** @param restMs How long it may go on with what it put off until after its replies. */
export async function memoryTaken(restMs: number = 1500): Promise<MemoryTaken> {
  await sleep(restMs);
  const resident = process.memoryUsage.rss() / 1e6;
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { resident, alive: (heapUsed + arrayBuffers) / 1e6 };
}
