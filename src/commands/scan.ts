import type { Finding } from "./finding.ts";

/**
 * Placeholder for a part of a word that is known only when the command runs. The guard refuses NUL in commands, so it
 * cannot occur in the text.
 */
export const UNKNOWN = "\0";

/**
 * Marks a placeholder for another text: the dot for the working directory, the zero for any number. The result of an
 * operator such as `${x%%/*}` on a placeholder is meaningless. The guard refuses control characters in commands, as
 * it does NUL.
 */
export const STAND_IN = "\u0001";
/**
 * Follows {@link STAND_IN} if the working directory is the one at an earlier time, when a variable or another text
 * stored it.
 */
const EARLIER = "\u0002";

/** Removes the marks from a text. */
export function plain(marked: string): string {
  return marked.replaceAll(STAND_IN, "").replaceAll(EARLIER, "");
}

/** Returns a text as a variable or another shell stores it: its working directory becomes the earlier one. */
export function kept(marked: string): string {
  return marked.replaceAll(`${STAND_IN}.`, `${STAND_IN}${EARLIER}.`);
}

/** Whether a text contains an earlier working directory. */
export function isOfEarlier(marked: string): boolean {
  return marked.includes(EARLIER);
}

/** One word of a command: as the program receives it, and its source. */
export interface Argument {
  readonly text: string;
  readonly source: string;
  /** The text with its placeholders marked, if it has any. */
  readonly marked?: string;
  /**
   * Set if the shell treats the word as an assignment, such as `x=1` after `declare`: its value is known from the
   * text.
   */
  readonly isAssignment?: true;
}

/** Returns a word without its first `length` characters. */
export function withoutStart(word: Argument, length: number): Argument {
  const { text, source } = word;
  let marked = markedOf(word);
  for (let left = length; left > 0; marked = marked.slice(1)) if (plain(marked.charAt(0)) !== "") left--;
  return { text: text.slice(length), source, marked };
}

/** Replaces a marker in a word by an item, such as `{}` of find and xargs. */
export function filled(word: Argument, marker: string, item: Argument): Argument {
  const { text, source } = word;
  if (!text.includes(marker)) return word;
  const marked = markedOf(word).replaceAll(marker, () => markedOf(item));
  return { text: text.replaceAll(marker, () => item.text), source, marked };
}

/**
 * Returns a path that a list of files prints, below judged folders. Operators work on it as on a pattern if the
 * beginning of the path is known: `./*` below `.`, `*` below a folder with a plain name.
 *
 * @param folders The folders that `find` searches, marked; undefined for other lists.
 */
export function foundBelow(folders: readonly string[] | undefined, source: string): Argument {
  const isHere = folders?.every((one) => /^\.(?:\/[^/]+)*\/?$/u.test(one)) === true;
  const isBelow = folders?.every((one) => /^[\w*?][^/]*(?:\/[^/]+)*\/?$/u.test(one)) === true;
  return { text: "./found", source, marked: isHere ? "./*" : isBelow ? "*" : `${STAND_IN}./found` };
}

/** Returns the text of a word for code that expands it again. */
export function markedOf(word: Argument): string {
  return word.marked ?? word.text;
}

/** Standard input of a command. */
export type Input =
  | { readonly kind: "own" }
  | { readonly kind: "text"; readonly text: string }
  /** The output of other commands: the words of each, or undefined if it is not a plain command. */
  | { readonly kind: "pipe"; readonly from: readonly (readonly string[] | undefined)[] };

/** The context of a command. */
export interface Place {
  /** The possible working directories: relative to the root, or as they were written if they are outside it. */
  readonly folders: readonly string[];
  readonly input: Input;
  /** Number of commands that wrap this one. */
  readonly depth: number;
  /** Whether it is in a loop or function, so that it can run any number of times. */
  readonly repeated: boolean;
}

/** One simple command with its words resolved. */
export interface Call {
  /** Name of the program without its folder, in lower case. */
  readonly name: string;
  /** The program as written, with its folder. */
  readonly program: string;
  readonly words: readonly Argument[];
  readonly source: string;
  readonly place: Place;
}

/** State and operations that rules use while one text is judged. */
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
  /** Changes the working directory for the rest of this list of commands. */
  changeFolder(target: string | undefined, source: string, place: Place): void;
  /** Judges a text that the shell evaluates as arithmetic. */
  judgeArithmetic(text: string, source: string): void;
  /** Judges the name of a variable as an argument of a builtin: with a subscript, which the shell evaluates. */
  judgeTarget(name: string, source: string): void;
  /**
   * Assigns a value to a variable; undefined: a value that the text does not show. Without a name, any variable may
   * change.
   */
  fill(variable: string | undefined, value?: string): void;
  /** The functions that the text defines. */
  readonly functions: ReadonlySet<string>;
  /** Files that the text downloads, and files that it runs. */
  readonly downloaded: Set<string>;
  readonly executed: Map<string, string>;
}

/** Maximum nesting of commands, as in `sh -c "sh -c …"`. */
export const MAX_DEPTH = 8;
