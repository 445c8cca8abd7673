import { type Part, wordsIn } from "./part.ts";
import type { Pool } from "./pool.ts";
import type { Shelf } from "./shelf.ts";
import type { About } from "./topic.ts";
import type { MemorySignals } from "../memory-store.ts";
import type { IndexedDocument, KeywordFind, KeywordHit } from "./types.ts";

// Offsets of a hit's figures. All hits share one list of plain numbers: each number in an object would be boxed.
const [SCORE, KEYWORD, NEIGHBOURS, PROXIMITY, FEEDBACK] = [0, 1, 2, 3, 4] as const;
const FIGURES = 5;

/**
 * Makes hits of the documents at these places of a pool, in that order.
 *
 * @param options.about Tells how much of the query a document has. Default: the signals leave it out.
 */
export function foundIn(
  shelves: readonly Shelf[],
  pool: Pool,
  places: Uint32Array,
  { ownShelves, about }: { readonly ownShelves: number; readonly about?: About | undefined },
): readonly KeywordFind[] {
  const figures = new Float64Array(FIGURES * places.length);
  const found: KeywordFind[] = [];
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at]!;
    const first = FIGURES * at;
    figures[first + SCORE] = pool.scores[place]!;
    figures[first + KEYWORD] = pool.keyword[place]!;
    figures[first + NEIGHBOURS] = pool.neighbours[place]!;
    figures[first + PROXIMITY] = pool.proximity[place]!;
    figures[first + FEEDBACK] = pool.feedback[place]!;
    const shelf = pool.shelfOf[place]!;
    const has = { shelf, isBeside: shelf >= ownShelves, about };
    found.push(new Found(shelves[shelf]!.part, pool.documents[place]!, figures, first, has));
  }
  return found;
}

/** Copies a hit into a plain object. */
export function hitOf({ score, signals, document }: KeywordFind): KeywordHit {
  return { id: document.id, score, signals, document };
}

/** A class, so that hits share their getters. */
class Found implements KeywordFind {
  readonly #part: Part;
  readonly #number: number;
  readonly #figures: Float64Array;
  readonly #first: number;
  readonly #shelf: number;
  readonly #about: About | undefined;
  readonly isBeside: boolean;

  constructor(
    part: Part,
    number: number,
    figures: Float64Array,
    first: number,
    { shelf, isBeside, about }: Pick<Found, "isBeside"> & { readonly shelf: number; readonly about: About | undefined },
  ) {
    this.#part = part;
    this.#number = number;
    this.#figures = figures;
    this.#first = first;
    this.#shelf = shelf;
    this.#about = about;
    this.isBeside = isBeside;
  }

  get score(): number {
    return this.#figures[this.#first + SCORE]!;
  }

  get signals(): MemorySignals {
    const figure = (at: number) => this.#figures[this.#first + at]!;
    const signals: { -readonly [Name in keyof MemorySignals]: MemorySignals[Name] } = {};
    if (figure(KEYWORD) > 0) signals.keyword = figure(KEYWORD);
    if (figure(NEIGHBOURS) > 0) signals.neighbours = figure(NEIGHBOURS);
    if (figure(PROXIMITY) > 0) signals.proximity = figure(PROXIMITY);
    if (figure(FEEDBACK) > 0) signals.feedback = figure(FEEDBACK);
    return this.#about ? { ...signals, ...this.#about(this.#shelf, this.#number) } : signals;
  }

  get document(): IndexedDocument {
    return this.#part.document(this.#number);
  }

  get expiresAtMs(): number {
    return this.#part.expiries[this.#number]!;
  }

  get print(): number {
    return this.#part.prints[this.#number]!;
  }

  get words(): Float64Array {
    return wordsIn(this.#part, this.#number);
  }
}
