/** An item of a heap. It stores its own index, so that it can be moved and removed in logarithmic time. */
export interface Due {
  /** Due time in milliseconds since the epoch. Only `set` changes it. */
  dueMs: number;
  /** Index in the heap; -1 if the item is in none. */
  place: number;
}

/** A binary heap whose first item is due earliest. With 100,000 items a change takes about 17 comparisons. */
export interface DueHeap<T extends Due> {
  readonly size: number;
  first(): T | undefined;
  /** Inserts the item, or moves it to its new time. */
  set(item: T, dueMs: number): void;
  /** Removes the item; an item that is in no heap is ignored. */
  remove(item: T): void;
}

export function createDueHeap<T extends Due>(): DueHeap<T> {
  const items: T[] = [];

  function put(item: T, place: number): void {
    items[place] = item;
    item.place = place;
  }

  /** Moves an item up past later ones, then down past earlier ones; at most one of the two loops changes anything. */
  function settle(item: T, from: number): void {
    let place = from;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = items[above] as T;
      if (parent.dueMs <= item.dueMs) break;
      put(parent, place);
      place = above;
    }
    for (;;) {
      let below = 2 * place + 1;
      if (below >= items.length) break;
      const right = items[below + 1];
      if (right !== undefined && right.dueMs < (items[below] as T).dueMs) below++;
      const child = items[below] as T;
      if (child.dueMs >= item.dueMs) break;
      put(child, place);
      place = below;
    }
    put(item, place);
  }

  return {
    get size() {
      return items.length;
    },
    first: () => items[0],
    set(item, dueMs) {
      item.dueMs = dueMs;
      if (item.place === -1) {
        items.push(item);
        item.place = items.length - 1;
      }
      settle(item, item.place);
    },
    remove(item) {
      const place = item.place;
      if (place === -1) return;
      item.place = -1;
      const last = items.pop() as T;
      if (last !== item) settle(last, place);
    },
  };
}
