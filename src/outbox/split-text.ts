import { closingSize, continued, fenceAfter, isClosing, looksLikeFence } from "./code-fence.ts";
import type { Fence } from "./code-fence.ts";
import { measure, reach } from "./text-length.ts";
import type { LengthUnit } from "./text-length.ts";

/** Options of `splitText`. */
export interface SplitOptions {
  /** Longest part, in `unit`s. `Infinity`: one part. */
  readonly maxLength: number;
  /** `chars` counts UTF-16 code units, `bytes` UTF-8 bytes. */
  readonly unit: LengthUnit;
}

/**
 * Least share of a part that is filled before it ends at a better place, unless only one more part follows. Also keeps
 * the work linear in the text's length.
 */
const MIN_FILL = 0.5;

/** A place where a part may end. */
interface Cut {
  /** End of the part's text. */
  readonly end: number;
  /** Start of the next part's text, before blanks are skipped. */
  readonly next: number;
  /** The fence that the part must close. */
  readonly closes: Fence | null;
  /** The fence that the next part must reopen. */
  readonly reopens: Fence | null;
}

/**
 * Splits a Markdown text into parts that fit a platform's limit. It cuts between paragraphs if that fills a part well
 * enough or the rest fits one part, else between lines, sentences, words, and at last graphemes.
 * An emoji of several code points stays whole, unless it alone exceeds the limit; a surrogate pair always does.
 * A code fence that is cut is closed at the end of the part and reopened, with its info string, in the next.
 * Nothing is lost but blanks at the cuts. A blank text has no parts; a text that fits is one part, unchanged.
 *
 * Source: docs/channels.md, "Long replies".
 *
 * @throws {RangeError} If `maxLength` is not a whole number that any code point fits: 2 or more `chars`, 4 or more
 * `bytes`. `Infinity` is allowed.
 * @example
 * ```ts
 * splitText(reply, { maxLength: 4096, unit: "chars" });
 * ```
 */
export function splitText(text: string, options: SplitOptions): string[] {
  const { maxLength, unit } = options;
  const least = unit === "chars" ? 2 : 4;
  if (maxLength !== Infinity && (!Number.isInteger(maxLength) || maxLength < least)) {
    throw new RangeError(
      `Cannot split a text as maxLength must be a whole number of ${least} or more ${unit}: current value is ${maxLength}`,
    );
  }
  if (text.trim() === "") return [];
  if (measure(text, 0, text.length, unit) <= maxLength) return [text];

  const findCut = createCutter(text, options);
  const parts: string[] = [];
  let position = afterBlanks(text, 0);
  let fence: Fence | null = null;
  while (position < text.length) {
    const opening: string = fence === null ? "" : `${fence.reopen}\n`;
    const cut: Cut = findCut(position, maxLength - measure(opening, 0, opening.length, unit), fence);
    const body = opening + text.slice(position, cut.end);
    // Inside a fence every blank counts, also at the edges.
    const part = cut.closes === null ? body.trimEnd() : `${body}\n${cut.closes.close}`;
    if (part !== "") parts.push(part);
    position = cut.reopens === null ? afterBlanks(text, cut.next) : cut.next;
    fence = cut.reopens;
  }
  return parts;
}

