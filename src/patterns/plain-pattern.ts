/** A pattern that is safe on the runtime's own backtracking engine, or the reason why it is not. */
export type PlainPattern =
  | {
      readonly ok: true;
      /** Whether every character in it stands for itself. */
      readonly isText: boolean;
      /** That text, if case matters. */
      readonly literal?: string;
      readonly expression: RegExp;
      /** Whether nothing is repeated, so that the work is proportional to the text. */
      readonly isLinear: boolean;
      /** Returns an upper bound on how often the engine looks at a character of a line of this length. */
      costOf(lineLength: number): number;
    }
  | { readonly ok: false; readonly reason: string };

/** Maximum number of paths that the engine may try from one position. */
const MAX_WAYS = 16;

const CLASS = String.raw`\[\^?(?:\\[\s\S]|[^\]\\])+\]`;
const ATOM = new RegExp(String.raw`${CLASS}|\\[dDwWsSbBtnrfv]|\\[^A-Za-z0-9]|[^\\()[\]{}*+?|^$]`, "uy");
/** Literal characters in a row, without one that is repeated. */
const TEXT = /[^.\\()[\]{}*+?|^$]+(?![*+?{])/uy;
const GROUP = /\((?:\?:)?(?!\?)/y;
const BORDER = /[)|^$]/y;
const QUANTIFIER = /(?:[*+?]|\{(\d{1,3})(,(\d{0,3}))?\})\??/y;

/**
 * Checks a pattern for the backtracking engine of the runtime: at most one repetition, no repeated group, few
 * alternatives. The work for a line is then bounded by a small multiple of its length, or of its length squared.
 */
export function plainPattern(pattern: string): PlainPattern {
  const ignoreCase = pattern.startsWith("(?i)");
  const source = ignoreCase ? pattern.slice("(?i)".length) : pattern;
  let at = 0;
  const find = (kind: RegExp) => {
    kind.lastIndex = at;
    return kind.exec(source);
  };
  /** For each open group: the number of paths through the alternatives before this one, and through this one so far. */
  const open = [{ before: 0, ways: 1 }];
  let repetitions = 0;
  let isOpenEnded = false;
  let isText = true;
  while (at < source.length) {
    const text = find(TEXT)?.[0];
    if (text !== undefined) {
      at += text.length;
      continue;
    }
    const group = find(GROUP)?.[0];
    const border = find(BORDER)?.[0];
    const atom = group ?? border ?? find(ATOM)?.[0];
    if (atom === undefined) return refused(`it has ${JSON.stringify(source.slice(at, at + 8))}`);
    at += atom.length;
    isText &&= /^(?:[^.[\\()|^$]|\\[^A-Za-z0-9])$/u.test(atom);
    if (group !== undefined) open.push({ before: 0, ways: 1 });
    let here = open.at(-1)!;
    if (atom === ")") {
      open.pop();
      const around = open.at(-1);
      if (around === undefined) return refused("a group is closed that was not opened");
      around.ways *= here.before + here.ways;
      here = around;
    }
    if (atom === "|") {
      here.before += here.ways;
      here.ways = 1;
    }
    const quantifier = find(QUANTIFIER);
    if (!quantifier) continue;
    if (group !== undefined || border !== undefined) return refused("a group, a border or nothing is repeated");
    const [whole, , comma, to] = quantifier;
    at += whole.length;
    isText = false;
    if (whole.startsWith("?")) here.ways *= 2;
    else repetitions += 1;
    isOpenEnded ||= /^[*+]/.test(whole) || (comma !== undefined && to === "");
  }
  if (open.length > 1) return refused("a group is not closed");
  if (repetitions > 1) return refused("more than one part is repeated");
  const ways = open[0]!.before + open[0]!.ways;
  if (ways > MAX_WAYS) return refused("it has too many alternatives");
  try {
    const expression = new RegExp(source, ignoreCase ? "iu" : "u");
    const literal = isText && !ignoreCase ? { literal: source.replaceAll(/\\(.)/gu, "$1") } : {};
    // A bounded repetition is at most 999 long.
    const costOf = (length: number) =>
      ways * length * (repetitions === 0 ? 1 : isOpenEnded ? length : Math.min(length, 999));
    return { ok: true, expression, isText, ...literal, isLinear: repetitions === 0, costOf };
  } catch (error) {
    return refused(error instanceof Error ? error.message : "it is no pattern");
  }
}

function refused(reason: string): PlainPattern {
  return { ok: false, reason };
}
