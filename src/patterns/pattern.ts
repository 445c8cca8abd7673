import type { Re2Library } from "../libraries.ts";
import type { Platform } from "../platform.ts";

/** Compiles untrusted regular expressions that no text can make slow. */
export interface PatternEngine {
  /**
   * Compiles a pattern. Contract: `test` takes time proportional to the text. @throws {Error} If the text is not a
   * pattern, with a sentence for the model.
   */
  compile(pattern: string): { test(text: string): boolean };
}

/**
 * Creates an engine with the syntax of RE2 (https://github.com/google/re2/wiki/Syntax): no backreferences, no
 * lookahead or lookbehind.
 */
export function re2Patterns({ RE2JS }: Re2Library): PatternEngine {
  return { compile: (pattern) => RE2JS.compile(pattern) };
}

const NONE = () => null;
const engines = new WeakMap<() => Re2Library | null, () => PatternEngine | null>();

/**
 * Returns a function that loads a runtime's linear engine on first use, or gives null if there is none. The same
 * runtime always gets the same function.
 */
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
