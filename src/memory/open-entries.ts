import type { Clock } from "../clock.ts";
import type { Platform } from "../platform.ts";
import type { Store } from "../store/index.ts";
import type { Logger, Metrics, ModelRedactor } from "../telemetry/index.ts";
import type { Embedder } from "./embedder.ts";
import type { MemoryEntry } from "./entry.ts";
import { type LayeredStore, createLayeredStore } from "./layered-store.ts";
import type { MemoryStore } from "./memory-store.ts";
import { loadHybridStore } from "./on-demand.ts";
import type { HybridMemoryStore } from "./semantic/hybrid-store.ts";

/** Storage and search of entries, as in the option `memory`. */
export interface EntriesOptions {
  readonly store?: MemoryStore | undefined;
  readonly embedder?: Embedder | undefined;
  readonly fusion?: "scores" | "rrf" | undefined;
  readonly alpha?: number | undefined;
  readonly k?: number | undefined;
  readonly minSimilarity?: number | undefined;
  readonly recall?: { readonly timeoutMs?: number } | undefined;
}

export interface EntriesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly yaml: Platform["yaml"];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly redact: ModelRedactor;
}

export interface OpenedEntries {
  readonly entries: MemoryStore;
  readonly hybrid?: HybridMemoryStore;
  readonly layered?: LayeredStore;
}

/** Opens the store of entries: files unless the host brings a store, with search by meaning where there is an embedding model. */
export async function openEntries(
  options: EntriesOptions,
  { redact, yaml, ...deps }: EntriesDeps,
): Promise<OpenedEntries> {
  const layered = options.store ? undefined : createLayeredStore(deps, yaml);
  const base = options.store ?? layered!;
  const own = layered ? { layered } : {};
  const { embedder, fusion, alpha, k, minSimilarity, recall } = options;
  if (!embedder) return { entries: base, ...own };
  const { hybridMemoryStore } = await loadHybridStore();
  const timeoutMs = recall?.timeoutMs;
  // Text that people wrote by hand may hold secrets.
  const shown: Embedder = {
    provider: embedder.provider,
    modelId: embedder.modelId,
    get maxEmbeddingsPerCall() {
      return embedder.maxEmbeddingsPerCall;
    },
    doEmbed: ({ values, ...how }) => embedder.doEmbed({ ...how, values: redact(values) }),
  };
  const hybrid = hybridMemoryStore({
    ...deps,
    entries: base,
    embedder: shown,
    fusion,
    alpha,
    k,
    minSimilarity,
    timeoutMs,
  });
  return { entries: hybrid, hybrid, ...own };
}

/** Similarity in meaning of a text and some entries, and the similarity from which two texts count as the same for this model. */
export type Likeness = (
  text: string,
  entries: readonly MemoryEntry[],
) => Promise<{ readonly of: (entry: MemoryEntry) => number | undefined; readonly least: number } | undefined>;

export function likenessOf(hybrid: Pick<HybridMemoryStore, "duplicateSimilarity" | "similarities">): Likeness {
  return async (text, entries) => {
    const [first] = entries;
    const least = first && (await hybrid.duplicateSimilarity(first.userId));
    if (least === undefined) return undefined;
    const ids = entries.map(({ id }) => id);
    const found = await hybrid.similarities(first!.userId, text, ids);
    return { least, of: ({ id }) => found.get(id) };
  };
}
