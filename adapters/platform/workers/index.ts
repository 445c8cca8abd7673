/**
 * What a Worker provides: YAML, and the grammar of shell commands. The program passes the other libraries as options.
 *
 * @module
 */
import { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments } from "yaml";
import type { Machine, Platform } from "../../../kit.ts";
import { isTracing } from "../tracing.ts";
import { shellParser } from "./shell-parser.ts";

// By name, so that a bundler leaves out the rest of the library.
const library = { LineCounter, isAlias, isMap, isScalar, isSeq, parseAllDocuments };
const yaml: Platform["yaml"] = () => library;
const linearPatterns = (): null => null;
const nothing = async (): Promise<null> => null;
const keepAlive: Platform["keepAlive"] = () => () => {};
// A Worker has no machine: each request receives its environment, and there are no programs and folders.
const machine: Machine = { runtime: "workers" };
const unref: Platform["unref"] = () => {};

/**
 * What an assistant uses: everything except the grammar of shell commands, which a bundler leaves out of a Worker that
 * judges no commands.
 */
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

/**
 * What Workers provide: YAML and the grammar of shell commands. There is no network with checked addresses, and no
 * library is loaded on demand.
 */
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
