/**
 * Longest message that is read whole, in characters. A longer one is a document: only its beginning and end are read,
 * since they tell the most.
 */
const MAX_CHARS = 24_576;
const MAX_END_CHARS = 6144;
/** Longest sentence in characters. Text without sentence ends is cut into pieces of at most this length. */
const MAX_SENTENCE = 600;

/** End of a sentence. Not after abbreviations such as `e.g.` and `No.`, nor after an ellipsis. */
const END =
  /(?<=(?<!\.\.)[.!?]["”')]?)(?<!\b(?:e\.g|i\.e|no|nr|dr|mrs?|ms|st|vs|approx|ext|tel|inc|etc)\.)\s+|(?<=[。！？；])/i;
const MAY_END = /[.!?]["”')]?\s|[。！？；]/;
const LINE_ENDS = /[\r\n\v\f\u0085\u2028\u2029]+/;
const BULLET = /^(?:[-*•–]|\d{1,3}[.)、])\s+/;
const HEADING =
  /^[#*\s]{0,8}(?:(decisions?(?: made)?|agreed|conclusions?|决定|结论)|((?:open )?tasks|to-?dos?(?: list)?|next steps|action items|open items|待办(?:事项)?|下一步)|((?:key )?facts|preferences|notes to keep|偏好|事实))[*\s]{0,4}[:：]?[*\s]{0,4}$/i;

export interface Sentence {
  readonly text: string;
  /** The kind that the heading of the sentence's list names. */
  readonly listed?: "decision" | "task" | "fact" | undefined;
}

/** Splits a message into sentences of one line each. Leaves out fenced code. */
export function sentencesOf(text: string): readonly Sentence[] {
  const read =
    text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS - MAX_END_CHARS)}\n${text.slice(-MAX_END_CHARS)}`;
  const sentences: Sentence[] = [];
  let listed: Sentence["listed"];
  let inCode = false;
  for (const line of read.split(LINE_ENDS)) {
    const trimmed = line.trim();
    if (trimmed.startsWith("```")) inCode = !inCode;
    else if (!inCode && trimmed !== "") {
      const heading = trimmed.length < 60 ? HEADING.exec(trimmed) : null;
      if (heading) listed = heading[1] ? "decision" : heading[2] ? "task" : "fact";
      else if (!BULLET.test(trimmed)) listed = undefined;
      if (heading) continue;
      const item = trimmed.replace(BULLET, "");
      const pieces = listed || !MAY_END.test(item) ? [item] : item.split(END);
      for (const piece of pieces.flatMap(inPieces)) {
        const sentence = piece.trim();
        if (sentence !== "") sentences.push({ text: sentence, listed });
      }
    }
  }
  return sentences;
}

function inPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > MAX_SENTENCE) {
    const blank = rest.lastIndexOf(" ", MAX_SENTENCE);
    const end = blank > MAX_SENTENCE / 2 ? blank : MAX_SENTENCE;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}
