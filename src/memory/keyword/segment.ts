import { type KeyPlaces, placesOfKeys } from "./key-table.ts";
import { type Part, compareInOrder, documentOf, partOf } from "./part.ts";
import type { IndexedDocument } from "./types.ts";

// A segment is one run of bytes: a head of 32-bit numbers, then sections that begin at multiples of 8 and are read in
// place. It is little-endian, as all machines of the supported runtimes are; on another the magic number does not match
// and the index is rebuilt.

/**
 * Version of the index. Increment it with any change of the segment layout, of the types of archived entries, of the
 * tokens (known traditional characters included) or of how dates are read.
 */
export const INDEX_VERSION = 6;

/** Most bytes of decoded documents that are cached for each segment; a full cache is emptied. */
const MAX_DECODED_BYTES = 131_072;
const MAGIC = 0x574b_6b77;
const HEAD_BYTES = 48;
const FIRST_SIZE = 5;

// Units that a section has one element for; the head gives the number of each.
const [DOCUMENT, TERM, POSTING, WORD, BYTE] = [0, 1, 2, 3, 4] as const;

/** Sections in order: type of the array, unit, and whether there is one element more, as in lists of starts. */
const SECTIONS = {
  keys: [Float64Array, TERM, 0],
  times: [Float64Array, DOCUMENT, 0],
  expiries: [Float64Array, DOCUMENT, 0],
  ids: [Float64Array, DOCUMENT, 0],
  idsSorted: [Float64Array, DOCUMENT, 0],
  byId: [Uint32Array, DOCUMENT, 0],
  termStarts: [Uint32Array, TERM, 1],
  documents: [Uint32Array, POSTING, 0],
  starts: [Uint32Array, DOCUMENT, 1],
  terms: [Uint32Array, WORD, 0],
  unspaced: [Uint32Array, DOCUMENT, 0],
  chains: [Uint32Array, DOCUMENT, 0],
  speakers: [Uint32Array, DOCUMENT, 0],
  types: [Uint32Array, DOCUMENT, 0],
  prints: [Uint32Array, DOCUMENT, 0],
  offsets: [Uint32Array, DOCUMENT, 1],
  asks: [Uint8Array, DOCUMENT, 0],
  lasting: [Uint8Array, DOCUMENT, 0],
  counts: [Uint8Array, POSTING, 0],
  blob: [Uint8Array, BYTE, 0],
} as const;
/** Columns that joining copies unchanged. */
const COLUMNS = [
  "times",
  "expiries",
  "ids",
  "unspaced",
  "chains",
  "speakers",
  "types",
  "prints",
  "asks",
  "lasting",
] as const;

type Sections = typeof SECTIONS;
type Views = { readonly [Name in keyof Sections]: InstanceType<Sections[Name][0]> };

/** Bytes are no whole segment of this version. */
export class SegmentError extends Error {
  override readonly name = "SegmentError";
}

function lengthOf(sizes: ArrayLike<number>): number {
  let length = HEAD_BYTES;
  for (const [view, size, more] of Object.values(SECTIONS)) {
    length += Math.ceil((view.BYTES_PER_ELEMENT * (sizes[size]! + more)) / 8) * 8;
  }
  return length;
}

function viewsOf(buffer: ArrayBuffer, start: number, sizes: ArrayLike<number>): Views {
  let at = start + HEAD_BYTES;
  const views = Object.entries(SECTIONS).map(([name, [View, size, more]]) => {
    const view = new View(buffer, at, sizes[size]! + more);
    at += Math.ceil(view.byteLength / 8) * 8;
    return [name, view];
  });
  return Object.fromEntries(views) as Views;
}

/** Two checksums of everything after the head's first fields. */
function checksumsOf(words: Uint32Array): readonly [number, number] {
  let first = 0x811c_9dc5;
  let second = 0x2545_f491;
  for (let at = FIRST_SIZE; at < words.length; at += 1) {
    const word = words[at]!;
    first = Math.imul(first ^ word, 0x0100_0193);
    second = (Math.imul(second, 0x5bd1_e995) + word) | 0;
    first ^= first >>> 15;
  }
  return [first >>> 0, second >>> 0];
}

/** Input of a join: a part and what was removed from it. */
export interface Source {
  readonly part: Part;
  /** 1 for a document that is gone. */
  readonly removed: ArrayLike<number>;
}

