import { MAX_ARCHIVE_ENTRIES } from "./limits.ts";
import { quoted, refusal } from "./refusal.ts";

/** One entry of an archive, as both of its headers describe it. */
export interface ZipEntry {
  /** As written in the archive, without the trailing slash of a folder. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly isDeflated: boolean;
  /** Checksum of the unpacked data, from the headers. */
  readonly crc32: number;
  /** Unpacked bytes, from the headers. */
  readonly size: number;
  /** The packed data: a view of the archive. */
  readonly data: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const ZIP64_END_LOCATOR = 0x07064b50;
const DESCRIPTOR = 0x08074b50;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;

/** Flag bits for encryption, of three kinds. */
const ENCRYPTED = 0x0001 | 0x0040 | 0x2000;
/** Sizes and checksum follow the data. */
const SIZES_BEHIND = 0x0008;
/**
 * Deflate's effort, sizes after the data, names in UTF-8. All other flags are features that this reader does not
 * support.
 */
const KNOWN_FLAGS = 0x0002 | 0x0004 | SIZES_BEHIND | 0x0800;

/** File type bits of the Unix mode, in the upper half of the external attributes. */
const KIND = 0o170000;
const FILE = 0o100000;
const FOLDER = 0o040000;
const LINK = 0o120000;
/** DOS attributes in the lower half: a folder; and a volume label, a device or a reparse point. */
const DOS_FOLDER = 0x10;
const DOS_SPECIAL = 0x08 | 0x40 | 0x400;

/** Extra field in which Info-ZIP repeats a name in UTF-8: version, checksum, name. */
const EXTRA_NAME = 0x7075;
const EXTRA_NAME_AT = 5;
/** Extra fields that give an entry another size, type or key. */
const EXTRA_REFUSED: Readonly<Record<number, string>> = {
  0x0001: "uses ZIP64, which no archive of this size needs",
  0x000d: "has Unix fields, which can make a link of it",
  0x0017: "is encrypted",
  0x756e: "has Unix fields, which can make a link of it",
  0x9901: "is encrypted",
};

/**
 * Reads the entries of a ZIP archive. No library reports their type (an entry can be a link) or compares the two
 * headers of each entry, and two programs that each read one of the headers see different files. So only the plainest
 * archives are accepted: every byte belongs to one entry, to the one directory or to the one end record.
 *
 * Source: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 *
 * @throws {AssistantError} `SKILL_REFUSED` for anything else.
 */
export function readZip(archive: Uint8Array): readonly ZipEntry[] {
  const bytes = reader(archive);
  const end = findEnd(bytes);
  const entries: CentralEntry[] = [];
  let at = end.directory;
  for (let index = 0; index < end.count; index += 1) {
    const entry = readCentral(bytes, at, end.at);
    entries.push(entry);
    at += entry.length;
  }
  if (at !== end.at) throw refusal("its directory is not as long as it says");
  return placed(bytes, entries, end.directory);
}

interface CentralEntry {
  readonly raw: Uint8Array;
  readonly name: string;
  readonly isFolder: boolean;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  /** Length of its record in the directory. */
  readonly length: number;
}

type Reader = ReturnType<typeof reader>;

/** Reads little-endian numbers. A read past the end refuses the archive. */
function reader(archive: Uint8Array) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const within = (at: number, length: number) => {
    if (at < 0 || at + length > archive.length) throw refusal("it is cut off");
    return at;
  };
  return {
    length: archive.length,
    u16: (at: number) => view.getUint16(within(at, 2), true),
    u32: (at: number) => view.getUint32(within(at, 4), true),
    slice: (at: number, length: number) => archive.subarray(within(at, length), at + length),
  };
}

