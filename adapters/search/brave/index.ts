// Small and bound to no vendor's library, so it lives in the core, which also makes it of plain options; this is its public door.
export { brave, type SearchProvider } from "../../../kit.ts";
export type { BraveOptions, SearchHit, SearchProviderOptions } from "../../../kit.ts";
