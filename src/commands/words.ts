import type {
  AndOr,
  CommandExpansionPart,
  ParameterCaseOperation,
  ParameterExpansionPart,
  PipelineNode,
  Word,
  WordPart,
} from "unbash";
import { STAND_IN, UNKNOWN, plain } from "./scan.ts";

/** Returns the value of a variable while one command is judged, with placeholders marked; undefined: unknown. */
export type Lookup = (variable: string) => string | undefined;

/** Maximum number of words that braces are expanded to. */
const MAX_BRACE_WORDS = 64;

/** Name that {@link Lookup} gets for the keys of any array: numbers, unless the text has maps. */
export const KEYS = "!keys";
/** Placeholder for any number. */
export const NUMBER = `${STAND_IN}0`;
/** Placeholders for the working directory and the home directory. */
const HERE = `${STAND_IN}.`;
const HOME = `${STAND_IN}~`;

/** Parameters whose value is a number, and their placeholders. `$!` is a job of the command itself, like %1. */
const NUMBERS: Readonly<Record<string, string>> = {
  "?": NUMBER,
  "#": NUMBER,
  $: "%$",
  "!": "%!",
  RANDOM: NUMBER,
  SECONDS: NUMBER,
  LINENO: NUMBER,
  UID: NUMBER,
  EUID: NUMBER,
  PPID: NUMBER,
  BASHPID: "%$",
  SRANDOM: NUMBER,
  EPOCHSECONDS: NUMBER,
};

/**
 * Returns the words that the shell makes of one: quotes removed, braces expanded, variables replaced by `lookup`,
 * unquoted results split. An unknown part is {@link UNKNOWN}; each placeholder has a mark. Patterns stay as they are.
 */
export function markedWords(word: Word, lookup: Lookup): string[] {
  if (word.parts === undefined) return [word.value];
  let grown: string[][] = [[""]]; // for each expansion of the braces: the words so far
  const append = (texts: readonly string[], isSplit: boolean) => {
    const next: string[][] = [];
    for (const words of grown) {
      for (const text of texts) next.push(join(words, isSplit ? text.split(/[ \t\n]+/u) : [text]));
    }
    grown = next.length > MAX_BRACE_WORDS ? [[UNKNOWN]] : next;
  };
  for (const part of word.parts) {
    const isQuoted = part.type === "DoubleQuoted" || part.type === "LocaleString";
    const isExpansion =
      part.type === "SimpleExpansion" || part.type === "ParameterExpansion" || part.type === "CommandExpansion";
    if (part.type === "BraceExpansion") append(braceWords(part.text), false);
    else if (isQuoted) append([part.parts.map((one) => partText(one, lookup)).join("")], false);
    else append([partText(part, lookup)], isExpansion);
  }
  const words = grown.flat();
  // An unquoted expansion to nothing is not a word.
  return words.length > 1 || word.parts.some(({ type }) => /Quoted|Locale/u.test(type))
    ? words
    : words.filter((one) => one !== "");
}

/** Returns the word as one text, as in an assignment, a redirection or a test. */
export function wordText(word: Word, lookup: Lookup): string {
  return plain(markedText(word, lookup));
}

/** The same, with a mark before each placeholder. */
export function markedText(word: Word, lookup: Lookup): string {
  if (word.parts === undefined) return word.value;
  return word.parts.map((part) => partText(part, lookup)).join("");
}

function join(words: readonly string[], more: readonly string[]): string[] {
  const [first = "", ...rest] = more;
  return [...words.slice(0, -1), (words.at(-1) ?? "") + first, ...rest];
}

function partText(part: WordPart, lookup: Lookup): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map((one) => partText(one, lookup)).join("");
    case "Glob":
    case "ExtendedGlob":
      return part.type === "Glob" ? part.text : UNKNOWN;
    case "SimpleExpansion":
      return parameter(part.text.slice(1), lookup);
    case "ParameterExpansion":
      return parameterExpansion(part, lookup);
    case "ArithmeticExpansion":
      return NUMBER;
    case "CommandExpansion":
      return outputOf(part, lookup);
    case "ProcessSubstitution":
      return `${STAND_IN}/dev/fd/63`;
    case "BraceExpansion":
      return part.text;
  }
}

