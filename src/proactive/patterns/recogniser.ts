import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/index.ts";
import type { ReadWriteLock } from "../../memory/index.ts";
import type { MemoryUsers } from "../../session/index.ts";
import type { ProactiveHook } from "../hook.ts";
import type { Evidence } from "./evidence.ts";

const PREFIX = "patterns:";

/** What looks again at what a person does and was told of. */
export const lookKeyOf = (userId: string): string => PREFIX + userId;
/** How long after a task it is looked for patterns: by then its traces are in memory. */
export const LOOK_AFTER_MS = 30_000;

export interface RecogniserDeps {
  readonly evidence: Pick<Evidence, "follow">;
  readonly users: Pick<MemoryUsers, "memoryUserOf" | "canonicalUser">;
  /** Learns skills first, so that what is learnt can be offered. Default: none is. */
  learn?(userId: string): Promise<void>;
  /** See `createLookForPatterns`. */
  lookAt(userId: string): Promise<number | undefined>;
  readonly engine: Pick<Engine, "wake">;
  /** Nothing is looked for while a person is forgotten. */
  readonly lock: Pick<ReadWriteLock, "shared">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * After a task that a person asked for, off the reply's way: reads what they said and what was done, and tells them of what is found. A commitment that turns stale
 * later has a wake at its time; else nothing happens while nothing happens. No model is asked.
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

  /** The handler of `patterns:` keys. May run again at any time: what is known is not told again. */
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
