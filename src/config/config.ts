import type { ServerToken } from "../http/index.ts";
import type { ConfigWarning } from "../settings/index.ts";
import type { FileOptions } from "./file-options.ts";

/** A token of the HTTP API: who calls with it, and what it may do. */
export type TokenConfig = ServerToken;

/**
 * A configuration file, checked: the names of the SDK, only what the file gives (defaults are in docs/config.md), environment variables and
 * secrets filled in, and nothing that this version does not have.
 */
export interface Config extends FileOptions {
  /** What the file asks for that this version does not have. */
  readonly warnings: readonly ConfigWarning[];
  /** The values of all secrets, so that they can be kept out of logs. Not enumerable: it is not printed with the rest. */
  readonly secrets: readonly string[];
}
