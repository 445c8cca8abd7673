/**
 * What Node, Bun and Deno lend: everything. What is heavy is loaded with its first use.
 *
 * @module
 */
import type { Platform } from "../../../mod.ts";
import { isTracing } from "../tracing.ts";
import { load, probe } from "./libraries.ts";
import { processName } from "./process-name.ts";
import { keepAlive, unref } from "../process-life.ts";
import { linearPatterns, shellParser, yaml } from "./synchronous.ts";

export { loaded } from "./synchronous.ts";

/** What Node, Bun and Deno lend: the network with checked addresses, and every optional library that is installed. */
export const hostPlatform: Platform = {
  network: {
    lookup: async (host) => (await import("./network.ts")).lookup(host),
    fetchAt: async (url, init, addresses) => (await import("./network.ts")).fetchAt(url, init, addresses),
  },
  yaml,
  shellParser,
  linearPatterns,
  load,
  probe,
  unref,
  keepAlive,
  isTracing,
  processName,
};
