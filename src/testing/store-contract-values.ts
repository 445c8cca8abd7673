import { ConflictError } from "../errors.ts";
import type { JsonValue, LogRecord, Store, Value } from "../store/index.ts";
import type { TestApi } from "./test-api.ts";

/** Texts that some backends, file formats or JSON coercions return changed. */
export const TROUBLESOME_TEXTS: readonly string[] = [
  "",
  " ",
  "123",
  "1.50",
  "007",
  "1e400",
  "1700000000.000100",
  "9007199254740993",
  "true",
  "null",
  "undefined",
  "NaN",
  '"hi"',
  '{"a":1}',
  "[1]",
  '{"__proto__":{"polluted":true}}',
  "base64:aGk=",
  "line\nline\r\nline\r",
  "\ufeffbyte order mark",
  "NUL \u0000 inside",
  "你好,世界 🌍 e\u0301 \u00e9",
  "---\ntitle: front matter\n---\nText\n",
];

/** JSON values other than texts. */
export const TROUBLESOME_JSON: readonly JsonValue[] = [
  null,
  true,
  false,
  0,
  -1.5,
  9_007_199_254_740_991,
  [],
  {},
  [null, [[]], { a: [{}] }],
  { nested: { id: "9007199254740993", ts: "1700000000.000100", empty: "", nothing: null } },
  { "": 1, " ": 2, "a.b": 3, $ref: 4, constructor: { prototype: 5 }, toString: 6 },
  JSON.parse('{"__proto__":{"a":1},"b":{"__proto__":"text"}}') as JsonValue,
  { v: 1, kind: "json", data: "looks like an envelope" },
  { cut: "half an emoji \ud83d" },
];

const LARGE = 3_300_000;

/** Values above every backend's own limit for one piece (64 KiB, 2 MB), each created on demand. */
export const LARGE_VALUES: readonly { readonly name: string; make(): Value }[] = [
  {
    name: "text",
    make() {
      const sentence = "A long text with 中文 and an emoji 🌍. ";
      return sentence.repeat(Math.ceil(LARGE / sentence.length));
    },
  },
  {
    name: "JSON",
    make: () => ({
      rows: Array.from({ length: 1500 }, (_, index) => ({ index, text: `row ${index} ${"🌍x".repeat(500)}` })),
    }),
  },
  {
    name: "bytes",
    make() {
      const bytes = new Uint8Array(LARGE);
      for (let index = 0; index < bytes.length; index++) bytes[index] = (index * 31 + (index >> 8)) & 255;
      return bytes;
    },
  },
];

/** A record above every backend's own limit for one piece. */
export function largeRecord(): LogRecord {
  return { type: "note", text: "中🌍-".repeat(LARGE / 8) };
}

/** Equality that compares own `__proto__` keys, distinguishes bytes from arrays, and is fast on megabytes. */
function sameValue(actual: unknown, expected: unknown): boolean {
  if (typeof expected === "string") return actual === expected;
  if (expected instanceof Uint8Array) {
    return (
      actual instanceof Uint8Array &&
      actual.length === expected.length &&
      actual.every((byte, index) => byte === expected[index])
    );
  }
  return (
    typeof actual === typeof expected &&
    !(actual instanceof Uint8Array) &&
    JSON.stringify(sorted(actual)) === JSON.stringify(sorted(expected))
  );
}

/** Objects as lists of sorted pairs, without `undefined` fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ["array", value.map(sorted)];
  if (typeof value !== "object" || value === null) return value;
  const pairs = Object.entries(value).filter(([, field]) => field !== undefined);
  return ["object", pairs.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, sorted(field)])];
}

/** Expects `sameValue`, and shows both sides when they are small. */
export function expectSame(expect: TestApi["expect"], actual: unknown, expected: unknown): void {
  if (sameValue(actual, expected)) return;
  const shown = (value: unknown) =>
    value instanceof Uint8Array ? `${value.length} bytes` : (JSON.stringify(value) ?? "undefined").slice(0, 300);
  expect(shown(actual)).toBe(shown(expected));
  throw new Error(`The value read is not equal to the value written: ${shown(actual)}`);
}

/** The error that a promise rejects with; `undefined` when it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Expects a `ConflictError`, and returns its `actual`. */
export async function conflictOf(
  expect: TestApi["expect"],
  promise: Promise<unknown>,
): Promise<string | number | null> {
  const error = await failureOf(promise);
  if (!ConflictError.is(error)) {
    expect(error).toBe("a ConflictError");
    throw new Error("Expected a ConflictError");
  }
  return error.actual;
}

/** Expects a `TypeError`: a document's key used for a log, or the other way round. */
export async function expectTypeError(expect: TestApi["expect"], promise: Promise<unknown>): Promise<void> {
  const error = await failureOf(promise);
  expect(error instanceof TypeError ? "a TypeError" : error).toBe("a TypeError");
}

/** Collects all items of an iterable. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The keys of a list. */
export async function keysOf(
  store: Store,
  prefix: string,
  options?: { after?: string; limit?: number; keysOnly?: boolean },
): Promise<string[]> {
  return (await gather(store.list(prefix, options))).map((entry) => entry.key);
}
