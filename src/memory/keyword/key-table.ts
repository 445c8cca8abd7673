// A hash table of numeric keys in typed arrays. A `Map` would box each number of this size and look it up through
// several lists.

/**
 * Open-addressing table: the index of each key in `keys`, or -1 for an empty slot. Its length is a power of two; at
 * most half is taken.
 */
export type KeyPlaces = Int32Array<ArrayBuffer>;

/** Creates an empty table for `count` keys. */
export function keyPlaces(count: number): KeyPlaces {
  return new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(-1);
}

/** Returns the index of a key in `keys`, or -1. */
export function findKey(places: KeyPlaces, keys: Float64Array, key: number): number {
  const mask = places.length - 1;
  // The lowest bit tells the script, so it is left out of the hash.
  for (let at = (key >>> 1) & mask; ; at = (at + 1) & mask) {
    const place = places[at]!;
    if (place < 0 || keys[place] === key) return place;
  }
}

/** Adds a key that the table does not have. */
export function putKey(places: KeyPlaces, key: number, place: number): void {
  const mask = places.length - 1;
  let at = (key >>> 1) & mask;
  while (places[at]! >= 0) at = (at + 1) & mask;
  places[at] = place;
}

/** Builds the table of the first `count` keys. */
export function placesOfKeys(keys: Float64Array, count: number, room: number = count): KeyPlaces {
  const places = keyPlaces(room);
  for (let place = 0; place < count; place += 1) putKey(places, keys[place]!, place);
  return places;
}

/** A map from keys to weights, in one set of arrays that is reused for each search. */
export interface KeyWorth {
  readonly count: number;
  readonly keys: Float64Array;
  readonly worth: Float64Array;
  clear(): void;
  /** Index of a key, or -1. */
  placeOf(key: number): number;
  /** Sets the weight of a key to the greater of its present one and `worth`. */
  raise(key: number, worth: number): void;
}

const FEWEST = 64;

export function createKeyWorth(): KeyWorth {
  let room = FEWEST;
  let places = keyPlaces(room);
  const table = {
    count: 0,
    keys: new Float64Array(room),
    worth: new Float64Array(room),
    clear() {
      if (table.count > 0) places.fill(-1);
      table.count = 0;
    },
    placeOf: (key: number) => findKey(places, table.keys, key),
    raise(key: number, worth: number) {
      const place = findKey(places, table.keys, key);
      if (place < 0) append(key, worth);
      else if (worth > table.worth[place]!) table.worth[place] = worth;
    },
  };

  function append(key: number, worth: number): void {
    if (table.count === room) grow();
    table.keys[table.count] = key;
    table.worth[table.count] = worth;
    putKey(places, key, table.count);
    table.count += 1;
  }

  function grow(): void {
    room *= 2;
    table.keys = grown(table.keys, room);
    table.worth = grown(table.worth, room);
    places = placesOfKeys(table.keys, table.count, room);
  }
  return table;
}

/** Copies a list into a larger one. */
export function grown<List extends Float64Array | Uint32Array | Uint8Array>(list: List, room: number): List {
  const more = new (list.constructor as new (length: number) => List)(room);
  more.set(list);
  return more;
}
