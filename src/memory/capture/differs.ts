import { simplified } from "../../statements/index.ts";

/**
 * Signs that two texts of nearly the same words say different things. The check runs before two memories are merged, so
 * it errs towards a difference: two entries that say the same cost a line, but a wrong merge loses a memory.
 */
const NUMBER = /\d+(?:[.,:/-]\d+)*/g;
const NUMBER_WORDS =
  /\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|billions?|half|quarter|dozen|once|twice|first|second|third|fourth|fifth|last|next|double|triple|single)\b|[零〇一二三四五六七八九十百千万亿两半双]/g;
const DATE =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|(?:mon|tue|wed|thu|fri|sat|sun)\b|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|today|tonight|tomorrow|yesterday|mornings?|noon|afternoons?|evenings?|nights?|midnight|weekdays?|weekends?|days?|daily|weeks?|weekly|months?|monthly|years?|yearly|spring|summer|autumn|fall|winter|am|pm|before|after|until|since|ago)\b|[今明昨后前][天日晚早年]|上午|下午|中午|早上|晚上|凌晨|傍晚|半夜|周末|(?:星期|礼拜|周)[日天]|[上下本这][个]?(?:周|月|星期)|[春夏秋冬]|[年月周日号点时][前后]/g;
const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|nowhere|neither|nor|cannot|without|hardly|barely|lack(?:s|ing)?|isnt|arent|wasnt|werent|dont|doesnt|didnt|wont|wouldnt|cant|couldnt|shouldnt|hasnt|havent|hadnt|aint|no longer|nicht|kein\w*|nie|pas|jamais|nunca|não|non|niet|geen|inte|ikke|değil|yok)\b|n't\b|(?<=^|\s)(?:не|нет|لا|안|못)(?=\s)|없|ない|ません|[不没无别未非勿莫甭免否]/g;
/** Words that an opposite can replace. */
const CONTRARY =
  /\b(?:dis|un|non)(?=\w{4,})|\b(?:hat(?:e|es|ed)|avoid\w*|refus\w+|reject\w*|stop\w*|quit\w*|except|unless|against|instead|only|off|on|out|down|up|under|over|below|above|less|more|most|least|few(?:er)?|always|sometimes|usually|rarely|seldom|often|left|right|enable[sd]?|disable[sd]?|open\w*|clos\w+|add\w*|remov\w+|start\w*|end\w*|all|any|some|both|either)\b|[讨恨拒禁戒停反除只仅总常偶开关左右上下多少大小早晚]/g;
const PERSON =
  /\b(?:he|him|his|she|her|hers|they|them|their|theirs|we|us|our|ours|you|your|yours|wife|husband|son|daughter|mother|mom|mum|father|dad|brother|sister|boss|friend|neighbou?r|partner|girlfriend|boyfriend)\b|[我你他她它咱您]|[爸妈哥姐弟妹爷奶叔姨舅姑]/g;
const SETS = [NUMBER, NUMBER_WORDS, DATE, CONTRARY, PERSON];

/** A name: a word with a capital letter, or one with digits or punctuation inside. */
const NAME =
  /(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}\p{N}'’-]*|[\p{L}\p{N}]+[_@#./-][\p{L}\p{N}_@#./-]+|\p{L}+\p{N}[\p{L}\p{N}]*)/gu;
/** Words that begin a sentence and name nothing. */
const NO_NAME =
  /^(?:i|i'\w+|a|an|the|my|our|your|his|her|their|its|it|this|that|these|those|we|he|she|they|you|please|and|but|so|or|if|when|in|on|at|for|to|of|with|from|by|as|also|just|now|is|are|am|was|were|be|do|does|did|have|has|had|will|would|can|could|should|must|may|there|here|every|each|yes|ok|okay|well|really|actually|usually|generally|always|also|then|remember|note|user|goal|tools?|outcome)$/i;
/** Characters that do not change the meaning when added or left out. */
const FILLER = /[的了着过吗呢啊吧呀嘛哦也都就很太真还挺最更在是把请要想会一下得地非特别常真的\s\p{P}\p{S}]/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const SURNAME =
  /[王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤小老阿]/u;

/** Whether a number, a date, a name or a negation occurs in one text only. English and Chinese. */
export function differsInSubstance(one: string, other: string): boolean {
  const a = plain(one);
  const b = plain(other);
  if (SETS.some((pattern) => found(a, pattern) !== found(b, pattern))) return true;
  if ((a.match(NEGATION) ?? []).length !== (b.match(NEGATION) ?? []).length) return true;
  return namesApart(one, b) || namesApart(other, a) || signsApart(a, b);
}

function plain(text: string): string {
  return simplified(text.normalize("NFKC")).toLowerCase().replaceAll("’", "'");
}

/** Matches of a pattern, sorted: `at 5, not 6` and `not at 6, at 5` give the same. */
function found(text: string, pattern: RegExp): string {
  return (text.match(pattern) ?? []).sort().join(" ");
}

/** Whether one text has a name that the other lacks, in capital or small letters. */
function namesApart(one: string, other: string): boolean {
  return (simplified(one.normalize("NFKC")).match(NAME) ?? []).some((name) => {
    const small = name
      .toLowerCase()
      .replaceAll("’", "'")
      .replace(/'s$|['./-]+$/, "");
    return !NO_NAME.test(small) && !other.includes(small);
  });
}

/**
 * Chinese names have no capitals. If both texts have characters that the other lacks, these may be names. If only one
 * has more, they may be a name when they begin with a surname.
 */
function signsApart(a: string, b: string): boolean {
  const onlyA = runsOnlyIn(a, b);
  const onlyB = runsOnlyIn(b, a);
  if (onlyA.length > 0 && onlyB.length > 0) return true;
  return [...onlyA, ...onlyB].some((run) => run.length > 1 && SURNAME.test(run));
}

/** Runs of characters of the first text that are in no pair of adjacent characters which the second text has too. */
function runsOnlyIn(one: string, other: string): readonly string[] {
  const pairs = new Set<string>();
  for (const run of runsOf(other)) for (let at = -1; at < run.length; at += 1) pairs.add(pairAt(run, at));
  const runs: string[] = [];
  for (const run of runsOf(one)) {
    let apart = "";
    for (let at = 0; at < run.length; at += 1) {
      if (pairs.has(pairAt(run, at)) || pairs.has(pairAt(run, at - 1))) {
        if (apart !== "") runs.push(apart);
        apart = "";
      } else apart += run.charAt(at);
    }
    if (apart !== "") runs.push(apart);
  }
  return runs;
}

function runsOf(text: string): readonly string[] {
  return text.replace(FILLER, "").match(UNSPACED) ?? [];
}

/** The ends of a run count as characters. */
function pairAt(run: string, at: number): string {
  return (run.charAt(at) || "^") + (run.charAt(at + 1) || "$");
}
