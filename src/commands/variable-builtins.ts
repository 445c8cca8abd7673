import { judgeNames } from "./environment.ts";
import { readOptions } from "./options.ts";
import type { ProgramRule } from "./program-rule.ts";
import { type Argument, type Scan, UNKNOWN } from "./scan.ts";
import { KEYS } from "./words.ts";

/** Options with a value of the builtins that set variables, and the option whose value is a variable. */
const FILLING: ReadonlyMap<string, { readonly valued: string; readonly target?: string }> = new Map([
  ["read", { valued: "-a -d -i -n -N -p -t -u", target: "-a" }],
  ["mapfile", { valued: "-d -n -O -s -u -C -c" }],
  ["readarray", { valued: "-d -n -O -s -u -C -c" }],
  ["printf", { valued: "-v", target: "-v" }],
  ["wait", { valued: "-p", target: "-p" }],
  ["unset", { valued: "" }],
  ["getopts", { valued: "" }],
]);

/**
 * `read`, `mapfile`, `printf -v`, `wait -p`, `getopts`, `unset`: they set variables to values that the text does not
 * show.
 */
export const filling: ProgramRule = (scan, { name, words }) => {
  const { valued, target } = FILLING.get(name) ?? { valued: "" };
  const { options, rest } = readOptions(words, valued, true);
  const targets = options.flatMap((one) => (one.name === target && one.value !== undefined ? [one.value] : []));
  if (name === "getopts") targets.push(...rest.slice(1, 2));
  else if (name !== "printf" && name !== "wait") targets.push(...rest);
  for (const one of targets) fill(scan, one);
  return [];
};

/** `export`, `declare` and similar builtins. */
export const declaring: ProgramRule = (scan, { name, words }) => {
  const isOption = ({ text }: Argument) => /^[-+]/u.test(text) || text.startsWith(UNKNOWN);
  const flags = words
    .filter(isOption)
    .map(({ text }) => text)
    .join("");
  // -n makes it a reference to another variable; -u, -l and -c change the case of later values.
  if (/[A\0]/u.test(flags)) scan.fill(KEYS);
  const isChanging = !/^(?:export|readonly)$/u.test(name) && /[nulc\0]/u.test(flags);
  for (const word of words.filter((one) => !isOption(one))) {
    const equals = word.text.search(/\+?=/u);
    const variable = equals === -1 ? word.text : word.text.slice(0, equals);
    const value = equals === -1 ? undefined : word.text.slice(equals).replace(/^\+?=/u, "");
    if (isChanging || (equals !== -1 && word.isAssignment !== true)) fill(scan, { ...word, text: variable });
    else scan.judgeTarget(variable, word.source);
    if (isChanging && /[n\0]/u.test(flags)) {
      // Later values go to the other variable.
      scan.judgeTarget(value ?? "", word.source);
      scan.fill(/^\w+$/u.test(value ?? "") ? value : undefined);
    }
    if (value === undefined) {
      // A new declaration, as by `local`, makes it empty.
      if (/^\w+$/u.test(variable) && !/^(?:export|readonly)$/u.test(name)) scan.fill(variable, "");
      continue;
    }
    if (/[i\0]/u.test(flags)) scan.judgeArithmetic(value, word.source);
  }
  // Values from other assignments are evaluated too.
  if (/[i\0]/u.test(flags))
    for (const word of words.filter((one) => !isOption(one)))
      scan.judgeArithmetic(word.text.replace(/[[+=].*$/su, ""), word.source);
  judgeNames(scan, words);
  return [];
};

/** `let`: each word is arithmetic. */
export const evaluating: ProgramRule = (scan, { words }) => {
  judgeNames(scan, words);
  for (const { text, source } of words) scan.judgeArithmetic(text, source);
  return [];
};

function fill(scan: Scan, word: Argument): void {
  judgeNames(scan, [word]);
  scan.judgeTarget(word.text, word.source);
  const [name] = /^[A-Za-z_]\w*/u.exec(word.text) ?? [];
  if (word.text.includes(UNKNOWN)) scan.fill(undefined);
  else if (name !== undefined) scan.fill(name);
}
