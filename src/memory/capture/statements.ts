import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";
import { simplified } from "./simplified.ts";
import { INSTRUCTION, KINDS, type StatementKind, isLasting, statesNothing } from "./statement-phrases.ts";

export interface StatementOptions {
  /** Who says it, where several people speak: stands before it. */
  readonly speaker?: string | undefined;
  /** Most drafts. Default 5. */
  readonly limit?: number;
}

/** Of a longer message the rest is a document, which states nothing of whoever sends it. */
const MOST_CHARS = 2000;
const MOST_SENTENCE_CHARS = 300;
/** `Agreed.` says nothing by itself. */
const LEAST_CHARS = { latin: 8, han: 4 };

const CODE =
  /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|^\s*>.*$|^\s*<\/?\w[^>\n]*>.*$|^.*\w(?:\(["']|["']\);?$).*$|^\s*(?:(?:const|let|var|export|return)\b.*[={;]|select .+ from |(?:\$ |(?:git|npm|pip|docker|sudo|curl|grep) .*\B-)).*$/gim;
/** `pnpm`, set as code, is what is preferred. */
const NAME_AS_CODE = /^`[\w@/.+:#-]{1,40}`$/;
/** What is quoted is not said; a short one is a name. */
const QUOTED = /"[^"\n]{16,}"|“[^”\n]{16,}”|「[^」\n]{5,}」|(?=[“"][^”"]*\p{Script=Han})[“"][^”"\n]{5,}[”"]/gu;
/** What follows is material for the request, unless it is somebody's own doing that stands there: `我喜欢写作`. At each place one alternative fits. */
const MATERIAL =
  /^[^\p{L}\p{N}]*(?:please |can you |could you )*(?:translate|proofread|fix|check|explain|re(?:write|phrase)|paraphrase|summar\w+|correct|edit|polish|analy[sz]e|classify|write|draft|how do (?:i|you) say)\b[^.!?\n:：]*|^(?:[^:：\p{L}\p{N}]|(?!我|[帮给替]我)\p{Script=Han}|[帮给替]我|我(?:想让|(?:需?要|想)(?=翻译|润色|改写|校对)|(?!想让)[^我请帮。！？\n:：]{0,40}[请帮]))*(?:把|翻译|改(?!一下?[:：，]|成|为|用|到|签|期)|修改|检查|润色|总结|写|校对|分析|解释)[^。！？\n:：]*/iu;
const END =
  /(?<=[.!?]["”')]?)(?<!\b(?:e\.g|i\.e|no|nr|dr|mrs?|ms|st|vs|inc|etc)\.)\s+|(?<=[。！？；])|[\r\n\u0085\u2028\u2029]+/i;
const BULLET = /^(?:[-*•–]|\d{1,2}[.)、])\s+/;
const HAN = /\p{Script=Han}/u;

/**
 * What a person states about themselves and how things should be: preferences, decisions, commitments, facts, in English and Chinese. Questions, quotes,
 * what is only supposed and small talk give nothing. By rule, so the same text always gives the same.
 *
 * Source: docs/capture.md, "Capture".
 */
export function statements(text: string, { speaker, limit = 5 }: StatementOptions = {}): readonly MemoryDraft[] {
  const drafts: MemoryDraft[] = [];
  for (const said of sentencesIn(text)) {
    if (onlyAsks(said)) continue;
    const plain = plainOf(said);
    const kind = kindOf(plain);
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
  return sentencesIn(text).flatMap((said) => {
    const plain = plainOf(said);
    const classes = [
      ...(kindOf(plain) === "preference" ? ["preference"] : []),
      ...(INSTRUCTION.test(plain) && !statesNothing(plain) ? ["user_instruction"] : []),
    ];
    return classes.length > 0 ? [{ said, classes }] : [];
  });
}

function kindOf(plain: string): StatementKind | undefined {
  if (plain.length < (HAN.test(plain) ? LEAST_CHARS.han : LEAST_CHARS.latin) || statesNothing(plain)) return undefined;
  return KINDS.find(([, pattern]) => pattern.test(plain))?.[0];
}

/** No code is without one of these signs. */
const MAY_BE_CODE = /[`<>=;{$-]|\(["']|["']\)|select/i;
const MAY_END = /[.!?]["”')]?\s|[。！？；\r\n\u0085\u2028\u2029]/;

function sentencesIn(text: string): readonly string[] {
  const given = text.slice(0, MOST_CHARS);
  const own = MAY_BE_CODE.test(given) ? given.replace(CODE, (code) => (NAME_AS_CODE.test(code) ? code : " ")) : given;
  const material = MATERIAL.exec(simplified(own));
  const read = material && /^\s*[:：\n]/.test(own.slice(material[0].length)) ? own.slice(0, material[0].length) : own;
  const pieces = MAY_END.test(read) ? read.split(END) : [read];
  return pieces
    .map((piece) => piece.replace(BULLET, "").trim())
    .filter((said) => said !== "" && said.length <= MOST_SENTENCE_CHARS);
}

const PLAIN_QUESTION = /^[^`*_~\x80-\u{10ffff}]*\?$/u;
const FOR_GOOD = /always|never|now|stop/i;

/** A question that asks for nothing at all times states nothing: seen at once, where its words would be looked at one after the other. */
function onlyAsks(said: string): boolean {
  return said.endsWith("?") && PLAIN_QUESTION.test(said) && !FOR_GOOD.test(said);
}

/** A sentence as the rules read it. */
function plainOf(said: string): string {
  return plain(said.replace(QUOTED, '""'));
}

/** `I'm Rosa`: a capital letter tells a name from a state. */
const NAMED = /^(?:h(?:i|ello|ey)\b\W*)?I(?:['’]m| am) (?=\p{Lu}\p{Ll}+\b(?! [a-z]+ing\b))/u;
const SHORT: Readonly<Record<string, string>> = { ve: "have", ll: "will", re: "are", m: "am", d: "would" };

/** Lower case, contractions written out, without emphasis, whom it is said to, and the little words that stand anywhere. */
function plain(sentence: string): string {
  return simplified(sentence.normalize("NFKC"))
    .replace(/(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])|`/gu, "")
    .replace(/\s+/g, " ")
    .replace(/^ ?@\S+[ ,:，]*/, "")
    .replace(NAMED, "my name is ")
    .replace(/(?<=\p{Script=Han}),|,(?=\p{Script=Han})/gu, "，")
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/\b(?:can't|cannot)\b/g, "can not")
    .replace(/\bwon't\b/g, "will not")
    .replace(/n't\b/g, " not")
    .replace(/('ve|\bhave) got\b/g, "$1")
    .replace(/'(ve|ll|re|m|d)\b/g, (_, short: string) => ` ${SHORT[short]}`)
    .replace(/\blet's\b/g, "let us")
    .replace(
      /\b(?:already|just|finally|(?<!from )now|also|really|still|actually|definitely|personally|currently|recently|mainly|quite|simply|originally|very|truly|totally|honestly|kind of|strictly),? /g,
      "",
    )
    .replace(/^(?:(?:and|so|ok|okay|well|oh|hey|hi|hello|yes|no(?=,)|please|btw|by the way|thanks|then)\b,? ?)+/, "")
    .replace(/^(?:那么?|请|好的?|嗯|对了|另外|还有|麻烦你?|其实|，)+/, "")
    .trim();
}
