import { differsInSubstance } from "../capture/differs.ts";
import { tokensOf } from "../keyword/tokens.ts";

export interface ClusterOptions {
  /** Jaccard similarity of words above which two texts say the same. */
  readonly threshold: number;
  /** Whether two texts may be in one cluster, apart from their content. Default: any two. */
  mayJoin?(one: number, other: number): boolean;
  /** Called after every 500 texts, so that other work can run. */
  pause?(): Promise<void>;
}

const PAUSE_EVERY = 500;
/** Candidates with the same words but another meaning after which the search for a text's cluster ends. */
const MAX_REFUSED = 50;

/**
 * Groups texts that say the same: lists of indices, each with its first text at the front; a text alone is in none. All
 * members are similar to the front, so that a chain of small steps does not join distant texts. Different numbers,
 * dates, names or negations keep texts apart.
 *
 * Two texts can share that many words only if they share one of the rarest of each. So few pairs are compared: ten
 * thousand texts take a moment.
 */
export async function clustersOf(
  texts: readonly string[],
  { threshold, mayJoin, pause }: ClusterOptions,
): Promise<readonly (readonly number[])[]> {
  const words: ReadonlySet<string>[] = [];
  const frequency = new Map<string, number>();
  for (const [index, text] of texts.entries()) {
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) await pause?.();
    const set = new Set(tokensOf(text));
    words.push(set);
    for (const word of set) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }

  /** Fronts by their rare words. */
  const fronts = new Map<string, number[]>();
  const clusters = new Map<number, number[]>();
  for (const [index, set] of words.entries()) {
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) await pause?.();
    const rare = [...set].sort(
      (one, other) => (frequency.get(one) ?? 0) - (frequency.get(other) ?? 0) || (one < other ? -1 : 1),
    );
    const numbers = numbersIn(texts[index] ?? "");
    const keys = rare.slice(0, set.size - Math.ceil(threshold * set.size) + 1).map((word) => `${word} ${numbers}`);
    const front = nearest(index, keys);
    if (front === undefined) {
      for (const key of keys) {
        const found = fronts.get(key);
        if (found) found.push(index);
        else fronts.set(key, [index]);
      }
    } else {
      const cluster = clusters.get(front);
      if (cluster) cluster.push(index);
      else clusters.set(front, [front, index]);
    }
  }
  return [...clusters.values()];

  function nearest(index: number, keys: readonly string[]): number | undefined {
    const set = words[index] ?? new Set();
    const seen = new Set<number>();
    let best: number | undefined;
    let most = threshold;
    let refused = 0;
    for (const key of keys) {
      for (const front of fronts.get(key) ?? []) {
        if (seen.has(front)) continue;
        seen.add(front);
        const other = words[front] ?? new Set();
        const share = shareAbove(most, set, other);
        if (share <= most || mayJoin?.(front, index) === false) continue;
        if (!differsInSubstance(texts[front] ?? "", texts[index] ?? "")) [best, most] = [front, share];
        else if ((refused += 1) > MAX_REFUSED) return best;
      }
    }
    return best;
  }
}

/** Texts with different numbers are never merged, so they are not compared at all: routine notes often differ in nothing else. */
function numbersIn(text: string): string {
  return (text.normalize("NFKC").match(/\d+/g) ?? []).sort((one, other) => (one < other ? -1 : 1)).join(" ");
}

/** Jaccard similarity if it is above the limit, else 0 as soon as that is certain. */
function shareAbove(least: number, one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [few, many] = one.size < other.size ? [one, other] : [other, one];
  let missing = few.size - (least * (few.size + many.size)) / (1 + least);
  let shared = few.size;
  for (const word of few) {
    if (missing < 0) return 0;
    if (many.has(word)) continue;
    missing -= 1;
    shared -= 1;
  }
  const share = shared / (few.size + many.size - shared);
  return share > least ? share : 0;
}
