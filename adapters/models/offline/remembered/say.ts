import type { Language } from "../intent.ts";
import type { Known } from "./known.ts";
import { type Settled, hasNegation, saysOtherwise, settled } from "./newest.ts";
import { type Question, isAbout, isAnswer, tellsName } from "./question.ts";
import { toSecondPerson } from "./second-person.ts";
import { wordsOf } from "./words.ts";

/** Most statements in one answer. */
const MAX_TOLD = 5;
/** Most statements in a list of everything about a person. */
const MAX_LISTED = 20;
const MAX_QUOTED_CHARS = 300;
const ONE_ANSWER = new Set(["name", "person", "time", "place", "number"]);
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

export interface Told {
  readonly say: string;
  /** False: no known fact answers the question. */
  readonly isAnswer: boolean;
}

/** How facts are worded: the language, and today's date if the prompt names it. */
export interface Telling {
  readonly language: Language;
  readonly today: string | undefined;
}

/** Answers a question from the known facts, and never says more than they do. @param known The newest first. */
export function answerFrom(question: Question, known: readonly Known[], today: string | undefined): Told {
  const telling = { language: question.language, today };
  const isZh = question.language === "zh";
  const fitting = settled(known).filter(({ known: one, older }) =>
    [one, ...older].some(({ text }) => isAnswer(question, text)),
  );
  const found = ONE_ANSWER.has(question.wanted) ? oneOf(question, fitting) : fitting.slice(0, MAX_TOLD);
  if (found.length > 0) return { say: told(question, found, telling), isAnswer: true };
  const near = known.filter(({ text }) => isAbout(question, text)).slice(0, MAX_TOLD);
  if (near.length === 0)
    return {
      say: isZh ? "我不知道：我记得的内容里没有提到。" : "I do not know: nothing that I remember says so.",
      isAnswer: false,
    };
  const head = isZh ? "我不知道。相关的内容我只记得：" : "I do not know. This is all that I remember of it:";
  return { say: [head, ...near.map((one) => line(one, telling))].join("\n"), isAnswer: false };
}

/** All known facts about the person, newest first; `undefined` when there are none. */
export function allOf(known: readonly Known[], telling: Telling): string | undefined {
  const held = settled(known);
  if (held.length === 0) return undefined;
  const isZh = telling.language === "zh";
  const shown = held.slice(0, MAX_LISTED);
  const left = held.length - shown.length;
  return [
    isZh ? "我知道的关于你的事：" : "This is what I know about you:",
    ...shown.map((one) => line(one.known, telling)),
    ...(left > 0 ? [isZh ? `还有 ${left} 条。` : `And ${left} more.`] : []),
    ...otherwise(shown, telling),
  ].join("\n");
}

/**
 * The newest statement with the answer (for names: the newest that contains a name), and older ones only if they
 * contradict it.
 */
function oneOf({ terms, wanted }: Question, fitting: readonly Settled[]): readonly Settled[] {
  const isOfName = wanted === "name" || wanted === "person";
  const naming = isOfName ? fitting.filter(({ known }) => tellsName(known.text)) : fitting;
  const [newest, ...others] = naming.length > 0 ? naming : fitting;
  if (newest === undefined) return [];
  const isAsked = (word: string) => terms.some((term) => term.isIn(new Set([word])));
  const older = naming.length === 0 ? [] : others.flatMap((one) => [one.known, ...one.older]);
  const contrary = older.filter(({ text }) => saysOtherwise(newest.known.text, text, isAsked));
  return [{ known: newest.known, older: [...newest.older, ...contrary] }];
}

function told(question: Question, found: readonly Settled[], telling: Telling): string {
  const [first] = found;
  const verdict = question.wanted === "yes-or-no" ? verdictOf(question, found) : undefined;
  const head = verdict === undefined ? "" : HEADS[telling.language][verdict];
  if (found.length === 1 && first !== undefined)
    return [head + sentence(first.known, telling), ...otherwise(found, telling)].join("\n");
  const begin = head === "" ? (telling.language === "zh" ? "我记得：" : "I remember:") : head.trim();
  return [begin, ...found.map(({ known }) => line(known, telling)), ...otherwise(found, telling)].join("\n");
}

const HEADS = { en: { yes: "Yes. ", no: "No. " }, zh: { yes: "是的。", no: "不。" } } as const;

/** Yes or no, only if each statement says it about the person, now, and without a condition. */
function verdictOf(question: Question, found: readonly Settled[]): "yes" | "no" | undefined {
  const verdicts = found.map(({ known }) =>
    isAnswer(question, known.text) && !known.isOfOthers ? saysIt(question, known.text) : undefined,
  );
  if (verdicts.includes(undefined)) return undefined;
  return verdicts.includes("yes") ? "yes" : "no";
}

