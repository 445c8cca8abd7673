/** The part of an unstorage `Storage` that Wakeful uses. */
export interface UnstorageStorage {
  /** Returns the value of a key, as unstorage parses it; `null` if there is none. */
  getItem(key: string): Promise<unknown>;
  /** Writes the value of a key, as JSON. */
  setItem(key: string, value: Record<string, string | number>): Promise<void>;
  /** Removes a key; a missing key is no error. */
  removeItem(key: string): Promise<void>;
  /** Returns the keys that start with `base`, with `:` between segments, in any order. */
  getKeys(base?: string): Promise<string[]>;
  /** Assigns the keys under `base` to a driver. */
  mount(base: string, driver: never): unknown;
  /** Returns the driver of a key. Its name tells what the store can promise. */
  getMount?(key?: string): { readonly driver: { readonly name?: string } };
}

/** The part of an unstorage driver by which it is recognized. */
export interface UnstorageDriver {
  /** For example `fs`. It tells what the store can promise, and appears in messages. */
  readonly name?: string;
  /** Whether the key exists. */
  hasItem(key: string, options: object): unknown;
  /** Returns the value of a key, as a string. */
  getItem(key: string, options?: object): unknown;
  /** Returns all keys that start with `base`. */
  getKeys(base: string, options: object): unknown;
  /** Writes a key. A driver without this member is read-only and refused. */
  setItem?(key: string, value: string, options: object): unknown;
  /** Removes a key. */
  removeItem?(key: string, options: object): unknown;
  /** Releases connections and watchers. */
  dispose?(): unknown;
}

/** Whether the value is a `Storage` or a driver of unstorage. */
export function isUnstorage(value: unknown): value is UnstorageStorage | UnstorageDriver {
  return (
    typeof value === "object" &&
    value !== null &&
    ["hasItem", "getItem", "getKeys"].every((name) => typeof (value as Record<string, unknown>)[name] === "function")
  );
}
