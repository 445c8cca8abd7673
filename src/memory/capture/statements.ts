import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";
import { ownWords, withoutQuotations } from "./own-words.ts";
import { plain } from "./plain.ts";
import {
  INSTRUCTION,
  type StatementKind,
  certain,
  isIronic,
  isLasting,
  isTakenBack,
  kindOf,
  statesNothing,
} from "./statement-phrases.ts";

export interface StatementOptions {
  /** Who says it, where several people speak: stands before it. */
  readonly speaker?: string | undefined;
  /** Most drafts. Default 5. */
  readonly limit?: number;
}

/** Of a longer message the rest is a document, which states nothing of whoever sends it. */
const MAX_CHARS = 2000;
const MAX_SENTENCE_CHARS = 300;
/** `Agreed.` says nothing by itself. */
const MIN_CHARS = { latin: 8, han: 3 };

const END =
  /(?<=(?<!\.\.)[.!?]["”')]?)(?<!\b(?:e\.g|i\.e|no|nr|dr|mrs?|ms|st|vs|inc|etc)\.)\s+|(?<=[。！？；])|[\r\n\u0085\u2028\u2029]+/i;
const BULLET = /^(?:[-*•–]|\d{1,2}[.)、])\s+/;
const HAN = /\p{Script=Han}/u;
/** `I'm vegan, what can I eat there?` states something and then asks; what asks from its beginning on states nothing. */
const THEN_ASKS =
  /^(?=[^\p{L}]*(?:\p{L}+[,，] ?)?(?:i\b|i['’]|im\b|my\b|we\b|我)).{6,}(?=[,，](?! ?(?:do|am|are|can|is|have|did|was|has)(?:es)?n?['’t]* (?:i|we|you|he|she|it|they)\b)[^,，]+[?？]["'”)）]*$)/iu;

/**
 * What a person states about themselves and how things should be: preferences, decisions, commitments, facts, in English and Chinese. Questions, quotes,
 * what is only supposed and small talk give nothing. By rule, so the same text always gives the same.
 *
 * Source: docs/capture.md, "Capture".
 */
export function statements(text: string, { speaker, limit = 5 }: StatementOptions = {}): readonly MemoryDraft[] {
  const drafts: MemoryDraft[] = [];
  for (const { said, plain } of sentencesIn(text)) {
    const kind = stated(plain);
    if (kind === undefined) continue;
    drafts.push({
      content: speaker === undefined ? said : `${speaker}: ${said}`,
      keywords: [kind],
      slots: {
        type: ENTRY_TYPES.statement,
        source: "conversation",
        kind,
        ...(isLasting(kind, plain) && { lasting: true }),
      },
    });
    if (drafts.length >= limit) break;
  }
  return drafts;
}

/** The sentences of a text that say what somebody prefers, or tell the assistant how to do things, each with which of it. */
export function wishes(text: string): readonly { readonly said: string; readonly classes: readonly string[] }[] {
  return sentencesIn(text).flatMap(({ said, plain }) => {
    const classes = [
      ...(stated(plain) === "preference" ? ["preference"] : []),
      ...(INSTRUCTION.test(certain(plain)) && !statesNothing(plain) ? ["user_instruction"] : []),
    ];
    return classes.length > 0 ? [{ said, classes }] : [];
  });
}

function stated(plain: string): StatementKind | undefined {
  const least = HAN.test(plain) ? MIN_CHARS.han : MIN_CHARS.latin;
  return plain.length < least || statesNothing(plain) ? undefined : kindOf(certain(plain));
}

const MAY_END = /[.!?]["”')]?\s|[。！？；\r\n\u0085\u2028\u2029]/;

function sentencesIn(text: string): readonly { readonly said: string; readonly plain: string }[] {
  const own = ownWords(text.slice(0, MAX_CHARS));
  if (isTakenBack(own)) return [];
  const pieces = MAY_END.test(own) ? own.split(END) : [own];
  return pieces.flatMap((piece) => {
    const sentence = piece.replace(BULLET, "").trim();
    const said = ENDS_ASKING.test(sentence) ? (THEN_ASKS.exec(sentence)?.[0] ?? sentence) : sentence;
    if (said === "" || said.length > MAX_SENTENCE_CHARS || onlyAsks(said) || isIronic(sentence)) return [];
    return [{ said, plain: plain(withoutQuotations(said)) }];
  });
}

const ENDS_ASKING = /[?？]["'”)）]*$/;
const PLAIN_QUESTION = /^[^`*_~\x80-\u{10ffff}]*\?$/u;
const FOR_GOOD = /always|never|now|stop/i;

/** A question that asks for nothing at all times states nothing: seen at once, where its words would be looked at one after the other. */
function onlyAsks(said: string): boolean {
  return said.endsWith("?") && PLAIN_QUESTION.test(said) && !FOR_GOOD.test(said);
}
