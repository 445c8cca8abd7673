import type { LogRecord } from "../store/index.ts";
import { type Words, mapTexts } from "./words.ts";

/** What becomes of the ids in a log that hold something of a person. */
export interface OtherIds {
  /** What stands for an id; `undefined` for one that stays. */
  of(id: string): string | undefined;
  /** Puts them in the place of the old ones, wherever a whole text is one. Contract: returns the same value when it holds none. */
  readonly rename: (record: LogRecord) => LogRecord;
}

/**
 * Two ids may read alike without the words, so each gets the number of its record: the same whenever this is done again, and nothing that tells the old one.
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
