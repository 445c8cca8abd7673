import type { TestAssistant } from "../support/assistant.ts";
import { moment } from "../support/moment.ts";

export const MINUTE = 60_000;

/** So many minutes, in each of which a job may be due. */
export async function eachMinute({ clock }: TestAssistant, minutes: number): Promise<void> {
  for (let step = 0; step < 4 * minutes; step += 1) {
    await clock.advance(MINUTE / 4);
    await moment();
  }
}
