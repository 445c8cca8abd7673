import { digestOf, hex } from "../hash.ts";

/** Names of unstorage items for our keys: lower-case letters, digits, `_`, `-`, `~`, `!` and the separator `:` only, so that no driver changes, joins or hides them. */

/** Longest piece of a name between two separators; file systems take 255 bytes. */
const MAX_PIECE = 120;
const UNSAFE = /[^a-z0-9_-]/g;

/** What a name is of: a document, or one entry of a log. */
export type ParsedName = { readonly key: string; readonly entry?: string };

/** `~` and two digits for a code unit below 256, `~u` and four for others; short, since paths have a longest length too. */
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
 * Each segment ends with `!` and a tag: none for a folder, `d` for a document, `l` for a log's folder, `c` where a long segment continues in the next piece.
 * So a document `a` and a folder `a` never share a name, and no segment is a reserved one.
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

/** The item that holds a document. */
export const documentName = (key: string): string => nameOf(key, "d");

/** The folder that holds a log's entries. */
export const logName = (key: string): string => nameOf(key, "l");

/** The key behind an item's name; `undefined` for an item that is not ours. */
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

/** One entry of a log: the records of one append. `id` is empty when the append had none. */
export interface EntryName {
  readonly lastSeq: number;
  readonly count: number;
  readonly id: string;
}

/** `<last seq>!<number of records>!<id>`, so that one listing tells a log's length and its ids. */
export function entryName({ lastSeq, count, id }: EntryName): string {
  return `${String(lastSeq).padStart(16, "0")}!${count}!${id}`;
}

export function parseEntryName(name: string): EntryName | undefined {
  const [, lastSeq, count, id] = /^(\d{16})!(\d+)!([a-z0-9_~-]*)$/.exec(name) ?? [];
  return lastSeq === undefined ? undefined : { lastSeq: Number(lastSeq), count: Number(count), id: id ?? "" };
}

/** An append's id as a part of a name; a long one is hashed. Never empty. */
export async function idName(id: string): Promise<string> {
  const escaped = escape(id);
  if (escaped.length <= MAX_PIECE) return `i${escaped}`;
  const units = new Uint8Array(Uint16Array.from({ length: id.length }, (_, index) => id.charCodeAt(index)).buffer);
  return `h${hex(new Uint8Array(await digestOf(units)))}`;
}
