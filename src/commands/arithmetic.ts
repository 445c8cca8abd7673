import type { WordPart } from "unbash";
import { type Scan, UNKNOWN } from "./scan.ts";
import { type Lookup, wordText } from "./words.ts";

/**
 * What happens when a shell evaluates a text as arithmetic. `runs`: the shell runs the commands in the brackets of a
 * subscript, as in `a[$(id)]`. `unknown`: the text, or a variable in it, may contain such a subscript.
 */
type ArithmeticProblem = "runs" | "unknown";

/** Returns the values of a variable: an empty list if the text assigns none; undefined if they are unknown. */
export type ValuesOf = (name: string) => readonly string[] | undefined;

/** Maximum number of variables that the evaluation of one text may reach. */
const MAX_NAMES = 100;
const NUMBER = /(?<![\w$])\d[\w#@]*/gu;
const NAME = /\$?(?<![\w])[A-Za-z_]\w*|\$(?:\d|[@*])/gu;

/** Judges a text and, because a shell evaluates the values of names in turn, all values that it leads to. */
function problemOfArithmetic(
  text: string,
  valuesOf: ValuesOf,
  seen: Set<string> = new Set(),
): ArithmeticProblem | undefined {
  if (text.includes(UNKNOWN)) return "unknown";
  if (/[`]|\$[^\w@*#?$!]|\$$/u.test(text)) return "runs";
  for (const [found] of text
    .replaceAll(/\$[#?$!]/gu, "0")
    .replaceAll(NUMBER, "0")
    .matchAll(NAME)) {
    const name = found.replace(/^\$/u, "").replace(/^(?:\d|\*)$/u, "@");
    if (seen.has(name)) continue;
    seen.add(name);
    if (seen.size > MAX_NAMES) return "unknown";
    const values = valuesOf(name);
    // A pattern stands for file names, which may contain anything.
    if (values === undefined || values.some((one) => /[*?]/u.test(one))) return "unknown";
    for (const value of values) {
      const problem = problemOfArithmetic(value, valuesOf, seen);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/**
 * Returns the text that the shell evaluates. Plain variables stay as `$name`, so that their values are judged;
 * everything else is expanded.
 */
export function arithmeticText(parts: readonly WordPart[] | undefined, text: string, lookup: Lookup): string {
  if (parts === undefined) return text;
  return parts
    .map((part) => {
      if (part.type === "SimpleExpansion") return ` ${part.text} `;
      if (part.type === "DoubleQuoted" || part.type === "LocaleString")
        return arithmeticText(part.parts, part.text, lookup);
      if (part.type === "ParameterExpansion" && part.prefix === undefined && part.operation === undefined)
        return ` $${part.parameter} `;
      const { pos, end } = part;
      return wordText({ type: "Word", text: part.text, value: part.text, pos, end, parts: [part] }, lookup);
    })
    .join("");
}

/**
 * Judges a text that the shell evaluates. A text that certainly runs a command is refused in every mode, one that may
 * do so in mode restricted.
 */
export function judgeArithmetic(
  scan: Pick<Scan, "mode" | "refuse">,
  valuesOf: ValuesOf,
  text: string,
  source: string,
): void {
  const problem = problemOfArithmetic(text, valuesOf);
  if (problem === "runs")
    scan.refuse({
      danger: "hidden command",
      offending: source,
      why: "the shell runs what stands in the brackets",
      instead: "use plain names and numbers",
    });
  else if (problem === "unknown" && scan.mode === "restricted")
    scan.refuse({
      danger: "unjudged expansion",
      offending: source,
      why: "the shell evaluates a value that is known only when it runs, and runs commands that stand in its brackets",
      instead: 'compare with [ "$x" -gt 1 ], which evaluates nothing, or take the number from wc -l or grep -c',
    });
}

/** Judges the name of a variable as an argument of a builtin. */
export function judgeTarget(
  scan: Pick<Scan, "mode" | "refuse">,
  valuesOf: ValuesOf,
  name: string,
  source: string,
): void {
  const [, subscript] = /^[^[]*\[(.*)\]/su.exec(name) ?? [];
  if (subscript !== undefined) judgeArithmetic(scan, valuesOf, subscript, source);
  else if (name.includes(UNKNOWN) && scan.mode === "restricted")
    scan.refuse({
      danger: "unjudged expansion",
      offending: source,
      why: "which variable this means is known only when it runs",
      instead: "name the variable itself",
    });
}
