import { tokensOf } from "../../../../kit.ts";

/** Relatives whom people mention without "my". */
export const FAMILY = {
  en: "mum|mom|mummy|mommy|mama|mother|dad|daddy|papa|father|grandma|granny|grandmother|grandpa|grandad|grandfather",
  zh: "妈妈|爸爸|母亲|父亲|老妈|老爸|爷爷|奶奶|外公|外婆|姥姥|姥爷|老公|老婆|哥哥|姐姐|弟弟|妹妹",
};

/** Synonyms about a person's life, so that a question finds a statement that uses another one. */
const ENGLISH_GROUPS = [
  "mum mom mummy mommy mama mother",
  "dad daddy papa father",
  "grandma granny grandmother",
  "grandpa grandad grandfather",
  "allergic allergy allergies allergen",
  "live living lives address moved reside",
  "birthday born birthdate",
  "work job occupation profession employer working",
  "doctor gp physician",
  "favourite favorite",
  "colour color",
  "phone mobile telephone",
  "flat apartment",
  "like love enjoy",
  "dislike hate",
  "bike bicycle",
  "film movie",
  "kids kid children child",
  "partner spouse",
  "marry married marriage",
];
const CHINESE_GROUPS: readonly (readonly [RegExp, string])[] = [
  [/母亲|老妈|妈咪|(?<!妈)妈(?!妈)/gu, "妈妈"],
  [/父亲|老爸|(?<!爸)爸(?!爸)/gu, "爸爸"],
  [/老公/gu, "丈夫"],
  [/老婆|太太|媳妇/gu, "妻子"],
  [/姥姥/gu, "外婆"],
  [/姥爷/gu, "外公"],
  [/大夫/gu, "医生"],
  [/牙科医生/gu, "牙医"],
  [/居住|住址|地址|家住|搬到|搬去|搬家/gu, "住"],
  [/上班|任职|就职|职业/gu, "工作"],
  [/出生/gu, "生日"],
  [/手机号码?|电话号码?|手机/gu, "电话"],
];

const synonyms = new Map<string, ReadonlySet<string>>();

/** The tokens with the same meaning as a token of a question, including itself. */
export function sameAs(token: string): ReadonlySet<string> {
  if (synonyms.size === 0) {
    for (const group of ENGLISH_GROUPS) {
      const tokens = new Set(tokensOf(group));
      for (const one of tokens) synonyms.set(one, tokens);
    }
  }
  return synonyms.get(token) ?? new Set([token]);
}

/**
 * The tokens of a text by which a question finds a statement: "mum's" becomes "mum", and Chinese synonyms become one
 * word.
 */
export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(tokensOf(oneChineseWord(text.replace(/['’]s\b/gu, ""))));
}

export function oneChineseWord(text: string): string {
  return CHINESE_GROUPS.reduce((changed, [words, one]) => changed.replace(words, one), text);
}
