export { createContexts } from "./contexts.ts";
export type { ContextFile, Contexts } from "./contexts.ts";
export { appendEntry, entriesOf, entryText, patchSection } from "./patch.ts";
export type { MemoryEntryLine, Patched } from "./patch.ts";
