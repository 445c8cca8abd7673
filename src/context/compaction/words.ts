/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  "a an the to of in on at by for and or is are was were be been it its this that with from as i we you he she they me my our your us has have had will would can could should do did does done todo task need needs please remind remember about up just already now all still also finally so not no off get got let ok okay forget dont don didn ll ve re s t finish complete close next step open item said say".split(
    " ",
  ),
);
const EMPTY_SIGNS = /[的了在我要把给请去和是就都还也已经好完成做需记得提醒别忘待办下一步这那个到搞定会]/g;
/** Of verbs that people report in another form than they plan in. */
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

/** What a sentence is about. */
export interface Words {
  /** In a common form; each Chinese sign for itself. */
  readonly all: ReadonlySet<string>;
  /** Those with a digit. */
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

/** How many words both have; 0 when both have numbers and none of them is the same: then they speak of different things. */
export function sharedWords(one: Words, other: Words): number {
  if (one.numbers.length > 0 && other.numbers.length > 0 && !one.numbers.some((word) => other.all.has(word))) return 0;
  let shared = 0;
  for (const word of one.all) if (other.all.has(word)) shared += 1;
  return shared;
}

function hasDigit(word: string): boolean {
  return /\d/.test(word);
}

/** The text as it is compared: case, blanks and signs do not count. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s\p{P}\p{S}]+/gu, " ")
    .trim();
}

/** `ORD-48213` as `a-0`. */
export function formOf(value: string): string {
  return value.replace(/\p{L}+/gu, "a").replace(/\d+/g, "0");
}
