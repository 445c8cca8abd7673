import { tokensOf } from "../keyword/tokens.ts";
import { randomNumbers } from "./calibration.ts";
import { dot } from "./embed-texts.ts";
import { type FusionMethod, fuse } from "./fuse.ts";
import type { VectorSet } from "./vector-set.ts";

/**
 * Result of a check whether a model helps to find a person's entries, with questions made of the entries themselves.
 * All figures except the counts are mean reciprocal ranks, 0 to 1. Source: docs/recall.md, "A model must show that it
 * helps".
 */
export interface SelfCheck {
  /** Number of vectors at that time. */
  readonly vectors: number;
  readonly questions: number;
  /** Search by words alone: one half of an entry as the question finds the other; they share a few words. */
  readonly keyword: number;
  /** Search by meaning alone, with the same questions. */
  readonly semantic: number;
  /** Both, fused as in a recall. */
  readonly fused: number;
  /** Search by meaning alone, where the halves share no words. */
  readonly beyondWords: number;
  /** Value that `beyondWords` must exceed to be more than chance. */
  readonly chance: number;
  readonly helps: boolean;
  /** How the two were fused; another fusion needs another check. */
  readonly fusion: { readonly method: FusionMethod; readonly alpha: number; readonly k: number };
}

/** An entry in the check. */
export interface CheckedEntry {
  readonly id: string;
  readonly text: string;
}

/** Fewest entries for a check: with fewer, chance decides. */
export const MIN_ENTRIES = 40;
export const MAX_ENTRIES = 400;
const MAX_QUESTIONS = 100;
const MIN_QUESTIONS = 12;
/** Fewest tokens of a text that can be halved. */
const MIN_TOKENS = 6;
/**
 * Shares of the text. The half that shares words begins at the first; the question ends, and the half that shares none
 * begins, at the second.
 */
const SHARED_FROM = 0.45;
const QUESTION_TO = 0.55;
/** Most characters that a cut moves to reach a space; a longer word is cut. */
const LONG_WORD = 12;
/** Hits of each side that are fused, as in a recall. */
const DEPTH = 50;
/** Standard errors above chance that a figure must reach; reciprocal ranks by chance have a long tail. */
const ERRORS_ABOVE_CHANCE = 5;
const K1 = 1.2;
const B = 0.3;

/** An entry cut into a question and the part to find: with a few words of the question, and without. */
export interface HalvedEntry {
  readonly id: string;
  readonly question: string;
  readonly shared: string;
  readonly rest: string;
}

/** Makes questions of some entries. The same entries give the same questions; none when too few are long enough. */
export function halve(entries: readonly CheckedEntry[]): readonly HalvedEntry[] {
  const random = randomNumbers(entries.length);
  const halved: HalvedEntry[] = [];
  const left = [...entries];
  while (left.length > 0 && halved.length < MAX_QUESTIONS) {
    const [entry] = left.splice(Math.floor(random() * left.length), 1);
    if (entry === undefined || tokensOf(entry.text).length < MIN_TOKENS) continue;
    const { id, text } = entry;
    const to = cutNear(text, QUESTION_TO);
    const question = text.slice(0, to).trim();
    const rest = text.slice(to).trim();
    if (question === "" || rest === "") continue;
    halved.push({ id, question, shared: text.slice(cutNear(text, SHARED_FROM)).trim(), rest });
  }
  return halved.length < MIN_QUESTIONS ? [] : halved;
}

/** Vectors of halved entries, in order. */
export interface HalfVectors {
  readonly questions: readonly Float32Array[];
  readonly shared: readonly Float32Array[];
  readonly rest: readonly Float32Array[];
}

