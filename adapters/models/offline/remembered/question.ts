import { tokensOf } from "../../../../kit.ts";
import type { Language } from "../intent.ts";
import { FAMILY, oneChineseWord, sameAs, wordsOf } from "./words.ts";

/** The kind of answer. All but the last two have one value at a time. */
type Wanted = "name" | "person" | "time" | "place" | "number" | "anything" | "yes-or-no";

/** A question about a person's own life, as far as the rules understand it. */
export interface Question {
  readonly language: Language;
  readonly wanted: Wanted;
  /** Its topic: whether a statement with these words is about it. */
  readonly terms: readonly Term[];
  /** Whether a statement is about the same person: a sister's allergy does not answer a question about oneself. */
  isOfSubject(text: string): boolean;
}

export interface Term {
  /** Whether it is too common in statements for a match to mean anything. */
  readonly isWeak: boolean;
  isIn(words: ReadonlySet<string>): boolean;
}

/** The rules do not understand a longer question. */
const MAX_CHARS = 200;
const POLITE =
  /^(?:(?:and|so|but|now|then|ok|okay|well|hey|hi|hello)[,!]?\s+)*(?:(?:do|did|can|could|would) you (?:still )?(?:know|remember|recall|tell me)\s+|(?:please )?tell me\s+|i wonder\s+)?(?=(?:if|whether|what|which|who|whose|when|where|how|am|are|is|was|were|do|does|did|have|has|can)\b)/u;
const ASKED_FOR = /\b(?:know|remember|recall|tell|wonder)\b/u;
/** "When I was a child …", "have a nice day": without a question mark these are statements or wishes. */
const MAY_STATE = /^(?:what an?\b|(?:what|when|where|which|who|how \w+) (?:i|we|my|our)\b|(?:do|have) (?!i\b|we\b))/u;
const OWN = new RegExp(`\\b(?:i|i'm|me|my|mine|we|us|our|ours|${FAMILY.en})\\b`, "u");
/** Requests for advice or instructions, and questions to the assistant: no memory answers them. */
const ADVICE =
  /^(?:how (?:do|does|can|could|should|would|to)|why|(?:what|where|when|which|who)\b.{0,30}? (?:should|shall|could|can|may|might|must) (?:i|we)|should|shall|could|may|would|will)\b|\byou(?:r|rs)?\b/u;
