import { createHash } from "node:crypto";
import { keySegments, storeKey } from "../../../kit.ts";

/**
 * File names for the segments of keys: readable, one to one, and safe on file systems that ignore letter case or
 * change Unicode forms.
 *
 * Kept as they are: a-z, 0-9, `.` `_` `-` `@` `%` `,` and Chinese characters (U+4E00 to U+9FFF, which no file system
 * changes). `:` becomes `=`. A capital letter becomes `+` and its small letter. Any other character below U+0100
 * becomes `~` and two hex digits, any other UTF-16 unit `~u` and four. Names that people know in capitals
 * (`MEMORY.md`, `SKILL.md`) and texts named by a ULID stay as they are. The name shows what a segment is used for, so
 * a document `a`, a log `a` and a folder `a` never collide: a log's file ends in `.jsonl`, a document's has an
 * extension or ends in `~doc`, a folder's has none or ends in `~dir`. A name that would be too long is its beginning,
 * `~h` and the SHA-256 of the segment; a sidecar file ending in `~name` holds the whole segment. A Markdown file with
 * any other name was made by a person, and its name is its segment, with `%` escaped as `storeKey` does.
 *
 * Source: docs/storage-fs-format.md, "File names".
 */
export type FileKind = "folder" | "document" | "log";

/** Longest name in bytes: below every file system's 255, with room for the suffixes of editors and `~name`. */
const MAX_NAME_BYTES = 200;
const HASHED_HEAD_LENGTH = 40;

const KNOWN_IN_CAPITALS: readonly string[] =
  "MEMORY.md PEER.md GROUP.md MY_ROLE.md SKILL.md SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md HEARTBEAT.md README.md CHANGELOG.md LICENSE LICENSE.txt".split(
    " ",
  );
const SMALL_TWINS = new Set(KNOWN_IN_CAPITALS.map((name) => name.toLowerCase()));
/** Ids of documents that people open and edit: `01JD8XK3VQ5W8T9Y2Z4N6M7P0R.md`. */
const ULID_TEXT = /^[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
const SMALL_ULID_TEXT = /^(?=[0-9]*[a-z])[0-7][0-9a-hjkmnp-tv-z]{25}\.md$/;

const staysInCapitals = (segment: string) => KNOWN_IN_CAPITALS.includes(segment) || ULID_TEXT.test(segment);
const isSmallTwin = (name: string) => SMALL_TWINS.has(name) || SMALL_ULID_TEXT.test(name);

/** Names in the root that belong to the store. A key that begins with one is escaped. */
const OWN_NAMES = new Set(["wal", "torn", "tmp", "backup", "lock", "store.json", ".git"]);

/** Windows opens devices under these names, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/;
const EXTENSION = /[^.]\.[a-z0-9]{1,8}$/;
const PLAIN = /^[a-z0-9_,@%-][a-z0-9._,@%-]*$/;

function escapeUnits(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  let name = "";
  for (let index = 0; index < segment.length; index++) {
    const unit = segment.charCodeAt(index);
    const character = segment.charAt(index);
    if (/[a-z0-9._,@%-]/.test(character) || (unit >= 0x4e00 && unit <= 0x9fff)) name += character;
    else if (character === ":") name += "=";
    else if (/[A-Z]/.test(character)) name += `+${character.toLowerCase()}`;
    else name += hexUnit(unit);
  }
  return name;
}

const hexUnit = (unit: number) =>
  unit < 0x100 ? `~${unit.toString(16).padStart(2, "0")}` : `~u${unit.toString(16).padStart(4, "0")}`;

/** Escapes only the first or last character of a reserved name. */
function withoutObstacles(name: string): string {
  let safe = name;
  if (DEVICE.test(safe) || isSmallTwin(safe)) safe = hexUnit(safe.charCodeAt(0)) + safe.slice(1);
  return safe.endsWith(".") ? `${safe.slice(0, -1)}~2e` : safe; // Windows drops a trailing dot; this also covers "." and ".."
}

function withKind(name: string, kind: FileKind, own: boolean): string {
  const extension = EXTENSION.test(name);
  if (kind === "log") return name.endsWith(".jsonl") && extension ? name : `${name}~log.jsonl`;
  if (kind === "folder") return extension || own ? `${name}~dir` : name;
  return extension && !name.endsWith(".jsonl") && !own ? name : `${name}~doc`;
}

/** The file name of one segment of a key. `top`: the file is in the root, next to the store's own names. */
export function fileName(
  segment: string,
  kind: FileKind,
  top = false,
): { readonly name: string; readonly hashed: boolean } {
  const escaped = staysInCapitals(segment) ? segment : withoutObstacles(escapeUnits(segment));
  const name = withKind(escaped, kind, top && OWN_NAMES.has(escaped));
  if (name.length * 3 <= MAX_NAME_BYTES || Buffer.byteLength(name) <= MAX_NAME_BYTES) return { name, hashed: false };

  // UTF-16LE: UTF-8 cannot encode half a surrogate pair and would give two segments one hash.
  const hash = createHash("sha256").update(Buffer.from(segment, "utf16le")).digest("hex");
  const extension = EXTENSION.exec(escaped)?.[0].slice(1) ?? "";
  return { name: withKind(`${escaped.slice(0, HASHED_HEAD_LENGTH)}~h${hash}${extension}`, kind, false), hashed: true };
}

/** Suffix of the sidecar file of a hashed name, which holds the whole segment. */
export const WHOLE_NAME = "~name";
export const sidecarName = (hashedName: string) => `${hashedName}${WHOLE_NAME}`;

/** A parsed file name. */
export interface ParsedName {
  /** `undefined`: only the sidecar file holds it. */
  readonly segment: string | undefined;
  readonly kind: FileKind;
  readonly hashed: boolean;
  /** A Markdown name that a person chose and `fileName` never returns: `My notes.md`. */
  readonly byHand?: true;
}

/** A Markdown file that is neither hidden nor an editor's. */
const MARKDOWN_BY_HAND = /^[^.].*\.md$/s;

/**
 * Returns the segment and kind of a file name, or `undefined` if the file is neither the store's nor a person's
 * Markdown (an editor's backup, another program's file).
 */
export function parseFileName(name: string, entry: { directory: boolean; top: boolean }): ParsedName | undefined {
  const parsed = parseOwnName(name, entry);
  if (parsed !== undefined || entry.directory || !MARKDOWN_BY_HAND.test(name)) return parsed;
  return { segment: storeKey(name), kind: "document", hashed: false, byHand: true };
}

/**
 * A name under which the store would read a YAML file that it now ignores because of its name; `undefined` for every
 * other file.
 */
export function betterName(name: string): string | undefined {
  if (!/^[^.].*\.ya?ml$/i.test(name) || parseFileName(name, { directory: false, top: false }) !== undefined)
    return undefined;
  const words = name
    .toLowerCase()
    .replace(/\.ya?ml$/, "")
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[-.]+|[-.]+$/g, "");
  return `${words === "" ? "file" : words}.yaml`;
}

