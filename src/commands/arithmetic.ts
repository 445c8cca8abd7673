import type { WordPart } from "unbash";
import { type Scan, UNKNOWN } from "./scan.ts";
import { type Lookup, wordText } from "./words.ts";

/**
 * What a shell would do that evaluates a text as arithmetic. `runs`: it runs the commands in the brackets of a subscript, as in `a[$(id)]`. `unknown`: the
 * text, or a variable that it names, may hold such a subscript.
 */
type ArithmeticProblem = "runs" | "unknown";

/** The values of a variable: none where the text gives it none; undefined where they are unknown. */
export type ValuesOf = (name: string) => readonly string[] | undefined;

/** The most variables that one text may lead to. */
const MAX_NAMES = 100;
const NUMBER = /(?<![\w$])\d[\w#@]*/gu;
const NAME = /\$?(?<![\w])[A-Za-z_]\w*|\$(?:\d|[@*])/gu;

/** A shell evaluates the values of names in turn, so all that a text leads to is looked at. */
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
    // A pattern stands for names of files, which may hold anything.
    if (values === undefined || values.some((one) => /[*?]/u.test(one))) return "unknown";
    for (const value of values) {
      const problem = problemOfArithmetic(value, valuesOf, seen);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** The text that is evaluated: plain variables stay as `$name`, so that their values are looked at; all else is expanded. */
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

/** Judges a text that the shell evaluates: in every mode what is sure to run a command, in mode restricted what may. */
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

/** Judges the name of a variable as a builtin takes it. */
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