const WANTED: readonly (readonly [Wanted, RegExp])[] = [
  ["yes-or-no", /^(?:if|whether|am|are|is|was|were|do|does|did|have|has|can)\b/u],
  ["name", /\bnames?\b|\bcalled\b/u],
  ["person", /^who(?:se)?\b|^who'?s\b/u],
  ["number", /^how (?:old|many|much|tall|big|long|far|heavy)\b|^what(?:'s| is)? .*\bnumber\b/u],
  ["time", /^when\b|^what(?:'s| is)? .*\bbirthday\b|^(?:what|which) (?:day|date|time|month|year)\b/u],
  ["place", /^where\b|\baddress\b/u],
  ["anything", /^(?:what|which)\b|^what'?s\b/u],
];
/** Words of a question that are not its topic. */
const BESIDES: Partial<Record<Wanted, RegExp>> = {
  name: /\b(?:names?|called|call)\b/gu,
  number: /\b(?:old|many|much|tall|long|far|number)\b/gu,
  time: /\b(?:day|date|time|month|year)\b/gu,
  place: /\b(?:keep|kept|put|store|stored|leave|left|hide|hid|place)\b/gu,
};
const SAYS_NOTHING =
  /\b(?:anything|something|anyone|anybody|someone|everything|thing|things|kind|kinds|sort|sorts|again|exactly|actually|currently|now|nowadays|still|ever|really|usually|normally|these days|right now|at the moment|called|known|know|remember|got|please)\b/gu;
const LIVING = /^what(?:'s| is) my (?:job|work|occupation|profession)\b|^what do i do(?: for (?:a living|work))?$/u;
const AGE = "old born age birthday";
const WEAK = wordsOf(
  "need want like love have think go make take use good best new get see find feel help work day time people",
);

const CHINESE_POLITE =
  /^(?:请问|那么?|嗯|对了)?[，,]?(?:[你您](?:还)?(?:知道|记得|记不记得|知不知道|能告诉我|能说说)|告诉我|说说)?[，,]?(?=.)/u;
const CHINESE_LIVING = /^我是(?:做|干)(?:什么|啥)的$/u;
const TRADITIONAL = "麼對嗎誰裡裏幾兒號歲個時點還過哪沒會開給";
const SIMPLIFIED = "么对吗谁里里几儿号岁个时点还过哪没会开给";
const CHINESE_ADVICE = /[你您]|^我(?:该|应该|应当|怎么|如何|能(?!吃|喝|不能吃)|可以|可不可以|要不要|需不需要)|为什么/u;
const CHINESE_OWN = new RegExp(`我|${FAMILY.zh}`, "u");
const CHINESE_WANTED: readonly (readonly [Wanted, RegExp])[] = [
  ["time", /什么时候|何时|[哪几](?:天|号|月|年|点)|生日(?:是|在)?(?:什么|哪|几|多少)/u],
  ["number", /多少|几岁|多大|多高|多重|[有养是]几|几[个只条位口]/u],
  ["place", /哪里|哪儿|什么地方|何处|在哪/u],
  ["name", /叫什么|叫啥|名字(?:是|叫)?(?:什么|啥)?$/u],
  ["person", /是谁|谁是|哪位/u],
  ["anything", /(?<!没)(?:什么|啥|哪)(?!.{0,2}[都也])/u],
  ["yes-or-no", /[吗么]$|有没有|是不是|(\p{Script=Han})不\1/u],
];
const CHINESE_BESIDES =
  /是?什么时候|是?什么地方|叫什么|做什么|是什么|有什么|什么|何时|何处|叫啥|啥|是谁|谁是|谁|在哪[里儿]?|哪[里儿个位家天年月种些]|哪|几[号月岁点个只条位口]|多少|多大|多高|多重|有没有|是不是|放在|藏在|存在|收在|名字|来着|任何|东西|现在|目前|今年|一共|我们|我的|我|的|是|在|对|有|了|都|还|叫|把|能|会|可以|吗|呢|吧|么|啊|呀|放|藏|几|哪/gu;
/** Words that stand next to others without a separator. */
const CHINESE_TOPIC = /过敏|喜欢|讨厌|生日|工作|电话|名字/gu;
const CHINESE_VERB = /^[想要去做吃喝看用]$/u;
const CHINESE_WEAK = /^(?:喜欢|工作|[想要去做吃喝看用])$/u;

/** Parses a question; `undefined` if it is not about the person's own life. */
export function questionIn(text: string): Question | undefined {
  if (text.length > MAX_CHARS) return undefined;
  return /\p{Script=Han}/u.test(text) ? chineseQuestion(text, CHINESE_OWN) : englishQuestion(text, OWN);
}

/** A question about anything that names its topic: "Who is Anna?", "What is the gate code?" */
export function anyQuestionIn(text: string): Question | undefined {
  if (text.length > MAX_CHARS) return undefined;
  const question = /\p{Script=Han}/u.test(text) ? chineseQuestion(text, /^/u) : englishQuestion(text, /^/u);
  const isTelling = (question?.terms.filter(({ isWeak }) => !isWeak).length ?? 0) > 1 || NAMES_SOMETHING.test(text);
  return isTelling ? question : undefined;
}

const NAMES_SOMETHING =
  /\s\p{Lu}\p{L}|\d|\p{Script=Han}{2,}的\p{Script=Han}{2,}|^\p{Script=Han}{4,8}(?:在哪|是[什谁多哪几])/u;

function englishQuestion(text: string, whose: RegExp): Question | undefined {
  const said = text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[\s.!?…]+$/u, "")
    .trim();
  const whole = said.replace(POLITE, "");
  const isSurelyAsked = text.trimEnd().endsWith("?") || ASKED_FOR.test(said.slice(0, said.length - whole.length));
  if (!isSurelyAsked && MAY_STATE.test(whole)) return undefined;
  const asked = LIVING.test(whole) ? "what my work" : whole.replace(/^(?:if|whether) /u, "is ");
  const wanted = WANTED.find(([, words]) => words.test(asked))?.[0];
  if (wanted === undefined || !whose.test(asked) || ADVICE.test(asked)) return undefined;
  const about = asked.replace(BESIDES[wanted] ?? SAYS_NOTHING, " ").replace(SAYS_NOTHING, " ");
  const tokens = [...wordsOf(about)];
  const terms = tokens.map((token) => englishTerm(sameAs(token), WEAK.has(token)));
  if (terms.length === 0 && /^how old\b/u.test(asked)) terms.push(englishTerm(wordsOf(AGE), false));
  if (terms.length === 0) return undefined;
  return { language: "en", wanted, terms, isOfSubject: ofEnglishSubject(asked, terms) };
}

const ASKS_OF_ONESELF =
  /\b(?:am|do|did|have|was|can|is|are) (?:i|we)\b|\b(?:what|where|when|which|who|how|old|many|much) (?:i|we)\b|\bi'm\b/u;
/** Sentences in files about the person that do not name them. */
const SUBJECTLESS =
  /^(?:(?:the )?users?|likes|loves|enjoys|prefers|dislikes|hates|lives|works|studies|has|is|was|owns|drives|speaks|plays|eats|drinks|takes|needs|keeps|uses)\b/iu;
/** For "am I …?": "I think that Bob is …" and "I have a dog that is …" are about another. */
const SAYS_I_AM = /\bi(?:['’]m|['’]ve| am| was| have| got| became)\b/iu;
const SAID_OF_ANOTHER = /\b(?:who|which|that) (?:is|are|has)\b/iu;

const OWNED = /\b(?:my|our) ((?:[\p{L}-]+ )*[\p{L}-]+)/u;
const RELATIVES = new RegExp(`\\b(?:${FAMILY.en})\\b`, "gu");

const OWN_PEOPLE = new RegExp(
  `^(?:${FAMILY.en}|sister|brother|son|daughter|wife|husband|partner|friend|boyfriend|girlfriend|cousin|uncle|aunt|nephew|niece|boss|neighbou?r|colleague|roommate|flatmate|kid|child|children|parent|cat|dog)s?$`,
  "iu",
);

/**
 * A statement is about oneself if it says "I", or names one's own thing as the question does: "my allergies". It is
 * about one's sister unless it says that she is another's.
 */
function ofEnglishSubject(asked: string, terms: readonly Term[]): Question["isOfSubject"] {
  const isTerm = (word: string) => terms.some((term) => term.isIn(wordsOf(word)));
  if (ASKS_OF_ONESELF.test(asked)) {
    const mayBeOwned = /\bhave\b/u.test(asked);
    const isOfBeing = /\bam i\b|\bi am\b/u.test(asked);
    return (text) => {
      if (SUBJECTLESS.test(text)) return true;
      if (isOfBeing ? SAYS_I_AM.test(text) && !SAID_OF_ANOTHER.test(text) : /\b(?:i|we|me)\b/iu.test(text)) return true;
      const [, first = "", second = ""] = /\b(?:my|our) ([\p{L}-]+)(?: ([\p{L}-]+))?/iu.exec(text) ?? [];
      if (isTerm(first) || (isTerm(second) && !OWN_PEOPLE.test(first))) return mayBeOwned || !/['’]s\b/u.test(text);
      return isTerm(/^\p{L}+/u.exec(text)?.[0] ?? "");
    };
  }
  const owned = [...(OWNED.exec(asked)?.[1]?.split(" ") ?? []), ...(asked.match(RELATIVES) ?? [])].filter(isTerm);
  return (text) =>
    owned.every((noun) => {
      const stem = noun.replace(/(?:ies|es|s|y)$/u, "");
      const isOwn = new RegExp(`\\b(?:my|our) (?:[\\p{L}-]+ ){0,2}${stem}`, "iu").test(text);
      return isOwn || !new RegExp(`(?:\\p{L}['’]s|\\b(?:his|her|their|your)) (?:[\\p{L}-]+ )?${stem}`, "iu").test(text);
    });
}

function englishTerm(tokens: ReadonlySet<string>, isWeak: boolean): Term {
  return { isWeak, isIn: (words) => [...tokens].some((token) => words.has(token)) };
}

function chineseQuestion(text: string, whose: RegExp): Question | undefined {
  const polite = inSimplified(text)
    .replace(/[\s。！？!?…~～]+$/u, "")
    .trim();
  const asked = polite.replace(CHINESE_POLITE, "").replace(CHINESE_LIVING, "我的工作是什么");
  const wanted = CHINESE_WANTED.find(([, words]) => words.test(asked))?.[0];
  if (wanted === undefined || !whose.test(asked) || CHINESE_ADVICE.test(asked)) return undefined;
  const about = oneChineseWord(asked.replace(/(\p{Script=Han})不\1/gu, "$1")).replace(CHINESE_BESIDES, " ");
  const chunks = about
    .replace(CHINESE_TOPIC, " $& ")
    .split(/[\s\p{P}]+/u)
    .filter((chunk) => chunk !== "");
  const telling = chunks.filter((chunk) => !CHINESE_VERB.test(chunk));
  const terms = (telling.length > 0 ? telling : chunks).map(chineseTerm);
  if (terms.length === 0 && /几岁|多大/u.test(asked)) terms.push(anyOf(["岁", "生日"].map(chineseTerm)));
  if (terms.length === 0) return undefined;
  return { language: "zh", wanted, terms, isOfSubject: ofChineseSubject(asked, terms) };
}

const RELATIVE =
  /妈妈|爸爸|爷爷|奶奶|外公|外婆|丈夫|妻子|[表堂]?[哥姐弟妹](?:[哥姐弟妹])?|儿子|女儿|孩子|爱人|朋友|女友|男友|同事|同学|室友|老板|邻居|[叔伯婶姑姨舅][叔伯婶姑姨妈舅父母]?|猫|狗/u;
const BEGINS_WITH_RELATIVE = new RegExp(`^(?:我们?)?(?:家)?(?:的)?(?:${RELATIVE.source})`, "u");

function ofChineseSubject(asked: string, terms: readonly Term[]): Question["isOfSubject"] {
  const isOfOthers = !asked.includes("我") || RELATIVE.test(oneChineseWord(asked));
  const isOfThing = /^我[的把]|是我/u.test(asked);
  return (text) => {
    const said = oneChineseWord(text.replace(/^[\p{P}\s]+/u, ""));
    if (isOfOthers) return true;
    if (BEGINS_WITH_RELATIVE.test(said)) return /[有养]/u.test(asked);
    return isOfThing || said.includes("我") || terms.some((term) => term.isIn(wordsOf(said.slice(0, 2))));
  };
}

/** Converts the characters of question words to simplified ones. For other traditional characters the tokens suffice. */
function inSimplified(text: string): string {
  return text.replace(/\p{Script=Han}/gu, (sign) => SIMPLIFIED[TRADITIONAL.indexOf(sign)] ?? sign);
}

function anyOf(terms: readonly Term[]): Term {
  return { isWeak: false, isIn: (words) => terms.some((term) => term.isIn(words)) };
}

/** Share of a word's character pairs that must occur: 妈妈生日 is in 妈妈的生日. */
const PAIRS_SHARE = 0.6;
const PAIR = /^\p{Script=Han}{2}$/u;

function chineseTerm(chunk: string): Term {
  const tokens = tokensOf(chunk);
  const pairs = tokens.filter((token) => PAIR.test(token));
  const others = tokens.filter((token) => !PAIR.test(token));
  return {
    isWeak: CHINESE_WEAK.test(chunk),
    isIn(words) {
      const together = pairs.filter((pair) => words.has(pair)).length;
      return others.every((other) => words.has(other)) && together >= pairs.length * PAIRS_SHARE;
    },
  };
}

const MONTH_OR_DAY =
  /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|tonight|noon|midnight|every|morning|evening|spring|summer|autumn|winter|christmas|easter)\b|[一二三四五六七八九十〇][月日号点年]|周[一二三四五六日天]|星期|明天|后天|今天|每[天周月年]/iu;
const PLACE =
  /\b(?:in|at|on|under|underneath|behind|beside|besides|near|inside|outside|from|to|with|above|below|between|by|next to|off|address)\b|[在到去住]|[里上下旁]面?/iu;
const NAMED =
  /\b(?:called|named)\s|\bnames?(?: is| are|['’]s)?\s|(?<!\b(?:in|at|on|from|to|near|of|the|every|last|next)\s)(?<!^)\b(?!I\b|I['’]|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|January|February|March|April|May\b|June|July|August|September|October|November|December)\p{Lu}\p{L}|\b(?:is|are)\s(?!an?\b|the\b|my\b|our\b|in\b|at\b|on\b|not\b|very\b|from\b|\p{L}+(?:ing|ed)\b|\d)\p{L}+$/u;
const NAMED_IN_CHINESE = /叫|名|是(?!不|在|个|一|做|学|因|为|从|去|要|想|很)/u;
const IS_SOMEBODY = /\b(?:is|are|was)\b|:|[是叫：]/u;

/** Whether a statement answers a question: it covers the whole topic, and has the kind of answer asked for. */
export function isAnswer({ terms, wanted, isOfSubject }: Question, text: string): boolean {
  const words = wordsOf(text);
  return terms.every((term) => term.isIn(words)) && tells(wanted, text) && isOfSubject(text);
}

/** Whether a statement is at least about the topic. */
export function isAbout({ terms }: Question, text: string): boolean {
  const words = wordsOf(text);
  const telling = terms.filter(({ isWeak }) => !isWeak);
  return telling.length > 0 && telling.filter((term) => term.isIn(words)).length * 2 >= telling.length;
}

function tells(wanted: Wanted, text: string): boolean {
  if (wanted === "time") return MONTH_OR_DAY.test(text);
  if (wanted === "place") return PLACE.test(text);
  if (wanted === "number")
    return /\d|\b(?:no|one|two|three|four|five|six|seven|eight|nine|ten|a)\b|[一二两三四五六七八九十]/iu.test(text);
  if (wanted === "name") return tellsName(text);
  return wanted === "person" ? IS_SOMEBODY.test(text) || tellsName(text) : true;
}

export function tellsName(text: string): boolean {
  return /\p{Script=Han}/u.test(text) ? NAMED_IN_CHINESE.test(text) : NAMED.test(text);
}
