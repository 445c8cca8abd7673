import type { RecalledMemory } from "./api.ts";
import { type Asked, askedFor } from "./coverage.ts";
import { normalise, tokensOf } from "./keyword/tokens.ts";
import type { MemoryHit } from "./memory-store.ts";
import type { Line, PersonLines } from "./person-lines.ts";
import type { KeywordHit } from "./keyword/types.ts";

/** Of the places, lines take so many at most: two of five. */
const SHARE_OF_LINES = 0.4;
/** A line says what is asked when it has this share of the asked words, or three of them and a smaller share. */
const WELL_SHARE = 0.34;
const WELL_WORDS = 3;
const WELL_SHARE_OF_MANY = 0.2;
/** A line comes before entries when no entry has much more of the asked words. */
const BESIDE_ENTRIES = 0.8;
/** When even the best has less of the asked words, the archive is asked as well. */
export const WEAK_SHARE = 0.34;
/** Hits whose words are looked at: the best of them stands for the rest. */
const LOOKED_AT = 3;

export interface LayersFound {
  readonly text: string;
  readonly keywords: readonly string[];
  readonly limit: number;
  readonly lines: PersonLines | undefined;
  readonly lineHits: readonly KeywordHit[];
  readonly entries: readonly MemoryHit[];
}

interface Ranked {
  readonly line: Line;
  readonly score: number;
  readonly isGood: boolean;
}

/** What was found in each layer, as one list; and how well the best of it covers what was asked. */
export function joinLayers(found: LayersFound): {
  readonly hits: readonly RecalledMemory[];
  readonly bestShare: number;
  readonly asked: Asked;
} {
  const { lines, limit, entries } = found;
  const asked = askedFor(found.text, found.keywords, lines?.counts ?? new Map(), lines?.lines.size ?? 0);
  const entryShare = bestShareOf(asked, entries);
  const ranked = lines === undefined ? [] : rankLines(found, lines, asked, entryShare);

  const said = new Set<string>();
  const kept = new Set(entries.map(({ entry }) => entry.id));
  const isNew = (content: string) => {
    const text = normalise(content).replaceAll(/\s+/g, " ").trim();
    return !said.has(text) && said.add(text) !== undefined;
  };
  const most = Math.max(1, Math.floor(limit * SHARE_OF_LINES));
  const good: Ranked[] = [];
  const rest: Ranked[] = [];
  for (const one of ranked) {
    if (one.line.from !== undefined && kept.has(one.line.from)) continue;
    (one.isGood && good.length < most && isNew(one.line.entry.content) ? good : rest).push(one);
  }
  const fromEntries = entries.filter(({ entry }) => isNew(entry.content));
  const places = Math.max(0, limit - good.length);
  const spare = Math.max(0, Math.min(most - good.length, places - fromEntries.length));
  const weak = rest.filter(({ line }) => isNew(line.entry.content)).slice(0, spare);

  const best = fromEntries[0]?.score ?? 0;
  const least = fromEntries.at(-1)?.score ?? 0;
  const topDaily = Math.max(0, ...good.filter(({ line }) => line.layer === "daily").map(({ score }) => score));
  const hits = [
    ...good.map((one) => asHit(one, best + one.score + (one.line.layer === "daily" ? 0 : topDaily))),
    ...fromEntries.slice(0, places).map((hit): RecalledMemory => ({ ...hit, layer: "entry" })),
    ...weak.map((one) => asHit(one, Math.min(least, best) * (one.score / (one.score + 1)))),
  ];
  const lineShare = Math.max(0, ...good.map(({ line }) => asked.of(line.tokens).share));
  return { hits, bestShare: Math.max(entryShare, lineShare), asked };
}

/** Archived entries that have more of what was asked than anything in recall, before what is weak. */
export function joinArchive(
  hits: readonly RecalledMemory[],
  archived: readonly MemoryHit[],
  { asked, bestShare, limit }: { readonly asked: Asked; readonly bestShare: number; readonly limit: number },
): readonly RecalledMemory[] {
  const better = archived.filter(({ entry }) => {
    const { share } = asked.of(new Set(tokensOf([entry.content, ...entry.keywords].join("\n"))));
    return share > bestShare && share >= WEAK_SHARE;
  });
  if (better.length === 0) return hits;
  const lines = hits.filter(({ layer }) => layer !== "entry");
  const entries = hits.filter(({ layer }) => layer === "entry");
  const best = entries[0]?.score ?? 0;
  const found = better.map((hit): RecalledMemory => ({ ...hit, score: best + hit.score, layer: "archive" }));
  const above = (found[0]?.score ?? 0) - best;
  return [...lines.map((hit) => ({ ...hit, score: hit.score + above })), ...found, ...entries].slice(0, limit);
}

function rankLines({ lineHits }: LayersFound, { lines }: PersonLines, asked: Asked, entryShare: number): Ranked[] {
  const ranked: Ranked[] = [];
  for (const { id, score } of lineHits) {
    const line = lines.get(id);
    if (line === undefined) continue;
    const { share, words } = asked.of(line.tokens);
    const says =
      share >= WELL_SHARE ? words > 1 || asked.size <= 2 : words >= WELL_WORDS && share >= WELL_SHARE_OF_MANY;
    ranked.push({ line, score, isGood: says && share >= entryShare * BESIDE_ENTRIES });
  }
  return ranked.sort(
    (a, b) =>
      Number(b.line.layer === "long_term") - Number(a.line.layer === "long_term") ||
      b.score - a.score ||
      (a.line.entry.id < b.line.entry.id ? -1 : 1),
  );
}

function bestShareOf(asked: Asked, hits: readonly MemoryHit[]): number {
  let best = 0;
  for (const { entry } of hits.slice(0, LOOKED_AT))
    best = Math.max(best, asked.of(new Set(tokensOf([entry.content, ...entry.keywords].join("\n")))).share);
  return best;
}

function asHit({ line, score }: Ranked, total: number): RecalledMemory {
  return { entry: line.entry, score: total, signals: { keyword: score }, layer: line.layer };
}
