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
  /** The user that a memory belongs to. */
  canonicalUser(userId: string): string;
  /** The time zone of a user. */
  timezoneOf(userId: string): string;
  /** Makes one lasting fact of several. */
  readonly summarise: LifecycleParts["summarise"];
}

/** What is remembered, by user: the rooms of a memory over one store. */
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
    /** Waits for a memory that is being moved. */
    ofUsers: afterMoves(behind, users.canonicalUser, moving.of),
    /** For what runs under the lock, which what moves waits for: it waits for no move. */
    behind,
    entries,
    days,
    lifecycle,
    /** Captures and digests share it; what removes or moves what is kept of a person has it alone. */
    lock: createReadWriteLock(),
    moving,
    /** How what is remembered goes to another name of its person. */
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
    /** Where entries are found by meaning. */
    likeness: hybrid && likenessOf(hybrid),
    beyondChance: hybrid?.beyondChance,
    /** `assistant.memory`. @param person What removes everything of a user, gives out what is not remembered, and moves what lies under other names of theirs. */
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
    /** How everything of a user is removed. */
    erased: {
      ...behind,
      async forget(userId: string) {
        await entries.forget(userId);
        memory.drop(userId);
      },
      drop: memory.drop,
    },
    /** Takes in what an earlier version kept in one folder. @param owner The user whose memory is what names nobody. */
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
