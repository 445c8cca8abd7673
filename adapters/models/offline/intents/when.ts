import type { Language } from "../intent.ts";

/**
 * A sentence split into its words for a time, unchanged, and the task. `isClear`: no word of the task can belong to
 * another time.
 */
export interface Split {
  readonly when: string;
  readonly what: string;
  readonly isClear: boolean;
}

const DAY = "(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:day)?s?";
const MONTH =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const NUMBER =
  "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty(?:-five)?|sixty|ninety|half|quarter|couple|few";
const UNIT = "(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|months?|years?)";
const MAX_WORD = 40;
const MAX_WHEN = 100;
const ENDS = " \t\n,，、:：;；.。?？!！";
/** Words that are about time at any position. */
const STRONG = new RegExp(
  `^(?:${DAY}|${MONTH}|${UNIT}|(?:week|work(?:ing)?)-?(?:day|end)s?|daily|hourly|weekly|monthly|yearly|annually|tomorrow|today|tonight|yesterday|now|noon|midday|midnight|mornings?|afternoons?|evenings?|nights?|every|each|[ap]\\.?m\\.?|o'?clock|utc|gmt|[ecmp][ds]?t|cest|\\d+(?:[:.]\\d+)?\\s*[ap]\\.?m\\.?|\\d+[:.]\\d\\d|\\d+h(?:\\d+m?)?|\\d+m(?:in)?|\\d{4}-\\d\\d-\\d\\d(?:t[\\d:.]+(?:z|[+-]\\d\\d:?\\d\\d)?)?|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?\\.?)$`,
  "i",
);
/** Words that belong to a time when they are next to such words. */
const WEAK = new RegExp(
  `^(?:\\d+(?:\\.\\d+)?(?:st|nd|rd|th)?|${NUMBER}|first|second|third|fourth|last|other|next|this|coming|past|on|at|in|by|from|until|till|to|through|thru|for|after|before|within|except|and|of|the|all|later|ago|hence|@|&|-|–)$`,
  "i",
);
/** Words that belong to the following text at the end of a time, and mean nothing at its beginning. */
const LOOSE = /^(?:of|the|an?|and|to|for|by|in|on|at|from|until|till|through|thru|after|before|except|@|&|-|–)$/i;
/** Words that follow a `to` between two times. Any other `to` begins the task: `to call`. */
const AFTER_TO = new RegExp(`^(?:${DAY}|\\d+(?:[:.]\\d\\d)?(?:[ap]\\.?m\\.?)?|noon|midnight)$`, "i");
/** Words between the time and the task. */
const JOINT_EN = /^(?:to|that|about|of)\b/i;
const CLOCK_EN = /\b(?:at|@)\s|\d\s*[ap]\.?m\b|\d:\d\d|\bnoon\b|\bmidday\b|\bmidnight\b|o'?clock/i;
const DATED_EN = new RegExp(
  `\\b(?:${DAY}|tomorrow|today|tonight|${MONTH}|on\\s+the\\s+\\d+(?:st|nd|rd|th))\\b|\\d-\\d\\d|\\d/\\d`,
  "i",
);
const WHOLE_EN =
  /^(?:in|after|within)\s|\b(?:every|each|daily|hourly|weekly|monthly|yearly|weekdays|weekends)\b|\bnow$/i;
/** Words that are about a time inside a task too. */
const TELLING_EN = new RegExp(
  `\\b(?:${DAY}|tomorrow|today|tonight|yesterday|every|each|noon|midnight|(?:${MONTH})\\s+\\d+|\\d+(?:st|nd|rd|th)?\\s+(?:of\\s+)?(?:${MONTH})|\\d+\\s*[ap]\\.?m|\\d+:\\d\\d|at\\s+\\d+|in\\s+(?:\\d+|${NUMBER})\\s+${UNIT}|next\\s+(?:week|month|year))\\b`,
  "i",
);

/** A time with an unknown word before or in it: `tommorow at 9am to call Ada`. */
const MISSPELT_EN = /\b(?:at|in)\s+\d\S*(?:\s+\w+)?\s+to\s/i;

const NUMBER_ZH = "(?:\\d{1,4}(?:\\.\\d{1,2})?|[零〇一二两三四五六七八九十百半]{1,6})";
const WEEKDAY_ZH =
  "(?:周|星期|礼拜)[一二三四五六日天](?:[、,，和及到至]?(?:周|星期|礼拜)?[一二三四五六日天](?![点點时號号]))*";
