import type { Engine } from "../engine/index.ts";
import { AssistantError, messageOf } from "../errors.ts";
import type { ForgetResult } from "../memory/index.ts";
import type { MemorySpeaker, MemoryUsers } from "../session/index.ts";
import { type Store, createTurns, finishRewrites } from "../store/index.ts";
import type { Logger } from "../telemetry/index.ts";
import { type Eraser, FORGOTTEN_KEY } from "./erase-person.ts";

export interface ErasureDeps {
  readonly eraser: Eraser;
  readonly users: Pick<MemoryUsers, "canonicalUser" | "memoryUserOf">;
  readonly store: Store;
  readonly engine: Pick<Engine, "compact">;
  /** Separates writers about people from removers: a capture or a digest at work would write after the erasure. */
  readonly lock: {
    shared<R>(work: () => Promise<R>): Promise<R>;
    exclusive<R>(work: () => Promise<R>): Promise<R>;
  };
  /** Starts the assistant. The engine drops keys that name the person only while it runs. */
  start(): Promise<void>;
  readonly logger: Pick<Logger, "error">;
}

/**
 * Erases a person. Can be repeated at any time: removed data is skipped, and an interrupted erasure is finished.
 *
 * Source: docs/privacy.md.
 */
export function createErasure({ eraser, users, store, engine, lock, start, logger }: ErasureDeps) {
  const inTurn = createTurns();
  /** Users whose messages wait during their erasure. */
  const closed = new Map<string, Promise<unknown>>();

  /** Erases a person after `prepare`. Their messages wait from the first moment on, also during `prepare`. */
  async function forgetAfter(given: string, prepare: () => Promise<void>): Promise<ForgetResult> {
    if (given.trim() === "")
      throw new AssistantError("OPTION_INVALID", "Invalid userId: expected whom to forget, as telegram:42 or @name");
    const userId = users.canonicalUser(given.trim());
    const work = inTurn("forget", async () => {
      await prepare();
      return lock.exclusive(() => eraser.erase(userId, given.trim()));
    });
    closed.set(userId, work);
    try {
      return await work;
    } finally {
      if (closed.get(userId) === work) closed.delete(userId);
    }
  }

  return {
    /**
     * @throws {AssistantError} `OPTION_INVALID` for an empty id; errors of the store, after which it can be called
     * again.
     */
    forget: ({ userId }: { readonly userId: string }): Promise<ForgetResult> => forgetAfter(userId, start),

    /** Waits while the person is being erased: messages that arrive meanwhile belong to the time after. */
    async passed(speaker: MemorySpeaker): Promise<void> {
      if (closed.size === 0) return;
      const work = closed.get(users.memoryUserOf(speaker)) ?? closed.get(users.canonicalUser(speaker.user));
      await work?.catch(() => undefined);
    },

    /** Finishes what a crash interrupted. Contract: called before the engine starts. */
    async recover(): Promise<void> {
      await finishRewrites(store);
      const finish = async () => {
        const { given } = await eraser.unfinished();
        if (given !== undefined) await forgetAfter(given, async () => {});
      };
      await finish().catch((error: unknown) => {
        logger.error("A person could not be forgotten to the end: the next start, or forgetting again, goes on", {
          error: messageOf(error),
        });
      });
    },

    isKey: (key: string): boolean => key === FORGOTTEN_KEY,
    handle: (): Promise<void> => lock.shared(async () => engine.compact?.()),
  };
}
