import type { Finding } from "./finding.ts";

/** Stands for the part of a word that only running the command would tell. NUL is no part of any command: the guard refuses it at the door. */
export const UNKNOWN = "\0";

/** One word of a command as the program receives it, and as it is written. */
export interface Argument {
  readonly text: string;
  readonly source: string;
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
  /** The functions that the text defines. */
  readonly functions: ReadonlySet<string>;
  /** Files that the text downloads, and files that it runs. */
  readonly downloaded: Set<string>;
  readonly executed: Map<string, string>;
}

/** The most commands inside commands, as in `sh -c "sh -c …"`. */
export const MAX_DEPTH = 8;
