/** A text that must be kept letter by letter. */
export interface Identifier {
  readonly value: string;
  /** 3: names one thing in the world. 2: one among others. 1: kept if there is room. */
  readonly worth: number;
}

const MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]{0,6}";
const NUMBERED =
  "order|ticket|invoice|case|ref(?:erence)?|booking|reservation|room|gate|seat|locker|code|pin|flight|issue|account|serial|ext|apartment|plate|订单|单号|编号|房间|密码|[件证]码|门禁|尾号|航班|座位|[账卡]号|会议号|门牌";
const FILE =
  "[cm]?[jt]sx?|py|rs|go|java|sql|sh|md|txt|pdf|docx?|xlsx?|pptx?|csv|json|ya?ml|toml|xml|html|css|log|zip|png|jpe?g|svg|mp[34]";

/** Matches with fewer than seven digits are dropped. */
const GROUPS = /(?<![\w.,/-])\(?\d{2,4}\)?(?:[ -]\d{2,4}){1,5}(?![\w/-]|[.,]\d)/g;
const CODE = /(?<![\w/-])(?=[\w/-]{0,40}\d)[a-z0-9]{1,40}(?:[-_/][a-z0-9]{1,40}){0,6}(?![\w/-]|[.,:]\d)/gi;

/**
 * The first match wins: later patterns skip text that is already matched. Every run is bounded, or starts only where
 * no character of its own class precedes it, so that the time is linear in the text.
 */
