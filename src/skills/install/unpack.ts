import { Inflate } from "fflate";
import { AssistantError, messageOf } from "../../errors.ts";
import type { SkillFile } from "../source.ts";
import {
  MAX_ARCHIVE_BYTES,
  MAX_RATIO,
  MAX_SKILL_FILES,
  MAX_SKILL_TEXT_BYTES,
  MAX_UNPACKED_BYTES,
  RATIO_FREE_BYTES,
} from "./limits.ts";
import { ORIGIN_FILE } from "./origin.ts";
import { foldPath, isHidden, isOfficeFile, problemOfPath } from "./path.ts";
import { quoted, refusal } from "./refusal.ts";
import { type ZipEntry, crc32Of, readZip } from "./zip.ts";

/** Content of an archive. */
export interface UnpackedSkill {
  /** All kept files, `SKILL.md` first and then by path. */
  readonly files: readonly SkillFile[];
  /** The text of `SKILL.md`. */
  readonly text: string;
  /** Paths of hidden files, which are checked but not kept. */
  readonly leftOut: readonly string[];
}

const SKILL_FILE = "SKILL.md";

/** Bytes that the inflater gets at once. They unpack to less than 5 MiB before the limits are checked again. */
const CHUNK_BYTES = 4096;

/**
 * Unpacks an archive with one skill, in memory only. Everything is checked: nothing that the archive says about
 * itself is trusted.
 *
 * Source: docs/skills-install.md, "Limits".
 *
 * @throws {AssistantError} `SKILL_REFUSED` with the first reason against it.
 */
export function unpackSkill(archive: Uint8Array): UnpackedSkill {
  if (archive.length > MAX_ARCHIVE_BYTES) throw refusal(`it is larger than ${MAX_ARCHIVE_BYTES} bytes`);
  const entries = readZip(archive);
  checkPaths(entries);
  const files = entries.filter(({ isFolder }) => !isFolder);
  if (files.length > MAX_SKILL_FILES) throw refusal(`it holds ${files.length} files, more than ${MAX_SKILL_FILES}`);
  const kept = files.filter(({ name }) => !isHidden(name));
  const root = rootOf(kept.map(({ name }) => name));

  const contents = inflateAll(files, archive.length);
  const unpacked = kept.map((entry): SkillFile => {
    const bytes = contents.get(entry) ?? new Uint8Array();
    const path = entry.name.slice(root.length);
    const kind = isOfficeFile(path) ? undefined : archiveKind(bytes);
    if (kind !== undefined) throw refusal(`${quoted(path)} is itself an archive (${kind}), which is not looked into`);
    return { path, bytes };
  });
  const order = ({ path }: SkillFile) => (path === SKILL_FILE ? "" : path);
  unpacked.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  const [first] = unpacked;
  if (first?.path !== SKILL_FILE) throw refusal(`it has no ${SKILL_FILE}`);
  return {
    files: unpacked,
    text: textOf(first.bytes),
    leftOut: files.filter((entry) => !kept.includes(entry)).map(({ name }) => name),
  };
}

/** Checks every path by itself, and that no two paths are the same on any file system. */
function checkPaths(entries: readonly ZipEntry[]): void {
  const spellings = new Map<string, string>();
  const kinds = new Map<string, "file" | "folder">();
  for (const { name, isFolder } of entries) {
    const problem = problemOfPath(name);
    if (problem !== undefined) throw refusal(`the path ${quoted(name)} ${problem}`);
    if (foldPath(name.slice(name.lastIndexOf("/") + 1)) === ORIGIN_FILE)
      throw refusal(`it brings ${ORIGIN_FILE} of its own, which only an installation writes`);
    const segments = name.split("/");
    for (let depth = 1; depth <= segments.length; depth += 1) {
      const path = segments.slice(0, depth).join("/");
      const kind = depth < segments.length || isFolder ? "folder" : "file";
      const folded = foldPath(path);
      const spelling = spellings.get(folded) ?? path;
      if (spelling !== path)
        throw refusal(
          `${quoted(spelling)} and ${quoted(path)} are one path where letter case or the form of letters does not count`,
        );
      const known = kinds.get(path);
      if (known === "file" && kind === "file") throw refusal(`it contains ${quoted(path)} twice`);
      if (known !== undefined && known !== kind)
        throw refusal(`it contains ${quoted(path)} as both a file and a folder`);
      spellings.set(folded, path);
      kinds.set(path, kind);
    }
  }
}

