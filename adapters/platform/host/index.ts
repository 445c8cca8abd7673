/**
 * What Node, Bun and Deno provide: everything. Heavy modules are loaded at their first use.
 *
 * @module
 */
import { resolve } from "node:path";
import type { Machine, MachineFolder, RuntimeName, Platform } from "../../../kit.ts";
import { telemetry } from "../telemetry.ts";
import { isTracing } from "../tracing.ts";
import { load, probe } from "./libraries.ts";
import { environment, hasProgram, home } from "./machine.ts";
import { processName } from "./process-name.ts";
import { keepAlive, unref } from "../process-life.ts";
import { linearPatterns, shellParser, yaml } from "./synchronous.ts";

export { loaded } from "./synchronous.ts";

const runtime: RuntimeName = "Deno" in globalThis ? "deno" : "Bun" in globalThis ? "bun" : "node";

const machine: Machine = {
  runtime,
  hasEnvironment: (name) => (environment(name) ?? "") !== "",
  hasProgram,
  folder,
  home,
};

/** Few programs read folders of skills, so the reading code is loaded at its first use. */
function folder(given: string): MachineFolder {
  const path = resolve(given);
  return {
    path,
    having: async (file) => (await import("./folder.ts")).having(path, file),
    exists: async () => (await import("./folder.ts")).exists(path),
    read: async (file, maxBytes) => (await import("./folder.ts")).read(path, file, maxBytes),
    files: async (below) => (await import("./folder.ts")).files(path, below),
    watch: (changed, signal) =>
      void import("./folder.ts").then(
        ({ watch }) => watch(path, changed, signal),
        () => {},
      ),
  };
}

/** What Node, Bun and Deno provide: the network with checked addresses, and every optional library that is installed. */
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
  telemetry,
  processName,
  machine,
};
