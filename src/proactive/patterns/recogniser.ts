import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { ProactiveHook } from "../hook.ts";
import type { Evidence } from "./evidence.ts";

const PREFIX = "patterns:";

/** The engine key whose wake looks for a person's patterns. */
export const lookKeyOf = (userId: string): string => PREFIX + userId;
/** Delay after a task. By then its traces are in memory. */
export const LOOK_AFTER_MS = 30_000;

export interface RecogniserDeps {
  readonly evidence: Pick<Evidence, "follow">;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  /** Runs the skill learner first, so that its new suggestions can be told. Default: no learning. */
  learn?(userId: string): Promise<void>;
  /** See `createLookForPatterns`. */
  lookAt(userId: string): Promise<number | undefined>;
  readonly engine: Pick<Engine, "wake">;
  /** Read lock: no look runs while a person is erased. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * After a person's task, without delaying the reply, schedules a look for patterns and tells the person of new
 * findings. A commitment that turns stale later schedules a wake for that time. No model is called.
 *
 * Source: docs/patterns.md, "When it looks".
 */
export function createRecogniser({ evidence, users, learn, lookAt, engine, lock, clock }: RecogniserDeps) {
  const hook: ProactiveHook = {
    name: "patterns",
    async onTaskCompleted(task, { sessionKey, dryRun }) {
      if (dryRun || task.peer.kind !== "direct") return;
      const userId = users.memoryUserOf(task);
      await lock.shared(() => evidence.follow(userId, sessionKey));
      await engine.wake(lookKeyOf(userId), new Date(clock.now() + LOOK_AFTER_MS));
    },
  };

  /** The handler of `patterns:` keys. Idempotent: known findings are not told again. */
  async function handle(key: string): Promise<void> {
    const userId = users.canonicalUser(key.slice(PREFIX.length));
    await learn?.(userId);
    await lock.shared(async () => {
      const next = await lookAt(userId);
      if (next !== undefined) await engine.wake(lookKeyOf(userId), new Date(next));
    });
  }

  return { hook, isKey: (key: string): boolean => key.startsWith(PREFIX), handle };
}
