import type { Assistant, Config } from "../../entry.host.ts";
import { type WatchOptions, watchFile } from "./watch-file.ts";

/** Keys of a parsed file that are not options. */
const FOUND: readonly string[] = ["warnings", "secrets"];

export interface ConfigWatchOptions extends WatchOptions {
  /** The configuration as read at the start. */
  readonly config: Config;
  /** @throws {ConfigError} With everything that is wrong with the file. */
  read(): Config;
  readonly attention: Pick<Assistant["attention"], "replace">;
}

/**
 * Reads the configuration file again when it changes, and at SIGHUP. Its attention settings apply at once; other
 * changes need a restart. A file that cannot be read or has mistakes is reported, and the old settings stay.
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
      logger.info("The attention configuration was read again", { file: path });
    }
    const names = [...new Set([...Object.keys(config), ...Object.keys(next)])] as (keyof Config)[];
    const changed = names.filter(
      (name) => name !== "attention" && !FOUND.includes(name) && !isSame(next[name], config[name]),
    );
    if (changed.length > 0)
      logger.warn(`These changes of the configuration need a restart: ${changed.join(", ")}`, { file: path });
  });
}

/** Both come from one file, so a different order of keys counts as a change. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
