import { FIELDS, type Part, compareInOrder } from "./part.ts";
import type { IndexedDocument } from "./types.ts";

// A segment is one run of bytes: a head of 32-bit numbers, then sections that begin at multiples of 8 and are looked at where they lie. Little-endian, as every
// machine is that the runtimes know; on another the magic number is not recognised and the index is built anew.

/** Of the layout of segments, of the tokens in them and of how dates are read. Any change of these makes it one more. */
export const INDEX_VERSION = 1;

const MAGIC = 0x574b_6b77;
const HEAD = 12;
const SECTIONS = [
  "keys",
  "times",
  "ids",
  "idsSorted",
  "termStarts",
  "documents",
  "starts",
  "terms",
  "unspaced",
  "chains",
  "speakers",
  "types",
  "byId",
  "offsets",
  "counts",
  "blob",
] as const;
type Section = (typeof SECTIONS)[number];
interface Sizes {
  readonly documents: number;
  readonly keys: number;
  readonly postings: number;
  readonly terms: number;
  readonly blob: number;
}

/** Thrown for bytes that are no whole segment of this version. */
export class SegmentError extends Error {
  override readonly name = "SegmentError";
}

/** Bytes of a section's element, and how many there are. */
function shapeOf(section: Section, { documents, keys, postings, terms, blob }: Sizes): readonly [1 | 4 | 8, number] {
  switch (section) {
    case "keys":
      return [8, keys];
    case "times":
    case "ids":
    case "idsSorted":
      return [8, documents];
    case "termStarts":
      return [4, keys + 1];
    case "documents":
      return [4, postings];
    case "starts":
      return [4, documents + 1];
    case "terms":
      return [4, terms];
    case "offsets":
      return [4, documents * FIELDS + 1];
    case "counts":
      return [1, postings];
    case "blob":
      return [1, blob];
    default:
      return [4, documents];
  }
}

function layOut(sizes: Sizes): { readonly at: ReadonlyMap<Section, number>; readonly length: number } {
  const at = new Map<Section, number>();
  let length = HEAD * 4;
  for (const section of SECTIONS) {
    at.set(section, length);
    const [size, count] = shapeOf(section, sizes);
    length += Math.ceil((size * count) / 8) * 8;
  }
  return { at, length };
}

function viewsOf(buffer: ArrayBuffer, start: number, sizes: Sizes) {
  const { at } = layOut(sizes);
  const place = (section: Section) => [start + at.get(section)!, shapeOf(section, sizes)[1]] as const;
  const doubles = (section: Section) => new Float64Array(buffer, ...place(section));
  const words = (section: Section) => new Uint32Array(buffer, ...place(section));
  const bytes = (section: Section) => new Uint8Array(buffer, ...place(section));
  return {
    keys: doubles("keys"),
    times: doubles("times"),
    ids: doubles("ids"),
    idsSorted: doubles("idsSorted"),
    termStarts: words("termStarts"),
    documents: words("documents"),
    starts: words("starts"),
    terms: words("terms"),
    unspaced: words("unspaced"),
    chains: words("chains"),
    speakers: words("speakers"),
    types: words("types"),
    byId: words("byId"),
    offsets: words("offsets"),
    counts: bytes("counts"),
    blob: bytes("blob"),
  };
}

/** Two sums over everything behind them. */
function checksumsOf(words: Uint32Array): readonly [number, number] {
  let first = 0x811c_9dc5;
  let second = 0x2545_f491;
  for (let at = 5; at < words.length; at += 1) {
    const word = words[at]!;
    first = Math.imul(first ^ word, 0x0100_0193);
    second = (Math.imul(second, 0x5bd1_e995) + word) | 0;
    first ^= first >>> 15;
  }
  return [first >>> 0, second >>> 0];
}

/** What is joined: a part without what was removed from it. */
export interface Source {
  readonly part: Part;
  readonly removed: ReadonlySet<number>;
}

