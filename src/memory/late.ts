import type * as Flat from "./migration/flat-layout.ts";
import type * as Workspace from "./migration/import-workspace.ts";
import type { SemanticMemory } from "./semantic/semantic-memory.ts";

// What few need. Empty where nothing is loaded on demand (docs/decisions/0010-optional-libraries.md).

export const loadFlatMigration = (): Promise<Partial<typeof Flat>> => import("#late/memory/migration/flat-layout");

export const loadWorkspaceImport = (): Promise<Partial<typeof Workspace>> =>
  import("#late/memory/migration/import-workspace");

export const loadSemanticMemory = (): Promise<{ readonly hybridMemoryStore?: SemanticMemory }> =>
  import("#late/memory/semantic/hybrid-store");
