import { type Sentence, readSentence, sentencesOf } from "../../statements/index.ts";
import { createModelRedactor } from "../../telemetry/index.ts";
import type { Fact, SpokenText } from "./fact.ts";
import { identifiersOf } from "./identifiers.ts";
import { shortened } from "./shortened.ts";
import { formOf, normalised, wordsOf } from "./words.ts";

/** Longest sentence of a decision, task or fact, in characters, and longest context of an identifier. */
const MAX_SENTENCE_CHARS = 240;
const MAX_AROUND_CHARS = 160;
/** Limits per message, so that one message does not fill the ledger. */
const MAX_SENTENCES = 40;
const MAX_IDENTIFIERS = { user: 60, assistant: 24, tool: 12 };
/** Added to an identifier's weight if a decision, task or fact contains it. */
const TIED = 3;
/** If this many messages differ only in a number, they are a counter or a log: `message #17`. */
const SERIES_MESSAGES = 10;
/** Characters before an identifier, and of a sentence's beginning, that identify a series. */
const SERIES_BEFORE_CHARS = 12;
const SERIES_BEGINNING_CHARS = 24;
/** A day that means a different one when it is read later. */
const RELATIVE_DAY =
  /\b(?:to(?:day|night|morrow)|(?:next|this) \w+|\w+day|in \w+ (?:hour|day|week|month)s?)\b|[今明后][天晚早]|下?(?:周|星期)|下个?月|月底/i;

/**
 * Finds what must outlive the messages: decisions, open tasks and what closes them, lasting facts and preferences,
 * and identifiers, in English and Chinese. No model is involved, so the same text always gives the same result. Keys
 * of known services are redacted first.
 *
 * Source: docs/compaction.md.
 *
 * @param texts Oldest first. Tool results give only identifiers: texts of strangers decide nothing.
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
  // A tool's long list can be looked up again; its first items are the most likely to be mentioned.
  return [...facts, ...identifiers.slice(0, MAX_IDENTIFIERS[role])];
}

function saidFact(sentence: Sentence, spoken: SpokenText & { readonly seq: number }): Fact | undefined {
  const found = readSentence(sentence.text);
  const kind = found?.kind === "done" ? "done" : (sentence.listed ?? found?.kind);
  if (kind === undefined) return undefined;
  // Too short to mean anything alone: `Agreed.`
  if (wordsOf(sentence.text).all.size < 2) return undefined;
  // A model's statements about itself are not lasting facts.
  if (kind === "fact" && spoken.role === "assistant" && !sentence.listed) return undefined;
  const part = shortened(sentence.text, MAX_SENTENCE_CHARS, found?.at ?? 0);
  const isRelative = kind === "task" && spoken.at !== undefined && RELATIVE_DAY.test(part);
  const day = isRelative ? ` (said ${new Date(spoken.at ?? 0).toISOString().slice(0, "2026-11-22".length)})` : "";
  return {
    kind: kind === "reported" ? "done" : kind,
    text: withSpeaker(part, spoken) + day,
    key: normalised(part),
    seq: spoken.seq,
    // A report closes a task only if it clearly says the same.
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
