// Small and bound to no vendor's library, so it lives in the core, which also makes it of plain options; this is its public door.
export { perplexity } from "../../../mod.ts";
export type { PerplexityOptions, SearchHit, SearchProvider, SearchProviderOptions } from "../../../mod.ts";
