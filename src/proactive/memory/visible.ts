import { DEFAULT_HISTORY_TOKENS, historyWindow } from "../../context/index.ts";
import type { MemoryEntry } from "../../memory/index.ts";
import type { LoggedTurn, Session } from "../../session/index.ts";

/** Content that a prompt already shows, so that it is not injected twice. */
export interface Visible {
  /** Whether the prompt contains the entry word for word, or shows the turn that the entry describes. */
  has(entry: Pick<MemoryEntry, "content" | "slots">): boolean;
}

const NOT_ASCII = /[^\0-\x7f]/;
const SIGNS = /(?:\\n|[\s\p{P}\p{S}])+/gu;
/** `SIGNS` for ASCII text, which is several times as fast. */
const ASCII_SIGNS = /(?:\\n|[\s!-/:-@[-`{-~])+/g;

/** Normalises a text: ignores case, white space, punctuation and JSON's `\n`. */
function wordForWord(text: string): string {
  const signs = NOT_ASCII.test(text) ? SIGNS : ASCII_SIGNS;
  return ` ${text.toLowerCase().replace(signs, " ").trim()} `;
}

/** A text to search. Its normalised words are computed only when its marks match, since that takes far longer. */
interface Looked {
  readonly lower: string;
  readonly marks: Uint32Array;
  words?: string;
}

/** Cache by turn. A finished turn never changes. */
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

/**
 * Returns a hash (mark) for each long ASCII word. A text that contains these words has all of their marks; most other
 * texts lack one.
 */
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
    // JSON's escape for a line end.
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

/** Whether a script without spaces is used, so that a match may begin or end within a word. */
function isUnspaced(content: string): boolean {
  return NOT_ASCII.test(content) && /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(content);
}

/** Returns the normalised text to search for. Empty if there is no word. */
function wantedIn(content: string): string {
  const words = wordForWord(content);
  const bare = words.trim();
  return isUnspaced(content) || bare === "" ? bare : words;
}

/** Returns all texts that a turn has added to the prompt so far: messages, injections, answers and tool results. */
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

/** @param now Texts of the running turn. */
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
      // Fast path: what was recalled once is often recalled again, and the earlier injection shows it as a line.
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
