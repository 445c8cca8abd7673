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

/** Gives the linear engine that a runtime lends, or null; nothing is loaded before it is asked for. */
export function linearEngineOf({ linearPatterns }: Pick<Platform, "linearPatterns">): () => PatternEngine | null {
  return () => {
    const library = linearPatterns?.() ?? null;
    return library && re2Patterns(library);
  };
}
