import type { HybridMemoryOptions, HybridMemoryStore } from "./hybrid-store.ts";

/** Makes a memory that also finds by meaning: `semanticMemory` of `wakeful/memory/semantic`. Source: docs/semantic-recall.md. */
export type SemanticMemory = (options: HybridMemoryOptions) => HybridMemoryStore;
