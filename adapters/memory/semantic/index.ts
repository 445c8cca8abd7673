/**
 * Recall by meaning, for bundles in which nothing is loaded on demand (Cloudflare Workers). Elsewhere an embedding model is enough.
 *
 * @example
 * ```ts
 * import { semanticMemory } from "wakeful/memory/semantic";
 *
 * createAssistant({ model, memory: { embedder, semantic: semanticMemory } });
 * ```
 *
 * @module
 */
import type { SemanticMemory } from "../../../mod.ts";
// Not through mod.ts, which would load for everybody what is loaded late (docs/decisions/0010).
import { hybridMemoryStore } from "../../../src/memory/semantic/hybrid-store.ts";

export const semanticMemory: SemanticMemory = hybridMemoryStore;
