/** Finds which of many texts stand in another one, in about the time that it takes to read that one. */
export interface TextIndex {
  /** Calls back for each place of each text, with the text's index among those that were given. */
  search(text: string, found: (index: number, at: number, length: number) => void): void;
}

/** A shelf of so few texts is compared with text by text. */
const MAX_SHELF = 6;

interface Branch {
  /** Indexes of the texts that end here. */
  readonly ends: readonly number[];
  readonly next: ReadonlyMap<number, Branch | Shelf>;
}

type Shelf = readonly (readonly [text: string, index: number])[];

/** @param texts Different from each other; an empty one is never found. */
export function createTextIndex(texts: readonly string[]): TextIndex {
  const root = branchOf(
    texts.map((text, index) => [text, index] as const).filter(([text]) => text !== ""),
    0,
  );
  return {
    search(text, found) {
      for (let from = 0; from < text.length; from += 1) {
        let node: Branch | Shelf | undefined = root;
        for (let at = from; node !== undefined; at += 1) {
          if ("length" in node) {
            for (const [one, index] of node) if (text.startsWith(one, from)) found(index, from, one.length);
            break;
          }
          for (const index of node.ends) found(index, from, at - from);
          node = at < text.length ? node.next.get(text.charCodeAt(at)) : undefined;
        }
      }
    },
  };
}

function branchOf(shelf: Shelf, depth: number): Branch {
  const byUnit = new Map<number, [string, number][]>();
  const ends: number[] = [];
  for (const [text, index] of shelf) {
    if (text.length === depth) {
      ends.push(index);
      continue;
    }
    const unit = text.charCodeAt(depth);
    const same = byUnit.get(unit);
    if (same) same.push([text, index]);
    else byUnit.set(unit, [[text, index]]);
  }
  const next = new Map<number, Branch | Shelf>();
  for (const [unit, same] of byUnit) next.set(unit, same.length > MAX_SHELF ? branchOf(same, depth + 1) : same);
  return { ends, next };
}
