/** Stored embedding of an entry: each number is `values[i] × scale`. */
export interface StoredVector {
  readonly id: string;
  readonly createdAtMs: number;
  /** The slot `type` of the entry, `""` without one. */
  readonly type: string;
  /** Hash of the embedded text: another text needs another embedding. */
  readonly textHash: number;
  readonly scale: number;
  readonly values: Int8Array;
}

const MAGIC = 0x574b5631;
/** Magic, vectors, dimensions, length of the names in bytes. */
const HEADER_BYTES = 16;
/** Time, hash, scale. */
const ROW_BYTES = 16;

/** Quantises to eight bits a number: measurements showed the same ranking as with 32 bits, in a quarter of the space. */
export function quantise(vector: Float32Array): { readonly scale: number; readonly values: Int8Array } {
  let most = 0;
  for (const value of vector) most = Math.max(most, Math.abs(value));
  const scale = Math.fround(most / 127);
  return {
    scale,
    values: scale === 0 ? new Int8Array(vector.length) : Int8Array.from(vector, (value) => Math.round(value / scale)),
  };
}

/** FNV-1a over the UTF-16 code units, 32 bits. Source: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Encodes vectors of one size as the bytes of a segment. */
export function encodeSegment(vectors: readonly StoredVector[], dimensions: number): Uint8Array {
  const names = new TextEncoder().encode(JSON.stringify(vectors.map(({ id, type }) => [id, type])));
  const rowsAt = HEADER_BYTES + names.length;
  const bytes = new Uint8Array(rowsAt + vectors.length * (ROW_BYTES + dimensions));
  const view = new DataView(bytes.buffer);
  for (const [place, number] of [MAGIC, vectors.length, dimensions, names.length].entries())
    view.setUint32(place * 4, number, true);
  bytes.set(names, HEADER_BYTES);
  for (const [row, vector] of vectors.entries()) {
    const at = rowsAt + row * (ROW_BYTES + dimensions);
    view.setFloat64(at, vector.createdAtMs, true);
    view.setUint32(at + 8, vector.textHash, true);
    view.setFloat32(at + 12, vector.scale, true);
    bytes.set(new Uint8Array(vector.values.buffer, vector.values.byteOffset, dimensions), at + ROW_BYTES);
  }
  return bytes;
}

/** Decodes a segment; `undefined` for other bytes, or vectors of another size. */
export function decodeSegment(bytes: Uint8Array, dimensions: number): readonly StoredVector[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC || view.getUint32(8, true) !== dimensions)
    return;
  const count = view.getUint32(4, true);
  const rowsAt = HEADER_BYTES + view.getUint32(12, true);
  if (bytes.length !== rowsAt + count * (ROW_BYTES + dimensions)) return;
  const names = parseNames(bytes.subarray(HEADER_BYTES, rowsAt));
  if (names?.length !== count) return;
  return names.map(([id, type], row) => {
    const at = rowsAt + row * (ROW_BYTES + dimensions);
    return {
      id,
      type,
      createdAtMs: view.getFloat64(at, true),
      textHash: view.getUint32(at + 8, true),
      scale: view.getFloat32(at + 12, true),
      values: new Int8Array(bytes.buffer, bytes.byteOffset + at + ROW_BYTES, dimensions),
    };
  });
}

function parseNames(bytes: Uint8Array): readonly (readonly [string, string])[] | undefined {
  try {
    // `encodeSegment` wrote it: the magic number and the exact length match.
    return JSON.parse(new TextDecoder().decode(bytes)) as readonly (readonly [string, string])[];
  } catch {
    return undefined;
  }
}