/**
 * Whether the store recognizes this name, below the root, as a document or a folder; the sidecar of a hashed name
 * counts too.
 */
export function isFoundName(name: string, { directory }: { readonly directory: boolean }): boolean {
  if (!directory && name.endsWith(WHOLE_NAME)) return true;
  const kind = parseFileName(name, { directory, top: false })?.kind;
  return kind === (directory ? "folder" : "document");
}

function parseOwnName(name: string, entry: { directory: boolean; top: boolean }): ParsedName | undefined {
  const kind: FileKind = entry.directory ? "folder" : name.endsWith(".jsonl") ? "log" : "document";
  if (/~h[0-9a-f]{64}(\.[a-z0-9]{1,8})?(~doc|~dir|~log\.jsonl)?$/.test(name))
    return { segment: undefined, kind, hashed: true };
  const suffix = kind === "folder" ? "~dir" : kind === "log" ? "~log.jsonl" : "~doc";
  const escaped = name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
  const segment = staysInCapitals(escaped) ? escaped : unescapeUnits(escaped);
  if (segment === undefined || segment === "" || fileName(segment, kind, entry.top).name !== name) return undefined;
  return { segment, kind, hashed: false };
}

/**
 * The name that a person's own file with this segment would have; `undefined` when only a name by `fileName` can hold
 * it.
 */
export function nameByHand(segment: string, top: boolean): string | undefined {
  if (!segment.endsWith(".md")) return undefined;
  const [name = ""] = keySegments(segment);
  // No file system accepts a NUL, so none is asked.
  if (name.includes("/") || name.includes("\0")) return undefined;
  const parsed = parseFileName(name, { directory: false, top });
  return parsed?.byHand === true && parsed.segment === segment ? name : undefined;
}

/**
 * Whether a new file may have a person's name for it on a file system that distinguishes case: every system accepts
 * the name and leaves it unchanged.
 */
export function isPlainEverywhere(name: string): boolean {
  const small = name.toLowerCase();
  return (
    /^(?! )[^\p{C}<>:"\\|?*]+$/u.test(name) &&
    name === name.normalize("NFC") &&
    !DEVICE.test(small) &&
    !isSmallTwin(small) &&
    Buffer.byteLength(name) <= MAX_NAME_BYTES
  );
}

function unescapeUnits(name: string): string | undefined {
  let malformed = false;
  const segment = name.replace(/~u([0-9a-f]{4})|~([0-9a-f]{2})|\+([a-z])|[~+A-Z]|=/g, (found, long, short, capital) => {
    if (long !== undefined || short !== undefined) return String.fromCharCode(Number.parseInt(long ?? short, 16));
    if (capital !== undefined) return capital.toUpperCase();
    if (found === "=") return ":";
    malformed = true;
    return found;
  });
  return malformed ? undefined : segment;
}

/**
 * Where a key is, relative to the root: the folders, then the file. Throws `RangeError` for a key with an empty
 * segment.
 */
export interface Place {
  readonly folders: readonly { readonly name: string; readonly hashed: boolean; readonly segment: string }[];
  readonly file: { readonly name: string; readonly hashed: boolean; readonly segment: string };
}

export function placeOf(key: string, kind: "document" | "log"): Place {
  const segments = segmentsOf(key);
  const folders = segments
    .slice(0, -1)
    .map((segment, depth) => ({ ...fileName(segment, "folder", depth === 0), segment }));
  const last = segments.at(-1) ?? "";
  return { folders, file: { ...fileName(last, kind, segments.length === 1), segment: last } };
}

function segmentsOf(key: string): string[] {
  const segments = key.split("/");
  if (segments.includes("")) {
    throw new RangeError(
      `Cannot use ${JSON.stringify(key)} as a key as it has an empty segment: make keys with storeKey()`,
    );
  }
  return segments;
}
