/** The part of an unstorage `Storage` that is used. */
export interface UnstorageStorage {
  /** The value of a key, as unstorage parses it; `null` when there is none. */
  getItem(key: string): Promise<unknown>;
  /** Writes the value of a key, as JSON. */
  setItem(key: string, value: Record<string, string | number>): Promise<void>;
  /** Removes a key; one that is not there is no error. */
  removeItem(key: string): Promise<void>;
  /** Keys that start with `base`, `:` between segments, in any order. */
  getKeys(base?: string): Promise<string[]>;
  /** Gives a driver the keys under `base`. */
  mount(base: string, driver: never): unknown;
  /** The driver that has a key. Its name tells what the store can promise. */
  getMount?(key?: string): { readonly driver: { readonly name?: string } };
}

/** The part of an unstorage driver by which it is known. */
export interface UnstorageDriver {
  /** As `fs`. It tells what the store can promise, and stands in messages. */
  readonly name?: string;
  /** Whether there is such a key. */
  hasItem(key: string, options: object): unknown;
  /** The value of a key, as a text. */
  getItem(key: string, options?: object): unknown;
  /** All keys that start with `base`. */
  getKeys(base: string, options: object): unknown;
  /** Writes a key. A driver without it is read-only and refused. */
  setItem?(key: string, value: string, options: object): unknown;
  /** Removes a key. */
  removeItem?(key: string, options: object): unknown;
  /** Lets go of connections and watchers. */
  dispose?(): unknown;
}

/** Is this a `Storage` or a driver of unstorage? */
export function isUnstorage(value: unknown): value is UnstorageStorage | UnstorageDriver {
  return (
    typeof value === "object" &&
    value !== null &&
    ["hasItem", "getItem", "getKeys"].every((name) => typeof (value as Record<string, unknown>)[name] === "function")
  );
}