function parameter(name: string, lookup: Lookup): string {
  if (name === "0") return UNKNOWN;
  if (/^(?:[1-9]\d*|[@*])$/u.test(name)) return lookup("@") ?? UNKNOWN;
  const value = lookup(name);
  if (value !== undefined) return value;
  if (name === "HOME") return HOME;
  if (name === "PWD") return HERE;
  return NUMBERS[name] ?? UNKNOWN;
}

function parameterExpansion(part: ParameterExpansionPart, lookup: Lookup): string {
  if (part.prefix === "#") return NUMBER;
  if (part.prefix === "!") return /^[@*]$/u.test(part.index?.text ?? "") ? (lookup(KEYS) ?? UNKNOWN) : UNKNOWN;
  const value = parameter(part.parameter, lookup);
  const { operation } = part;
  if (operation === undefined) return value;
  // A text without parameters uses the default value.
  if (
    operation.type === "Default" &&
    /^:?-$/u.test(operation.operator) &&
    plainName(part.parameter) === "@" &&
    lookup("@") === undefined
  )
    return markedText(operation.operand, lookup);
  // The result of an operator on a placeholder is not its result on the real value.
  if (value.includes(UNKNOWN) || value.includes(STAND_IN) || value.startsWith("~")) return UNKNOWN;
  if (operation.type === "CaseModification") return inOtherCase(value, operation);
  if (operation.type !== "Remove") return UNKNOWN;
  const pattern = markedText(operation.operand, lookup);
  if (pattern.includes(UNKNOWN) || pattern.includes(STAND_IN)) return UNKNOWN;
  // In quotes the characters of a pattern are literal, and the text alone does not show which are quoted.
  if (/[*?[\]\\]/u.test(pattern) && pattern !== operation.operand.text) return UNKNOWN;
  return removed(value, operation.operator, pattern);
}

function inOtherCase(value: string, { operator, operand }: ParameterCaseOperation): string {
  if (operand !== undefined || !/^[\x20-\x7e]*$/u.test(value)) return UNKNOWN;
  const changed = operator.startsWith("^") ? value.toUpperCase() : value.toLowerCase();
  return operator.length === 2 ? changed : changed.slice(0, 1) + value.slice(1);
}

/**
 * Evaluates `${name#prefix}` and similar operators for the common cases: plain texts, and removing a folder or an
 * extension from a path.
 */
function removed(value: string, operator: string, pattern: string): string {
  const fromStart = operator.startsWith("#");
  const glob = value.search(/[*?[]/u);
  if (!/[*?[\\]/u.test(pattern)) {
    // In a pattern, only the part before its first wildcard, or after its last, is known.
    const known = glob === -1 ? value : fromStart ? value.slice(0, glob) : value.replace(/^.*[*?\]]/su, "");
    const fits = fromStart ? value.startsWith(pattern) : value.endsWith(pattern);
    if (pattern.length > known.length && !isEnding(value, operator, pattern)) return UNKNOWN;
    if (!fits) return value;
    return fromStart ? value.slice(pattern.length) : value.slice(0, value.length - pattern.length);
  }
  const mark = pattern.replaceAll("*", "");
  if (mark.length !== 1 || /[?[\]\\]/u.test(mark)) return UNKNOWN;
  if (pattern !== (fromStart ? `*${mark}` : `${mark}*`)) return UNKNOWN;
  const isLast = operator === "##" || operator === "%";
  const at = isLast ? value.lastIndexOf(mark) : value.indexOf(mark);
  // A wildcard matches no slash, but may match any other character.
  if (glob !== -1 && mark !== "/") {
    const isTold = isLast ? at > value.search(/[*?\]](?=[^*?\]]*$)/u) : at !== -1 && at < glob;
    const isInFolder = value.replace(/[^/]*$/u, "").includes(mark);
    if (!isTold && (isInFolder || !isEnding(value, operator, mark))) return UNKNOWN;
  }
  if (at === -1) return value;
  return fromStart ? value.slice(at + 1) : value.slice(0, at);
}

/**
 * Whether an extension such as `.md` is removed from a plain name such as `*`: the rest is some name without a slash.
 */
