import { shortened } from "../short-text.ts";

/** A path that is safe to join to the workspace's root, or the reason of a refusal. */
export type GuardedPath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

/** Options of `guardPath`. */
export interface GuardPathOptions {
  /**
   * Absolute root of the workspace: an absolute path under it, in exactly this spelling, is accepted and made
   * relative. Default: every absolute path is refused.
   */
  readonly root?: string;
  /**
   * Accepted names. `posix`: every name that POSIX allows, except those that hide a separator behind percent signs.
   * `portable`: only those of them that every system reads alike. Default `portable`.
   */
  readonly names?: "portable" | "posix";
  /** Longest path in bytes of UTF-8. Default 1024. */
  readonly maxPathBytes?: number;
}

const DEFAULT_MAX_PATH_BYTES = 1024;
/** Longest name in bytes of UTF-8: the limit of common file systems. */
const MAX_NAME_BYTES = 255;

/**
 * Control characters, line separators, noncharacters of Unicode, and invisible formatting, except the two joiners
 * that some scripts need.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]|(?![\u200c\u200d])\p{Cf}/u;
const HALF_SURROGATE = /\p{Cs}/u;
/** Characters that look like a slash or a backslash, and that some systems convert to one. */
const SLASH_LOOKALIKE = /[\u2044\u2215\u2216\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/u;
const DEVICE_NAME = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9])$/i;

/**
 * Turns a path that a model wrote into a clean path inside the workspace: relative, `/` between names, no `.` or
 * `..`, `"."` for the workspace's own folder. It checks only the text, by default with the rules of all systems at
 * once; code that opens the file must check symbolic links.
 *
 * Source: docs/workspaces-paths.md, "What the path guard refuses".
 *
 * @returns The clean path, or the reason as one sentence that the model can act on. Never throws, for any `input`.
 * @example
 * ```ts
 * guardPath("./notes//today.md"); // { ok: true, path: "notes/today.md" }
 * guardPath("../secrets.txt"); // { ok: false, reason: 'Cannot use path "../secrets.txt": it leads out of the workspace' }
 * ```
 */
export function guardPath(input: unknown, options: GuardPathOptions = {}): GuardedPath {
  if (typeof input !== "string")
    return { ok: false, reason: `Cannot use a path of type ${typeof input}: it must be a string` };
  const { root, names: accepted = "portable", maxPathBytes = DEFAULT_MAX_PATH_BYTES } = options;
  const isPosix = accepted === "posix";
  const inside = withoutRoot(input, root, isPosix);
  if (inside.length > maxPathBytes || byteLength(inside) > maxPathBytes)
    return refuse(input, `it is longer than ${maxPathBytes} bytes`);
  const problem = isPosix ? problemOfPosixPath(inside) : problemOfPortablePath(inside);
  if (problem !== undefined) return refuse(input, problem);

  const names: string[] = [];
  for (const segment of inside.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      if (names.pop() === undefined) return refuse(input, "it leads out of the workspace");
      continue;
    }
    const problemOfOne = isPosix ? problemOfPosixName(segment) : problemOfPortableName(segment, names.length === 0);
    if (problemOfOne !== undefined) return refuse(input, problemOfOne);
    names.push(segment);
  }
  return { ok: true, path: names.join("/") || "." };
}

function refuse(input: string, problem: string): GuardedPath {
  return { ok: false, reason: `Cannot use path ${JSON.stringify(shortened(input, 80))}: ${problem}` };
}

/** Removes the root from an absolute path under it; other paths stay as they are. */
function withoutRoot(input: string, root: string | undefined, isPosix: boolean): string {
  if (root === undefined) return input;
  const base = root.replace(isPosix ? /\/+$/u : /[/\\]+$/u, "");
  if (base === "") return input;
  if (input === base) return ".";
  if (!input.startsWith(base)) return input;
  const rest = input.slice(base.length);
  if (rest.startsWith("/")) return `./${rest.slice(1)}`;
  return !isPosix && rest.startsWith("\\") && root.includes("\\") ? `./${rest.slice(1).replaceAll("\\", "/")}` : input;
}

const EMPTY = 'it is empty: write "." for the workspace\'s own folder';
const NUL = "it contains a NUL character";
const HALF = "it contains half of a character, which no file name can have";

function problemOfPosixPath(path: string): string | undefined {
  if (path === "") return EMPTY;
  if (path.includes("\0")) return NUL;
  if (HALF_SURROGATE.test(path)) return HALF;
  return problemOfPlace(path);
}

