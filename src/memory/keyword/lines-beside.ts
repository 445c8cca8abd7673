import { compareInOrder, placeIn } from "./part.ts";
import type { Shelf } from "./shelf.ts";

/** Location of a document. */
export interface Place {
  /** Index of the shelf. */
  readonly shelf: number;
  readonly document: number;
}

export interface LineBeside extends Place {
  /** Distance in lines; negative for a line before. */
  readonly steps: number;
}

/**
 * Returns the neighbours of a conversation's line: at most two before and two after, none beyond a silence of `gapMs`.
 * Empty unless at least two people talk there in turns.
 */
export function linesBeside(shelves: readonly Shelf[], place: Place, gapMs: number): readonly LineBeside[] {
  const own = shelves[place.shelf]!.part;
  if (own.chains[place.document] === 0) return [];
  const places = shelves.map(({ part }) =>
    part === own && own.at(place.document) === place.document ? place.document : placeIn(part, own, place.document),
  );
  const timeOf = ({ shelf, document }: Place) => shelves[shelf]!.part.times[document]!;
  const beside: LineBeside[] = [];
  for (const direction of [-1, 1] as const) {
    let from = place;
    for (let step = 1; step <= 2; step += 1) {
      const next = lineBeside(shelves, places, from, direction);
      if (!next || Math.abs(timeOf(next) - timeOf(from)) > gapMs) break;
      beside.push({ shelf: next.shelf, document: next.document, steps: direction * step });
      from = next;
    }
  }
  const speakers = [own.speakers[place.document]!];
  for (const { shelf, document } of beside) {
    const speaker = shelves[shelf]!.part.speakers[document]!;
    if (!speakers.includes(speaker)) speakers.push(speaker);
  }
  return speakers.length > 1 && speakers.length <= beside.length ? beside : [];
}

/** Nearest line over all shelves. `places`: the place in each shelf where a line near `from` is, or would be. */
function lineBeside(
  shelves: readonly Shelf[],
  places: readonly number[],
  from: Place,
  direction: 1 | -1,
): Place | undefined {
  const own = shelves[from.shelf]!.part;
  const chain = own.chains[from.document]!;
  let next: Place | undefined;
  for (let index = 0; index < shelves.length; index += 1) {
    const { part, removed } = shelves[index]!;
    let at = direction > 0 ? places[index]! : places[index]! - 1;
    for (; at >= 0 && at < part.count; at += direction) {
      const document = part.at(at);
      if (part.chains[document] !== chain) break;
      const isBeyond = compareInOrder(part, document, own, from.document) * direction > 0;
      if (!isBeyond || removed[document]) continue;
      const isNearer =
        !next || compareInOrder(part, document, shelves[next.shelf]!.part, next.document) * direction < 0;
      if (isNearer) next = { shelf: index, document };
      break;
    }
  }
  return next;
}
