import { type Part, compareInOrder, placeIn } from "./part.ts";

/** A part as an index holds it: which of its documents are gone, and room for the scores of a search. */
export interface Shelf {
  readonly part: Part;
  /** Under which its bytes are, or will be, stored; empty for the tail. */
  readonly name: string;
  readonly removed: Set<number>;
  scores: Float64Array;
  fed: Float64Array;
}

export function shelve(part: Part, name = "", removed: Iterable<number> = []): Shelf {
  return { part, name, removed: new Set(removed), scores: new Float64Array(0), fed: new Float64Array(0) };
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
export function countInto(totals: Totals, { starts, unspaced }: Part, document: number, by: 1 | -1): void {
  const characters = unspaced[document]!;
  const words = starts[document + 1]! - starts[document]! - characters;
  totals.documents += by;
  totals.words += by * words;
  totals.unspaced += by * characters;
  if (words > 0) totals.withWords += by;
  if (characters > 0) totals.withUnspaced += by;
}

/** A document, by where it is. */
export interface Place {
  readonly shelf: Shelf;
  readonly document: number;
}

/** The nearest lines of the same conversation before (-1) or after (1) one, at most `most`, none after a silence of more than `gapMs`. */
export function linesBeside(
  shelves: readonly Shelf[],
  { shelf, document }: Place,
  direction: 1 | -1,
  most: number,
  gapMs: number,
): readonly Place[] {
  const found: Place[] = [];
  const chain = shelf.part.chains[document]!;
  const places = shelves.map((of) => {
    const place = placeIn(of.part, shelf.part, document);
    return direction < 0 ? place - 1 : of === shelf ? place + 1 : place;
  });
  let timeMs = shelf.part.times[document]!;
  while (found.length < most) {
    let next: Place | undefined;
    for (const [index, of] of shelves.entries()) {
      while (places[index]! >= 0 && places[index]! < of.part.count && of.removed.has(of.part.at(places[index]!))) {
        places[index]! += direction;
      }
      const place = places[index]!;
      if (place < 0 || place >= of.part.count) continue;
      const candidate = of.part.at(place);
      if (of.part.chains[candidate] !== chain) continue;
      if (next && compareInOrder(of.part, candidate, next.shelf.part, next.document) * direction > 0) continue;
      next = { shelf: of, document: candidate };
    }
    if (!next || Math.abs(next.shelf.part.times[next.document]! - timeMs) > gapMs) break;
    timeMs = next.shelf.part.times[next.document]!;
    places[shelves.indexOf(next.shelf)]! += direction;
    found.push(next);
  }
  return found;
}
