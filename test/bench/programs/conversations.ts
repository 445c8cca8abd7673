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

/** Resident memory once the program is idle. */
export async function residentMb(): Promise<number> {
  await sleep(1500);
  return process.memoryUsage.rss() / 1e6;
}
