import { createTurns } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import type { MemoryEntry, NewMemory } from "./entry.ts";
import { normalise } from "./keyword/tokens.ts";

/** An entry, and whether its text was in recall before. */
export interface SavedOnce {
  readonly entry: MemoryEntry;
  readonly wasThere: boolean;
}

/** Saves a text that its user does not have yet. One that is there stays as it is, also its keywords and slots: a repeated call makes no second entry. */
export function createSaveOnce(memory: Pick<MemoryApi, "list" | "save">): (entry: NewMemory) => Promise<SavedOnce> {
  const turns = createTurns();

  async function save(given: NewMemory): Promise<SavedOnce> {
    const text = comparable(given.content);
    for await (const entry of memory.list(given.userId))
      if (comparable(entry.content) === text) return { entry, wasThere: true };
    return { entry: await memory.save(given), wasThere: false };
  }

  // Two calls at the same time would both find nothing.
  return (given) => turns(given.userId, () => save(given));
}

/** Equal for texts that differ in blanks, capitals and forms of characters alone. */
const comparable = (text: string) => normalise(text).replace(/\s+/gu, " ").trim();
