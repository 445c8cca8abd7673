import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import { type Source, type Token, parseSource, tokenize } from "./syntax.ts";

// Finds where a defect is to be planted: in which file of the room, from which character to which.
//
// An entry names a room, not a file, and a declaration, not a line. So it holds when code is formatted, when a function moves to another file of its room,
// and when one function is lifted out of another. It must be mended when the declaration gets another name or another room, or when the piece itself changes.

/** The sources in which defects are planted, by their path from the root. */
export type Texts = ReadonlyMap<string, string>;

/** A part of a source, from the start of its first token to the end of its last. */
export interface Place {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** The one place of a mutant, or a sentence that says which entry it is and what to mend. */
export type Located = { readonly place: Place } | { readonly problem: string };

type Target = Pick<Mutant, "room" | "declaration" | "piece" | "promise">;

const CLOSERS = new Set([")", "]", "}", ">"]);
const MAX_HINTS = 3;

export async function readTexts(root: string): Promise<Texts> {
  const texts = new Map<string, string>();
  for (const folder of ["src", "adapters"]) {
    for (const entry of await readdir(join(root, folder), { recursive: true })) {
      const file = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (/(?<!\.d)\.[jt]s$/.test(file)) texts.set(file, await readFile(join(root, file), "utf8"));
    }
  }
  return texts;
}

/** Each file is parsed at most once. */
export function createLocator(texts: Texts): (target: Target) => Located {
  const parsed = new Map<string, Source>();

  function locate(target: Target): Located {
    const { room, declaration, piece, promise } = target;
    const entry = `"${promise}" (${room}, ${declaration}: ${piece})`;
    const files = [...texts.keys()].filter((file) => file === room || file.startsWith(`${room}/`));
    if (files.length === 0) return { problem: `${entry}: there is no ${room}. Mend its room.${hints(piece)}` };
    const name = declaration.slice(declaration.lastIndexOf(".") + 1);
    const sources = files.filter((file) => texts.get(file)!.includes(name)).map(sourceOf);
    const declaring = sources.filter((source) => spansOf(source, declaration).length > 0);
    if (declaring.length === 0) {
      return {
        problem: `${entry}: ${room} declares no ${declaration}. Mend its declaration or its room.${hints(piece)}`,
      };
    }
    const places = declaring.flatMap((source) =>
      matchesOf(source, piece).filter(({ start, end }) =>
        spansOf(source, declaration).some((span) => span.start <= start && end <= span.end),
      ),
    );
    const [place, ...others] = places;
    if (place === undefined) {
      const where = declaring.map(({ file }) => file).join(", ");
      return { problem: `${entry}: ${declaration} (${where}) does not hold the piece. Mend its piece.${hints(piece)}` };
    }
    if (others.length === 0) return { place };
    const some = places.slice(0, MAX_HINTS).map(lineOf).join(", ");
    return {
      problem: `${entry}: the piece stands in ${places.length} places (${some}). Give it more of the code around it.`,
    };
  }

  /** Where a piece stands that is not where its entry says. */
  function hints(piece: string): string {
    const found = [...texts.keys()].flatMap((file) => matchesOf(sourceOf(file), piece)).slice(0, MAX_HINTS);
    return found.length === 0
      ? ""
      : ` The piece stands in ${found.map((place) => `${innermost(place)} (${lineOf(place)})`).join(", ")}.`;
  }

  function sourceOf(file: string): Source {
    const source = parsed.get(file) ?? parseSource(file, texts.get(file)!);
    parsed.set(file, source);
    return source;
  }

  return locate;
}

/** The text of the file with the defect in it. */
export function plant({ source, start, end }: Place, replacement: string): string {
  return source.text.slice(0, start) + replacement + source.text.slice(end);
}

/** `accept` and `createInbox.accept` name the same declaration. */
function spansOf({ declarations }: Source, name: string): Source["declarations"] {
  return declarations.filter(({ path }) => path === name || path.endsWith(`.${name}`));
}

function matchesOf(source: Source, piece: string): Place[] {
  const wanted = tokenize(piece).map(({ text }) => text);
  const { tokens } = source;
  return tokens.flatMap(({ text, start }, from) => {
    const behind = text === wanted[0] ? matchFrom(tokens, from, wanted) : undefined;
    return behind === undefined ? [] : [{ source, start, end: tokens[behind - 1]!.end }];
  });
}

/** The index behind the match. A comma before a closing bracket may be missing in the source or in the piece. */
function matchFrom(tokens: readonly Token[], from: number, wanted: readonly string[]): number | undefined {
  const isCloser = (index: number) => CLOSERS.has(tokens[index]?.text ?? "");
  let at = from;
  for (const text of wanted) {
    if (text !== "," && tokens[at]?.text === "," && isCloser(at + 1)) at += 1;
    if (tokens[at]?.text === text) at += 1;
    else if (text !== "," || !isCloser(at)) return undefined;
  }
  return at;
}

function innermost({ source, start, end }: Place): string {
  const around = source.declarations.filter((one) => one.start <= start && end <= one.end);
  return around.at(-1)?.path ?? "no declaration";
}

function lineOf({ source, start }: Place): string {
  return `${source.file}:${source.text.slice(0, start).split("\n").length}`;
}
