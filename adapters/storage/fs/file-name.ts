import { createHash } from "node:crypto";
import { keySegments, storeKey } from "../../../kit.ts";

/**
 * Names on disk for the segments of keys: readable, one to one, and safe where file names ignore letter case or change Unicode forms.
 *
 * Kept as they are: a-z, 0-9, `.` `_` `-` `@` `%` `,` and Chinese characters (U+4E00 to U+9FFF, which no file system changes).
 * `:` becomes `=`, a capital letter `+` and its small letter, any other character below U+0100 `~` and two hex digits,
 * any other UTF-16 unit `~u` and four. Names that people know in capitals (`MEMORY.md`, `SKILL.md`) and texts named by a ULID stay as they are.
 * What a segment is used for shows in its name, so that a document `a`, a log `a` and a folder `a` never meet:
 * a log's file ends in `.jsonl`, a document's has an extension or ends in `~doc`, a folder's has none or ends in `~dir`.
 * A name that would be too long is its beginning, `~h` and the SHA-256 of the segment; a file beside it ending in `~name` holds the whole.
 * A Markdown file with any other name is a person's, and that name is its segment, with `%` escaped as `storeKey` does.
 *
 * Source: docs/storage-fs-format.md, "File names".
 */
export type FileKind = "folder" | "document" | "log";

/** Longest name in bytes: under every file system's 255, with room for the suffixes of editors and `~name`. */
const MAX_NAME_BYTES = 200;
const HASHED_HEAD_LENGTH = 40;

const KNOWN_IN_CAPITALS: readonly string[] =
  "MEMORY.md PEER.md GROUP.md MY_ROLE.md SKILL.md SOUL.md IDENTITY.md USER.md AGENTS.md TOOLS.md HEARTBEAT.md README.md CHANGELOG.md LICENSE LICENSE.txt".split(
    " ",
  );
const SMALL_TWINS = new Set(KNOWN_IN_CAPITALS.map((name) => name.toLowerCase()));
/** Ids of what people open and edit: `01JD8XK3VQ5W8T9Y2Z4N6M7P0R.md`. */
const ULID_TEXT = /^[0-7][0-9A-HJKMNP-TV-Z]{25}\.md$/;
const SMALL_ULID_TEXT = /^(?=[0-9]*[a-z])[0-7][0-9a-hjkmnp-tv-z]{25}\.md$/;

const staysInCapitals = (segment: string) => KNOWN_IN_CAPITALS.includes(segment) || ULID_TEXT.test(segment);
const isSmallTwin = (name: string) => SMALL_TWINS.has(name) || SMALL_ULID_TEXT.test(name);

/** Names in the root that are the store's own; a key that begins with one is written otherwise. */
const OWN_NAMES = new Set(["wal", "torn", "tmp", "backup", "lock", "store.json", ".git"]);

/** Windows opens devices under these names, whatever the extension. */
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

/** Escapes the first (or last) character of a name in which it is the obstacle, not its neighbours. */
function withoutObstacles(name: string): string {
  let safe = name;
  if (DEVICE.test(safe) || isSmallTwin(safe)) safe = hexUnit(safe.charCodeAt(0)) + safe.slice(1);
  return safe.endsWith(".") ? `${safe.slice(0, -1)}~2e` : safe; // Windows drops a last dot; this also ends "." and ".."
}

function withKind(name: string, kind: FileKind, own: boolean): string {
  const extension = EXTENSION.test(name);
  if (kind === "log") return name.endsWith(".jsonl") && extension ? name : `${name}~log.jsonl`;
  if (kind === "folder") return extension || own ? `${name}~dir` : name;
  return extension && !name.endsWith(".jsonl") && !own ? name : `${name}~doc`;
}

/** The name on disk of one segment of a key. `top`: it lies in the root, beside the store's own names. */
export function fileName(
  segment: string,
  kind: FileKind,
  top = false,
): { readonly name: string; readonly hashed: boolean } {
  const escaped = staysInCapitals(segment) ? segment : withoutObstacles(escapeUnits(segment));
  const name = withKind(escaped, kind, top && OWN_NAMES.has(escaped));
  if (name.length * 3 <= MAX_NAME_BYTES || Buffer.byteLength(name) <= MAX_NAME_BYTES) return { name, hashed: false };

  // UTF-16LE, since UTF-8 has no form for half a surrogate pair and would give two segments one hash.
  const hash = createHash("sha256").update(Buffer.from(segment, "utf16le")).digest("hex");
  const extension = EXTENSION.exec(escaped)?.[0].slice(1) ?? "";
  return { name: withKind(`${escaped.slice(0, HASHED_HEAD_LENGTH)}~h${hash}${extension}`, kind, false), hashed: true };
}

/** The file beside a hashed name that holds the whole segment. */
export const WHOLE_NAME = "~name";
export const sidecarName = (hashedName: string) => `${hashedName}${WHOLE_NAME}`;

/** What a name on disk says. */
export interface ParsedName {
  /** `undefined`: it is only in the file beside it. */
  readonly segment: string | undefined;
  readonly kind: FileKind;
  readonly hashed: boolean;
  /** A name that a person gave a Markdown file and `fileName` never gives: `My notes.md`. */
  readonly byHand?: true;
}

/** Of a Markdown file, and neither hidden nor an editor's. */
const MARKDOWN_BY_HAND = /^[^.].*\.md$/s;

/** The segment and the use of a name on disk; `undefined` for a name of neither the store nor a person's Markdown (an editor's backup, another program's file). */
export function parseFileName(name: string, entry: { directory: boolean; top: boolean }): ParsedName | undefined {
  const parsed = parseOwnName(name, entry);
  if (parsed !== undefined || entry.directory || !MARKDOWN_BY_HAND.test(name)) return parsed;
  return { segment: storeKey(name), kind: "document", hashed: false, byHand: true };
}

/** A name that the store would read for a YAML file whose name it passes over; `undefined` for every other file. */
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

/** Whether the store finds a document, or a folder of them, that has this name below the root; the file beside a hashed name goes with it. */
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

/** The name by which a person's own file would have this segment; `undefined` where only a name of the store's can. */
export function nameByHand(segment: string, top: boolean): string | undefined {
  if (!segment.endsWith(".md")) return undefined;
  const [name = ""] = keySegments(segment);
  // No file system takes a NUL, and none is asked.
  if (name.includes("/") || name.includes("\0")) return undefined;
  const parsed = parseFileName(name, { directory: false, top });
  return parsed?.byHand === true && parsed.segment === segment ? name : undefined;
}

/** Whether a file that the store makes may have a person's name for it, where letter case is told apart: every system takes it, and changes nothing in it. */
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

/** Where a key lies, relative to the root: the folders, then the file. Throws `RangeError` for a key with an empty segment. */
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