/** The common prefix of all paths: nothing, or the one folder that contains everything. */
function rootOf(paths: readonly string[]): string {
  const isSkillFile = (path: string) => foldPath(path.slice(path.lastIndexOf("/") + 1)) === foldPath(SKILL_FILE);
  const found = paths.filter(isSkillFile);
  if (found.length > 1) throw refusal(`it has ${found.length} files named ${SKILL_FILE}: an archive is one skill`);
  const [path] = found;
  if (path === undefined) throw refusal(`it has no ${SKILL_FILE}`);
  if (!path.endsWith(SKILL_FILE)) throw refusal(`its ${quoted(path)} must be spelled ${SKILL_FILE}`);
  const root = path.slice(0, -SKILL_FILE.length);
  if (root.split("/").length > 2) throw refusal(`its ${SKILL_FILE} must lie at its top, or in the one folder there`);
  const outside = paths.find((one) => !one.startsWith(root));
  if (outside !== undefined) throw refusal(`${quoted(outside)} lies outside of the skill's folder`);
  return root;
}

/** Unpacks all entries. The bytes are counted as they are produced, and the first byte over a limit ends it. */
function inflateAll(entries: readonly ZipEntry[], archiveBytes: number): ReadonlyMap<ZipEntry, Uint8Array> {
  const contents = new Map<ZipEntry, Uint8Array>();
  let produced = 0;
  for (const entry of entries) {
    const bytes = contentOf(entry, (ofEntry) => {
      const all = produced + ofEntry;
      if (all > MAX_UNPACKED_BYTES) throw refusal(`more than ${MAX_UNPACKED_BYTES} bytes come out of it`);
      const isBomb = ofEntry > RATIO_FREE_BYTES && ofEntry > MAX_RATIO * entry.data.length;
      if (isBomb || all > MAX_RATIO * archiveBytes)
        throw refusal(`${quoted(entry.name)} becomes more than ${MAX_RATIO} times as large`);
      if (ofEntry > entry.size) throw refusal(`more comes out of ${quoted(entry.name)} than it says`);
    });
    produced += bytes.length;
    if (bytes.length !== entry.size) throw refusal(`less comes out of ${quoted(entry.name)} than it says`);
    if (crc32Of(bytes) !== entry.crc32) throw refusal(`${quoted(entry.name)} is damaged: its checksum does not fit`);
    contents.set(entry, bytes);
  }
  return contents;
}

/** @param count Called with the number of bytes produced so far; throws if there are too many. */
function contentOf({ name, data, isDeflated }: ZipEntry, count: (bytes: number) => void): Uint8Array {
  if (!isDeflated) {
    count(data.length);
    return data.slice();
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  const inflate = new Inflate((piece) => {
    length += piece.length;
    count(length);
    pieces.push(piece);
  });
  try {
    for (let at = 0; at === 0 || at < data.length; at += CHUNK_BYTES)
      inflate.push(data.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= data.length);
  } catch (error) {
    if (AssistantError.is(error)) throw error;
    throw refusal(`${quoted(name)} is damaged: ${messageOf(error)}`, { cause: error });
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function textOf(bytes: Uint8Array): string {
  if (bytes.length > MAX_SKILL_TEXT_BYTES)
    throw refusal(`its ${SKILL_FILE} is larger than ${MAX_SKILL_TEXT_BYTES} bytes`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refusal(`its ${SKILL_FILE} is not UTF-8 text`);
  }
}

const ARCHIVES: readonly (readonly [kind: string, at: number, signature: readonly number[]])[] = [
  ["ZIP", 0, [0x50, 0x4b, 0x03, 0x04]],
  ["ZIP", 0, [0x50, 0x4b, 0x05, 0x06]],
  ["gzip", 0, [0x1f, 0x8b]],
  ["bzip2", 0, [0x42, 0x5a, 0x68]],
  ["xz", 0, [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["zstd", 0, [0x28, 0xb5, 0x2f, 0xfd]],
  ["7z", 0, [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]],
  ["RAR", 0, [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07]],
  ["tar", 257, [0x75, 0x73, 0x74, 0x61, 0x72]],
];

/** Returns the archive format of a file, by its first bytes. */
function archiveKind(bytes: Uint8Array): string | undefined {
  return ARCHIVES.find(([, at, signature]) => signature.every((byte, index) => bytes[at + index] === byte))?.[0];
}
