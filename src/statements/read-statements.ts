import {
  INSTRUCTION,
  LAUGHS_LAST,
  SPEAKS_OF_ONESELF,
  type StatementKind,
  certain,
  isIronic,
  isLasting as lasts,
  isSecret,
  isTakenBack,
  kindOf,
  statesNothing,
} from "./kinds.ts";
import { ownWords, withoutQuotations } from "./own-words.ts";
import { inClauses, writtenPlainly } from "./plain.ts";
import { sentencesOf } from "./sentences.ts";

/** What one sentence of a message states. */
export interface Statement {
  /** `undefined` if the sentence only tells the assistant how to do things. */
  readonly kind: StatementKind | undefined;
  /**
   * The sentence as written, without its addressee and trailing laughter. If it ends in a question, only the part
   * before that.
   */
  readonly text: string;
  /** Whether it will still hold in a year: what a person is, has or likes, or how things should be from now on. */
  readonly lasting: boolean;
  /** Whether it tells the assistant how to do things. */
  readonly instructs: boolean;
}

/**
 * Characters of a message that are read. The rest of a longer message is a document and states nothing about its
 * sender.
 */
const MAX_CHARS = 2000;
const MAX_SENTENCE_CHARS = 300;
/** Shortest sentence that states something: `Agreed.` says nothing by itself. */
const MIN_CHARS = { latin: 8, han: 3 };

const HAN = /\p{Script=Han}/u;
/**
 * The part before a question: `I'm vegan, what can I eat there?` states something first. A sentence that asks from
 * its beginning states nothing.
 */
const THEN_ASKS =
  /^(?=[^\p{L}]*(?:\p{L}+[,，] ?|(?:h(?:i|ey|ello)|so|ok|and|but|btw|well) )?(?:i\b|i['’]|im\b|ive\b|(?:my|our|we)\b|been\b|got\b|had\b|not into\b|born\b|allergic\b|moved\b|turns out\b|我|[^,，]+ here,))(?:.{6,}|我.{2,})(?=(?:(?<=了)(?=还能|应?该|要不要|有没有|是不是|会不会)|(?<=我.{3,})(?=能[吃喝坐做用去开]|够[用花不])|[,，]| (?=\p{Script=Han}))(?! ?(?:do|am|are|can|is|have|did|was|has)(?:es)?n?['’t]* (?:i|we|you|he|she|it|they)\b)[^,，]+(?:[?？]["'”)）]*|[吗呢][。！~]?)$|[,，] ?(?:what|how|which(?! (?:is|are|was|has)\b)|why|should|can i|could you|any)\b[^,，]+$)/iu;
const ENDS_ASKING = /[?？]["'”)）]*$|[吗呢][。！~]?$|, ?(?:what|how|which|why|should|can i|could you|any)\b[^,]+$/i;
const PLAIN_QUESTION = /^[^`*_~\x80-\u{10ffff}]*\?$/u;
/** The addressee at the beginning of a sentence. A name that the sentence continues about is its subject and stays. */
const TO_WHOM =
  /^(?:@[\p{L}\p{N}_.-]+(?:\s+|(?=[,:，：])))+(?:[,:，：]\s*|(?=(?:i|im|i['’]\w+|my|we|we['’]\w+|our|please|remember|use|answer|reply|call|do not|don['’]t|from now on|(?:always|never)(?! \w+s\b))\b|我|咱|以后|以後|请|請|记|記))/iu;
const FOR_GOOD = /always|never|now|stop/i;

/**
 * Reads what a person states about themselves and how things should be: preferences, decisions, commitments, facts,
 * in English and Chinese. Questions, quotations, suppositions and small talk give nothing. Works by rules, so the
 * same text always gives the same result.
 *
 * Source: docs/capture.md, "Capture".
 */
export function readStatements(text: string): readonly Statement[] {
  return ownSentences(text).flatMap((sentence) => readStatement(sentence) ?? []);
}

/**
 * Returns sentences in which a person speaks of themselves but no rule finds a statement. Most of them state nothing.
 */
export function unreadSentences(text: string): readonly string[] {
  return ownSentences(text).filter((sentence) => {
    const read = readSaid(sentence);
    return read?.kind === undefined && SPEAKS_OF_ONESELF.test(read?.sure ?? "") && !ENDS_ASKING.test(sentence);
  });
}

/** Reads one sentence, no matter who said it. */
export function readStatement(sentence: string): Statement | undefined {
  const read = readSaid(sentence);
  if (read === undefined) return undefined;
  const { said, sure, kind } = read;
  const instructs = INSTRUCTION.test(sure);
  if (kind === undefined && !instructs) return undefined;
  return { kind, text: said.replace(TO_WHOM, ""), lasting: lasts(kind, sure, said), instructs };
}

/** Whether a sentence of this kind holds for longer than a while. */
export function isLasting(kind: StatementKind, sentence: string): boolean {
  return lasts(kind, inClauses(writtenPlainly(sentence)), sentence);
}

function ownSentences(text: string): readonly string[] {
  const own = ownWords(text.slice(0, MAX_CHARS));
  if (isTakenBack(own)) return [];
  return sentencesOf(own).flatMap(({ text: sentence }) => (isSecret(sentence) ? [] : [sentence]));
}

/**
 * Returns the sentence without its question (`said`), the clauses that are meant as certain (`sure`), and the kind
 * that they state.
 */
function readSaid(sentence: string) {
  const stated = ENDS_ASKING.test(sentence) ? (THEN_ASKS.exec(sentence)?.[0].trimEnd() ?? sentence) : sentence;
  if (stated.length > MAX_SENTENCE_CHARS || onlyAsks(stated)) return undefined;
  const said = stated.replace(LAUGHS_LAST, "");
  if (isIronic(said)) return undefined;
  const read = inClauses(writtenPlainly(withoutQuotations(said)));
  if (statesNothing(read)) return undefined;
  const sure = certain(read);
  const isShort = read.length < (HAN.test(read) ? MIN_CHARS.han : MIN_CHARS.latin);
  return { said, sure, kind: isShort ? undefined : kindOf(sure) };
}

/**
 * Whether a sentence is a plain question that asks for nothing permanent, so it states nothing. A fast path: the
 * other rules examine each word.
 */
function onlyAsks(said: string): boolean {
  return said.endsWith("?") && PLAIN_QUESTION.test(said) && !FOR_GOOD.test(said);
}