/** Searches with the questions by words, by meaning and by both, and compares the ranks of the other halves among all entries. */
export function checkModel(parts: {
  readonly entries: readonly CheckedEntry[];
  readonly halved: readonly HalvedEntry[];
  readonly vectors: HalfVectors;
  readonly set: VectorSet;
  readonly fusion: SelfCheck["fusion"];
}): SelfCheck {
  const { entries, halved, vectors, set, fusion } = parts;
  const placeOf = new Map(halved.map(({ id }, place) => [id, place]));
  const textOf = ({ id, text }: CheckedEntry) => halved[placeOf.get(id) ?? -1]?.shared ?? text;
  const words = createWordSearch(entries.map((entry) => ({ id: entry.id, text: textOf(entry) })));

  /** A half replaces its entry, so nothing else of that entry can be found. */
  function byMeaning(question: Float32Array, halves: readonly Float32Array[]) {
    const hits = entries.map(({ id }) => {
      const half = halves[placeOf.get(id) ?? -1];
      return { id, score: half === undefined ? (set.similarity(question, id) ?? 0) : dot(question, half) };
    });
    return hits.sort((a, b) => b.score - a.score);
  }

  const sums = { keyword: 0, semantic: 0, fused: 0, beyondWords: 0 };
  for (const [place, { id, question }] of halved.entries()) {
    const vector = vectors.questions[place];
    if (vector === undefined) continue;
    const found = words(question);
    const similar = byMeaning(vector, vectors.shared);
    sums.keyword += reciprocalRank(found, id);
    sums.semantic += reciprocalRank(similar, id);
    sums.fused += reciprocalRank(fuse(found.slice(0, DEPTH), similar.slice(0, DEPTH), fusion), id);
    sums.beyondWords += reciprocalRank(byMeaning(vector, vectors.rest), id);
  }
  const mean = (sum: number) => sum / halved.length;
  const chance = chanceOf(entries.length, halved.length);
  return {
    vectors: set.size,
    questions: halved.length,
    keyword: mean(sums.keyword),
    semantic: mean(sums.semantic),
    fused: mean(sums.fused),
    beyondWords: mean(sums.beyondWords),
    chance,
    helps: mean(sums.beyondWords) > chance && sums.fused >= sums.keyword,
    fusion,
  };
}

/** A mean reciprocal rank that a random order hardly exceeds. */
function chanceOf(entries: number, questions: number): number {
  let mean = 0;
  let square = 0;
  for (let rank = 1; rank <= entries; rank++) {
    mean += 1 / rank / entries;
    square += 1 / rank ** 2 / entries;
  }
  return mean + ERRORS_ABOVE_CHANCE * Math.sqrt((square - mean ** 2) / questions);
}

function reciprocalRank(hits: readonly { readonly id: string }[], id: string): number {
  const place = hits.findIndex((hit) => hit.id === id);
  return place === -1 ? 0 : 1 / (place + 1);
}

/** Where to cut a text: at the space nearest to that share of it; without a space near by, between two characters. */
function cutNear(text: string, share: number): number {
  const wanted = Math.round(text.length * share);
  const before = text.lastIndexOf(" ", wanted);
  const after = text.indexOf(" ", wanted);
  const nearest = after === -1 || (before !== -1 && wanted - before <= after - wanted) ? before : after;
  if (nearest > 0 && Math.abs(nearest - wanted) <= LONG_WORD) return nearest;
  return /[\udc00-\udfff]/.test(text.charAt(wanted)) ? wanted + 1 : wanted;
}

/** BM25 over a few hundred texts, in memory only, so that halves never get into a person's index. */
function createWordSearch(texts: readonly CheckedEntry[]): (question: string) => { id: string; score: number }[] {
  const found = new Map<string, Map<number, number>>();
  const lengths = texts.map(({ text }, place) => {
    const tokens = tokensOf(text);
    for (const token of tokens) {
      const places = found.get(token) ?? new Map<number, number>();
      found.set(token, places.set(place, (places.get(place) ?? 0) + 1));
    }
    return tokens.length;
  });
  const usual = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / texts.length);
  return (question) => {
    const scores = new Map<number, number>();
    for (const token of new Set(tokensOf(question))) {
      const places = found.get(token);
      if (places === undefined) continue;
      const rarity = Math.log(1 + (texts.length - places.size + 0.5) / (places.size + 0.5));
      for (const [place, count] of places) {
        const long = K1 * (1 - B + (B * (lengths[place] ?? 0)) / usual);
        scores.set(place, (scores.get(place) ?? 0) + (rarity * count * (K1 + 1)) / (count + long));
      }
    }
    return [...scores]
      .map(([place, score]) => ({ id: texts[place]?.id ?? "", score }))
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  };
}
