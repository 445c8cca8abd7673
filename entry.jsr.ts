/**
 * Wakeful from JSR: `entry.host.ts`, ready once what synchronous functions need is loaded, since nothing can be required from an `https:` module.
 *
 * @module
 */
import { loaded } from "./adapters/platform/host/index.ts";

await loaded;

export * from "./entry.host.ts";
