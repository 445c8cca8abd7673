import { hitOf } from "./found.ts";
import { type Ranking, createRanking, rank } from "./rank.ts";
import { INDEX_VERSION, SegmentError, joinParts, openSegment, viewSegment } from "./segment.ts";
import { type Shelf, type Totals, countInto, shelve } from "./shelf.ts";
import { type Tail, createTail } from "./tail.ts";
import { keyOf } from "./term-key.ts";
import { type KnownWords, createKnownWords } from "./known-words.ts";
import type { IndexManifest, KeywordFind, KeywordIndex, KeywordQuery } from "./types.ts";

export interface KeywordIndexOptions {
  /** Number of entries that the growing part holds before it becomes a segment. Default 256. */
  readonly segmentAt?: number;
}

/** Number of segments of about the same size that are merged into one. */
const JOINED_AT_ONCE = 4;
const MAX_TIERS = 12;

/** Creates an empty index. */
export function createKeywordIndex(options?: KeywordIndexOptions): KeywordIndex {
  return indexOf([], options);
}

/**
 * Opens a sealed index.
 *
 * @param bytesOf The bytes of a segment by its name. They are read in place: the caller must not change them.
 * @throws {SegmentError} If the version differs, or a segment is missing, cut off or changed: the caller rebuilds the
 * index from the entries.
 */
export function openKeywordIndex(
  manifest: IndexManifest,
  bytesOf: (name: string) => Uint8Array | undefined,
  options?: KeywordIndexOptions,
): KeywordIndex {
  if (manifest.version !== INDEX_VERSION) {
    throw new SegmentError(
      `Expected a keyword index of version ${INDEX_VERSION}: it is of version ${manifest.version}`,
    );
  }
  return indexOf(
    manifest.segments.map(({ name, removed }) => {
      const bytes = bytesOf(name);
      if (!bytes)
        throw new SegmentError(`Expected a segment ${JSON.stringify(name)} of the keyword index: there is none`);
      const part = openSegment(bytes);
      const isPlace = (document: number) => Number.isInteger(document) && document >= 0 && document < part.count;
      if (!removed.every(isPlace)) {
        throw new SegmentError(`Expected the removed places of ${JSON.stringify(name)} to be below ${part.count}`);
      }
      const shelf = shelve(part, name);
      for (const document of removed) takeOut(shelf, document);
      return shelf;
    }),
    options,
  );
}

