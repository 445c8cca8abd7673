import type { guardPath } from "../../../mod.ts";

/** Longest path that Linux accepts, in bytes. A system with a lower limit reports it itself. */
const MAX_POSIX_PATH_BYTES = 4095;

/**
 * What `guardPath` accepts on a system. Windows reads some names as something else: a backslash as a separator, `a:b`
 * as a stream, `aux` as a device.
 */
export function pathRules(platform: NodeJS.Platform): NonNullable<Parameters<typeof guardPath>[1]> {
  return platform === "win32" ? { names: "portable" } : { names: "posix", maxPathBytes: MAX_POSIX_PATH_BYTES };
}
