import { type Sentence, readSentence, sentencesOf } from "../../statements/index.ts";
import { createModelRedactor } from "../../telemetry/index.ts";
import type { Fact, SpokenText } from "./fact.ts";
import { identifiersOf } from "./identifiers.ts";
import { shortened } from "./shortened.ts";
import { formOf, normalised, wordsOf } from "./words.ts";

/** Longest sentence of a decision, task or fact, in characters, and what is shown around an identifier. */
const MAX_SENTENCE_CHARS = 240;
const MAX_AROUND_CHARS = 160;
/** One message does not fill the ledger. */
const MAX_SENTENCES = 40;
const MAX_IDENTIFIERS = { user: 60, assistant: 24, tool: 12 };
/** What is added to an identifier's worth when a decision, task or fact rests on it. */
const TIED = 3;
/** So many messages that say the same of ever another number are a count or a log: `message #17`. */
const SERIES_MESSAGES = 10;
/** What stands before an identifier, and the beginning of a sentence, by which a series is known. */
const SERIES_BEFORE_CHARS = 12;
const SERIES_BEGINNING_CHARS = 24;
/** A day that means another one when it is read later. */
const RELATIVE_DAY =
  /\b(?:to(?:day|night|morrow)|(?:next|this) \w+|\w+day|in \w+ (?:hour|day|week|month)s?)\b|[今明后][天晚早]|下?(?:周|星期)|下个?月|月底/i;

/**
 * Finds what must outlive the messages: decisions, open tasks and what closes them, lasting facts and preferences, and identifiers, in English and
 * Chinese. No model is asked, so the same text always gives the same. Keys of known services are replaced before anything is read.
 *
 * Source: docs/compaction.md.
 *
 * @param texts Oldest first. Of tool results only identifiers are read: what strangers wrote decides nothing.
 */
export function readFacts(texts: readonly SpokenText[]): readonly Fact[] {
  const redact = createModelRedactor([]);
  const found = texts.map((spoken, index) => factsOf({ seq: index, ...spoken, text: redact(spoken.text) }));
  const messages = new Map<string, number>();
  for (const facts of found)
    for (const pattern of new Set(facts.map(patternOf))) messages.set(pattern, (messages.get(pattern) ?? 0) + 1);
  return found
    .flat()
    .map((fact) => ((messages.get(patternOf(fact)) ?? 0) < SERIES_MESSAGES ? fact : { ...fact, weight: -1 }));
}

function factsOf(spoken: SpokenText & { readonly seq: number }): readonly Fact[] {
  const { role, seq } = spoken;
  const facts: Fact[] = [];
  let sentencesLeft = MAX_SENTENCES;
  const identifiers: Fact[] = [];
  for (const sentence of sentencesOf(spoken.text)) {
    const found = role === "tool" ? undefined : saidFact(sentence, spoken);
    const said = found?.kind === "task" && spoken.undone ? undefined : found;
    if (said && (sentencesLeft -= 1) >= 0) facts.push(said);
    for (const found of identifiersOf(sentence.text)) {
      const { value, worth } = found;
      const around = shortened(sentence.text, MAX_AROUND_CHARS, sentence.text.indexOf(value), value.length);
      const weight =
        worth + (role === "user" ? 1 : role === "tool" ? -1 : 0) + (said && said.kind !== "done" ? TIED : 0);
      const text = said?.kind !== "done" && said?.text.includes(value) ? said.text : withSpeaker(around, spoken);
      identifiers.push({ kind: "identifier", text, value, key: value.toLowerCase(), seq, weight });
    }
  }
  // A long list of a tool is looked up again when it is needed; its first items are the most likely to be spoken of.
  return [...facts, ...identifiers.slice(0, MAX_IDENTIFIERS[role])];
}

function saidFact(sentence: Sentence, spoken: SpokenText & { readonly seq: number }): Fact | undefined {
  const found = readSentence(sentence.text);
  const kind = found?.kind === "done" ? "done" : (sentence.listed ?? found?.kind);
  if (kind === undefined) return undefined;
  // Too little to mean anything by itself: `Agreed.`
  if (wordsOf(sentence.text).all.size < 2) return undefined;
  // Of itself a model says nothing that lasts.
  if (kind === "fact" && spoken.role === "assistant" && !sentence.listed) return undefined;
  const part = shortened(sentence.text, MAX_SENTENCE_CHARS, found?.at ?? 0);
  const isRelative = kind === "task" && spoken.at !== undefined && RELATIVE_DAY.test(part);
  const day = isRelative ? ` (said ${new Date(spoken.at ?? 0).toISOString().slice(0, "2026-11-22".length)})` : "";
  return {
    kind: kind === "reported" ? "done" : kind,
    text: withSpeaker(part, spoken) + day,
    key: normalised(part),
    seq: spoken.seq,
    // A report closes only what says clearly the same.
    weight: kind === "reported" ? 0 : spoken.role === "user" ? 2 : 1,
  };
}

function patternOf({ kind, text, value = "" }: Fact): string {
  const at = text.indexOf(value);
  const part =
    value === ""
      ? text.slice(0, SERIES_BEGINNING_CHARS)
      : text.slice(Math.max(0, at - SERIES_BEFORE_CHARS), at) + formOf(value);
  return `${kind} ${part.toLowerCase().replace(/\d+/g, "0")}`;
}

function withSpeaker(text: string, { speaker }: SpokenText): string {
  return speaker === undefined ? text : `${speaker}: ${text}`;
}