function indexOf(stored: readonly Shelf[], { segmentAt = 256 }: KeywordIndexOptions = {}): KeywordIndex {
  let segments = [...stored];
  const known = createKnownWords();
  /** Created by the first search of a non-empty index. */
  let ranking: Ranking | undefined;
  /** Created with the first document: it reserves room for many, and most people's indexes have none. */
  let newest: Newest | undefined;
  const totals: Totals = { documents: 0, words: 0, withWords: 0, unspaced: 0, withUnspaced: 0 };
  for (const shelf of segments) {
    for (let document = 0; document < shelf.part.count; document += 1) {
      if (!shelf.removed[document]) countInto(totals, shelf, document, 1);
    }
  }
  /** Bytes of segments that `seal` has not returned yet. */
  const unstored = new Map<string, Uint8Array>();
  let sealedNames = segments.map(({ name }) => name);

  const live = ({ part, removedCount }: Shelf) => part.count - removedCount;
  const shelves = () => (newest ? [...segments, newest.shelf] : segments);

  function locate(id: string) {
    const key = keyOf(id);
    for (const shelf of shelves()) {
      const document = shelf.part.find(key);
      if (document >= 0 && !shelf.removed[document]) return { shelf, document };
    }
    return undefined;
  }

  function find(query: KeywordQuery): readonly KeywordFind[] {
    const beside = query.beside && insides.get(query.beside.index);
    const all = beside === undefined ? totals : sumOf(totals, beside.totals);
    if (all.documents === 0) return [];
    const own = shelves();
    const others = beside?.shelves() ?? [];
    for (const shelf of own) shelf.worth = 1;
    for (const shelf of others) shelf.worth = query.beside?.worth ?? 1;
    return rank((ranking ??= createRanking(known)), [...own, ...others], all, query, own.length);
  }

  function remove(id: string): boolean {
    const found = locate(id);
    if (!found) return false;
    takeOut(found.shelf, found.document);
    countInto(totals, found.shelf, found.document, -1);
    return true;
  }

  /** Replaces segments by one. */
  function join(joined: readonly Shelf[]): void {
    segments = segments.filter((shelf) => !joined.includes(shelf));
    if (newest && joined.includes(newest.shelf)) newest = undefined;
    if (joined.every((shelf) => live(shelf) === 0)) return;
    const { name, bytes } = joinParts(joined);
    unstored.set(name, bytes);
    segments.push(shelve(viewSegment(bytes), name));
  }

  /** Merges segments of about the same size once there are enough of them, and rewrites those that are half empty. */
  function tidy(): void {
    for (const shelf of segments) if (shelf.removedCount * 2 > shelf.part.count) join([shelf]);
    for (let tier = 0; tier <= MAX_TIERS; tier += 1) {
      const same = segments.filter((shelf) => tierOf(live(shelf) / segmentAt) === tier);
      if (same.length >= JOINED_AT_ONCE) join(same);
    }
  }

  const index: KeywordIndex = {
    get size() {
      return totals.documents;
    },
    get unsealed() {
      const isUnsealed = (shelf: Shelf) => shelf === newest?.shelf || unstored.has(shelf.name);
      return shelves().reduce((sum, shelf) => (isUnsealed(shelf) ? sum + live(shelf) : sum), 0);
    },
    get bytes() {
      return shelves().reduce((sum, { part }) => sum + part.bytes + 17 * part.count + 9 * part.termCount, 0);
    },
    has: (id) => locate(id) !== undefined,
    get(id) {
      const found = locate(id);
      return found?.shelf.part.document(found.document);
    },
    add(document) {
      remove(document.id);
      const { tail, shelf } = (newest ??= makeNewest(segmentAt, known));
      const { part } = tail;
      const number = part.count;
      tail.add(document);
      shelf.words[number] = part.starts[number + 1]! - part.starts[number]! - part.unspaced[number]!;
      countInto(totals, shelf, number, 1);
      if (part.count < segmentAt) return;
      join([shelf]);
      tidy();
    },
    remove,
    search: (query) => find(query).map(hitOf),
    find,
    *ids() {
      for (const { part, removed } of shelves()) {
        for (let document = 0; document < part.count; document += 1) {
          if (!removed[document]) yield part.document(document).id;
        }
      }
    },
    seal({ purge = false } = {}) {
      if (purge) for (const shelf of segments) if (shelf.removedCount > 0) join([shelf]);
      const small = segments.filter((shelf) => live(shelf) < segmentAt);
      if (newest || small.length > 1) join(newest ? [...small, newest.shelf] : small);
      tidy();
      const names = segments.map(({ name }) => name);
      const write = names.flatMap((name) => {
        const bytes = unstored.get(name);
        return bytes ? [{ name, bytes }] : [];
      });
      const dropped = sealedNames.filter((name) => !names.includes(name));
      unstored.clear();
      sealedNames = names;
      const manifest = {
        version: INDEX_VERSION,
        segments: segments.map(({ name, removed }) => ({
          name,
          removed: [...removed.keys()].filter((document) => removed[document]),
        })),
      };
      return { write, manifest, dropped };
    },
  };
  insides.set(index, { shelves, totals });
  return index;
}

/** The inside of an index, for an index that searches it as `beside`. */
interface Inside {
  readonly totals: Totals;
  shelves(): readonly Shelf[];
}

const insides = new WeakMap<KeywordIndex, Inside>();

function sumOf(one: Totals, other: Totals): Totals {
  return {
    documents: one.documents + other.documents,
    words: one.words + other.words,
    withWords: one.withWords + other.withWords,
    unspaced: one.unspaced + other.unspaced,
    withUnspaced: one.withUnspaced + other.withUnspaced,
  };
}

interface Newest {
  readonly tail: Tail;
  readonly shelf: Shelf;
}

function makeNewest(room: number, known: KnownWords): Newest {
  const tail = createTail(room, known);
  return { tail, shelf: shelve(tail.part, "", room) };
}

function takeOut(shelf: Shelf, document: number): void {
  if (shelf.removed[document]) return;
  shelf.removed[document] = 1;
  shelf.removedCount += 1;
}

/** Tier of a segment: 0 below four times the smallest size, then one more for each fourfold. */
function tierOf(times: number): number {
  return Math.max(0, Math.floor(Math.log2(times) / 2));
}
