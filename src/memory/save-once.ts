import { createTurns } from "../store/index.ts";
import type { MemoryApi } from "./api.ts";
import type { MemoryEntry, NewMemory } from "./entry.ts";
import { normalise } from "./keyword/tokens.ts";

/** An entry, and whether its text was in recall before. */
export interface SavedOnce {
  readonly entry: MemoryEntry;
  readonly wasThere: boolean;
}

/**
 * Saves a text unless its user has it already. An existing entry stays as it is, keywords and slots included, so a
 * repeated call makes no second entry.
 */
export function createSaveOnce(memory: Pick<MemoryApi, "list" | "save">): (entry: NewMemory) => Promise<SavedOnce> {
  const turns = createTurns();

  async function save(given: NewMemory): Promise<SavedOnce> {
    const text = comparable(given.content);
    for await (const entry of memory.list(given.userId))
      if (comparable(entry.content) === text) return { entry, wasThere: true };
    return { entry: await memory.save(given), wasThere: false };
  }

  // Two concurrent calls would both find nothing.
  return (given) => turns(given.userId, () => save(given));
}

/** Ignores blanks, case and Unicode forms. */
const comparable = (text: string) => normalise(text).replace(/\s+/gu, " ").trim();
