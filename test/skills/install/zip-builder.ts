import { deflateSync } from "fflate";
import { crc32Of } from "../../../src/skills/install/zip.ts";

/** One entry; what is not given is what an honest archive has. Of what stands in both headers, `local…` is that of the one in front of the data. */
export interface RawEntry {
  readonly name: string | Uint8Array;
  readonly data?: string | Uint8Array;
  readonly stored?: boolean;
  /** The bytes in the archive, in the place of the packed data. */
  readonly packedData?: Uint8Array;
  readonly method?: number;
  readonly localMethod?: number;
  readonly flags?: number;
  readonly localFlags?: number;
  readonly crc?: number;
  readonly localCrc?: number;
  readonly packed?: number;
  readonly localPacked?: number;
  readonly size?: number;
  readonly localSize?: number;
  readonly localName?: string;
  /** Of Unix, as 0o120777 for a link. */
  readonly mode?: number;
  /** Attributes of DOS. */
  readonly dos?: number;
  readonly extra?: Uint8Array;
  readonly localExtra?: Uint8Array;
  /** Behind the data: the true sizes, with a signature or without, or something else. */
  readonly descriptor?: "signed" | "plain" | Uint8Array;
  readonly offset?: number;
  readonly disk?: number;
  /** The entry stands in the directory alone. */
  readonly inDirectoryOnly?: boolean;
  /** The entry stands in front of the directory, which does not name it. */
  readonly notInDirectory?: boolean;
}

export interface RawArchive {
  readonly prefix?: Uint8Array;
  readonly suffix?: Uint8Array;
  readonly comment?: string | Uint8Array;
  readonly beforeDirectory?: Uint8Array;
  readonly beforeEnd?: Uint8Array;
  readonly count?: number;
  readonly countOnDisk?: number;
  readonly disk?: number;
  readonly directorySize?: number;
  readonly directoryOffset?: number;
  /** Offsets count from the beginning of the file, as a prefix asks for it. */
  readonly offsetsWithPrefix?: boolean;
}

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const rawOf = (given: string | Uint8Array = "") => (typeof given === "string" ? bytesOf(given) : given);

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Numbers of 2 or 4 bytes, little-endian. */
export function packed(...fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array {
  const all = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value & 0xffff, true);
    else view.setUint32(at, value >>> 0, true);
    at += bytes;
  }
  return all;
}

export const extraField = (id: number, content: Uint8Array = new Uint8Array()): Uint8Array =>
  joined(packed([2, id], [2, content.length]), content);

/** An archive, byte by byte. */
export function buildZip(entries: readonly RawEntry[], archive: RawArchive = {}): Uint8Array {
  const { prefix = new Uint8Array(), suffix = new Uint8Array(), beforeDirectory = new Uint8Array(), beforeEnd = new Uint8Array() } = archive; // prettier-ignore
  const base = archive.offsetsWithPrefix === true ? prefix.length : 0;
  const front: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let at = 0;
  for (const entry of entries) {
    const data = rawOf(entry.data);
    const name = rawOf(entry.name);
    const {
      stored = false,
      mode = 0o100644,
      dos = 0,
      extra = new Uint8Array(),
      localExtra = extra,
      descriptor,
    } = entry;
    const content = entry.packedData ?? (stored ? data : deflateSync(data, { level: data.length > 1_000_000 ? 1 : 6 }));
    const { method = stored ? 0 : 8, flags = descriptor === undefined ? 0 : 8 } = entry;
    const { crc = crc32Of(data), packed: length = content.length, size = data.length } = entry;
    const behind = descriptor !== undefined;
    const { localFlags = flags, localMethod = method, localCrc = behind ? 0 : crc } = entry;
    const { localPacked = behind ? 0 : length, localSize = behind ? 0 : size } = entry;
    const localName = rawOf(entry.localName ?? name);
    const offset = entry.offset ?? at + base;
    if (entry.inDirectoryOnly !== true) {
      const local = joined(
        packed([4, 0x04034b50], [2, 20], [2, localFlags], [2, localMethod], [4, 0x21], [4, localCrc], [4, localPacked], [4, localSize], [2, localName.length], [2, localExtra.length]), // prettier-ignore
        localName,
        localExtra,
        content,
        descriptorOf(descriptor, crc, length, size),
      );
      front.push(local);
      at += local.length;
    }
    if (entry.notInDirectory === true) continue;
    const attributes = ((mode << 16) | dos) >>> 0;
    directory.push(
      packed([4, 0x02014b50], [2, 0x031e], [2, 20], [2, flags], [2, method], [4, 0x21], [4, crc], [4, length], [4, size], [2, name.length], [2, extra.length], [2, 0], [2, entry.disk ?? 0], [2, 0], [4, attributes], [4, offset]), // prettier-ignore
      name,
      extra,
    );
  }
  const records = joined(...directory);
  const count = archive.count ?? entries.filter(({ notInDirectory }) => notInDirectory !== true).length;
  const start = archive.directoryOffset ?? at + base + beforeDirectory.length;
  const comment = rawOf(archive.comment);
  const end = packed([4, 0x06054b50], [2, archive.disk ?? 0], [2, 0], [2, archive.countOnDisk ?? count], [2, count], [4, archive.directorySize ?? records.length], [4, start], [2, comment.length]); // prettier-ignore
  return joined(prefix, ...front, beforeDirectory, records, beforeEnd, end, comment, suffix);
}

function descriptorOf(given: RawEntry["descriptor"], crc: number, length: number, size: number): Uint8Array {
  if (given instanceof Uint8Array) return given;
  if (given === undefined) return new Uint8Array();
  const plain = packed([4, crc], [4, length], [4, size]);
  return given === "plain" ? plain : joined(packed([4, 0x08074b50]), plain);
}

/** Bytes that do not pack, always the same. */
export function noise(length: number): Uint8Array {
  let state = 12_345;
  return Uint8Array.from({ length }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16);
}
