import { tokensOf } from "../../../../kit.ts";
import type { Known } from "./known.ts";
import { wordsOf } from "./words.ts";

/** A current statement, and older ones that it contradicts. */
export interface Settled {
  readonly known: Known;
  readonly older: readonly Known[];
}

/** Things that a person has one of at a time, with their phrases: of two such statements the newer one holds. */
const ONE_AT_A_TIME: readonly (readonly [string, RegExp])[] = [
  [
    "home",
    /^(?:i|we)(?: have)?(?: now| currently| just| recently)? (?:live|moved|relocated)\b|^my (?:new )?address is\b|^我(?:们)?(?:现在|已经|目前|刚|前[几两]天)*(?:住|搬)/iu,
  ],
  ["work", /^i (?:now |currently )?work (?:at|for)\b|^我(?:现在|目前)?在.{1,20}(?:工作|上班)/iu],
];
const MINE =
  /^my (?:new )?(?<first>(?:favou?rite [\p{L} ]{2,20}?)|(?:\p{L}+ )?appointment|name|birthday|dentist|doctor|gp|boss|manager|employer|job|(?:phone|mobile) number|email(?: address)?|bank|wifi name)(?: is| are|['’]s)\b|^.{2,60}? (?:is|are) (?:now )?my (?:new )?(?<last>(?:favou?rite [\p{L} ]{2,20})|dentist|doctor|gp|boss|manager|employer|bank)\b|^我(?:的|现在的|最喜欢的)*(?<han>名字|生日|牙医|医生|老板|经理|电话|手机号|邮箱|工作|颜色)(?:现在|换成|改成)*(?:是|叫|换成|改成|了)/iu;
const NEGATION =
  /\b(?:not|never|no longer|no more|without|none|nothing|no)\b|n['’]t\b|不(?!过(?!敏)|错|同|久|少|断)|没(?!错)|从未|再也/iu;
const SAYS_WHEN =
  /\b(?:any ?more|any longer|no longer|now|currently|already|longer|lived?|moved|work|my|new)\b|再也|现在|已经|目前/giu;
/** Titles, and Chinese words that carry no value. */
const SAYS_NO_VALUE =
  /\b(?:doctor|dr|mr|mrs|ms|miss|prof|professor)\b|[我你的是在住搬到去了叫对过]|医生|先生|女士|老师/giu;
/** Share of words that two statements must have in common for one to be the negation of the other. */
const CONTRARY_SHARE = 0.6;

/** Groups statements: each one holds unless a newer one contradicts it. @param list The newest first. */
export function settled(list: readonly Known[]): readonly Settled[] {
  const held: { known: Known; older: Known[] }[] = [];
  for (const known of list) {
    const newer = held.find((one) => replaces(one.known.text, known.text));
    if (newer === undefined) held.push({ known, older: [] });
    else newer.older.push(known);
  }
  return held;
}

function replaces(newer: string, older: string): boolean {
  if (hasNegation(newer) !== hasNegation(older)) return sharedPart(newer, older) >= CONTRARY_SHARE;
  const subject = subjectOf(newer);
  if (subject === undefined || subject !== subjectOf(older)) return false;
  const words = wordsOf(subject);
  return saysOtherwise(newer, older, (word) => words.has(word));
}

/** Whether the statements give different values for the subject `about`: no common word, or different numbers. */
export function saysOtherwise(newer: string, older: string, about: (word: string) => boolean = () => false): boolean {
  const [one, other] = [valueOf(newer, about), valueOf(older, about)];
  if (one.size === 0 || other.size === 0) return false;
  const numbers = (words: ReadonlySet<string>) =>
    [...words]
      .filter((word) => /\d/u.test(word))
      .sort()
      .join(" ");
  if (numbers(one) !== "" && numbers(other) !== "" && numbers(one) !== numbers(other)) return true;
  return ![...one].some((word) => other.has(word));
}

function valueOf(text: string, about: (word: string) => boolean): ReadonlySet<string> {
  const words = [...wordsOf(text.replace(SAYS_WHEN, " ").replace(SAYS_NO_VALUE, " "))];
  // For Chinese only pairs: a single character is part of many words.
  return new Set(words.filter((word) => !about(word) && !/^\p{Script=Han}$/u.test(word)));
}

function subjectOf(text: string): string | undefined {
  const known = ONE_AT_A_TIME.find(([, words]) => words.test(text))?.[0];
  if (known !== undefined) return known;
  const { first, last, han } = MINE.exec(text)?.groups ?? {};
  return (first ?? last ?? han)?.toLowerCase();
}

export function hasNegation(text: string): boolean {
  return NEGATION.test(text);
}

function sharedPart(one: string, other: string): number {
  const bare = (text: string) =>
    new Set(tokensOf(text.replace(new RegExp(NEGATION, "giu"), " ").replace(SAYS_WHEN, " ")));
  const [first, second] = [bare(one), bare(other)];
  const shared = [...first].filter((word) => second.has(word)).length;
  return shared / Math.max(1, first.size + second.size - shared);
}
