// A table of keys in typed arrays: a `Map` of numbers this large makes an object of each, and is looked up through several lists.

/** Which place of `keys` each key stands at: -1 for none, a power of two of them, at most half taken. */
export type KeyPlaces = Int32Array<ArrayBuffer>;

/** Places for so many keys, all of them empty. */
export function keyPlaces(count: number): KeyPlaces {
  return new Int32Array(2 ** Math.ceil(Math.log2(2 * count + 2))).fill(-1);
}

/** Where a key stands among `keys`, or -1. */
export function findKey(places: KeyPlaces, keys: Float64Array, key: number): number {
  const mask = places.length - 1;
  // The lowest bit says of which script it is.
  for (let at = (key >>> 1) & mask; ; at = (at + 1) & mask) {
    const place = places[at]!;
    if (place < 0 || keys[place] === key) return place;
  }
}

/** Notes where a key stands that the table has not. */
export function putKey(places: KeyPlaces, key: number, place: number): void {
  const mask = places.length - 1;
  let at = (key >>> 1) & mask;
  while (places[at]! >= 0) at = (at + 1) & mask;
  places[at] = place;
}

/** The places of the first `count` keys. */
export function placesOfKeys(keys: Float64Array, count: number, room: number = count): KeyPlaces {
  const places = keyPlaces(room);
  for (let place = 0; place < count; place += 1) putKey(places, keys[place]!, place);
  return places;
}

/** Keys with what each is worth, in one set of arrays that serves search after search. */
export interface KeyWorth {
  readonly count: number;
  readonly keys: Float64Array;
  readonly worth: Float64Array;
  clear(): void;
  /** Where it stands, or -1. */
  placeOf(key: number): number;
  /** The greater of what it is worth already and of this. */
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

/** The same with more room. */
export function grown<List extends Float64Array | Uint32Array | Uint8Array>(list: List, room: number): List {
  const more = new (list.constructor as new (length: number) => List)(room);
  more.set(list);
  return more;
}
