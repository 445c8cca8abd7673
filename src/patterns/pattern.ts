import type { Re2Library } from "../libraries.ts";
import type { Platform } from "../platform.ts";

/** Regular expressions of strangers, compiled so that no text makes them slow. */
export interface PatternEngine {
  /** Contract: `test` takes time in proportion to the text. @throws {Error} For what is no pattern, with a sentence for the model. */
  compile(pattern: string): { test(text: string): boolean };
}

/**
 * The syntax of RE2 (https://github.com/google/re2/wiki/Syntax): no backreferences, nothing that looks ahead or behind.
 */
export function re2Patterns({ RE2JS }: Re2Library): PatternEngine {
  return { compile: (pattern) => RE2JS.compile(pattern) };
}

const NONE = () => null;
const engines = new WeakMap<() => Re2Library | null, () => PatternEngine | null>();

/** Gives the linear engine that a runtime lends, or null; nothing is loaded before it is asked for. The same function for the same runtime. */
export function linearEngineOf({ linearPatterns }: Pick<Platform, "linearPatterns">): () => PatternEngine | null {
  if (!linearPatterns) return NONE;
  const known = engines.get(linearPatterns);
  if (known) return known;
  const engine = () => {
    const library = linearPatterns();
    return library && re2Patterns(library);
  };
  engines.set(linearPatterns, engine);
  return engine;
}
