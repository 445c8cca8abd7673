export { fsStore } from "./fs-store.ts";
export type { FsStats, FsStore, FsStoreOptions } from "./fs-store.ts";
export { betterName, isFoundName } from "./file-name.ts";
export { storeHolder } from "./lock.ts";
export type { StoreHolder } from "./lock.ts";
export type { Reporter, StoreReport } from "./report.ts";
