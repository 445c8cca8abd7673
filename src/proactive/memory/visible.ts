import { DEFAULT_HISTORY_TOKENS, historyWindow } from "../../context/index.ts";
import type { MemoryEntry } from "../../memory/index.ts";
import type { LoggedTurn, Session } from "../../session/index.ts";

/** What a prompt shows already, so that nothing is told twice. */
export interface Visible {
  /** Whether it says the same word for word, or the entry is only about a turn that it shows. */
  has(entry: Pick<MemoryEntry, "content" | "slots">): boolean;
}

const NOT_ASCII = /[^\0-\x7f]/;
const SIGNS = /(?:\\n|[\s\p{P}\p{S}])+/gu;
/** The same among the signs of ASCII, which are found several times as fast. */
const ASCII_SIGNS = /(?:\\n|[\s!-/:-@[-`{-~])+/g;

/** Case, blanks and signs do not count, nor how JSON writes the end of a line. */
function wordForWord(text: string): string {
  const signs = NOT_ASCII.test(text) ? SIGNS : ASCII_SIGNS;
  return ` ${text.toLowerCase().replace(signs, " ").trim()} `;
}

/** A text that is looked through. Its words are made once something may be in it, which takes far longer than to see that it is not. */
interface Looked {
  readonly lower: string;
  readonly marks: Uint32Array;
  words?: string;
}

/** A finished turn never changes. */
const finished = new WeakMap<LoggedTurn, Looked>();

function lookedOf(turn: LoggedTurn): Looked {
  let found = finished.get(turn);
  if (found === undefined) finished.set(turn, (found = lookedAt(textsOf(turn))));
  return found;
}

function lookedAt(texts: readonly string[]): Looked {
  const lower = texts.join("\n").toLowerCase();
  const marks = new Uint32Array(MARKS / 32);
  for (const mark of marksOf(lower)) marks[mark >> 5]! |= 1 << (mark & 31);
  return { lower, marks };
}

const MARKS = 2048;
const MIN_MARKED = 5;
const SIGN = { zero: 48, nine: 57, backslash: 92, a: 97, n: 110, z: 122 } as const;

/** A mark for each long word of ASCII: a text with the same words has the same marks, and most others lack one. */
function marksOf(lower: string): readonly number[] {
  const marks: number[] = [];
  let from = 0;
  let word = 0;
  for (let at = 0; at <= lower.length; at += 1) {
    const sign = lower.charCodeAt(at);
    if ((sign >= SIGN.a && sign <= SIGN.z) || (sign >= SIGN.zero && sign <= SIGN.nine)) {
      word = Math.imul(word, 31) + sign;
      continue;
    }
    if (at - from >= MIN_MARKED) marks.push(Math.imul(word, 0x9e3779b1) >>> 21);
    // How JSON writes the end of a line.
    if (sign === SIGN.backslash && lower.charCodeAt(at + 1) === SIGN.n) at += 1;
    from = at + 1;
    word = 0;
  }
  return marks;
}

function hasAll({ marks }: Looked, wanted: readonly number[]): boolean {
  return wanted.every((mark) => (marks[mark >> 5]! & (1 << (mark & 31))) !== 0);
}

function says(text: Looked, words: string): boolean {
  return (text.words ??= wordForWord(text.lower)).includes(words);
}

/** Of a script without spaces: it may begin and end within what is a word of the text. */
function isUnspaced(content: string): boolean {
  return NOT_ASCII.test(content) && /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(content);
}

/** How a content stands in a text that says it; empty when there is no word in it. */
function wantedIn(content: string): string {
  const words = wordForWord(content);
  const bare = words.trim();
  return isUnspaced(content) || bare === "" ? bare : words;
}

/** All that a turn has put into the prompt so far: messages, what was injected, answers, results of tools. */
export function textsOf({ inputs, steps, tools, out }: LoggedTurn): readonly string[] {
  return [
    ...inputs.map(({ text }) => text),
    ...steps.flatMap(({ block = "", injected = "", text }) => [block, injected, text]),
    ...tools.flatMap(({ output }) => outputText(output)),
    out?.text ?? "",
  ];
}

export function outputText(output: unknown): readonly string[] {
  if (output === undefined) return [];
  return [typeof output === "string" ? output : JSON.stringify(output)];
}

/** @param now Texts of the turn that runs. */
export function visibleIn(
  { key, history, summary }: Session,
  now: readonly string[],
  historyTokens: number = DEFAULT_HISTORY_TOKENS,
): Visible {
  const shown = history.slice(historyWindow(history, historyTokens).from);
  let looked: readonly Looked[] | undefined;
  const texts = () => (looked ??= [lookedAt([summary?.summary ?? "", ...now]), ...shown.map(lookedOf)]);
  return {
    has({ content, slots }) {
      const turn = slots["turn"];
      if (slots["session_id"] === key && typeof turn === "string" && shown.some(({ id }) => id === turn)) return true;
      const lower = content.toLowerCase();
      const marks = isUnspaced(content) ? undefined : marksOf(lower);
      // As an injection shows it: what was recalled is recalled again.
      const line = ` ${lower}\n`;
      let words: string | undefined;
      for (const text of texts()) {
        if (marks && !hasAll(text, marks)) continue;
        if (text.lower.includes(line)) return true;
        words ??= wantedIn(content);
        if (words === "" || says(text, words)) return true;
      }
      return false;
    },
  };
}
