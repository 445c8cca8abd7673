import { messageOf } from "../../errors.ts";
import { createGoalFiles } from "../../goals/index.ts";
import type { Platform } from "../../platform.ts";
import type { Store } from "../../store/index.ts";
import { silentLogger } from "../../telemetry/index.ts";
import { cadenceProblem } from "./cadence.ts";

/**
 * Counts the goal files and returns what is wrong with the unreadable ones. Read only.
 * Source: docs/goals.md, "The file".
 */
export async function brokenGoals(
  store: Store,
  yaml: Platform["yaml"],
): Promise<{ readonly files: number; readonly problems: readonly string[] }> {
  const kept = createGoalFiles({ store, clock: { now: () => 0 }, yaml, logger: silentLogger, cadenceProblem });
  const problems: string[] = [];
  let files = 0;
  for await (const { userId } of kept.list()) {
    files += 1;
    await kept.read(userId).catch((error: unknown) => problems.push(messageOf(error)));
  }
  return { files, problems };
}
