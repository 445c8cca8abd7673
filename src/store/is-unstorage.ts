/** The part of an unstorage `Storage` that is used. */
export interface UnstorageStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: Record<string, string | number>): Promise<void>;
  removeItem(key: string): Promise<void>;
  getKeys(base?: string): Promise<string[]>;
  mount(base: string, driver: never): unknown;
  getMount?(key?: string): { readonly driver: { readonly name?: string } };
}

/** The part of an unstorage driver by which it is known. */
export interface UnstorageDriver {
  readonly name?: string;
  hasItem(key: string, options: object): unknown;
  getItem(key: string, options?: object): unknown;
  getKeys(base: string, options: object): unknown;
  setItem?(key: string, value: string, options: object): unknown;
  removeItem?(key: string, options: object): unknown;
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
