import type { Assistant, Config } from "../../entry.host.ts";
import { type WatchOptions, watchFile } from "./watch-file.ts";

/** What is no option. */
const FOUND: readonly string[] = ["warnings", "secrets"];

export interface ConfigWatchOptions extends WatchOptions {
  /** As it was read at the start. */
  readonly config: Config;
  /** @throws {ConfigError} With everything that is wrong with the file. */
  read(): Config;
  readonly attention: Pick<Assistant["attention"], "replace">;
}

/**
 * Reads the configuration file again when it changes, and at SIGHUP: what it says of attention holds from then on, and what else has changed needs a restart. A
 * file that cannot be read or has mistakes is reported, and everything goes on as before.
 *
 * Source: docs/config.md, "Changes while it runs".
 * @returns A function that stops watching.
 */
export function watchConfig({ config, read, attention, ...options }: ConfigWatchOptions): () => void {
  const { path, logger } = options;
  let held = config.attention;
  return watchFile("configuration", options, () => {
    const next = read();
    if (!isSame(next.attention, held)) {
      attention.replace(next.attention ?? {});
      held = next.attention;
      logger.info("What the configuration says of attention was read again", { file: path });
    }
    const names = [...new Set([...Object.keys(config), ...Object.keys(next)])] as (keyof Config)[];
    const changed = names.filter(
      (name) => name !== "attention" && !FOUND.includes(name) && !isSame(next[name], config[name]),
    );
    if (changed.length > 0)
      logger.warn(`What changed in the configuration needs a restart: ${changed.join(", ")}`, { file: path });
  });
}

/** Both come from one file, so the order of their keys is part of what was written. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
