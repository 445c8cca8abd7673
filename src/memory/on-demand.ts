import type * as Flat from "./migration/flat-layout.ts";
import type * as Workspace from "./migration/import-workspace.ts";
import type * as Hybrid from "./semantic/hybrid-store.ts";

// Modules that few programs need. Each is loaded on first use, since every module slows the start.

export const loadFlatMigration = (): Promise<typeof Flat> => import("./migration/flat-layout.ts");

export const loadWorkspaceImport = (): Promise<typeof Workspace> => import("./migration/import-workspace.ts");

export const loadHybridStore = (): Promise<typeof Hybrid> => import("./semantic/hybrid-store.ts");