function problemOfPortablePath(path: string): string | undefined {
  if (path.trim() === "") return EMPTY;
  if (path.includes("\0")) return NUL;
  if (INVISIBLE.test(path)) return "it contains a control character or an invisible one";
  if (HALF_SURROGATE.test(path)) return HALF;
  if (/^(?:\\\\|\/\/)/u.test(path)) return "it names another machine: write a path relative to the workspace";
  if (/^[a-z]:/iu.test(path)) return "it starts with a drive letter: write a path relative to the workspace";
  if (path.includes("\\")) return "it contains a backslash: write / between folders";
  return problemOfPlace(path);
}

/** Returns what is wrong with a path that is outside the workspace on every system. */
function problemOfPlace(path: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]+:\/\//iu.test(path)) return "it is a URL: write a path relative to the workspace";
  if (/^\/+(?:dev|proc|sys)(?:\/|$)/iu.test(path))
    return "it names a device or the system's own files, which are not in the workspace";
  if (path.startsWith("/"))
    return "it is absolute and not in the workspace: write a path relative to the workspace, without a / in front";
  return undefined;
}

/** The name is used as written, so it is refused only if other programs would read it as a way out. */
function problemOfPosixName(name: string): string | undefined {
  if (byteLength(name) > MAX_NAME_BYTES) return `one of its names is longer than ${MAX_NAME_BYTES} bytes`;
  const decoded = decodeEscapes(name);
  if (decoded === name) return undefined;
  const hidden = asSystemsRead(decoded);
  return (hidden.includes(".") && isDots(hidden)) || SLASH_LOOKALIKE.test(decoded) || /[/\\\0]/u.test(hidden)
    ? "it hides a separator, dots or NUL behind percent signs, which other programs decode: write them plainly"
    : undefined;
}

function problemOfPortableName(name: string, first: boolean): string | undefined {
  if (byteLength(name) > MAX_NAME_BYTES) return `one of its names is longer than ${MAX_NAME_BYTES} bytes`;
  if (name.includes(":"))
    return 'it contains a colon, which names drives and hidden streams on some systems: write "-" instead';
  if (/[.\s]$/u.test(name)) return "one of its names ends in a dot or a space, which some systems drop";
  const plain = asSystemsRead(name);
  if (isDots(plain) || SLASH_LOOKALIKE.test(name) || /[/\\]/u.test(plain))
    return "it contains characters that look like dots or slashes but are not";
  const decoded = decodeEscapes(name);
  if (decoded !== name) {
    const hidden = asSystemsRead(decoded);
    if (isDots(hidden) || INVISIBLE.test(decoded) || SLASH_LOOKALIKE.test(decoded) || /[/\\:]|^~/u.test(hidden)) {
      return "it hides dots, slashes or control characters behind percent signs: write them plainly";
    }
  }
  if (first && plain.startsWith("~"))
    return "it starts with ~, which is not in the workspace: write a path relative to the workspace";
  if (first && /^(?:\$\{?[A-Z_][A-Z0-9_]*\}?|%[A-Z_][A-Z0-9_]*%)$/u.test(name)) {
    return "it starts with an environment variable, which is not expanded here: write a path relative to the workspace";
  }
  const stem = plain.split(".", 1)[0] ?? "";
  if (DEVICE_NAME.test(stem.trim()))
    return "one of its names is a device on some systems, such as CON or NUL: choose another name";
  return undefined;
}

/** Returns the name as some systems read it: compatibility characters replaced, ignored joiners removed. */
function asSystemsRead(name: string): string {
  return name.replaceAll(/[\u200c\u200d]/gu, "").normalize("NFKC");
}

function isDots(text: string): boolean {
  return /^[.\s]+$/u.test(text);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

/** Decodes `%2e`, `%252e`, `%u002e` and overlong UTF-8 as the most lenient decoder would, until nothing changes. */
function decodeEscapes(text: string): string {
  let current = text;
  for (;;) {
    const decoded = current
      .replaceAll(/%u([0-9a-f]{4})/giu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
      .replaceAll(/(?:%[0-9a-f]{2})+/giu, (run) =>
        decodeForgivingly(
          run
            .slice(1)
            .split("%")
            .map((pair) => Number.parseInt(pair, 16)),
        ),
      );
    // Every round that changes the text makes it shorter, so this ends.
    if (decoded === current) return current;
    current = decoded;
  }
}

/** Decodes UTF-8 and also accepts overlong forms; a byte that starts no character is read as Latin-1. */
function decodeForgivingly(bytes: readonly number[]): string {
  let text = "";
  for (let index = 0; index < bytes.length;) {
    const lead = bytes[index] ?? 0;
    const length = lead >= 0xf8 ? 1 : lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
    let point = length === 1 ? lead : lead & (0xff >> (length + 1));
    for (let next = 1; next < length; next++) point = (point << 6) | ((bytes[index + next] ?? 0) & 0x3f);
    text += point <= 0x10_ffff ? String.fromCodePoint(point) : "\ufffd";
    index += length;
  }
  return text;
}
