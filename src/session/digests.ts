import QuickLRU from "quick-lru";
import type { Sessions } from "./sessions.ts";
import { titleOf } from "./title.ts";

/** Records at the beginning of a log that are searched for a title. */
const LOOKED_AT = 16;
/** Sessions that are read at the same time. */
const READ_AT_ONCE = 16;
const MAX_KNOWN = 10_000;

/** What a list shows of a session besides its key. */
export interface Digest {
  /** Time of its newest record. */
  readonly lastAtMs: number;
  /** See `titleOf`. */
  readonly title: string;
}

interface Listed {
  readonly key: string;
  readonly records: number;
}

/**
 * Reads what lists show of sessions from the end and the beginning of each log. No index can disagree with the logs:
 * only the time of the last record is cached, for as long as the number of records stays the same.
 */
export function createDigests({ sessions }: { readonly sessions: Pick<Sessions, "scan"> }) {
  const ages = new QuickLRU<string, { readonly records: number; readonly lastAtMs: number }>({ maxSize: MAX_KNOWN });

  /** Digests of the listed sessions that still exist, read from their logs now. */
  function read<T extends Listed>(listed: readonly T[]): Promise<(T & Digest)[]> {
    return eachOf(listed, async ({ key, records }) => {
      const lastAtMs = await readAge(key, records);
      return lastAtMs === undefined ? undefined : { lastAtMs, title: await readTitle(key) };
    });
  }

  /** Ages for sorting many sessions. Comes from the cache while a session has the same number of records. */
  function agesOf<T extends Listed>(listed: readonly T[]): Promise<(T & Pick<Digest, "lastAtMs">)[]> {
    return eachOf(listed, async ({ key, records }) => {
      const before = ages.get(key);
      const lastAtMs = before?.records === records ? before.lastAtMs : await readAge(key, records);
      return lastAtMs === undefined ? undefined : { lastAtMs };
    });
  }

  async function readAge(key: string, records: number): Promise<number | undefined> {
    let lastAtMs: number | undefined;
    for await (const { at } of sessions.scan(key, { last: 1 })) lastAtMs = at;
    if (lastAtMs === undefined) ages.delete(key);
    else ages.set(key, { lastAtMs, records });
    return lastAtMs;
  }

  async function readTitle(key: string): Promise<string> {
    for await (const record of sessions.scan(key, { limit: LOOKED_AT })) {
      const title = titleOf(record);
      if (title !== "") return title;
    }
    return "";
  }

  return { read, agesOf };
}

async function eachOf<T extends Listed, D>(
  listed: readonly T[],
  digest: (one: T) => Promise<D | undefined>,
): Promise<(T & D)[]> {
  const found: (T & D)[] = [];
  const left = listed.entries();
  const worker = async () => {
    for (const [index, one] of left) {
      const digested = await digest(one);
      if (digested) found[index] = { ...one, ...digested };
    }
  };
  await Promise.all(Array.from({ length: Math.min(READ_AT_ONCE, listed.length) }, worker));
  return found.filter((one) => one !== undefined);
}
