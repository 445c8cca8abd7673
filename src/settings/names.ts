/** Returns the name of an option in the configuration file: `debounceMs` → `debounce_ms`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `debounce_ms` → `debounceMs`. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/**
 * Returns the candidate that a mistyped name most likely meant, if one is close. Letter case, `_` and `-` are
 * ignored.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name);
  const most = Math.max(2, Math.floor(wanted.length / 3));
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const other = plain(candidate);
    if (Math.abs(other.length - wanted.length) > most) continue;
    const distance = editDistance(wanted, other);
    if (distance <= most && (best === undefined || distance < best.distance)) best = { name: candidate, distance };
  }
  return best?.name;
}

function plain(name: string): string {
  return name.replace(/[_-]/g, "").toLowerCase();
}

/**
 * Returns how many letters must be added, removed, replaced or swapped with a neighbour to turn one word into the
 * other.
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
