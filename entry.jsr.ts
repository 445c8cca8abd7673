/**
 * Wakeful from JSR: `entry.host.ts`, which is ready after the libraries of synchronous functions are loaded, since an
 * `https:` module cannot require anything.
 *
 * @module
 */
import { loaded } from "./adapters/platform/host/index.ts";

await loaded;

export * from "./entry.host.ts";
