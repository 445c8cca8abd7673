import type { LogRecord } from "../store/index.ts";
import { type Words, mapTexts } from "./words.ts";

/** Replacements for ids in a log that contain something of a person. */
export interface OtherIds {
  /** The replacement of an id; `undefined` if it stays. */
  of(id: string): string | undefined;
  /** Replaces ids wherever a whole text is one. Contract: returns the same value when it contains none. */
  readonly rename: (record: LogRecord) => LogRecord;
}

/**
 * Builds replacements. Two ids may be equal once redacted, so each gets the number of its record. The result is the
 * same each time, and reveals nothing of the old id.
 *
 * @param seqs The ids of a log, with the number of the first record of each.
 */
export function otherIds(seqs: ReadonlyMap<string, number>, scrub: Words["scrub"]): OtherIds {
  const others = new Map<string, string>();
  for (const [id, seq] of seqs) {
    const bare = scrub(id);
    if (bare !== id) others.set(id, `${bare}#${seq}`);
  }
  return {
    of: (id) => others.get(id),
    rename: (record) => (others.size === 0 ? record : mapTexts(record, (text) => others.get(text) ?? text)),
  };
}
