import { configureGlobal } from "fast-check";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Where made-up cases begin. One number for the whole run, so that a run can be repeated. */
    readonly seed: number;
    /** Whether all cases are tried where there are thousands of them, or a sample. */
    readonly thorough: boolean;
    /** Whether Node runs the tests, and not Bun, Deno or workerd. */
    readonly onNode: boolean;
  }
}

// Vitest's own runner. Loading it prepares a process once: a setup file would be loaded anew for each test file, which is half of what Deno takes to load them.
export { TestRunner as default } from "vitest";

// The same made-up cases in every run. A property that fails prints the seed and the path to the case.
configureGlobal({ seed: inject("seed") });

// Under the hooks that Vitest sets, Deno cannot `require` a module of the newer kind that is not loaded yet.
if ("Deno" in globalThis) await import("unbash");
