import type * as Flat from "./migration/flat-layout.ts";
import type * as Workspace from "./migration/import-workspace.ts";
import type * as Hybrid from "./semantic/hybrid-store.ts";

// What few programs need: loaded with its first use, since every module costs time at a start.

export const loadFlatMigration = (): Promise<typeof Flat> => import("./migration/flat-layout.ts");

export const loadWorkspaceImport = (): Promise<typeof Workspace> => import("./migration/import-workspace.ts");

export const loadHybridStore = (): Promise<typeof Hybrid> => import("./semantic/hybrid-store.ts");
