import { rank } from "./rank.ts";
import { INDEX_VERSION, SegmentError, joinParts, openSegment } from "./segment.ts";
import { type Shelf, type Totals, countInto, shelve } from "./shelf.ts";
import { createTail } from "./tail.ts";
import { keyOf } from "./term-key.ts";
import type { IndexManifest, KeywordIndex } from "./types.ts";

const SMALL = 256;
/** So many segments of about the same size become one. */
const JOINED_AT_ONCE = 4;
const MOST_TIERS = 12;

/** An empty index. */
export function createKeywordIndex(): KeywordIndex {
  return indexOf([]);
}

/**
 * An index as it was sealed.
 *
 * @param bytesOf The bytes of a segment by its name. They are looked at where they lie: nobody may change them later.
 * @throws {SegmentError} If the version is another, or a segment is missing, cut off or changed: the index is to be built anew from the entries.
 */
export function openKeywordIndex(
  manifest: IndexManifest,
  bytesOf: (name: string) => Uint8Array | undefined,
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
      return shelve(part, name, removed);
    }),
  );
}

function indexOf(stored: readonly Shelf[]): KeywordIndex {
  let segments = [...stored];
  const decoder = new TextDecoder();
  let tail = createTail();
  let newest = shelve(tail);
  const totals: Totals = { documents: 0, words: 0, withWords: 0, unspaced: 0, withUnspaced: 0 };
  for (const { part, removed } of segments) {
    for (let document = 0; document < part.count; document += 1) {
      if (!removed.has(document)) countInto(totals, part, document, 1);
    }
  }
  /** Bytes of segments that the owner has not been given yet. */
  const unstored = new Map<string, Uint8Array>();
  let sealedNames = segments.map(({ name }) => name);

  const live = ({ part, removed }: Shelf) => part.count - removed.size;
  const shelves = () => (tail.count > 0 ? [...segments, newest] : segments);

  function find(id: string) {
    const key = keyOf(id);
    for (const shelf of shelves()) {
      const document = shelf.part.find(key);
      if (document >= 0 && !shelf.removed.has(document)) return { shelf, document };
    }
    return undefined;
  }

  function remove(id: string): boolean {
    const found = find(id);
    if (!found) return false;
    found.shelf.removed.add(found.document);
    countInto(totals, found.shelf.part, found.document, -1);
    return true;
  }

  /** One segment in place of several. */
  function join(joined: readonly Shelf[]): void {
    segments = segments.filter((shelf) => !joined.includes(shelf));
    if (joined.includes(newest)) {
      tail = createTail();
      newest = shelve(tail);
    }
    if (joined.every((shelf) => live(shelf) === 0)) return;
    const { name, bytes } = joinParts(joined);
    unstored.set(name, bytes);
    segments.push(shelve(openSegment(bytes), name));
  }

  /** Joins segments of about the same size once there are enough of them, and writes anew what is half empty. */
  function tidy(): void {
    for (const shelf of segments) if (shelf.removed.size * 2 > shelf.part.count) join([shelf]);
    for (let tier = 0; tier <= MOST_TIERS; tier += 1) {
      const same = segments.filter((shelf) => tierOf(live(shelf)) === tier);
      if (same.length >= JOINED_AT_ONCE) join(same);
    }
  }

  return {
    get size() {
      return totals.documents;
    },
    get unsealed() {
      const isUnsealed = (shelf: Shelf) => shelf === newest || unstored.has(shelf.name);
      return shelves().reduce((sum, shelf) => (isUnsealed(shelf) ? sum + live(shelf) : sum), 0);
    },
    get bytes() {
      return shelves().reduce((sum, { part }) => sum + part.bytes + 17 * part.count, 0);
    },
    has: (id) => find(id) !== undefined,
    get(id) {
      const found = find(id);
      return found?.shelf.part.document(found.document);
    },
    add(document) {
      remove(document.id);
      tail.add(document);
      countInto(totals, tail, tail.count - 1, 1);
      if (tail.count < SMALL) return;
      join([newest]);
      tidy();
    },
    remove,
    search: (query) => rank(shelves(), totals, query),
    *ids() {
      for (const { part, removed } of shelves()) {
        for (let document = 0; document < part.count; document += 1) {
          if (!removed.has(document)) yield decoder.decode(part.field(document, 0));
        }
      }
    },
    seal() {
      const small = segments.filter((shelf) => live(shelf) < SMALL);
      if (tail.count > 0 || small.length > 1) join(tail.count > 0 ? [...small, newest] : small);
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
        segments: segments.map(({ name, removed }) => ({ name, removed: [...removed].sort((a, b) => a - b) })),
      };
      return { write, manifest, dropped };
    },
  };
}

/** 0 for fewer than four times `SMALL` documents, then one more for each fourfold. */
function tierOf(documents: number): number {
  return Math.max(0, Math.floor(Math.log2(documents / SMALL) / 2));
}
