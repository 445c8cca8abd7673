import type { StoredVector } from "./vector-segment.ts";

export interface NearestOptions {
  readonly limit: number;
  readonly sinceMs?: number | undefined;
  readonly withoutTypes?: readonly string[] | undefined;
  /** Only these entries. */
  readonly ids?: Iterable<string> | undefined;
  /** Least similarity. */
  readonly atLeast?: number | undefined;
}

export interface Similar {
  readonly id: string;
  /** Cosine similarity, -1 to 1. */
  readonly score: number;
}

/** One person's vectors in memory, of one model and size. */
export interface VectorSet {
  readonly dimensions: number;
  readonly size: number;
  /** Estimated memory use in bytes. */
  readonly bytes: number;
  /** Hash of the embedded text; `undefined` without a vector. */
  textHash(id: string): number | undefined;
  /** Adds a vector; replaces one with the same id. */
  add(vector: StoredVector): void;
  /** Removes a vector. @returns Whether there was one. */
  remove(id: string): boolean;
  ids(): IterableIterator<string>;
  /** Ids of the `count` newest entries, newest first. */
  newest(count: number): readonly string[];
  /** Cosine similarity; `undefined` for a vector of another size, or an entry without one. */
  similarity(vector: Float32Array, id: string): number | undefined;
  /** Cosine similarity of two entries; `undefined` if one has no vector. */
  between(id: string, other: string): number | undefined;
  /** Best first. Compares every vector: below some 20,000 that is faster than any index. */
  nearest(vector: Float32Array, options: NearestOptions): readonly Similar[];
}

/** Up to this size vectors are stored as 32-bit floats, which multiply faster; above it as 8 bits, to save memory. */
const MAX_WIDE_BYTES = 16_000_000;
const FIRST_ROWS = 64;

export function createVectorSet(dimensions: number): VectorSet {
  const rowOf = new Map<string, number>();
  const rows: Omit<StoredVector, "values">[] = [];
  let matrix: Float32Array | Int8Array = new Float32Array(0);

  function reserve(count: number): void {
    if (matrix.length >= count * dimensions) return;
    const capacity = Math.max(FIRST_ROWS, count, Math.ceil(rows.length * 1.5)) * dimensions;
    const before = matrix;
    if (before instanceof Float32Array && capacity * 4 <= MAX_WIDE_BYTES) {
      matrix = new Float32Array(capacity);
      matrix.set(before);
      return;
    }
    matrix = new Int8Array(capacity);
    if (before instanceof Int8Array) matrix.set(before);
    else {
      for (const [row, { scale }] of rows.entries()) {
        for (let at = row * dimensions; at < (row + 1) * dimensions; at++)
          matrix[at] = scale === 0 ? 0 : Math.round((before[at] ?? 0) / scale);
      }
    }
  }

  function write(row: number, { values, ...rest }: StoredVector): void {
    rows[row] = rest;
    rowOf.set(rest.id, row);
    if (matrix instanceof Int8Array) matrix.set(values, row * dimensions);
    else for (let at = 0; at < dimensions; at++) matrix[row * dimensions + at] = (values[at] ?? 0) * rest.scale;
  }

  /** Rows of 32-bit floats include their scale. */
  function dot(vector: Float32Array, row: number): number {
    const sum =
      matrix instanceof Int8Array
        ? narrowDot(vector, matrix, row * dimensions)
        : wideDot(vector, matrix, row * dimensions);
    return matrix instanceof Int8Array ? sum * (rows[row]?.scale ?? 0) : sum;
  }

  function similarity(vector: Float32Array, id: string): number | undefined {
    const row = rowOf.get(id);
    return row === undefined || vector.length !== dimensions ? undefined : dot(vector, row);
  }

  return {
    dimensions,
    get size() {
      return rows.length;
    },
    get bytes() {
      return matrix.byteLength + rows.length * 150;
    },
    textHash(id) {
      const row = rowOf.get(id);
      return row === undefined ? undefined : rows[row]?.textHash;
    },
    add(vector) {
      if (vector.values.length !== dimensions)
        throw new RangeError(`Cannot add a vector of ${vector.values.length} numbers to those of ${dimensions}`);
      const row = rowOf.get(vector.id) ?? rows.length;
      reserve(row + 1);
      write(row, vector);
    },
    remove(id) {
      const row = rowOf.get(id);
      if (row === undefined) return false;
      rowOf.delete(id);
      const last = rows.pop();
      if (last !== undefined && row !== rows.length) {
        rows[row] = last;
        rowOf.set(last.id, row);
        matrix.copyWithin(row * dimensions, rows.length * dimensions, (rows.length + 1) * dimensions);
      }
      return true;
    },
    ids: () => rowOf.keys(),
    newest(count) {
      return rows
        .toSorted((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
        .slice(0, count)
        .map(({ id }) => id);
    },
    similarity,
    between(id, other) {
      const row = rowOf.get(id);
      if (row === undefined) return undefined;
      const vector = Float32Array.from(matrix.subarray(row * dimensions, (row + 1) * dimensions));
      const scale = matrix instanceof Int8Array ? (rows[row]?.scale ?? 0) : 1;
      const found = similarity(vector, other);
      return found === undefined ? undefined : found * scale;
    },
    nearest(vector, { limit, sinceMs = -Infinity, withoutTypes = [], ids, atLeast = -Infinity }) {
      if (vector.length !== dimensions) return [];
      const found: Similar[] = [];
      const look = (row: number) => {
        const known = rows[row];
        if (known === undefined || known.createdAtMs < sinceMs || withoutTypes.includes(known.type)) return;
        const score = dot(vector, row);
        if (score >= atLeast) found.push({ id: known.id, score });
      };
      if (ids === undefined) for (let row = 0; row < rows.length; row++) look(row);
      else {
        for (const id of new Set(ids)) {
          const row = rowOf.get(id);
          if (row !== undefined) look(row);
        }
      }
      return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
  };
}

/**
 * One function for each type of array: a shared one would be several times slower, as it could not be compiled for
 * either. Four sums in parallel for the same reason. Every index is within bounds, since the caller compared the
 * lengths.
 */
function wideDot(vector: Float32Array, matrix: Float32Array, from: number): number {
  const { length } = vector;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < length; at += 4) {
    a += vector[at]! * matrix[from + at]!;
    b += vector[at + 1]! * matrix[from + at + 1]!;
    c += vector[at + 2]! * matrix[from + at + 2]!;
    d += vector[at + 3]! * matrix[from + at + 3]!;
  }
  for (; at < length; at++) a += vector[at]! * matrix[from + at]!;
  return a + b + c + d;
}

function narrowDot(vector: Float32Array, matrix: Int8Array, from: number): number {
  const { length } = vector;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let at = 0;
  for (; at + 3 < length; at += 4) {
    a += vector[at]! * matrix[from + at]!;
    b += vector[at + 1]! * matrix[from + at + 1]!;
    c += vector[at + 2]! * matrix[from + at + 2]!;
    d += vector[at + 3]! * matrix[from + at + 3]!;
  }
  for (; at < length; at++) a += vector[at]! * matrix[from + at]!;
  return a + b + c + d;
}
