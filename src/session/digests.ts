import type { Sessions } from "./sessions.ts";
import { titleOf } from "./title.ts";

/** Records at the beginning of a log in which a title is looked for. */
const LOOKED_AT = 16;
/** Sessions that are read at once. */
const READ_AT_ONCE = 16;
const MOST_KNOWN = 10_000;

/** What a list says of a session besides its key. */
export interface Digest {
  /** When its newest record was written. */
  readonly lastAtMs: number;
  /** See `titleOf`. */
  readonly title: string;
}

interface Listed {
  readonly key: string;
  readonly records: number;
}

/**
 * What lists show of sessions, from two short reads of each log; kept in memory as long as the log has as many records. There is no index that could disagree
 * with the logs after a crash.
 */
export function createDigests({ sessions }: { readonly sessions: Pick<Sessions, "scan"> }) {
  const known = new Map<string, Digest & { readonly records: number }>();

  /** Those of the list that are still there. `fresh`: read anew, also when the number of records is known. */
  async function of<T extends Listed>(listed: readonly T[], { fresh = false } = {}): Promise<(T & Digest)[]> {
    const found: (T & Digest)[] = [];
    const left = listed.entries();
    const worker = async () => {
      for (const [index, one] of left) {
        const digest = await digestOf(one, fresh);
        if (digest) found[index] = { ...one, ...digest };
      }
    };
    await Promise.all(Array.from({ length: Math.min(READ_AT_ONCE, listed.length) }, worker));
    return found.filter((one) => one !== undefined);
  }

  async function digestOf({ key, records }: Listed, fresh: boolean): Promise<Digest | undefined> {
    const before = known.get(key);
    if (before?.records === records && !fresh) return { lastAtMs: before.lastAtMs, title: before.title };
    known.delete(key);
    let lastAtMs: number | undefined;
    for await (const { at } of sessions.scan(key, { last: 1 })) lastAtMs = at;
    if (lastAtMs === undefined) return undefined;
    const digest = { lastAtMs, title: await readTitle(key) };
    known.set(key, { ...digest, records });
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value ?? "");
    return digest;
  }

  async function readTitle(key: string): Promise<string> {
    for await (const record of sessions.scan(key, { limit: LOOKED_AT })) {
      const title = titleOf(record);
      if (title !== "") return title;
    }
    return "";
  }

  return { of, forget: (key: string) => void known.delete(key) };
}
