/** Words that say nothing about what a sentence is about. */
const EMPTY = new Set(
  "a an the to of in on at by for and or is are was were be been it its this that with from as i we you he she they me my our your us has have had will would can could should do did does done todo task need needs please remind remember about up just already now all still also finally so not no off get got let ok okay forget dont don didn ll ve re s t finish complete close next step open item".split(
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

/** What a sentence is about: its words in a common form, and each Chinese sign for itself. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const plain = word.replace(/[./:+-]+$/, "");
    if (!EMPTY.has(plain)) words.add(stem(plain));
  }
  for (const [sign] of text.replace(EMPTY_SIGNS, "").matchAll(HAN)) words.add(sign);
  return words;
}

function stem(word: string): string {
  if (/\d/.test(word) || word.length < 4) return word;
  return FORMS[word] ?? word.replace(/(?:ing|ed|es|s|e)$/, "");
}

/** How many words both have; 0 when both have numbers and none of them is the same: then they speak of different things. */
export function sharedWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  let sameNumber = false;
  for (const word of one) {
    if (!other.has(word)) continue;
    shared += 1;
    sameNumber ||= hasDigit(word);
  }
  return sameNumber || ![...one].some(hasDigit) || ![...other].some(hasDigit) ? shared : 0;
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
