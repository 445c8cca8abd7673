/** Finds which of many texts occur in another text, in about the time of reading that text once. */
export interface TextIndex {
  /** Calls back for each occurrence of each text, with its index among the given texts. */
  search(text: string, found: (index: number, at: number, length: number) => void): void;
}

/** A shelf of at most this many texts is compared text by text. */
const MAX_SHELF = 6;

interface Branch {
  /** Index of the text that ends here. */
  readonly end: number | undefined;
  /** By next UTF-16 unit. A shelf of many texts becomes a branch when a search first reaches it: most never do. */
  readonly next: Map<number, Branch | Shelf>;
}

/** Indexes of texts with a common beginning. */
type Shelf = readonly number[];

/** @param texts Distinct texts; an empty one is never found. */
export function createTextIndex(texts: readonly string[]): TextIndex {
  function branchOf(shelf: Iterable<number>, depth: number): Branch {
    const next = new Map<number, number[]>();
    let end: number | undefined;
    for (const index of shelf) {
      const text = texts[index]!;
      if (text.length === depth) {
        end = index;
        continue;
      }
      const unit = text.charCodeAt(depth);
      const same = next.get(unit);
      if (same) same.push(index);
      else next.set(unit, [index]);
    }
    return { end, next };
  }

  const root: Branch = { ...branchOf(texts.keys(), 0), end: undefined };
  return {
    search(text, found) {
      for (let from = 0; from < text.length; from += 1) {
        let node = root;
        for (let at = from; ; at += 1) {
          if (node.end !== undefined) found(node.end, from, at - from);
          const unit = text.charCodeAt(at);
          let next = node.next.get(unit);
          if (next === undefined) break;
          if ("length" in next) {
            if (next.length <= MAX_SHELF) {
              for (const index of next)
                if (text.startsWith(texts[index]!, from)) found(index, from, texts[index]!.length);
              break;
            }
            node.next.set(unit, (next = branchOf(next, at - from + 1)));
          }
          node = next;
        }
      }
    },
  };
}
