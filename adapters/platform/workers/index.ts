/**
 * What a Worker lends: YAML, and the grammar of shell commands. The program hands in the other libraries as options.
 *
 * @module
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Machine, Platform } from "../../../kit.ts";
import { isTracing } from "../tracing.ts";
import { shellParser } from "./shell-parser.ts";

// By name: a bundler leaves out the rest of the library.
const library = { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments };
const yaml: Platform["yaml"] = () => library;
const linearPatterns = (): null => null;
const nothing = async (): Promise<null> => null;
const keepAlive: Platform["keepAlive"] = () => () => {};
// A Worker has no machine of its own: what its environment holds is handed to each request, and there are neither programs nor folders.
const machine: Machine = { runtime: "workers" };
const unref: Platform["unref"] = () => {};

/** What an assistant uses: all but the grammar of shell commands, which a bundler leaves out of a Worker that judges none. */
export const assistantPlatform: Omit<Platform, "shellParser"> = {
  network: null,
  yaml,
  linearPatterns,
  load: nothing,
  probe: nothing,
  unref,
  keepAlive,
  isTracing,
  machine,
};

/** What Workers lend: YAML and the grammar of shell commands. There is no network with checked addresses, and no library is loaded on demand. */
export const workersPlatform: Platform = {
  network: null,
  yaml,
  shellParser,
  linearPatterns,
  load: nothing,
  probe: nothing,
  unref,
  keepAlive,
  isTracing,
  machine,
};
