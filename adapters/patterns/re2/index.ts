import { RE2JS } from "re2js";
import { type PatternEngine, re2Patterns } from "../../../kit.ts";

/**
 * Regular expressions in linear time, for runtimes that do not load the library by themselves: `createAssistant({
 * patterns: re2(), … })` in a Worker.
 *
 * Source: docs/tools.md, "Search"; syntax: https://github.com/google/re2/wiki/Syntax.
 */
export function re2(): PatternEngine {
  return re2Patterns({ RE2JS });
}
