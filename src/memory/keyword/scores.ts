import type { Shelf, Totals } from "./shelf.ts";
import type { Sought } from "./sought.ts";
import { isUnspacedKey } from "./term-key.ts";

/** k1 of BM25: how fast repeated terms saturate. */
const SATURATION = 1;
/** b of BM25: how much length lowers the score, for scripts with spaces and without. */
const LENGTH_OF_WORDS = 0.3;
const LENGTH_OF_UNSPACED = 0.6;
/** If more than one in this many documents was touched, clearing the whole array is faster. */
const FILL_SHARE = 8;

/** Clears what the last search left. */
export function clearScores(shelf: Shelf): void {
  const { scores, fed, touched, touchedCount, raised, raisedCount } = shelf;
  if (touchedCount * FILL_SHARE > scores.length) scores.fill(0);
  else for (let at = 0; at < touchedCount; at += 1) scores[touched[at]!] = 0;
  for (let at = 0; at < raisedCount; at += 1) fed[raised[at]!] = 0;
  shelf.touchedCount = 0;
  shelf.raisedCount = 0;
}

/**
 * Adds the BM25 score of each term to its documents, term by term, so that every document's sum has the same order.
 *
 * @param isEnough Whether documents without any counted term no longer matter, by the worth of the remaining terms and
 * of the counted ones.
 */
export function addScores(
  shelves: readonly Shelf[],
  totals: Totals,
  sought: Sought,
  isEnough: (left: number, counted: number) => boolean,
): void {
  const whole = worthOf(sought) * (SATURATION + 1);
  let left = whole;
  let onlyKnown = false;
  for (let at = 0; at < sought.count; at += 1) {
    const place = sought.order[at]!;
    onlyKnown ||= isEnough(left, whole - left);
    left -= sought.weights[place]! * (SATURATION + 1);
    const curve = curveOf(totals, sought.keys[place]!, sought.weights[place]!);
    for (let index = 0; index < shelves.length; index += 1) {
      const term = sought.numbers[place * sought.shelves + index]!;
      if (term >= 0) addTerm(shelves[index]!, term, curve, onlyKnown);
    }
  }
}

/** Adds the score of feedback terms to documents that already have a score. */
export function addFeedback(shelves: readonly Shelf[], totals: Totals, sought: Sought): void {
  for (let at = 0; at < sought.count; at += 1) {
    const place = sought.order[at]!;
    const curve = curveOf(totals, sought.keys[place]!, sought.weights[place]!);
    for (let index = 0; index < shelves.length; index += 1) {
      const term = sought.numbers[place * sought.shelves + index]!;
      if (term >= 0) addToFound(shelves[index]!, term, curve);
    }
  }
}

function worthOf({ count, order, weights }: Sought): number {
  let sum = 0;
  for (let at = 0; at < count; at += 1) sum += weights[order[at]!]!;
  return sum;
}

/** A term's score by its frequency in a text and the text's length. */
interface Curve {
  readonly isUnspaced: boolean;
  readonly gain: number;
  readonly least: number;
  readonly perTerm: number;
}

function curveOf(totals: Totals, key: number, weight: number): Curve {
  const isUnspaced = isUnspacedKey(key);
  const b = isUnspaced ? LENGTH_OF_UNSPACED : LENGTH_OF_WORDS;
  const average = isUnspaced ? totals.unspaced / (totals.withUnspaced || 1) : totals.words / (totals.withWords || 1);
  return {
    isUnspaced,
    gain: weight * (SATURATION + 1),
    least: SATURATION * (1 - b),
    perTerm: average > 0 ? (SATURATION * b) / average : 0,
  };
}

function addTerm(shelf: Shelf, term: number, { isUnspaced, gain, least, perTerm }: Curve, onlyKnown: boolean): void {
  const { part, scores, touched } = shelf;
  const { documents, counts } = part;
  const most = gain * shelf.worth;
  const lengths = isUnspaced ? part.unspaced : shelf.words;
  const to = part.to[term]!;
  let { touchedCount } = shelf;
  for (let at = part.from[term]!; at < to; at += 1) {
    const document = documents[at]!;
    const before = scores[document]!;
    if (before === 0) {
      if (onlyKnown) continue;
      touched[touchedCount++] = document;
    }
    const count = counts[at]! / 2;
    scores[document] = before + (most * count) / (count + least + perTerm * lengths[document]!);
  }
  shelf.touchedCount = touchedCount;
}

function addToFound(shelf: Shelf, term: number, { isUnspaced, gain, least, perTerm }: Curve): void {
  const { part, scores, fed, raised } = shelf;
  const { documents, counts } = part;
  const most = gain * shelf.worth;
  const lengths = isUnspaced ? part.unspaced : shelf.words;
  const to = part.to[term]!;
  let { raisedCount } = shelf;
  for (let at = part.from[term]!; at < to; at += 1) {
    const document = documents[at]!;
    if (scores[document] === 0) continue;
    const before = fed[document]!;
    if (before === 0) raised[raisedCount++] = document;
    const count = counts[at]! / 2;
    fed[document] = before + (most * count) / (count + least + perTerm * lengths[document]!);
  }
  shelf.raisedCount = raisedCount;
}