const BEGINS_ENGLISH =
  /^(?:yes, |no, )?i(?: am|['’]m| have|['’]ve| do| can)?(?<not> not|n['’]t| never| no longer| no|not)?(?: (?:got|been|an?|the|really|very|also|still|always|severely|highly|quite|mildly|deadly|any))*\s+/iu;
const UNCERTAIN_ENGLISH =
  /\b(?:was|were|had|did|used|would|might|may|maybe|perhaps|could|should|if|unless|except|but|until|only|think|thought|once|when|guess|sure|almost|hardly|instead)\b|\?/iu;
const BEGINS_CHINESE = /^我/u;
const UNCERTAIN_CHINESE =
  /可能|也许|大概|好像|似乎|如果|要是|除非|除了|但|不过(?!敏)|以前|曾|小时候|过去|觉得|以为|怀疑|只|要不|医生说|据说|差点|想/u;
const NEGATIONS_CHINESE = /不(?!过(?!敏)|错|同|久|少|断)|没(?!错)|从未/gu;

function saysIt({ terms, language }: Question, text: string): "yes" | "no" | undefined {
  if (language === "zh") {
    const negations = text.match(NEGATIONS_CHINESE)?.length ?? 0;
    if (!BEGINS_CHINESE.test(text) || UNCERTAIN_CHINESE.test(text) || negations > 1) return undefined;
    if (negations === 1 && /[，,；;]/u.test(text)) return undefined;
    return negations === 1 ? "no" : "yes";
  }
  const begin = BEGINS_ENGLISH.exec(text);
  const rest = begin === null ? "" : text.slice(begin[0].length);
  if (begin === null || UNCERTAIN_ENGLISH.test(text) || hasNegation(rest)) return undefined;
  const [first = ""] = wordsOf(rest);
  const isSaidFirst = terms.some((term) => term.isIn(new Set([first])));
  if (!isSaidFirst || terms.every(({ isWeak }) => isWeak)) return undefined;
  return begin.groups?.["not"] === undefined ? "yes" : "no";
}

function otherwise(found: readonly Settled[], telling: Telling): readonly string[] {
  const older = found.flatMap((one) => one.older).slice(0, MAX_TOLD);
  if (older.length === 0) return [];
  const head = telling.language === "zh" ? "更早的记忆说法不同：" : "An older memory says otherwise: ";
  return older.map((one) => head + quotation(one, telling));
}

/** "You are allergic to peanuts. You said so on 3 May.", or a word-for-word quotation. */
function sentence(known: Known, telling: Telling): string {
  const text = known.isOfOthers ? undefined : toSecondPerson(known.text);
  if (text === undefined) return quotation(known, telling);
  return telling.language === "zh" ? `${text}（${sourceOf(known, telling)}）` : `${text} ${sourceOf(known, telling)}`;
}

function sourceOf({ from, day }: Known, { language, today }: Telling): string {
  const on = shownDay(day, language, today);
  if (language === "zh") {
    if (from === "said") return on === undefined ? "你在这段对话里说的" : `你${on}说的`;
    if (from === "noted") return on === undefined ? "我记下的" : `我${on}记下的`;
    return on === undefined ? `写在 ${from} 里` : `写在 ${from} 里，${on}`;
  }
  if (from === "said") return on === undefined ? "You said so in this conversation." : `You said so ${on}.`;
  if (from === "noted") return on === undefined ? "I noted that." : `I noted that ${on}.`;
  return on === undefined ? `It stands in ${from}.` : `It stands in ${from}, written ${on}.`;
}

/** "You said on 3 May: “Call me Robin.”" */
function quotation(known: Known, { language, today }: Telling): string {
  const { from, day } = known;
  const on = shownDay(day, language, today) ?? "";
  const words = `“${shortened(known.text)}”`;
  if (language === "zh") {
    if (from === "said") return `你${on === "" ? "在这段对话里" : on}说过：${words}`;
    return from === "noted" ? `我${on}记下的：${words}` : `${from} 里写着：${words}`;
  }
  if (from === "said") return `You said ${on === "" ? "in this conversation" : on}: ${words}`;
  if (from === "noted") return `I noted${on === "" ? "" : ` ${on}`}: ${words}`;
  return `${from} says: ${words}`;
}

function line(known: Known, { language, today }: Telling): string {
  const text = known.isOfOthers ? undefined : toSecondPerson(known.text);
  const on = shownDay(known.day, language, today, "bare");
  const from = on ?? (known.from === "said" || known.from === "noted" ? undefined : known.from);
  const words = text ?? `“${shortened(known.text)}”`;
  return from === undefined ? `- ${words}` : `- ${from}${language === "zh" ? "：" : ": "}${words}`;
}

function shownDay(
  day: string | undefined,
  language: Language,
  today: string | undefined,
  form: "bare" | "in a sentence" = "in a sentence",
): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? [];
  const name = MONTHS[Number(month) - 1];
  if (year === undefined || name === undefined) return undefined;
  if (day === today) return language === "zh" ? "今天" : "today";
  const isThisYear = today?.startsWith(year) ?? false;
  if (language === "zh") return `${isThisYear ? "" : `${year}年`}${Number(month)}月${Number(date)}日`;
  return `${form === "bare" ? "" : "on "}${Number(date)} ${name}${isThisYear ? "" : ` ${year}`}`;
}

function shortened(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim();
  return line.length <= MAX_QUOTED_CHARS ? line : `${line.slice(0, MAX_QUOTED_CHARS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
