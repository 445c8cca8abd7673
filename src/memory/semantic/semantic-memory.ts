import type { HybridMemoryOptions, HybridMemoryStore } from "./hybrid-store.ts";

/** Makes a memory that also finds by meaning: `semanticMemory` of `wakeful/memory/semantic`. Source: docs/recall.md, "An embedding model". */
export type SemanticMemory = (options: HybridMemoryOptions) => HybridMemoryStore;