function isEnding(value: string, operator: string, ending: string): boolean {
  return (
    operator.startsWith("%") &&
    ending.startsWith(".") &&
    !ending.includes("/") &&
    /^[^./][^/]*$/u.test(value.replace(/^.*\//su, ""))
  );
}

/** Returns the output of the few commands whose output is known, or contains no path. */
function outputOf(part: CommandExpansionPart, lookup: Lookup): string {
  const [statement, ...others] = part.script?.commands ?? [];
  const command = statement?.command;
  if (others.length === 0 && command !== undefined && isCount(command)) return NUMBER;
  if (command?.type !== "Command" || others.length > 0 || command.name === undefined || command.prefix.length > 0)
    return UNKNOWN;
  const words: string[] = [];
  for (const one of command.suffix) {
    if (one.type !== "Word") return UNKNOWN;
    words.push(...markedWords(one, lookup));
  }
  if (words.some((one) => one.includes(UNKNOWN))) return UNKNOWN;
  switch (command.name.value) {
    case "echo":
      return words.filter((one, index) => index > 0 || !/^-[neE]+$/u.test(one)).join(" ");
    case "pwd":
      return words.length === 0 ? HERE : UNKNOWN;
    case "date":
      return words.every((one) => /^(?:-u|\+[\w%:. -]*)$/u.test(one)) ? NUMBER : UNKNOWN;
    case "seq":
      return words.every((one) => /^-?\d+$/u.test(one)) ? NUMBER : UNKNOWN;
    case "nproc":
      return NUMBER;
    case "git":
      return /^rev-parse (?:--short )?(?:HEAD|[0-9a-f]{7,40})$/u.test(words.join(" ")) ? NUMBER : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** Whether a command prints one number: a count of its input, or the size or time of a file. */
function isCount(node: PipelineNode | AndOr): boolean {
  const command = node.type === "Pipeline" ? node.commands.at(-1) : node;
  if (command?.type !== "Command" || command.name === undefined || command.prefix.length > 0) return false;
  const words = command.args.map((one) => (one.type === "Word" ? one.text : UNKNOWN));
  const line = words.join(" ");
  switch (command.name.value) {
    case "wc":
      return /^(?:-[lcmw]|--(?:lines|bytes|chars|words))$/u.test(line);
    case "grep":
    case "egrep":
    case "fgrep":
      return (
        /^-[iEFvwx]*c[iEFvwx]*$/u.test(words[0] ?? "") &&
        words.length > 1 &&
        words.slice(2).every(isOneFile) &&
        words.length < 4
      );
    case "stat":
      return /^-c ?['"]?%[sYXZ]['"]? /u.test(line) && words.length <= 3 && isOneFile(words.at(-1) ?? "");
    case "git":
      return /^rev-list --count [\w./~^-]+$/u.test(line);
    default:
      return false;
  }
}

/** Whether a word, as written, is at most one file. */
function isOneFile(text: string): boolean {
  return /^(?:[\w./-]+|"\$\{?\w+\}?")$/u.test(text);
}

/** Expands `{a,b}` and `{1..3}`; anything nested or quoted inside is unknown. */
function braceWords(text: string): readonly string[] {
  const inside = text.slice(1, -1);
  if (/^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/u.test(inside)) return [NUMBER];
  if (/^[a-z]\.\.[a-z]$/iu.test(inside)) return [`${STAND_IN}a`];
  return /[{}'"\\$`]/u.test(inside) ? [UNKNOWN] : inside.split(",");
}

/** Returns the variables that a word uses, including those in the arguments of the first command of a substitution. */
export function variablesOf(word: Word): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (parts: readonly WordPart[] | undefined) => {
    for (const part of parts ?? []) {
      if (part.type === "SimpleExpansion") found.add(plainName(part.text.slice(1)));
      else if (part.type === "ParameterExpansion") found.add(plainName(part.parameter));
      else if (part.type === "DoubleQuoted" || part.type === "LocaleString") visit(part.parts);
      else if (part.type === "CommandExpansion") {
        const command = part.script?.commands[0]?.command;
        if (command?.type === "Command") for (const one of command.suffix) if (one.type === "Word") visit(one.parts);
      }
    }
  };
  visit(word.parts);
  return found;
}

function plainName(name: string): string {
  return /^(?:[1-9]\d*|[@*])$/u.test(name) ? "@" : name;
}
