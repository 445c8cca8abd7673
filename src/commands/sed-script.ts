/** Effects of a sed script besides editing text. */
export interface SedEffects {
  /** Whether it runs commands: `e`, or the flag of `s///e`. */
  readonly runs: boolean;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Parses a sed script far enough to find its commands `e`, `r`, `w` and the flags of `s`. One pass; undefined if the
 * script cannot be parsed.
 */
export function sedEffects(script: string): SedEffects | undefined {
  const reads: string[] = [];
  const writes: string[] = [];
  let runs = false;
  let at = 0;

  function section(delimiter: string): boolean {
    let inBrackets = false;
    for (; at < script.length; at++) {
      const character = script[at];
      if (character === "\\") at++;
      else if (character === "[" && !inBrackets)
        inBrackets = script.indexOf("]", at + 2) !== -1 && script.indexOf("]", at + 2) < lineEnd();
      else if (character === "]") inBrackets = false;
      else if (character === delimiter && !inBrackets) {
        at++;
        return true;
      }
    }
    return false;
  }
  function lineEnd(): number {
    const end = script.indexOf("\n", at);
    return end === -1 ? script.length : end;
  }
  function line(): string {
    const end = lineEnd();
    const text = script.slice(at, end);
    at = end;
    return text.trim();
  }

  while (at < script.length) {
    const character = script[at++] as string;
    if (/[\s;{}!0-9,~+$IM]/u.test(character)) continue;
    if (character === "/") {
      if (!section("/")) return undefined;
    } else if (character === "\\") {
      const delimiter = script[at++];
      if (delimiter === undefined || !section(delimiter)) return undefined;
    } else if (character === "#") line();
    else if (character === "s" || character === "y") {
      const delimiter = script[at++];
      if (delimiter === undefined || !section(delimiter) || !section(delimiter)) return undefined;
      if (character === "y") continue;
      for (; at < script.length && /[gpiImMe0-9w]/u.test(script[at] as string); at++) {
        if (script[at] === "e") runs = true;
        if (script[at] === "w") {
          at++;
          writes.push(line());
          break;
        }
      }
    } else if (character === "e") {
      runs = true;
      line();
    } else if (character === "r" || character === "R") reads.push(line());
    else if (character === "w" || character === "W") writes.push(line());
    else if (/[aic]/u.test(character)) {
      // A text up to the end of its last line; a line that ends in \ continues.
      while (line().endsWith("\\") && at < script.length) at++;
    } else if (/[:btTv]/u.test(character)) while (at < script.length && !/[;\n}]/u.test(script[at] as string)) at++;
    else if (!/[=dDgGhHlnNpPqQxzF]/u.test(character)) return undefined;
  }
  return { runs, reads, writes };
}
