import { tokensOf } from "../keyword/tokens.ts";
import { randomNumbers } from "./calibration.ts";
import { type FusionMethod, fuse } from "./fuse.ts";
import type { VectorSet } from "./vector-set.ts";

/** Whether a model helps with a person's entries. Every figure is a mean reciprocal rank, 0 to 1. */
export interface SelfCheck {
  /** How many vectors there were. */
  readonly vectors: number;
  readonly questions: number;
  readonly keyword: number;
  readonly semantic: number;
  readonly fused: number;
  readonly helps: boolean;
  /** How the two were joined; joined otherwise, it is another question. */
  readonly fusion: { readonly method: FusionMethod; readonly alpha: number; readonly k: number };
}

/** An entry's text, and its id. */
export interface CheckedEntry {
  readonly id: string;
  readonly text: string;
}

/** With fewer entries chance decides. */
export const FEWEST_ENTRIES = 40;
export const MOST_ENTRIES = 400;
const MOST_QUESTIONS = 64;
/** A text with fewer tokens has no two halves. */
const FEWEST_TOKENS = 8;
const FEWEST_QUESTIONS = 12;
/** How many hits of each side are joined, as in a recall. */
const DEPTH = 50;
/** What joining must gain on words alone. */
const FUSED_GAIN = 1.02;
/** How much of what words find meaning must find by itself: less is no knowledge of meaning. */
const SEMANTIC_SHARE = 0.5;
const K1 = 1.2;
const B = 0.3;

export interface HalvedEntry {
  readonly id: string;
  /** The half that is asked with. */
  readonly question: string;
  /** The half that is to be found among the other entries. */
  readonly answer: string;
}

/**
 * Asks for entries with one half of their own text, where only the other half can be found: what a model knows of meaning joins the two, words alone seldom do.
 * The same entries give the same questions.
 */
export function halve(entries: readonly CheckedEntry[]): readonly HalvedEntry[] {
  const random = randomNumbers(entries.length);
  const halved: HalvedEntry[] = [];
  const left = [...entries];
  while (left.length > 0 && halved.length < MOST_QUESTIONS) {
    const [entry] = left.splice(Math.floor(random() * left.length), 1);
    if (entry === undefined || tokensOf(entry.text).length < FEWEST_TOKENS) continue;
    const middle = middleOf(entry.text);
    halved.push({ id: entry.id, question: entry.text.slice(0, middle), answer: entry.text.slice(middle) });
  }
  return halved.length < FEWEST_QUESTIONS ? [] : halved;
}

/** The vectors of the halves: two for each halved entry. */
export interface HalfVectors {
  readonly questions: readonly Float32Array[];
  readonly answers: readonly Float32Array[];
}

/** Asks the questions by words, by meaning and by both, and compares where the answers are found. */
export function checkModel(parts: {
  readonly entries: readonly CheckedEntry[];
  readonly halved: readonly HalvedEntry[];
  readonly vectors: HalfVectors;
  readonly set: VectorSet;
  readonly fusion: SelfCheck["fusion"];
}): SelfCheck {
  const { entries, halved, vectors, set, fusion } = parts;
  const halves = new Map(halved.map((half, place) => [half.id, { text: half.answer, vector: vectors.answers[place] }]));
  const words = createWordSearch(entries.map(({ id, text }) => ({ id, text: halves.get(id)?.text ?? text })));
  const sums = { keyword: 0, semantic: 0, fused: 0 };
  for (const [place, { id, question }] of halved.entries()) {
    const vector = vectors.questions[place];
    if (vector === undefined) continue;
    const byWords = words(question);
    const byMeaning = entries.map((entry) => {
      const half = halves.get(entry.id)?.vector;
      return { id: entry.id, score: half === undefined ? (set.similarity(vector, entry.id) ?? 0) : dot(vector, half) };
    });
    byMeaning.sort((a, b) => b.score - a.score);
    sums.keyword += reciprocalRank(byWords, id);
    sums.semantic += reciprocalRank(byMeaning, id);
    sums.fused += reciprocalRank(fuse(byWords.slice(0, DEPTH), byMeaning.slice(0, DEPTH), fusion), id);
  }
  const [keyword, semantic, fused] = [sums.keyword, sums.semantic, sums.fused].map((sum) => sum / halved.length) as [
    number,
    number,
    number,
  ];
  return {
    vectors: set.size,
    questions: halved.length,
    keyword,
    semantic,
    fused,
    helps: fused >= keyword * FUSED_GAIN && semantic >= keyword * SEMANTIC_SHARE,
    fusion,
  };
}

function reciprocalRank(hits: readonly { readonly id: string }[], id: string): number {
  const place = hits.findIndex((hit) => hit.id === id);
  return place === -1 ? 0 : 1 / (place + 1);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (const [at, value] of a.entries()) sum += value * (b[at] ?? 0);
  return sum;
}

/** Where a text is cut: at the space that is nearest to its middle; without spaces between two characters. */
function middleOf(text: string): number {
  const middle = text.length >> 1;
  const before = text.lastIndexOf(" ", middle);
  const after = text.indexOf(" ", middle);
  const nearest = after === -1 || (before !== -1 && middle - before <= after - middle) ? before : after;
  if (nearest > text.length / 4 && nearest < (text.length * 3) / 4) return nearest;
  return /[\udc00-\udfff]/.test(text.charAt(middle)) ? middle + 1 : middle;
}

/** BM25 over a few hundred texts: only what a comparison needs, so that the halves never get into anybody's index. */
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