/** Finds the end record. Only its own comment may follow it. */
function findEnd(bytes: Reader): { readonly at: number; readonly directory: number; readonly count: number } {
  const ends: number[] = [];
  let seen = false;
  for (let at = bytes.length - END_BYTES; at >= Math.max(0, bytes.length - END_BYTES - 0xffff); at -= 1) {
    if (bytes.u32(at) !== END) continue;
    seen = true;
    if (at + END_BYTES + bytes.u16(at + 20) === bytes.length) ends.push(at);
  }
  const [at] = ends;
  if (at === undefined)
    throw refusal(
      seen ? "something stands behind its end, or it is cut off" : "it is not a ZIP archive, or it is cut off",
    );
  if (ends.length > 1) throw refusal("it has several ends");
  const [disk, directoryDisk, onDisk, count] = [4, 6, 8, 10].map((field) => bytes.u16(at + field)) as [number, number, number, number]; // prettier-ignore
  const size = bytes.u32(at + 12);
  const directory = bytes.u32(at + 16);
  const isZip64 = count === 0xffff || size === 0xffffffff || directory === 0xffffffff;
  if (isZip64 || (at >= 20 && bytes.u32(at - 20) === ZIP64_END_LOCATOR))
    throw refusal("it uses ZIP64, which no archive of this size needs");
  if (disk !== 0 || directoryDisk !== 0 || onDisk !== count) throw refusal("it is a part of a larger one");
  if (count === 0) throw refusal("it is empty");
  if (count > MAX_ARCHIVE_ENTRIES) throw refusal(`it has ${count} entries, more than ${MAX_ARCHIVE_ENTRIES}`);
  if (directory + size !== at) throw refusal("its directory does not stand where it says");
  return { at, directory, count };
}

function readCentral(bytes: Reader, at: number, end: number): CentralEntry {
  if (at + CENTRAL_BYTES > end || bytes.u32(at) !== CENTRAL) throw refusal("its directory is broken");
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => bytes.u16(at + field)) as [number, number, number]; // prettier-ignore
  const length = CENTRAL_BYTES + nameLength + extraLength + commentLength;
  if (at + length > end) throw refusal("its directory is broken");
  const raw = bytes.slice(at + CENTRAL_BYTES, nameLength);
  const written = nameOf(raw);
  const [flags, method, disk] = [8, 10, 34].map((field) => bytes.u16(at + field)) as [number, number, number];
  const [crc32, packed, size, attributes, offset] = [16, 20, 24, 38, 42].map((field) => bytes.u32(at + field)) as [number, number, number, number, number]; // prettier-ignore
  const refuse = (reason: string) => refusal(`its entry ${quoted(written)} ${reason}`);

  if ((flags & ENCRYPTED) !== 0) throw refuse("is encrypted");
  if ((flags & ~KNOWN_FLAGS) !== 0) throw refuse("uses a feature that is not read here");
  if (method !== 0 && method !== 8) throw refuse("is packed in a way that is not read here");
  if ([packed, size, offset].includes(0xffffffff)) throw refuse("uses ZIP64, which no archive of this size needs");
  if (disk !== 0) throw refuse("stands in another part");
  const extra = problemOfExtra(bytes.slice(at + CENTRAL_BYTES + nameLength, extraLength), raw);
  if (extra !== undefined) throw refuse(extra);

  const kind = (attributes >>> 16) & KIND;
  if (kind === LINK) throw refuse("is a link");
  if (kind !== 0 && kind !== FILE && kind !== FOLDER) throw refuse("is a device, or something else that is not a file");
  if ((attributes & DOS_SPECIAL) !== 0) throw refuse("is a link, a device or a label");
  const isFolder = written.endsWith("/");
  const saysFolder = kind === FOLDER || (attributes & DOS_FOLDER) !== 0;
  if (isFolder ? kind === FILE : saysFolder) throw refuse("is a folder by its name or by its kind, not by both");
  // An empty deflate stream has two bytes.
  if (isFolder && (size !== 0 || crc32 !== 0 || packed > 2)) throw refuse("is a folder that holds data");
  if (method === 0 && packed !== size) throw refuse("has two sizes");
  const name = isFolder ? written.slice(0, -1) : written;
  return { raw, name, isFolder, flags, method, crc32, packed, size, offset, length };
}

