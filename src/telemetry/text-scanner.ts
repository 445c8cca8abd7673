/**
 * Searches for many fixed strings at once, in one pass that looks at few characters of the text (Wu and Manber,
 * 1994).
 */
export interface TextScanner {
  /**
   * Calls back for each occurrence of a string, from left to right; of several that start at one position the longest
   * comes first. The callback returns the position to continue at (behind the occurrence), or `undefined` to continue
   * with the next string and position.
   */
  scan(text: string, onHit: (found: string, at: number) => number | undefined): void;
  readonly longest: number;
}

const TABLE_SIZE = 4096;

/** Creates a scanner. @param texts Each of two characters or more. */
export function createTextScanner(texts: Iterable<string>): TextScanner {
  const all = [...new Set(texts)].toSorted((a, b) => b.length - a.length);
  const longest = all[0]?.length ?? 0;
  if (all.length === 0) return { scan() {}, longest };

  const window = Math.min(255, all.at(-1)?.length ?? 0);
  // Distance to continue from a window's end; 0 if a string may end there.
  const skips = new Uint8Array(TABLE_SIZE).fill(window - 1);
  const endingHere = new Map<number, string[]>();
  for (const text of all) {
    for (let end = 1; end < window; end += 1) {
      const pair = pairAt(text, end);
      skips[pair] = Math.min(skips[pair] ?? 0, window - 1 - end);
    }
    const last = pairAt(text, window - 1);
    endingHere.set(last, [...(endingHere.get(last) ?? []), text]);
  }

  function goOnFrom(text: string, end: number, onHit: Parameters<TextScanner["scan"]>[1]): number {
    const start = end - window + 1;
    for (const candidate of endingHere.get(pairAt(text, end)) ?? []) {
      if (!text.startsWith(candidate, start)) continue;
      const next = onHit(candidate, start);
      if (next !== undefined) return Math.max(end + 1, next + window - 1);
    }
    return end + 1;
  }

  return {
    longest,
    scan(text, onHit) {
      let end = window - 1;
      while (end < text.length) {
        const skip = skips[pairAt(text, end)] ?? 0;
        end = skip > 0 ? end + skip : goOnFrom(text, end, onHit);
      }
    },
  };
}

/** Hashes the two characters that end here to an index into the table. */
function pairAt(text: string, end: number): number {
  return ((text.charCodeAt(end - 1) << 5) ^ text.charCodeAt(end)) & (TABLE_SIZE - 1);
}
