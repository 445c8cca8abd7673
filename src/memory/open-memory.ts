import type { Clock } from "../clock.ts";
import type { Platform } from "../platform.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics, ModelRedactor } from "../telemetry/index.ts";
import type { ForgetResult } from "./api.ts";
import { createDays } from "./days/days.ts";
import { type LifecycleParts, createLifecycle } from "./lifecycle/lifecycle.ts";
import { createMemory } from "./memory.ts";
import { createMemoryOfUsers } from "./memory-of-users.ts";
import { createMemoryMove } from "./move-user.ts";
import { afterMoves, createMoving } from "./moving.ts";
import { loadFlatMigration, loadWorkspaceImport } from "./on-demand.ts";
import { checkId } from "./new-entry.ts";
import { likenessOf, openEntries } from "./open-entries.ts";
import type { MemoryOptions } from "./options.ts";
import { type MemoryPart, type MemoryProblem, createMemoryPart } from "./part.ts";
import { createReadWriteLock } from "./read-write-lock.ts";

export interface OpenMemoryDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly redact: ModelRedactor;
  /** The user whose memory an id means. */
  canonicalUser(userId: string): string;
  /** The time zone of a user. */
  timezoneOf(userId: string): string;
  /** Summarises several texts in one. */
  readonly summarise: LifecycleParts["summarise"];
}

/** Memory by user: its rooms over one store. */
export type OpenedMemory = Awaited<ReturnType<typeof openMemory>>;

export async function openMemory(
  settings: MemoryOptions,
  { store, clock, yaml, metrics, logger, redact, timezoneOf, summarise, ...users }: OpenMemoryDeps,
) {
  const canonicalUser = (userId: string) => users.canonicalUser(checkId("userId", userId));
  const { entries, hybrid, layered } = await openEntries(settings, { store, clock, yaml, logger, metrics, redact });
  const memory = createMemory({ store, clock, yaml, entries, logger, metrics });
  const days = createDays({ store, memory: entries, clock, timezoneOf, metrics });
  const lifecycle = createLifecycle({ store, memory: entries, clock, summarise });
  const behind = createMemoryOfUsers({ memory, days, lifecycle, store, canonicalUser: users.canonicalUser });
  const moving = createMoving();

  async function problems(): Promise<readonly MemoryProblem[]> {
    const found: MemoryProblem[] = [];
    for await (const userId of memory.users()) {
      const ofEntries = (await layered?.problems(userId)) ?? [];
      for (const { key, line, message } of [...(await memory.problems(userId)), ...ofEntries])
        found.push({ userId, file: key, line, problem: message });
    }
    return found;
  }

  return {
    /** Waits for pending moves of a memory. */
    ofUsers: afterMoves(behind, users.canonicalUser, moving.of),
    /** For work that runs under `lock`: does not wait for moves. A move waits for the lock, so waiting would deadlock. */
    behind,
    entries,
    days,
    lifecycle,
    /** Read-write lock: captures and digests share it; erasure and moves of a person hold it exclusively. */
    lock: createReadWriteLock(),
    moving,
    /** Moves memories to another name of their person. */
    moves: createMemoryMove({
      store,
      yaml,
      entries,
      layered,
      days,
      async onMoved(from, to) {
        for (const userId of [from, to]) memory.drop(userId);
        await hybrid?.forgetVectors(from);
      },
    }),
    /** Similarity in meaning; `undefined` without an embedding model. */
    likeness: hybrid && likenessOf(hybrid),
    beyondChance: hybrid?.beyondChance,
    /**
     * Creates `assistant.memory`.
     * @param person Removes all data of a user, exports what is not memory, and moves what lies under the person's
     * other names.
     */
    apiWith(person: {
      forget(userId: string): Promise<ForgetResult>;
      exportPerson(userId: string): AsyncIterable<string>;
      moved(userId: string): Promise<void>;
    }): MemoryPart {
      const { find: _, ...shown } = afterMoves(behind, users.canonicalUser, person.moved);
      return createMemoryPart({
        memory: { ...shown, forget: async (of) => person.forget(canonicalUser(of?.userId)) },
        exportPerson: person.exportPerson,
        moved: person.moved,
        archive: entries,
        store,
        canonicalUser,
        async importFiles(files, { userId }) {
          const { importWorkspace } = await loadWorkspaceImport();
          return importWorkspace(files, { userId, memory: entries, days });
        },
        problems,
      });
    },
    /** The memory as erasure uses it. */
    erased: {
      ...behind,
      async forget(userId: string) {
        await entries.forget(userId);
        memory.drop(userId);
      },
      drop: memory.drop,
    },
    /** Imports entries that an earlier version kept in one folder. @param owner User of the entries that name none. */
    async migrate(owner: string): Promise<void> {
      if (settings.store) return;
      const { migrateFlatLayout } = await loadFlatMigration();
      await migrateFlatLayout({
        store,
        memory: entries,
        days,
        clock,
        yaml,
        logger,
        canonicalUser,
        owner: canonicalUser(owner),
      });
    },
    async close(): Promise<void> {
      await memory.close();
      await hybrid?.close();
      await layered?.close();
    },
  };
}
