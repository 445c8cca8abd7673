/** Words that do not show what a sentence is about. */
const EMPTY = new Set(
  "a an the to of in on at by for and or is are was were be been it its this that with from as i we you he she they me my our your us has have had will would can could should do did does done todo task need needs please remind remember about up just already now all still also finally so not no off get got let ok okay forget dont don didn ll ve re s t finish complete close next step open item said say".split(
    " ",
  ),
);
const EMPTY_SIGNS = /[的了在我要把给请去和是就都还也已经好完成做需记得提醒别忘待办下一步这那个到搞定会]/g;
/** Irregular verb forms that reports use where plans use the base form. */
const FORMS: Readonly<Record<string, string>> = {
  paid: "pay",
  sent: "send",
  bought: "buy",
  wrote: "write",
  made: "make",
  took: "take",
  gave: "give",
  told: "tell",
  found: "find",
  met: "meet",
};
const WORD = /[a-z0-9#][\w#@./:+-]*|\p{Script=Latin}+/giu;
const HAN = /\p{Script=Han}/gu;

/** The words that show what a sentence is about. */
export interface Words {
  /** Stemmed words; each Chinese character is a word. */
  readonly all: ReadonlySet<string>;
  /** The words with a digit. */
  readonly numbers: readonly string[];
}

export function wordsOf(text: string): Words {
  const all = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const plain = word.replace(/[./:+-]+$/, "");
    if (!EMPTY.has(plain)) all.add(stem(plain));
  }
  for (const [sign] of text.replace(EMPTY_SIGNS, "").matchAll(HAN)) all.add(sign);
  return { all, numbers: [...all].filter(hasDigit) };
}

function stem(word: string): string {
  if (hasDigit(word) || word.length < 4) return word;
  return FORMS[word] ?? word.replace(/(?:ing|ed|es|s|e)$/, "");
}

/** Number of shared words. 0 if both have numbers and share none, because then they are about different things. */
export function sharedWords(one: Words, other: Words): number {
  if (one.numbers.length > 0 && other.numbers.length > 0 && !one.numbers.some((word) => other.all.has(word))) return 0;
  let shared = 0;
  for (const word of one.all) if (other.all.has(word)) shared += 1;
  return shared;
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}

/** A text for comparison: without case, extra blanks and punctuation. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, " ")
    .trim();
}

/** The form of an identifier: `a-0` for `ORD-48213`. */
export function formOf(value: string): string {
  return value.replace(/\p{L}+/gu, "a").replace(/\d+/g, "0");
}