const PART_ZH = "凌晨|清晨|早晨|早上|上午|中午|正午|下午|傍晚|晚上|晚间|夜里|半夜|午夜|早|晚";
const STRONG_ZH = `(?:每(?:隔|过)?(?:${NUMBER_ZH})?个?(?:工作日|周末|小时|钟头|刻钟|[分秒]钟?|季度|天|日|年|月|周|星期|礼拜)(?:(?<=[周期拜])[一二三四五六日天](?:[、,，和及]?(?:周|星期|礼拜)?[一二三四五六日天](?![点點时]))*)?|每(?=[早晚])|隔(?:天|日|周)|工作日|(?:[这本下]个?)?周末|大?[前后]天|明[天日早晚]|今[天日早晚]|昨[天晚]|明年|今年|[下这本上]*个?月|[下这本上]*个?${WEEKDAY_ZH}|[下上这本]+个?(?:周|星期|礼拜)|${NUMBER_ZH}年|${NUMBER_ZH}月${NUMBER_ZH}[日号號]|${NUMBER_ZH}[日号號]|${PART_ZH}|${NUMBER_ZH}[点點时](?:钟|鐘|整)?(?:半|一刻|三刻|${NUMBER_ZH}分?)?|\\d{1,2}[:：]\\d\\d|\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d)?|(?:再?过)?${NUMBER_ZH}个?(?:半)?(?:秒钟?|分钟?|刻钟|小时|钟头|天|星期|礼拜|周|月|年)半?(?:${NUMBER_ZH}(?:分钟?|秒钟?))?(?:之?[前后]|以[前后])?|之后|以后|月?底|最后一天|除了|第二天|次日|UTC|GMT|[\\p{Script=Han}]{2,3}时间)`;
const WEAK_ZH = "(?:[的和及又、，,\\s在于从到至过隔]|以及)";
const START_ZH = new RegExp(`^(?:${WEAK_ZH}*${STRONG_ZH})+`, "iu");
/** Not anchored at the end: a failing run would be tried in every possible split. */
const RUNS_ZH = new RegExp(`(?:${STRONG_ZH}${WEAK_ZH}*)+`, "giu");
const CLOCK_ZH = /[点點时]|[:：]\d|[后前]$|每.*(?:小时|钟头|刻钟|分钟?)$/u;
const WHOLE_ZH = /每|后$|(?:[天日晚早号號]|[周期拜][一二三四五六日天]).*(?:[点點时]|[:：])/u;
const TELLING_ZH =
  /[明今后昨]天|[明今昨]晚|(?:周|星期|礼拜)[一二三四五六日天]|每[天周月年个]|\d月|[\d一二两三四五六七八九十][点點](?:半|钟|整|[\d一二三四五六七八九十]|$)|\d[:：]\d\d|上午|下午|晚上|小时后|分钟后/u;
const LEADING_ZH = /^[请你在就到]+/u;
const JOINT_ZH = /^(?:[\s,，、:：]|请|我|去|要|把)+/u;

/**
 * Takes the longest run of time words at the beginning of a sentence, or else at its end. The tool interprets them: it
 * reads or refuses them as a whole. `null`: there are none.
 *
 * @param before Words before the request itself, as in "Tomorrow at 8 remind me …": all of them belong to the time.
 */
export function splitWhen(before: string, rest: string, language: Language): Split | null {
  return language === "zh" ? splitZh(before.trim(), rest.trim()) : splitEn(before.trim(), rest.trim());
}

/** Whether the text has only words for a time. */
export function isWhen(text: string, language: Language): boolean {
  const bare = text.trim();
  if (language === "zh")
    return bare !== "" && START_ZH.exec(bare.replace(LEADING_ZH, ""))?.[0] === bare.replace(LEADING_ZH, "");
  const words = wordsOf(bare);
  return words.length > 0 && runFrom(words) === words.length;
}

function splitEn(before: string, rest: string): Split | null {
  const words = wordsOf(rest);
  const from = before === "" ? runFrom(words) : 0;
  const at = before !== "" || from > 0 ? -1 : runTo(words);
  if (before === "" && from === 0 && at === words.length)
    return MISSPELT_EN.test(rest) ? { when: "", what: rest, isClear: false } : null;
  const [when, left] =
    before !== ""
      ? [before, words]
      : from > 0
        ? [words.slice(0, from).join(" "), words.slice(from)]
        : [words.slice(at).join(" "), words.slice(0, at)];
  const what = bareTask(left.join(" "));
  const bareWhen = withoutEnd(when).replace(/^(?:for|by|the(?!\s+day\s+after))\s+(?=\S)/i, "");
  const isJoined = before !== "" || at !== -1 || what === "" || /[,:]$/.test(when) || JOINT_EN.test(left[0] ?? "");
  const isWhole = WHOLE_EN.test(bareWhen) || (CLOCK_EN.test(bareWhen) && DATED_EN.test(bareWhen));
  // After a complete time, other times belong to the task.
  const isClear = isJoined && ((at === -1 && isWhole) || !TELLING_EN.test(withoutQuoted(what)));
  return { when: bareWhen, what, isClear };
}