/**
 * Joins parts without their removed documents. The result depends on the documents only, not on how they were spread
 * over parts.
 */
export function joinParts(sources: readonly Source[]): { readonly name: string; readonly bytes: Uint8Array } {
  const kept: { readonly source: number; readonly part: Part; readonly document: number }[] = [];
  sources.forEach(({ part, removed }, source) => {
    for (let place = 0; place < part.count; place += 1) {
      const document = part.at(place);
      if (!removed[document]) kept.push({ source, part, document });
    }
  });
  kept.sort((a, b) => compareInOrder(a.part, a.document, b.part, b.document));
  const newNumbers = sources.map(({ part }) => new Int32Array(part.count).fill(-1));
  kept.forEach(({ source, document }, number) => (newNumbers[source]![document] = number));

  const keys = keysOf(sources);
  const newTerms = sources.map(({ part }) =>
    Uint32Array.from(part.keys.subarray(0, part.termCount), (key) => placeOf(keys, key)),
  );
  const termStarts = new Uint32Array(keys.length + 1);
  eachPosting(sources, newTerms, newNumbers, (term) => (termStarts[term + 1]! += 1));
  for (let term = 0; term < keys.length; term += 1) termStarts[term + 1]! += termStarts[term]!;
  const records = kept.map(({ part, document }) => part.record(document));
  const sizes = [kept.length, keys.length, termStarts[keys.length]!, 0, 0];
  kept.forEach(({ part, document }, number) => {
    sizes[WORD]! += part.starts[document + 1]! - part.starts[document]!;
    sizes[BYTE]! += records[number]!.length;
  });

  const buffer = new ArrayBuffer(lengthOf(sizes));
  const into = viewsOf(buffer, 0, sizes);
  into.keys.set(keys);
  into.termStarts.set(termStarts);
  // Sorted by document first: the postings of a term stand in the order of documents, however those were spread.
  const [ofDocument, counts] = [new Uint32Array(sizes[POSTING]!), new Uint8Array(sizes[POSTING]!)];
  const ends = new Uint32Array(kept.length + 1);
  eachPosting(sources, newTerms, newNumbers, (_, document) => (ends[document + 1]! += 1));
  for (let document = 0; document < kept.length; document += 1) ends[document + 1]! += ends[document]!;
  eachPosting(sources, newTerms, newNumbers, (term, document, count) => {
    const at = ends[document]!++;
    ofDocument[at] = term;
    counts[at] = count;
  });
  for (let [document, at] = [0, 0]; document < kept.length; document += 1) {
    for (; at < ends[document]!; at += 1) {
      const place = termStarts[ofDocument[at]!]!++;
      into.documents[place] = document;
      into.counts[place] = counts[at]!;
    }
  }
  let [term, byte] = [0, 0];
  kept.forEach(({ source, part, document }, number) => {
    const terms = newTerms[source]!;
    for (let at = part.starts[document]!; at < part.starts[document + 1]!; at += 1) {
      into.terms[term] = terms[part.terms[at]!]!;
      term += 1;
    }
    into.starts[number + 1] = term;
    into.blob.set(records[number]!, byte);
    byte += records[number]!.length;
    into.offsets[number + 1] = byte;
  });
  for (const column of COLUMNS) {
    kept.forEach(({ part, document }, number) => (into[column][number] = part[column][document]!));
  }
  into.byId.set(Uint32Array.from(kept.keys()).sort((a, b) => into.ids[a]! - into.ids[b]!));
  into.byId.forEach((document, place) => (into.idsSorted[place] = into.ids[document]!));

  const head = new Uint32Array(buffer);
  head.set([MAGIC, INDEX_VERSION, 0, 0, buffer.byteLength, ...sizes]);
  const [first, second] = checksumsOf(head);
  head[2] = first;
  head[3] = second;
  const name = [kept.length, first, second].map((value) => value.toString(36)).join("-");
  return { name, bytes: new Uint8Array(buffer) };
}

/**
 * Checks that bytes are a whole segment, and views them as a part of an index.
 *
 * @throws {SegmentError} If they are cut off, changed, or of another version.
 */
