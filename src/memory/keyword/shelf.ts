import { type Part, compareInOrder, placeIn } from "./part.ts";

/** A part as an index holds it: which of its documents are gone, and room for the scores of a search. */
export interface Shelf {
  readonly part: Part;
  /** Under which its bytes are, or will be, stored; empty for the tail. */
  readonly name: string;
  /** 1 for a document that is gone. */
  readonly removed: Uint8Array;
  removedCount: number;
  /** Terms of scripts with spaces, by document. */
  readonly words: Uint32Array;
  /** What the query found, and what feedback found. */
  readonly scores: Float64Array;
  readonly fed: Float64Array;
  /** The documents that have a score: the first `touchedCount`. */
  readonly touched: Uint32Array;
  touchedCount: number;
}

/** @param room For how many documents; a tail grows. */
export function shelve(part: Part, name = "", room: number = part.count): Shelf {
  const { starts, unspaced } = part;
  const words = new Uint32Array(room);
  for (let at = 0; at < part.count; at += 1) words[at] = starts[at + 1]! - starts[at]! - unspaced[at]!;
  return {
    words,
    part,
    name,
    removed: new Uint8Array(room),
    removedCount: 0,
    scores: new Float64Array(room),
    fed: new Float64Array(room),
    touched: new Uint32Array(room),
    touchedCount: 0,
  };
}

/** How long the texts of an index are together; whole numbers, so that they come out the same in whichever order documents come and go. */
export interface Totals {
  documents: number;
  /** Terms of scripts with spaces, and how many documents have any. */
  words: number;
  withWords: number;
  unspaced: number;
  withUnspaced: number;
}

/** Counts a document in (1) or out (-1). */
export function countInto(totals: Totals, { part, words }: Shelf, document: number, by: 1 | -1): void {
  totals.documents += by;
  totals.words += by * words[document]!;
  totals.unspaced += by * part.unspaced[document]!;
  if (words[document]! > 0) totals.withWords += by;
  if (part.unspaced[document]! > 0) totals.withUnspaced += by;
}

/** A document, by where it is. */
export interface Place {
  readonly shelf: Shelf;
  readonly document: number;
}

export interface LineBeside extends Place {
  /** How many lines after, or with a minus sign before. */
  readonly steps: number;
}

/**
 * The lines of a conversation directly before and after one of its lines, at most two each, none beyond a silence of `gapMs`; nothing unless at least two people
 * talk there in turns.
 */
export function linesBeside(shelves: readonly Shelf[], place: Place, gapMs: number): readonly LineBeside[] {
  if (place.shelf.part.chains[place.document] === 0) return [];
  const own = place.shelf.part;
  const places = shelves.map(({ part }) =>
    part === own && own.at(place.document) === place.document ? place.document : placeIn(part, own, place.document),
  );
  const beside: LineBeside[] = [];
  for (const direction of [-1, 1] as const) {
    let from = place;
    for (let step = 1; step <= 2; step += 1) {
      const next = lineBeside(shelves, places, from, direction);
      if (!next || Math.abs(timeOf(next) - timeOf(from)) > gapMs) break;
      beside.push({ shelf: next.shelf, document: next.document, steps: direction * step });
      from = next;
    }
  }
  const speakers = [own.speakers[place.document]!];
  for (const { shelf, document } of beside) {
    const speaker = shelf.part.speakers[document]!;
    if (!speakers.includes(speaker)) speakers.push(speaker);
  }
  return speakers.length > 1 && speakers.length <= beside.length ? beside : [];
}

const timeOf = ({ shelf, document }: Place) => shelf.part.times[document]!;

/** The nearest of all shelves. `places`: where a line near to `from` is, or would be, in each. */
function lineBeside(
  shelves: readonly Shelf[],
  places: readonly number[],
  from: Place,
  direction: 1 | -1,
): Place | undefined {
  const chain = from.shelf.part.chains[from.document]!;
  let next: Place | undefined;
  for (let index = 0; index < shelves.length; index += 1) {
    const shelf = shelves[index]!;
    const { part, removed } = shelf;
    let at = direction > 0 ? places[index]! : places[index]! - 1;
    for (; at >= 0 && at < part.count; at += direction) {
      const document = part.at(at);
      if (part.chains[document] !== chain) break;
      const isBeyond = compareInOrder(part, document, from.shelf.part, from.document) * direction > 0;
      if (!isBeyond || removed[document]) continue;
      const isNearer = !next || compareInOrder(part, document, next.shelf.part, next.document) * direction < 0;
      if (isNearer) next = { shelf, document };
      break;
    }
  }
  return next;
}
