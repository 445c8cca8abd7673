import type { MemoryLayer, RecalledMemory } from "./api.ts";
import { entryOfDocument } from "./entry-document.ts";
import type { MemoryEntry } from "./entry.ts";
import type { KeywordFind } from "./keyword/types.ts";
import type { MemoryHit, MemoryQuery, MemorySignals } from "./memory-store.ts";

/** A hit that reads its members on access. Hits of a custom store have this type too, without the members of the index. */
export interface FoundEntry extends MemoryHit {
  /** See `KeywordFind`. */
  readonly print?: number | undefined;
  readonly words?: ArrayLike<number> | undefined;
}

/** What a recall found; see `MemoryApi.recall`. */
export interface FoundMemory extends FoundEntry {
  readonly layer: MemoryLayer;
}

/** Optional member of a store of entries: as `search`, but hits read on access. */
export interface LazySearch {
  find(query: MemoryQuery): Promise<readonly FoundEntry[]>;
}

/** Copies a hit into a plain object. */
export function hitOf({ entry, score, signals, archived }: FoundEntry): MemoryHit {
  return { entry, score, signals, ...(archived === true && { archived }) };
}

/** Copies a recalled memory into a plain object. */
export function memoryOf({ entry, score, signals, layer }: FoundMemory): RecalledMemory {
  return { entry, score, signals, layer };
}

/** @param userId User of the entry. */
export function foundEntry(find: KeywordFind, userId: string): FoundMemory {
  return new Found(find, userId);
}

class Found implements FoundMemory {
  readonly #find: KeywordFind;
  readonly #userId: string;
  #entry: MemoryEntry | undefined;
  #signals: MemorySignals | undefined;

  constructor(find: KeywordFind, userId: string) {
    this.#find = find;
    this.#userId = userId;
  }

  get entry(): MemoryEntry {
    return (this.#entry ??= entryOfDocument(this.#find.document, this.#userId));
  }

  get layer(): MemoryLayer {
    return this.archived ? "archive" : "entry";
  }

  get archived(): boolean {
    return this.#find.isBeside === true;
  }

  get score(): number {
    return this.#find.score;
  }

  get signals(): MemorySignals {
    return (this.#signals ??= this.#find.signals);
  }

  get print(): number | undefined {
    return this.#find.print;
  }

  get words(): ArrayLike<number> | undefined {
    return this.#find.words;
  }
}
