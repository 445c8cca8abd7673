import { digestOf, hex } from "../hash.ts";

/**
 * Names of unstorage items for store keys. They contain only lower-case letters, digits, `_`, `-`, `~`, `!` and the
 * separator `:`, so that no driver changes, merges or hides them.
 */

/** Longest piece of a name between two separators. File systems allow 255 bytes. */
const MAX_PIECE = 120;
const UNSAFE = /[^a-z0-9_-]/g;

/** A parsed name: a document, or one entry of a log. */
export type ParsedName = { readonly key: string; readonly entry?: string };

/**
 * Escapes a code unit below 256 as `~` and two digits, others as `~u` and four. Short, because paths have a length
 * limit too.
 */
function escape(text: string): string {
  return text.replace(UNSAFE, (unit) => {
    const code = unit.charCodeAt(0);
    return code < 256 ? `~${code.toString(16).padStart(2, "0")}` : `~u${code.toString(16).padStart(4, "0")}`;
  });
}

function unescape(text: string): string {
  return text.replace(/~(?:u([0-9a-f]{4})|([0-9a-f]{2}))/g, (_, long: string | undefined, short: string) =>
    String.fromCharCode(Number.parseInt(long ?? short, 16)),
  );
}

/**
 * Returns a key's name. Each segment ends with `!` and a tag: none for a folder, `d` for a document, `l` for a log's
 * folder, `c` if a long segment continues in the next piece. A document `a` and a folder `a` therefore never share a
 * name, and no segment is a reserved name.
 */
function nameOf(key: string, tag: "d" | "l"): string {
  const segments = key.split("/");
  return segments
    .map((segment, index) => {
      const pieces = escape(segment).match(new RegExp(`.{1,${MAX_PIECE}}`, "g")) ?? [""];
      return `${pieces.join("!c:")}!${index === segments.length - 1 ? tag : ""}`;
    })
    .join(":");
}

/** Name of the item that holds a document. */
export const documentName = (key: string): string => nameOf(key, "d");

/** Name of the folder that holds a log's entries. */
export const logName = (key: string): string => nameOf(key, "l");

/** Returns the key of an item's name, or `undefined` for an item of another program. */
export function parseName(name: string): ParsedName | undefined {
  const segments: string[] = [];
  let begun = "";
  let rest = name;
  for (;;) {
    const colon = rest.indexOf(":");
    const piece = colon < 0 ? rest : rest.slice(0, colon);
    rest = colon < 0 ? "" : rest.slice(colon + 1);
    const mark = piece.indexOf("!");
    if (mark < 0) return undefined;
    begun += piece.slice(0, mark);
    const tag = piece.slice(mark + 1);
    if (tag !== "c") {
      segments.push(unescape(begun));
      begun = "";
    }
    if (tag === "d") return rest === "" ? { key: segments.join("/") } : undefined;
    if (tag === "l") return rest === "" || rest.includes(":") ? undefined : { key: segments.join("/"), entry: rest };
    if ((tag !== "" && tag !== "c") || rest === "") return undefined;
  }
}

/** One entry of a log: the records of one append. `id` is empty if the append had none. */
export interface EntryName {
  readonly lastSeq: number;
  readonly count: number;
  readonly id: string;
}

/** Returns `<last seq>!<number of records>!<id>`, so that one listing shows a log's length and its ids. */
export function entryName({ lastSeq, count, id }: EntryName): string {
  return `${String(lastSeq).padStart(16, "0")}!${count}!${id}`;
}

export function parseEntryName(name: string): EntryName | undefined {
  const [, lastSeq, count, id] = /^(\d{16})!(\d+)!([a-z0-9_~-]*)$/.exec(name) ?? [];
  return lastSeq === undefined ? undefined : { lastSeq: Number(lastSeq), count: Number(count), id: id ?? "" };
}

/** Encodes an append's id for a name; a long id is hashed. Never empty. */
export async function idName(id: string): Promise<string> {
  const escaped = escape(id);
  if (escaped.length <= MAX_PIECE) return `i${escaped}`;
  const units = new Uint8Array(Uint16Array.from({ length: id.length }, (_, index) => id.charCodeAt(index)).buffer);
  return `h${hex(new Uint8Array(await digestOf(units)))}`;
}
