import type { Finding } from "./finding.ts";

/** Stands for the part of a word that only running the command would tell. NUL is no part of any command: the guard refuses it at the door. */
export const UNKNOWN = "\0";

/**
 * Marks a text that stands for another one: the dot that is judged for the working directory, the nought for any number. What an operator such as
 * `${x%%/*}` makes of it says nothing. Control characters are refused at the door, as NUL is.
 */
export const STAND_IN = "\u0001";
/** After {@link STAND_IN}: the working directory as it was when a variable or another text took it. */
const EARLIER = "\u0002";

/** A text without marks. */
export function plain(marked: string): string {
  return marked.replaceAll(STAND_IN, "").replaceAll(EARLIER, "");
}

/** A text as a variable or another shell keeps it: the working directory in it stays the one of now. */
export function kept(marked: string): string {
  return marked.replaceAll(`${STAND_IN}.`, `${STAND_IN}${EARLIER}.`);
}

/** Whether a text holds the working directory of earlier. */
export function isOfEarlier(marked: string): boolean {
  return marked.includes(EARLIER);
}

/** One word of a command as the program receives it, and as it is written. */
export interface Argument {
  readonly text: string;
  readonly source: string;
  /** The text with its stand-ins marked, where it has any. */
  readonly marked?: string;
  /** The shell takes it for an assignment, as `x=1` after `declare`: its value is known from the text. */
  readonly isAssignment?: true;
}

/** A word without its first characters. */
export function withoutStart(word: Argument, length: number): Argument {
  const { text, source } = word;
  let marked = markedOf(word);
  for (let left = length; left > 0; marked = marked.slice(1)) if (plain(marked.charAt(0)) !== "") left--;
  return { text: text.slice(length), source, marked };
}

/** A word with an item in the places of a marker, as `{}` of find and xargs. */
export function filled(word: Argument, marker: string, item: Argument): Argument {
  const { text, source } = word;
  if (!text.includes(marker)) return word;
  const marked = markedOf(word).replaceAll(marker, () => markedOf(item));
  return { text: text.replaceAll(marker, () => item.text), source, marked };
}

/**
 * A path that a list of files prints, below folders that were judged. An operator makes of it what it makes of a pattern, where it is known how the path
 * begins: below `.` as `./*`, below a folder with a plain name as `*`.
 *
 * @param folders Where `find` looks, marked; undefined for other lists.
 */
export function foundBelow(folders: readonly string[] | undefined, source: string): Argument {
  const isHere = folders?.every((one) => /^\.(?:\/[^/]+)*\/?$/u.test(one)) === true;
  const isBelow = folders?.every((one) => /^[\w*?][^/]*(?:\/[^/]+)*\/?$/u.test(one)) === true;
  return { text: "./found", source, marked: isHere ? "./*" : isBelow ? "*" : `${STAND_IN}./found` };
}

/** The text of a word for whatever expands it again. */
export function markedOf(word: Argument): string {
  return word.marked ?? word.text;
}

/** What a command reads when it reads its standard input. */
export type Input =
  | { readonly kind: "own" }
  | { readonly kind: "text"; readonly text: string }
  /** The output of other commands: the words of each, or undefined where they are no plain commands. */
  | { readonly kind: "pipe"; readonly from: readonly (readonly string[] | undefined)[] };

/** Where a command runs. */
export interface Place {
  /** The folders that it may run in: relative to the root, or as they were written where they lead elsewhere. */
  readonly folders: readonly string[];
  readonly input: Input;
  /** How many commands wrap this one. */
  readonly depth: number;
  /** In a loop or a function: runs any number of times. */
  readonly repeated: boolean;
}

/** One simple command with its words resolved. */
export interface Call {
  /** The program's name without its folder, in lower case. */
  readonly name: string;
  /** The program as it is named, with its folder. */
  readonly program: string;
  readonly words: readonly Argument[];
  readonly source: string;
  readonly place: Place;
}

/** What the rules see and say while one text is judged. */
export interface Scan {
  readonly mode: "restricted" | "open";
  readonly root: string;
  readonly protectedPaths: readonly string[];
  refuse(finding: Finding): void;
  isRefused(): boolean;
  /** Judges a text that a shell would run. `parameters` are its $1, $2 and so on. */
  runText(text: string, source: string, place: Place, parameters?: readonly Argument[]): void;
  /** Judges a command that another one starts without a shell. */
  runWords(words: readonly Argument[], source: string, place: Place): void;
  /** From here on the commands of this list run in another folder. */
  changeFolder(target: string | undefined, source: string, place: Place): void;
  /** Judges what the shell evaluates as arithmetic. */
  judgeArithmetic(text: string, source: string): void;
  /** Judges the name of a variable as a builtin takes it: with a subscript, which the shell evaluates. */
  judgeTarget(name: string, source: string): void;
  /** A variable gets a value; undefined: one that the text does not tell. Without a name: an unknown variable does. */
  fill(variable: string | undefined, value?: string): void;
  /** The functions that the text defines. */
  readonly functions: ReadonlySet<string>;
  /** Files that the text downloads, and files that it runs. */
  readonly downloaded: Set<string>;
  readonly executed: Map<string, string>;
}

/** The most commands inside commands, as in `sh -c "sh -c …"`. */
export const MAX_DEPTH = 8;