/** Returns the entries with their data. They must follow one another from the first byte up to the directory. */
function placed(bytes: Reader, entries: readonly CentralEntry[], directory: number): readonly ZipEntry[] {
  const inOrder = entries.toSorted((a, b) => a.offset - b.offset);
  if (inOrder[0]?.offset !== 0) throw refusal("something stands before its first entry");
  const data = new Map<CentralEntry, Uint8Array>();
  for (const [index, entry] of inOrder.entries())
    data.set(entry, readLocal(bytes, entry, inOrder[index + 1]?.offset ?? directory));
  return entries.map((entry) => ({
    name: entry.name,
    isFolder: entry.isFolder,
    isDeflated: entry.method === 8,
    crc32: entry.crc32,
    size: entry.size,
    data: data.get(entry) ?? new Uint8Array(),
  }));
}

/** Returns the data of an entry, whose local header must match its record in the directory. */
function readLocal(bytes: Reader, entry: CentralEntry, next: number): Uint8Array {
  const { offset, flags, method, crc32, packed, size } = entry;
  const refuse = (reason: string) => refusal(`its entry ${quoted(entry.name)} ${reason}`);
  if (bytes.u32(offset) !== LOCAL) throw refuse("is not where the directory says");
  const [localFlags, localMethod, nameLength, extraLength] = [6, 8, 26, 28].map((field) => bytes.u16(offset + field)) as [number, number, number, number]; // prettier-ignore
  const sizes = [14, 18, 22].map((field) => bytes.u32(offset + field)) as [number, number, number];
  const known = [crc32, packed, size];
  const name = bytes.slice(offset + LOCAL_BYTES, nameLength);
  if (localFlags !== flags || localMethod !== method || !isSame(name, entry.raw))
    throw refuse("is not what the directory says");
  const isBehind = (flags & SIZES_BEHIND) !== 0;
  // Writers that put the sizes after the data leave them zero in the header.
  if (!isSame(sizes, known) && !(isBehind && isSame(sizes, [0, 0, 0]))) throw refuse("is not what the directory says");
  const extra = problemOfExtra(bytes.slice(offset + LOCAL_BYTES + nameLength, extraLength), name);
  if (extra !== undefined) throw refuse(extra);

  const start = offset + LOCAL_BYTES + nameLength + extraLength;
  const behind = next - start - packed;
  if (behind < 0) throw refuse("overlaps with what stands behind it");
  if (!isBehind && behind > 0) throw refusal("it holds bytes that belong to no entry");
  if (isBehind && !hasDescriptor(bytes, next - behind, behind, known))
    throw refuse("is not what stands behind its data");
  return bytes.slice(start, packed);
}

/** Whether the checksum and the sizes follow the data, with or without a signature. */
function hasDescriptor(bytes: Reader, at: number, length: number, known: readonly number[]): boolean {
  if (length !== 12 && length !== 16) return false;
  if (length === 16 && bytes.u32(at) !== DESCRIPTOR) return false;
  const start = at + length - 12;
  return isSame([start, start + 4, start + 8].map(bytes.u32), known);
}

function problemOfExtra(fields: Uint8Array, name: Uint8Array): string | undefined {
  let at = 0;
  while (at < fields.length) {
    const [id, length] = [numberAt(fields, at), numberAt(fields, at + 2)];
    const content = fields.subarray(at + 4, at + 4 + length);
    if (at + 4 + length > fields.length) return "has a broken extra field";
    const problem = EXTRA_REFUSED[id];
    if (problem !== undefined) return problem;
    if (id === EXTRA_NAME && !isSame(content.subarray(EXTRA_NAME_AT), name)) return "has two names";
    at += 4 + length;
  }
  return undefined;
}

function numberAt(fields: Uint8Array, at: number): number {
  return (fields[at] ?? 0) | ((fields[at + 1] ?? 0) << 8);
}

function nameOf(raw: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw refusal("the name of an entry is not UTF-8");
  }
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return false;
  return true;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Computes the CRC-32 that ZIP uses. */
export function crc32Of(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
