/**
 * The interpreter of a simulated shell, for bundles (Workers) that load nothing on demand: `simulatedShell()`.
 *
 * @module
 */
import { Bash, InMemoryFs, MountableFs, getCommandNames } from "just-bash/browser";
import type { SimulatedShell } from "../../../kit.ts";

export type { ShellLibrary, SimulatedShell } from "../../../kit.ts";

/**
 * just-bash without its Node parts. Needs the package `just-bash` and, on Workers, the flag `nodejs_compat`; it adds about 420 KB to a bundle.
 *
 * @example
 * ```ts
 * virtualWorkspace({ store, exec: { mode: "simulated", shell: simulatedShell() } });
 * ```
 */
export function simulatedShell(): SimulatedShell {
  return { library: { Bash, InMemoryFs, MountableFs, getCommandNames } };
}