function splitZh(before: string, rest: string): Split | null {
  const bare = (before === "" ? rest : before).replace(LEADING_ZH, "");
  const start = START_ZH.exec(bare)?.[0] ?? "";
  if (before !== "") {
    if (start === "" || start !== bare) return null;
    return clearZh(start, rest, true);
  }
  if (start !== "") return clearZh(start, bare.slice(start.length), true);
  const trimmed = withoutEnd(bare);
  const last = [...trimmed.matchAll(RUNS_ZH)].at(-1);
  const end = last !== undefined && last.index + last[0].length === trimmed.length ? last[0] : "";
  return end === "" ? null : clearZh(end, trimmed.slice(0, -end.length), false);
}

function clearZh(when: string, left: string, isFirst: boolean): Split {
  const what = withoutEnd(left).replace(JOINT_ZH, "");
  const bareWhen = when.trim();
  const isWhole = bareWhen.length <= MAX_WHEN && WHOLE_ZH.test(bareWhen) && CLOCK_ZH.test(bareWhen);
  const isClear = !/^[和及又的到至、]/u.test(left) && ((isFirst && isWhole) || !TELLING_ZH.test(withoutQuoted(what)));
  return { when: bareWhen, what, isClear };
}

function wordsOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** How many words at the beginning are about a time. */
function runFrom(words: readonly string[]): number {
  let length = 0;
  for (const [index, word] of words.entries()) {
    const bare = bareWord(word);
    const next = bareWord(words[index + 1] ?? "");
    if (!STRONG.test(bare) && !WEAK.test(bare)) break;
    if (/^to$/i.test(bare) && !AFTER_TO.test(next) && !/^quarter$/i.test(words[index - 1] ?? "")) break;
    length = index + 1;
    if (/[:;.!?]$/.test(word) && !STRONG.test(word)) break;
  }
  while (length > 0 && LOOSE.test(bareWord(words[length - 1]!))) length -= 1;
  return words.slice(0, length).some((word) => isTelling(word)) || isAtNumber(words.slice(0, length)) ? length : 0;
}

/** Index where the time words at the end begin; the number of words when there are none. */
function runTo(words: readonly string[]): number {
  let at = words.length;
  while (at > 0) {
    const bare = bareWord(words[at - 1]!);
    const next = bareWord(words[at] ?? "");
    if (!STRONG.test(bare) && !WEAK.test(bare)) break;
    if (/^to$/i.test(bare) && !AFTER_TO.test(next) && !/^quarter$/i.test(words[at - 2] ?? "")) break;
    at -= 1;
  }
  while (at < words.length && /^(?:of|and|to|the|for)$/i.test(words[at]!)) at += 1;
  const run = words.slice(at);
  return run.some((word) => isTelling(word)) || isAtNumber(run) ? at : words.length;
}

function isTelling(word: string): boolean {
  return STRONG.test(bareWord(word));
}

/** `at 5`, `at five`, `half past 5`, `on the 15th` */
function isAtNumber(words: readonly string[]): boolean {
  return /(?:^|\s)(?:(?:at|@)\s+(?:\d|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)|(?:quarter|half)\s+(?:past|to)\s|on\s+the\s+\d{1,2}(?:st|nd|rd|th)\b)/i.test(
    words.join(" "),
  );
}

function bareWord(word: string): string {
  // No time word is longer.
  if (word.length > MAX_WORD) return "";
  return STRONG.test(word) ? word : word.replace(/[,:;.!?]+$/, "");
}

/** The task without the words that connect it to the rest. */
export function bareTask(text: string): string {
  const task = withoutEnd(text).replace(/^(?:[\s,，:：]|(?:to|that|about|of)\b)+/i, "");
  return withoutEnd(task.replace(/\s(?:please|thanks|thank you)$/i, ""));
}

function withoutQuoted(text: string): string {
  return text.replaceAll(/"[^"]{0,200}"|“[^”]{0,200}”|「[^」]{0,200}」|《[^》]{0,200}》/gu, "");
}

function withoutEnd(text: string): string {
  let length = text.length;
  while (length > 0 && ENDS.includes(text[length - 1]!)) length -= 1;
  return text.slice(0, length);
}
