import type { CommandExpansionPart, ParameterExpansionPart, Word, WordPart } from "unbash";
import { UNKNOWN } from "./scan.ts";

/** What a variable stands for while one command is judged; undefined: nobody knows. */
export type Lookup = (variable: string) => string | undefined;

/** The most words that braces are written out to. */
const MAX_BRACE_WORDS = 64;

/** Parameters whose value is a number, and what stands for it. `$!` is a job of one's own, as %1 is. */
const NUMBERS: Readonly<Record<string, string>> = {
  "?": "0",
  "#": "0",
  $: "%$",
  "!": "%!",
  RANDOM: "0",
  SECONDS: "0",
  LINENO: "0",
  UID: "0",
  EUID: "0",
  PPID: "0",
  BASHPID: "%$",
  SRANDOM: "0",
  EPOCHSECONDS: "0",
};

/**
 * The words that the shell makes of one: quotes removed, braces written out, variables filled in as `lookup` says, the result split where it
 * is not quoted. What cannot be told is {@link UNKNOWN}. Patterns stay as they are.
 */
export function expandWord(word: Word, lookup: Lookup): string[] {
  if (word.parts === undefined) return [word.value];
  let grown: string[][] = [[""]]; // for each spelling that the braces give: the words so far
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
  // An unquoted expansion of nothing is no word at all.
  return words.length > 1 || word.parts.some(({ type }) => /Quoted|Locale/u.test(type))
    ? words
    : words.filter((one) => one !== "");
}

/** The same word as one text, as an assignment, a redirection or a test takes it. */
export function wordText(word: Word, lookup: Lookup): string {
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
      return "0";
    case "CommandExpansion":
      return outputOf(part, lookup);
    case "ProcessSubstitution":
      return "/dev/fd/63";
    case "BraceExpansion":
      return part.text;
  }
}

function parameter(name: string, lookup: Lookup): string {
  if (name === "0") return UNKNOWN;
  if (/^(?:[1-9]\d*|[@*])$/u.test(name)) return lookup("@") ?? UNKNOWN;
  const value = lookup(name);
  if (value !== undefined) return value;
  if (name === "HOME") return "~";
  if (name === "PWD") return ".";
  return NUMBERS[name] ?? UNKNOWN;
}

function parameterExpansion(part: ParameterExpansionPart, lookup: Lookup): string {
  if (part.prefix === "#") return "0";
  if (part.prefix === "!") return UNKNOWN;
  const value = parameter(part.parameter, lookup);
  const { operation } = part;
  if (operation === undefined || operation.type === "CaseModification") return value;
  if (operation.type !== "Remove" || value.includes(UNKNOWN)) return UNKNOWN;
  return removed(value, operation.operator, wordText(operation.operand, lookup));
}

/** `${name#prefix}` and its kin, for what people write: plain texts, and the ways to take a name or an ending off a path. */
function removed(value: string, operator: string, pattern: string): string {
  if (!/[*?[\0]/u.test(pattern)) {
    if (operator.startsWith("#")) return value.startsWith(pattern) ? value.slice(pattern.length) : value;
    return value.endsWith(pattern) ? value.slice(0, value.length - pattern.length) : value;
  }
  const mark = pattern.replaceAll("*", "");
  if (mark.length !== 1) return UNKNOWN;
  const at = operator === "##" || operator === "%" ? value.lastIndexOf(mark) : value.indexOf(mark);
  if (at === -1) return value;
  if (operator.startsWith("#") && pattern === `*${mark}`) return value.slice(at + 1);
  return operator.startsWith("%") && pattern === `${mark}*` ? value.slice(0, at) : UNKNOWN;
}

/** The few commands whose output is known, or holds no path. */
function outputOf(part: CommandExpansionPart, lookup: Lookup): string {
  const [statement, ...others] = part.script?.commands ?? [];
  const command = statement?.command;
  if (command?.type !== "Command" || others.length > 0 || command.name === undefined || command.prefix.length > 0)
    return UNKNOWN;
  const words: string[] = [];
  for (const one of command.suffix) {
    if (one.type !== "Word") return UNKNOWN;
    words.push(...expandWord(one, lookup));
  }
  if (words.some((one) => one.includes(UNKNOWN))) return UNKNOWN;
  switch (command.name.value) {
    case "echo":
      return words.filter((one, index) => index > 0 || !/^-[neE]+$/u.test(one)).join(" ");
    case "pwd":
      return words.length === 0 ? "." : UNKNOWN;
    case "date":
      return words.every((one) => /^(?:-u|\+[^/]*)$/u.test(one)) ? "0" : UNKNOWN;
    case "seq":
      return words.every((one) => /^-?\d+$/u.test(one)) ? "0" : UNKNOWN;
    case "nproc":
      return "0";
    case "git":
      return /^rev-parse (?:--short )?(?:HEAD|[0-9a-f]{7,40})$/u.test(words.join(" ")) ? "0" : UNKNOWN;
    default:
      return UNKNOWN;
  }
}

/** `{a,b}` and `{1..3}`; anything nested or quoted inside is not told. */
function braceWords(text: string): readonly string[] {
  const inside = text.slice(1, -1);
  if (/^-?\d+\.\.-?\d+(?:\.\.-?\d+)?$/u.test(inside)) return ["0"];
  if (/^[a-z]\.\.[a-z]$/iu.test(inside)) return ["a"];
  return /[{}'"\\$`]/u.test(inside) ? [UNKNOWN] : inside.split(",");
}

/** The variables that a word asks for, not those of commands inside it. */
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
