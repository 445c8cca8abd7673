/**
 * The HTTP API of memory, for bundles in which nothing is loaded on demand (Cloudflare Workers). Elsewhere it is there by itself.
 *
 * @example
 * ```ts
 * import { memoryApi } from "wakeful/memory/api";
 *
 * createAssistant({ model, server: { token, memoryApi } });
 * ```
 *
 * @module
 */
import type { MemoryApiRoutes } from "../../../mod.ts";
// Not through mod.ts, which would load for everybody what is loaded late (docs/decisions/0010).
import { memoryRoutes } from "../../../src/http/memory.ts";

export const memoryApi: MemoryApiRoutes = memoryRoutes;
