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
export function wordForWord(text: string): string {
  const signs = NOT_ASCII.test(text) ? SIGNS : ASCII_SIGNS;
  return ` ${text.toLowerCase().replace(signs, " ").trim()} `;
}

/** A text that is looked through. Its words are made once something may be in it, which takes far longer than to see that it is not. */
interface Looked {
  readonly lower: string;
  words?: string;
}

/** A finished turn never changes. */
const finished = new WeakMap<LoggedTurn, Looked>();

function lookedOf(turn: LoggedTurn): Looked {
  let found = finished.get(turn);
  if (found === undefined) finished.set(turn, (found = { lower: textsOf(turn).join("\n").toLowerCase() }));
  return found;
}

/** Part of a word, whatever signs are around it. */
const LONG_WORD = /[a-z0-9]{5,}/g;

/** Whether a text may hold all of these: most miss the first. */
function hasAll({ lower }: Looked, words: readonly string[]): boolean {
  for (const word of words) if (!lower.includes(word)) return false;
  return true;
}

function says(text: Looked, words: string): boolean {
  return (text.words ??= wordForWord(text.lower)).includes(words);
}

/** How a content stands in a text that says it; empty when there is no word in it. */
function wantedIn(content: string): string {
  const words = wordForWord(content);
  const bare = words.trim();
  const isUnspaced = NOT_ASCII.test(words) && /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(words);
  return isUnspaced || bare === "" ? bare : words;
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
  const present: Looked = { lower: [summary?.summary ?? "", ...now].join("\n").toLowerCase() };
  let looked: readonly Looked[] | undefined;
  const texts = () => (looked ??= [present, ...shown.map(lookedOf)]);
  return {
    has({ content, slots }) {
      const turn = slots["turn"];
      if (slots["session_id"] === key && typeof turn === "string" && shown.some(({ id }) => id === turn)) return true;
      // Behind a backslash a word may begin with the sign of a line's end. What is long is rare.
      const long = content.includes("\\") ? [] : (content.toLowerCase().match(LONG_WORD) ?? []);
      long.sort((one, other) => other.length - one.length);
      let words: string | undefined;
      for (const text of texts()) {
        if (!hasAll(text, long)) continue;
        words ??= wantedIn(content);
        if (words === "" || says(text, words)) return true;
      }
      return false;
    },
  };
}
