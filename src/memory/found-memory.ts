import type { MemoryLayer, RecalledMemory } from "./api.ts";
import { entryOfDocument } from "./entry-document.ts";
import type { MemoryEntry } from "./entry.ts";
import type { KeywordFind } from "./keyword/types.ts";
import type { MemoryHit, MemoryQuery, MemorySignals } from "./memory-store.ts";

/** A hit of which no more is read than somebody asks for. What a store of one's own gives is one too, without what the index knows. */
export interface FoundEntry extends MemoryHit {
  /** See `KeywordFind`. */
  readonly print?: number | undefined;
  readonly words?: ArrayLike<number> | undefined;
}

/** What a recall found; see `MemoryApi.recall`. */
export interface FoundMemory extends FoundEntry {
  readonly layer: MemoryLayer;
}

/** What a store of entries may have besides `search`, which gives the same. */
export interface LazySearch {
  find(query: MemoryQuery): Promise<readonly FoundEntry[]>;
}

/** A hit as an object of its own. */
export function hitOf({ entry, score, signals, archived }: FoundEntry): MemoryHit {
  return { entry, score, signals, ...(archived === true && { archived }) };
}

/** The same of what was recalled. */
export function memoryOf({ entry, score, signals, layer }: FoundMemory): RecalledMemory {
  return { entry, score, signals, layer };
}

/** @param userId Whose entry it is. */
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
