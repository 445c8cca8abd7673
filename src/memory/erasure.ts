import { type Erasable, type Words, eraseUnder } from "../erasable/index.ts";
import { AssistantError } from "../errors.ts";
import { type Store, keySegments, removeUnder, storeKey } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import type { MemoryStore } from "./memory-store.ts";
import { createMemoryFiles } from "./person-files.ts";
import { saidBy } from "./said-by.ts";

/** What a person said in a group. */
export interface SaidInGroup {
  /** Ids of the person's messages and of the turns that answered them. */
  readonly ids: ReadonlySet<string>;
  readonly texts: readonly string[];
  readonly quotes: Words;
}

/** Erases the memories of people. */
export interface MemoryErasure extends Erasable {
  /** Removes a group's memories of what a person said in it. */
  forgetSaid(group: string, said: SaidInGroup): Promise<void>;
}

export interface MemoryErasureDeps {
  readonly store: Store;
  readonly memory: Pick<MemoryApi, "list" | "remove" | "users"> &
    Pick<MemoryStore, "forget"> & {
      /** Drops a user's cached state; the index is rebuilt from files on the next read. */
      drop(userId: string): void;
    };
}

export function createMemoryErasure({ store, memory }: MemoryErasureDeps): MemoryErasure {
  const files = createMemoryFiles({ store });

  /** Removes the index: it keeps removed entries until it is merged. */
  async function dropIndex(userId: string): Promise<void> {
    await removeUnder(store, `${storeKey(".index", "memory", userId)}/`);
    memory.drop(userId);
  }

  async function forgetEntries(group: string, isOfThem: (line: string) => boolean, ids: ReadonlySet<string>) {
    const gone: string[] = [];
    for (const archived of [false, true]) {
      for await (const { id, content, slots } of memory.list(group, { archived })) {
        const named = Object.values(slots).some((value) => typeof value === "string" && ids.has(value));
        if (named || content.split("\n").some(isOfThem)) gone.push(id);
      }
    }
    if (gone.length > 0) await memory.remove(group, gone);
  }

  async function forgetLinesOf(group: string, name: string, isOfThem: (line: string) => boolean): Promise<void> {
    for (;;) {
      const found = await files.read(group, name);
      const kept = found?.text.split("\n").filter((line) => !isOfThem(line));
      if (!found || !kept || kept.length === found.text.split("\n").length) break;
      try {
        await files.write(group, name, kept.join("\n"), { expect: found.version });
        break;
      } catch (error) {
        if (!AssistantError.is(error, "CONFLICT")) throw error;
      }
    }
  }

  return {
    async forgetSaid(group, said) {
      const isOfThem = saidBy(said);
      await forgetEntries(group, isOfThem, said.ids);
      await dropIndex(group);
      for (const name of ["MEMORY.md", ...(await files.days(group))]) await forgetLinesOf(group, name, isOfThem);
    },

    async forget(person) {
      await memory.forget(person.userId);
      // Data that could not be moved lies under other names of the person.
      const others: string[] = [];
      for await (const userId of memory.users()) if (person.isUser(userId)) others.push(userId);
      for (const userId of others) await memory.forget(userId);
      await eraseUnder(store, "memory/", person, {
        async onWritten(key) {
          const [, userId] = keySegments(key);
          if (userId !== undefined) await dropIndex(userId);
        },
      });
      for (const index of ["memory", "migration"]) await eraseUnder(store, `${storeKey(".index", index)}/`, person);
    },
  };
}
