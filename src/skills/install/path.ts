import { MAX_PATH_CHARACTERS, MAX_PATH_DEPTH, MAX_SEGMENT_BYTES } from "./limits.ts";

/** Windows opens devices under these names, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?$/iu;
/** `C:` and streams of a file (`a.txt:b`), wildcards and pipes: not every file system accepts them. */
const NOT_IN_NAMES = /[<>:"|?*]/u;
/**
 * Control characters, such as NUL; invisible characters, such as marks that turn the direction of a text; halves of
 * surrogate pairs.
 */
const NOT_SEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Returns what is wrong with a path from an archive, as a text that follows "its path". A path passes only if it is a
 * plain path within a folder everywhere: on Windows, on file systems that ignore letter case, and as a key of a
 * store.
 */
export function problemOfPath(path: string): string | undefined {
  if (path === "") return "is empty";
  if (path.length > MAX_PATH_CHARACTERS) return `is longer than ${MAX_PATH_CHARACTERS} characters`;
  if (NOT_SEEN.test(path)) return "contains invisible characters";
  if (path.startsWith("/")) return "is absolute";
  if (path.includes("\\")) return "contains a backslash";
  if (/^[a-z]:/iu.test(path)) return "begins with a drive letter";
  if (/%[0-9a-f]{2}/iu.test(path)) return "contains an encoded character";
  const segments = path.split("/");
  if (segments.length > MAX_PATH_DEPTH) return `is deeper than ${MAX_PATH_DEPTH} folders`;
  for (const segment of segments) {
    const problem = problemOfSegment(segment);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfSegment(segment: string): string | undefined {
  if (segment === "") return "has an empty name in it";
  // Full-width dots and slashes count too: a comparison of normalized names must not find another path.
  const plain = segment.normalize("NFKC");
  if (plain === "." || plain === ".." || /[/\\]/u.test(plain)) return "leads out of the skill's folder";
  if (NOT_IN_NAMES.test(segment)) return "contains a character that not every file system accepts";
  if (/[. ]$/u.test(plain) || plain.startsWith(" "))
    return "has a name that begins with a space, or ends with a space or a dot";
  if (DEVICE.test(plain)) return "names a device";
  // Object members: a record of files by path could not hold them.
  if (segment === "__proto__" || segment === "constructor" || segment === "prototype")
    return "has a name that programs reserve";
  if (new TextEncoder().encode(segment).length > MAX_SEGMENT_BYTES)
    return `has a name of more than ${MAX_SEGMENT_BYTES} bytes in it`;
  return undefined;
}

/** Returns the same text for two paths that some file system takes for one: ignores letter case and Unicode forms. */
export function foldPath(path: string): string {
  return path.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC");
}

/** Whether a file or folder is hidden: its name begins with a dot, or it is what macOS adds next to files. */
export function isHidden(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith(".") || segment === "__MACOSX");
}

/** Whether a file is an office document, which is a ZIP archive too; `scanSkill` reports these. */
export function isOfficeFile(path: string): boolean {
  return /\.(?:docx|xlsx|pptx|odt|ods|odp|epub)$/iu.test(path);
}
