// The provider is small and needs no vendor library, so it is in the core, which also creates it from plain options.
// This is its public entry point.
export { brave, type SearchProvider } from "../../../kit.ts";
export type { BraveOptions, SearchHit, SearchProviderOptions } from "../../../kit.ts";