/** Joins parts, without what was removed from them. The result depends on the documents only, not on how they were spread. */
export function joinParts(sources: readonly Source[]): { readonly name: string; readonly bytes: Uint8Array } {
  const kept = sources.flatMap(({ part, removed }, source) =>
    Array.from({ length: part.count }, (_, place) => part.at(place))
      .filter((document) => !removed.has(document))
      .map((document) => ({ source, part, document })),
  );
  kept.sort((a, b) => compareInOrder(a.part, a.document, b.part, b.document));
  const renumbered = sources.map(({ part }) => new Int32Array(part.count).fill(-1));
  kept.forEach(({ source, document }, number) => (renumbered[source]![document] = number));

  // Terms that a kept document has, in the order of their keys, and how many documents each has.
  const lists: { source: number; key: number; term: number; count: number }[] = [];
  sources.forEach(({ part }, source) => {
    const numbers = renumbered[source]!;
    for (let term = 0; term < part.keys.length; term += 1) {
      const { documents, from, to } = part.postingsOf(term);
      let count = 0;
      for (let at = from; at < to; at += 1) if (numbers[documents[at]!]! >= 0) count += 1;
      if (count > 0) lists.push({ source, key: part.keys[term]!, term, count });
    }
  });
  lists.sort((a, b) => a.key - b.key || a.source - b.source);
  const newTerms = sources.map(({ part }) => new Uint32Array(part.keys.length));
  let keyCount = 0;
  let postingCount = 0;
  lists.forEach(({ source, key, term, count }, at) => {
    if (at === 0 || lists[at - 1]!.key !== key) keyCount += 1;
    newTerms[source]![term] = keyCount - 1;
    postingCount += count;
  });
  const fields = kept.map(({ part, document }) =>
    Array.from({ length: FIELDS }, (_, field) => part.field(document, field)),
  );
  const sizes: Sizes = {
    documents: kept.length,
    keys: keyCount,
    postings: postingCount,
    terms: kept.reduce((sum, { part, document }) => sum + part.starts[document + 1]! - part.starts[document]!, 0),
    blob: fields.reduce((sum, of) => of.reduce((inner, bytes) => inner + bytes.length, sum), 0),
  };

  const buffer = new ArrayBuffer(layOut(sizes).length);
  const into = viewsOf(buffer, 0, sizes);
  let posting = 0;
  for (const { source, key, term } of lists) {
    const number = newTerms[source]![term]!;
    into.keys[number] = key;
    const { documents, counts, from, to } = sources[source]!.part.postingsOf(term);
    for (let at = from; at < to; at += 1) {
      const document = renumbered[source]![documents[at]!]!;
      if (document < 0) continue;
      into.documents[posting] = document;
      into.counts[posting] = counts[at]!;
      posting += 1;
    }
    into.termStarts[number + 1] = posting;
  }
  let [term, byte] = [0, 0];
  kept.forEach(({ source, part, document }, number) => {
    for (let at = part.starts[document]!; at < part.starts[document + 1]!; at += 1) {
      into.terms[term] = newTerms[source]![part.terms[at]!]!;
      term += 1;
    }
    into.starts[number + 1] = term;
    into.times[number] = part.times[document]!;
    into.ids[number] = part.ids[document]!;
    into.unspaced[number] = part.unspaced[document]!;
    into.chains[number] = part.chains[document]!;
    into.speakers[number] = part.speakers[document]!;
    into.types[number] = part.types[document]!;
    fields[number]!.forEach((bytes, field) => {
      into.blob.set(bytes, byte);
      byte += bytes.length;
      into.offsets[number * FIELDS + field + 1] = byte;
    });
  });
  into.byId.set(Uint32Array.from(kept.keys()).sort((a, b) => into.ids[a]! - into.ids[b]!));
  into.byId.forEach((document, place) => (into.idsSorted[place] = into.ids[document]!));

  const head = new Uint32Array(buffer);
  head.set([
    MAGIC,
    INDEX_VERSION,
    0,
    0,
    buffer.byteLength,
    sizes.documents,
    sizes.keys,
    sizes.postings,
    sizes.terms,
    sizes.blob,
  ]);
  const [first, second] = checksumsOf(head);
  head[2] = first;
  head[3] = second;
  const name = [kept.length, first, second].map((value) => value.toString(36)).join("-");
  return { name, bytes: new Uint8Array(buffer) };
}

/**
 * Looks at bytes as a part of an index, without reading them through.
 *
 * @throws {SegmentError} If they are cut off, changed, or of another version.
 */
export function openSegment(given: Uint8Array): Part {
  if (given.byteLength < HEAD * 4 || given.byteLength % 8 !== 0)
    throw new SegmentError("Expected a whole segment of a keyword index: it is cut off");
  const isAligned = given.byteOffset % 8 === 0 && given.buffer instanceof ArrayBuffer;
  const bytes = isAligned ? given : given.slice();
  const buffer = bytes.buffer as ArrayBuffer;
  const head = new Uint32Array(buffer, bytes.byteOffset, bytes.byteLength / 4);
  const [magic, version, first, second, length, documents = 0, keys = 0, postings = 0, terms = 0, blob = 0] = head;
  if (magic !== MAGIC || version !== INDEX_VERSION) {
    throw new SegmentError(
      `Expected a segment of version ${INDEX_VERSION}: it is of ${magic === MAGIC ? `version ${version}` : "something else"}`,
    );
  }
  const sizes = { documents, keys, postings, terms, blob };
  if (length !== bytes.byteLength || layOut(sizes).length !== length)
    throw new SegmentError("Expected a whole segment of a keyword index: its length is wrong");
  const sums = checksumsOf(head);
  if (sums[0] !== first || sums[1] !== second)
    throw new SegmentError("Expected a whole segment of a keyword index: its checksum is wrong");

  const views = viewsOf(buffer, bytes.byteOffset, sizes);
  const { offsets } = views;
  const decoder = new TextDecoder();
  const read = (document: number, field: number) => decoder.decode(bytesOf(document, field));
  const bytesOf = (document: number, field: number) =>
    views.blob.subarray(offsets[document * FIELDS + field], offsets[document * FIELDS + field + 1]);
  return {
    ...views,
    count: documents,
    bytes: bytes.byteLength,
    termOf: (key) => placeOf(views.keys, key),
    postingsOf: (term) => ({
      documents: views.documents,
      counts: views.counts,
      from: views.termStarts[term]!,
      to: views.termStarts[term + 1]!,
    }),
    at: (place) => place,
    find(idKey) {
      const place = placeOf(views.idsSorted, idKey);
      return place < 0 ? -1 : views.byId[place]!;
    },
    document: (document): IndexedDocument => ({
      id: read(document, 0),
      text: read(document, 1),
      keywords: JSON.parse(read(document, 2)) as string[],
      createdAtMs: views.times[document]!,
      type: read(document, 3),
      thread: read(document, 4),
      body: read(document, 5),
    }),
    field: bytesOf,
  };
}

/** Where a value stands in an ascending list, or -1. */
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