const CLASSES: readonly (readonly [worth: number, pattern: RegExp])[] = [
  // Addresses.
  [3, /\b[a-z][a-z0-9+]{1,9}:\/\/[^\s<>"'`，。；、）】》」]{3,300}/gi],
  [3, /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g],
  // MAC, IBAN.
  [3, /\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b/gi],
  [3, /\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b(?![a-z])/g],
  // Days and times, before the patterns for numbers.
  [1, /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d[\d:.]{0,10}(?:Z|[+-]\d\d:?\d\d)?)?(?!\d)|(?:\d{4}年)?\d{1,2}月\d{1,2}[日号]/g],
  [
    1,
    new RegExp(
      `\\b(?:\\d{1,2}(?:st|nd|rd|th)? (?:of )?${MONTH}(?: \\d{4})?|${MONTH} \\d{1,2}(?:,? \\d{4})?)(?!\\w)`,
      "gi",
    ),
  ],
  [1, /(?<![\d:.])\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?(?![:\w])/gi],
  // Hosts, versions, files.
  [3, /(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d{1,5})?(?![\w.]\d)/g],
  [2, /(?<![\w.])v?\d{1,5}\.\d{1,5}\.\d{1,7}(?:[-+][\w.]{1,32})?\b|\bv\d{1,4}(?:\.\d{1,4})?\b/g],
  [
    3,
    new RegExp(`(?<![\\w/.@-])(?:~?/|\\.{1,2}/)?[\\w@.-]{1,64}(?:/[\\w@.-]{1,64}){0,12}\\.(?:${FILE})(?![\\w-])`, "g"),
  ],
  [3, /(?<![\w/.:<])(?:~|\.{1,2})?(?:\/[\w@.-]{1,64}){2,12}\/?|\b[A-Z]:\\[\w\\.-]{2,80}/g],
  [
    2,
    /(?<![\w.-])(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}):\d{2,5}\b|(?<![\w.-])(?:[\w-]{1,63}\.){1,5}(?:com|org|net|io|dev|app|cn|eu|se|de|uk|local|internal)\b/g,
  ],
  [1, /(?<![\w.,])-?\d{1,3}\.\d{4,9}\b/g],
  // Money.
  [
    1,
    /[$€£¥￥]\s?\d[\d,.]{0,15}(?: ?(?:[km]|million)\b)?|(?<![\w.,])\d[\d,.]{0,15} ?(?:(?:USD|EUR|GBP|CNY|RMB|SEK|NOK|CHF|kr|dollars|euros)\b|万?元)/gi,
  ],
  // Telephone numbers and other grouped numbers.
  [3, /(?<!\w)\+\d[\d ().-]{6,18}\d\b/g],
  [3, GROUPS],
  // Codes of letters and digits, and numbers.
  [3, /(?<!\w)#(?:[A-Z]{1,6}-?)?\d{2,12}\b/g],
  [3, CODE],
  [
    2,
    new RegExp(
      `(?<![a-z])(?:${NUMBERED})s? {0,2}(?:no\\.? |number |is|was|是|为|：|:)?\\s{0,2}(#\\d{1,12}|\\d[A-Z0-9/-]{1,15}|[A-Z]\\d+)(?![\\w.]\\d)`,
      "gi",
    ),
  ],
  [2, /\b[A-Z]{2,4} \d{3,5}\b/g],
  [2, /(?<=\b(?:is|are|now|number|=) ?|[是为])(?!(?:19|20)\d\d\b)\d{4}\b(?![.,]\d| ?%)/g],
  // Names that people gave.
  [2, /`([^`\n]{2,60})`/g],
  [
    2,
    /(?:code[- ]?name|project|branch|channel|called|named|代号|项目|名为|叫做?)(?: is|为|是| of the project is)?[ :：]{0,2}["“「《‘']([^"”」》’'\n]{2,40})["”」》’']/gi,
  ],
  [2, /(?:\b(?:[Pp]roject|[Cc]ode[- ]?name)|代号|项目)(?: is|为|是|叫)?[ :：]{0,2}([A-Z][\w-]{2,30})/g],
  [1, /["“]([A-Z][\w-]{2,20}(?: [A-Z\d][\w-]{0,20}){0,3})["”]/g],
];

/** Without any of these a sentence has no identifier. */
const SIGN = /[\d/@`"“「《‘]|project|code ?name|代号|项目/i;
const STANDARD = /^(?:COVID|UTF|SHA|ISO|MP|GPT|RFC)-/;
/** Names of standards and things, amounts with a unit, round and short numbers, years, ranges. */
const COMMON =
  /^(?:(?:covid|utf|sha|iso|mp|top|mid|pre|post|late|early|gpt|rfc|h|catch)[-_]?\d.*|\d+[a-z]{1,6}|\d*000|\d{1,4}(?:[-/]\d{1,4}){0,2}|\d+(?:-[a-z]+)+|[a-z]{4,}\d{1,2}|[a-z]{1,3}\d[a-z]?|[a-z]\/[a-z]|[^\d]*\d[^\d]*)$/;
const HASH = /^[0-9a-f]{7,}$/i;
const TRAILING = /[.,;:!?)\]}>'"]+$/;

function isCommon(value: string): boolean {
  return (
    COMMON.test(value.toLowerCase()) &&
    !HASH.test(value) &&
    !/\d-[A-Z]|^[A-Z]{1,5}-\d/.test(value.replace(STANDARD, ""))
  );
}

/** The identifiers of a sentence, in order, without duplicates. */
export function identifiersOf(sentence: string): readonly Identifier[] {
  if (!SIGN.test(sentence)) return [];
  const found: (Identifier & { readonly from: number; readonly to: number })[] = [];
  for (const [worth, pattern] of CLASSES) {
    for (const match of sentence.matchAll(pattern)) {
      const value = (match[1] ?? match[0]).trim().replace(TRAILING, "");
      const from = match.index + match[0].lastIndexOf(value);
      const to = from + value.length;
      if (value.length < 2 || (pattern === CODE && isCommon(value))) continue;
      if (pattern === GROUPS && value.replace(/\D/g, "").length < 7) continue;
      if (found.every((other) => to <= other.from || from >= other.to)) found.push({ value, worth, from, to });
    }
  }
  const seen = new Set<string>();
  return found
    .sort((a, b) => a.from - b.from)
    .filter(({ value }) => !seen.has(value) && seen.add(value))
    .map(({ value, worth }) => ({ value, worth }));
}