export function openSegment(given: Uint8Array): Part {
  const isAligned = given.byteOffset % 8 === 0 && given.buffer instanceof ArrayBuffer;
  const bytes = isAligned ? given : given.slice();
  const head = headOf(bytes);
  const [magic, version, first, second, length] = head;
  const isWhole = length === bytes.byteLength && length > HEAD_BYTES && length === lengthOf(sizesIn(head));
  const isOurs = isWhole && magic === MAGIC && version === INDEX_VERSION;
  const sums = isOurs ? checksumsOf(head) : [];
  if (!isOurs || sums[0] !== first || sums[1] !== second) {
    throw new SegmentError(
      `Expected a complete segment of version ${INDEX_VERSION} of a keyword index: rebuild the index`,
    );
  }
  return viewSegment(bytes);
}

const headOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Uint32Array(buffer, byteOffset, byteLength >>> 2);
const sizesIn = (head: Uint32Array) => head.subarray(FIRST_SIZE, FIRST_SIZE + 5);

/** Views bytes that `joinParts` just made, or that were checked. */
export function viewSegment(bytes: Uint8Array): Part {
  const sizes = sizesIn(headOf(bytes));
  const views = viewsOf(bytes.buffer as ArrayBuffer, bytes.byteOffset, sizes);
  const decoder = new TextDecoder();
  const record = (document: number) => views.blob.subarray(views.offsets[document], views.offsets[document + 1]);
  // While a conversation stays on its subject, searches find the same documents again.
  const decoded = new Map<number, IndexedDocument>();
  let decodedBytes = 0;
  let places: KeyPlaces | undefined;
  const count = sizes[DOCUMENT]!;
  const termCount = sizes[TERM]!;
  const part = partOf({
    count,
    termCount,
    keys: views.keys,
    from: views.termStarts,
    to: views.termStarts.subarray(1),
    documents: views.documents,
    counts: views.counts,
    terms: views.terms,
    starts: views.starts,
    unspaced: views.unspaced,
    times: views.times,
    expiries: views.expiries,
    chains: views.chains,
    lines: views.chains.reduce((sum, chain) => (chain === 0 ? sum : sum + 1), 0),
    speakers: views.speakers,
    asks: views.asks,
    lasting: views.lasting,
    types: views.types,
    prints: views.prints,
    ids: views.ids,
    places: () => (places ??= placesOfKeys(views.keys, termCount)),
    at: (place) => place,
    find(idKey) {
      const place = placeOf(views.idsSorted, idKey);
      return place < 0 ? -1 : views.byId[place]!;
    },
    document(document) {
      let found = decoded.get(document);
      if (!found) {
        const encoded = record(document);
        if (decodedBytes + encoded.length > MAX_DECODED_BYTES) {
          decoded.clear();
          decodedBytes = 0;
        }
        found = documentOf(decoder.decode(encoded), views.times[document]!);
        decoded.set(document, found);
        decodedBytes += encoded.length;
        part.bytes = bytes.byteLength + 2 * decodedBytes;
      }
      return found;
    },
    record,
    bytes: bytes.byteLength,
  });
  return part;
}

/** The distinct keys of all terms that a kept document has, ascending. */
function keysOf(sources: readonly Source[]): Float64Array {
  const keys = new Float64Array(sources.reduce((sum, { part }) => sum + part.termCount, 0));
  let count = 0;
  for (const { part, removed } of sources) {
    for (let term = 0; term < part.termCount; term += 1) {
      const to = part.to[term]!;
      let at = part.from[term]!;
      while (at < to && removed[part.documents[at]!]) at += 1;
      if (at < to) keys[count++] = part.keys[term]!;
    }
  }
  const sorted = keys.subarray(0, count).sort();
  return sorted.filter((key, at) => at === 0 || key !== sorted[at - 1]);
}

function eachPosting(
  sources: readonly Source[],
  newTerms: readonly Uint32Array[],
  newNumbers: readonly Int32Array[],
  take: (term: number, document: number, count: number) => void,
): void {
  sources.forEach(({ part }, source) => {
    const numbers = newNumbers[source]!;
    for (let term = 0; term < part.termCount; term += 1) {
      const newTerm = newTerms[source]![term]!;
      for (let at = part.from[term]!; at < part.to[term]!; at += 1) {
        const document = numbers[part.documents[at]!]!;
        if (document >= 0) take(newTerm, document, part.counts[at]!);
      }
    }
  });
}

/** Binary search. Index of a value in an ascending list, or -1. */
function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle]!;
    if (found === value) return middle;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
