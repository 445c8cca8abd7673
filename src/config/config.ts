import type { ServerToken } from "../http/index.ts";
import type { ConfigWarning } from "../settings/index.ts";
import type { FileOptions } from "./file-options.ts";

/** A token of the HTTP API: the user that calls with it, and what it may do. */
export type TokenConfig = ServerToken;

/**
 * A checked configuration file, with the names of the SDK. It has only the options that the file gives (defaults are
 * in docs/config.md). Environment variables and secrets are filled in; options that this version does not have are
 * left out.
 */
export interface Config extends FileOptions {
  /** Options in the file that this version does not have. */
  readonly warnings: readonly ConfigWarning[];
  /** The values of all secrets, to keep them out of logs. Not enumerable, so it is not printed with the rest. */
  readonly secrets: readonly string[];
}