function createCutter(text: string, { maxLength, unit }: SplitOptions) {
  let known = { start: 0, end: -1 };
  let segmenter: Intl.Segmenter | undefined;

  /** End of the line that contains `start`. Cached, so that a long line is not searched again for every part. */
  function lineEnd(start: number): number {
    if (start < known.start || start > known.end) {
      const newline = text.indexOf("\n", start);
      known = { start, end: newline === -1 ? text.length : newline };
    }
    return known.end;
  }

  /** The best end of the part that begins at `from`, with `open` open, and room for `budget`. */
  return function findCut(from: number, budget: number, open: Fence | null): Cut {
    const wanted = Math.floor(budget * MIN_FILL);
    let fence = open;
    let paragraph: Cut | undefined;
    let line: Cut | undefined;
    let codeLine: Cut | undefined;
    let enough = { paragraph: false, line: false, codeLine: false };

    let start = from;
    for (let size = 0; ; size++) {
      const end = lineEnd(start);
      size += measure(text, start, Math.min(end, start + budget + 1), unit);
      if (size > budget) break;
      if (end === text.length) return { end, next: end, closes: null, reopens: null };

      const before = fence;
      fence = fenceAfter(text.slice(start, end), fence, maxLength, unit);
      if (fence === null) {
        codeLine = undefined;
        line = { end, next: end, closes: null, reopens: null };
        const endsParagraph = text[end + 1] === "\n" || text.startsWith("\r\n", end + 1);
        if (endsParagraph) paragraph = line;
        enough = { ...enough, line: size >= wanted, paragraph: enough.paragraph || (endsParagraph && size >= wanted) };
      } else if (before !== null && size + closingSize(fence) <= budget) {
        codeLine = { end, next: end + 1, closes: fence, reopens: continued(fence) };
        enough = { ...enough, codeLine: size >= wanted };
      }
      start = end + 1;
    }
    if (paragraph && (enough.paragraph || isLastPart(paragraph.next))) return paragraph;
    if (line && enough.line) return line;
    if (codeLine && enough.codeLine) return withoutEmptyRest(codeLine);
    // Only a cut within a line is left. A fence that opens in this part without room for a line of code begins the next
    // part instead.
    const opensHere = fence !== open && fence !== null && codeLine === undefined;
    if (line && (opensHere || opensNext(start, fence))) return line;
    return cutInLine(from, budget, fence === null ? start : from, fence);
  };

  /** Whether all that follows fits one part. */
  function isLastPart(next: number): boolean {
    const start = afterBlanks(text, next);
    return text.length - start <= maxLength && measure(text, start, text.length, unit) <= maxLength;
  }

  /** Whether the line that did not fit opens a fence. */
  function opensNext(start: number, fence: Fence | null): boolean {
    const end = lineEnd(start);
    return (
      fence === null && end - start <= maxLength && fenceAfter(text.slice(start, end), null, maxLength, unit) !== null
    );
  }

  /** If only its closing line is left of the fence, the closing of this part replaces that line. */
  function withoutEmptyRest(cut: Cut): Cut {
    const fence = cut.closes;
    const newline = text.indexOf("\n", cut.next);
    const end = newline === -1 ? text.length : newline;
    if (fence === null || end - cut.next > maxLength || !isClosing(text.slice(cut.next, end), fence)) return cut;
    return { end: cut.end, next: end, closes: fence, reopens: null };
  }

  function cutInLine(from: number, budget: number, lineStart: number, fence: Fence | null): Cut {
    const far = reach(text, from, fence === null ? budget : budget - closingSize(fence), unit);
    const lowest = Math.max(lineStart + 1, from + Math.floor((far - from) * MIN_FILL));
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
    const graphemes = segmenter.segment(text.slice(from, far + 2));
    const graphemeStart = (index: number) => from + (graphemes.containing(index - from)?.index ?? index - from);
    const isGood = (index: number) => graphemeStart(index) === index && !looksLikeFence(text, index);
    const at = (end: number): Cut => ({
      end,
      next: end,
      closes: fence,
      reopens: fence === null ? null : continued(fence),
    });

    let word: number | undefined;
    for (let index = far; index >= lowest && text[index - 1] !== "\n"; index--) {
      if (endsSentence(text, index) && isGood(index)) return at(index);
      if (word === undefined && endsWord(text, index) && isGood(index)) word = index;
    }
    if (word !== undefined) return at(word);

    let end = graphemeStart(far);
    if (looksLikeFence(text, end)) {
      // A run of backticks at the beginning of a part would be a fence.
      while (end > from && /[`~ \t]/.test(text[end - 1] ?? "")) end--;
      if (end > from) end = graphemeStart(end - 1);
    }
    return at(end > from ? end : far);
  }
}

/**
 * From the end of a line: the beginning of the next line that is not blank. From within a line: the next character that
 * is not blank.
 */
function afterBlanks(text: string, from: number): number {
  let lineStart = -1;
  for (let index = from; index < text.length; index++) {
    const character = text[index] ?? "";
    if (character === "\n") lineStart = index + 1;
    else if (!/\s/.test(character))
      return lineStart === -1 && from > 0 ? beforeCombining(text, index, from) : Math.max(lineStart, 0);
  }
  return text.length;
}

/** A combining mark keeps the blank before it. */
function beforeCombining(text: string, index: number, from: number): number {
  return index > from && /^[\p{M}\u200d]/u.test(text.slice(index, index + 2)) ? index - 1 : index;
}

const CLOSERS = "\"')]*_`”’»";
const WIDE_CLOSERS = "”’」』）】》";

function endsSentence(text: string, index: number): boolean {
  const next = text[index] ?? "";
  const last = text[index - 1] ?? "";
  const ender = (closers: string) => (closers.includes(last) ? (text[index - 2] ?? "") : last);
  if (/\s/.test(next)) return /[.!?…。！？；]/.test(ender(CLOSERS));
  return /[。！？；]/.test(ender(WIDE_CLOSERS)) && !(WIDE_CLOSERS + "。！？；").includes(next);
}

function endsWord(text: string, index: number): boolean {
  const last = text[index - 1] ?? "";
  return (/\s/.test(text[index] ?? "") && !/\s/.test(last)) || /[，、：]/.test(last);
}
