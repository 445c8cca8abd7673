import { type Asked, type Covered, type TokensIn, coveredBy } from "./coverage.ts";
import type { FoundEntry, FoundMemory } from "./found-memory.ts";
import { bareText, printOf } from "./keyword/term-key.ts";
import type { MemoryHit } from "./memory-store.ts";
import type { Line, PersonLines } from "./person-lines.ts";

/** Largest share of the places that lines may take: two of five. */
const SHARE_OF_LINES = 0.4;
/** A line answers a query when it has this share of the asked words, or three of them and a smaller share. */
const WELL_SHARE = 0.34;
const WELL_WORDS = 3;
const WELL_SHARE_OF_MANY = 0.2;
/** A line comes before entries when it has at least this share of the best coverage. */
const BESIDE_BEST = 0.8;
/** Number of entries whose words are compared; the best of these stands for all. */
const LOOKED_AT = 3;

/** A line that has words of the query. */
export interface FoundLine extends Covered {
  readonly line: Line;
  readonly isGood: boolean;
}

/** Finds lines that have words of the query, by the token index alone. */
export function linesWith(asked: Asked, { places, byToken }: PersonLines): readonly FoundLine[] {
  if (places.length === 0) return [];
  const shares = new Float64Array(places.length);
  const words = new Uint32Array(places.length);
  /** Number of the last word counted for each line: a line that stands twice in a file counts once. */
  const counted = new Uint32Array(places.length);
  const met: number[] = [];
  let number = 0;
  for (const [token, weight] of asked.weights) {
    number += 1;
    for (const place of byToken.get(token) ?? []) {
      if (counted[place] === number) continue;
      counted[place] = number;
      if (words[place] === 0) met.push(place);
      shares[place]! += weight;
      words[place]! += 1;
    }
  }
  return met.map((place) => {
    const covered = { share: asked.whole === 0 ? 0 : shares[place]! / asked.whole, words: words[place]! };
    return { ...covered, line: places[place]!, isGood: saysIt(covered, asked) };
  });
}

function saysIt({ share, words }: Covered, { weights }: Asked): boolean {
  if (share >= WELL_SHARE) return words > 1 || weights.size <= 2;
  return words >= WELL_WORDS && share >= WELL_SHARE_OF_MANY;
}

/** A line's score among the lines, and its parts. */
export type RankedLine = Pick<MemoryHit, "score" | "signals">;

export interface LayersFound {
  readonly asked: Asked;
  readonly limit: number;
  readonly lines: readonly FoundLine[];
  readonly entries: readonly FoundEntry[];
  readonly tokensIn: TokensIn;
  /** Score of a line in the lines' own index. */
  ranked(line: Line): RankedLine;
}

/** Joins the hits of all layers into one list, best first. */
export function joinLayers({
  asked,
  limit,
  lines,
  entries,
  tokensIn,
  ranked: rankedLine,
}: LayersFound): readonly FoundMemory[] {
  const most = Math.max(1, Math.floor(limit * SHARE_OF_LINES));
  if (lines.length === 0 || (entries.length >= limit && !lines.some(({ isGood }) => isGood)))
    return distinctEntries(entries, limit);

  const bar = Math.max(bestShare(asked, entries, tokensIn), ...lines.map(({ share }) => share)) * BESIDE_BEST;
  const ids = lines.some(({ line }) => line.from !== undefined)
    ? new Set(entries.map(({ entry }) => entry.id))
    : undefined;
  const seen = textsSeen();
  const candidates = lines.filter(({ line }) => line.from === undefined || !ids?.has(line.from));
  const inOrder = (some: readonly FoundLine[]) =>
    some.map((found) => ({ ...found, ...rankedLine(found.line) })).sort(byLayerThenBest);
  const good = firstUnseen(inOrder(candidates.filter(({ isGood, share }) => isGood && share >= bar)), seen, most);

  const found = fromEntries(entries, seen);
  const spare = Math.max(0, Math.min(most - good.length, limit - good.length - found.length));
  // Usually `spare` is 0: a query that finds many lines finds many entries.
  const weak = spare === 0 ? [] : firstUnseen(inOrder(candidates), seen, spare);
  const best = found[0]?.score ?? 0;
  const least = found.at(-1)?.score ?? 1;
  return [
    ...good.map((one, at) => asHit(one, best + good.slice(at).reduce((sum, { score }) => Math.max(sum, score), 0))),
    ...found.slice(0, Math.max(0, limit - good.length)),
    ...weak.map((one, at) => asHit(one, least / (at + 2))),
  ];
}

function firstUnseen<One extends ScoredLine>(
  lines: readonly One[],
  seen: (line: Line) => boolean,
  most: number,
): One[] {
  const unseen: One[] = [];
  for (const one of lines) {
    if (unseen.length >= most) break;
    if (seen(one.line)) unseen.push(one);
  }
  return unseen;
}

interface ScoredLine extends RankedLine {
  readonly line: Line;
}

/** Entries in the order they were found, each text once. */
export function distinctEntries(entries: readonly FoundEntry[], limit: number): readonly FoundMemory[] {
  return fromEntries(entries, textsSeen(), limit);
}

function fromEntries(
  entries: readonly FoundEntry[],
  seen: (one: FoundEntry) => boolean,
  most = Number.POSITIVE_INFINITY,
): FoundMemory[] {
  const found: FoundMemory[] = [];
  for (const hit of entries) {
    if (found.length >= most) break;
    if (seen(hit)) found.push(asEntry(hit));
  }
  return found;
}

function asEntry(hit: FoundEntry): FoundMemory {
  return "layer" in hit ? (hit as FoundMemory) : { ...hit, layer: hit.archived === true ? "archive" : "entry" };
}

/**
 * Returns a predicate: whether a text is seen for the first time, ignoring case and spaces. It reads a text only when
 * its hash was seen before, which is rare.
 */
function textsSeen(): (one: Pick<FoundEntry, "entry" | "print">) => boolean {
  const byPrint = new Map<number, Pick<FoundEntry, "entry">[]>();
  return (one) => {
    const print = one.print ?? printOf(one.entry.content);
    const alike = byPrint.get(print);
    if (alike === undefined) byPrint.set(print, [one]);
    else {
      const bare = bareText(one.entry.content);
      if (alike.some(({ entry }) => bareText(entry.content) === bare)) return false;
      alike.push(one);
    }
    return true;
  };
}

function bestShare(asked: Asked, hits: readonly Pick<MemoryHit, "entry">[], tokensIn: TokensIn): number {
  return hits.slice(0, LOOKED_AT).reduce((best, { entry }) => Math.max(best, shareOf(asked, entry, tokensIn)), 0);
}

function shareOf(asked: Asked, { content, keywords }: MemoryHit["entry"], tokensIn: TokensIn): number {
  const tokens = tokensIn(content, ...keywords);
  return coveredBy(asked, (token) => tokens.has(token)).share;
}

function byLayerThenBest(a: FoundLine & { score: number }, b: FoundLine & { score: number }): number {
  return (
    Number(b.line.layer === "long_term") - Number(a.line.layer === "long_term") ||
    b.share - a.share ||
    b.score - a.score ||
    (a.line.entry.id < b.line.entry.id ? -1 : 1)
  );
}

function asHit({ line, signals }: ScoredLine, total: number): FoundMemory {
  return { entry: line.entry, score: total, signals, layer: line.layer };
}
