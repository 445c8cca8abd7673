import { FAMILY } from "./words.ts";

/** The rest of a longer message is a document, which says nothing about its sender. */
const MAX_CHARS = 2000;
const MAX_SENTENCE_CHARS = 300;

const SENTENCE_END = /(?<=[.!?])(?<!\b(?:dr|mrs?|ms|st|prof|no|nr|vs|e\.g|i\.e)\.)\s+|(?<=[。！？；])|[\r\n]+/iu;
/** Words before the text to remember. */
const LEAD =
  /^(?:你好|您好|请|麻烦)?[，,]?(?:帮我|替我)?(?:记住|记得|记下|记一下|别忘了|牢记)[：:，,]?\s*|^(?:其实|不对|不是|抱歉|对不起|更正(?:一下)?)[，,：:]?\s*(?=我)|^(?:(?:please|also|and|oh|hi|hello|hey|ok|okay|btw|by the way|well|(?:actually|sorry|no|wait|correction)(?=[,.:;!—–-])|actually(?=\s+(?:i|my|our|we)\b))[,!.:;]?\s+(?:[—–-]\s+)?)*(?:(?:remember|note|keep in mind|bear in mind|don['’]t forget|do not forget|for the record|fyi)\b(?: that\b)?[,:]?\s*)?/iu;
/** Quoted lines, as in a forwarded message. */
const QUOTED = /^>.*$/gm;
/** The addressee: in a group a message begins with the assistant's name. */
const NAMED = /^@[\w-]{1,64}[,:，：]?\s{1,3}/u;
const TO_BE_REMEMBERED = /\b(?:remember|note|mind|forget|record|fyi)\b|[记忘]/iu;
const QUESTION =
  /[?？]["'”’）)]*$|[吗呢么][。！~]?$|, ?(?:what|how|why|should|can|could|any)\b[^,]*$|^(?:what|who|whose|when|where|which|why|how|am|are|is|was|were|do|does|did|have|has|can|could|would|will|should|may)\b|什么(?!都|也)|[是叫]谁|哪(?!怕|.{0,2}[都也])|多少|怎么|有没有|是不是|(\p{Script=Han})不\1/iu;
/** A request says nothing about its author. */
const REQUEST =
  /^(?:write|tell|show|give|make|find|search|look|translate|explain|help|say|repeat|remind|list|create|read|run|send|forget|delete|remove|put|add|set|draft|suggest|recommend|let|imagine|suppose|if)\b|\byou(?:r|rs)?\b|^(?:请|帮|替我|给我|告诉|忘|删|提醒|把|写|查|找|如果|假如|要是)|^[^我]*提醒我|[你您]/iu;
/** A hypothetical sentence says nothing about reality. */
const SUPPOSED =
  /\bif (?:i|we) (?:only )?(?:lived|were|was|had|worked|owned|could)\b|^i (?:really |just |do )?wish (?:i|we)\b|我(?:真|很)?(?:要是|如果|假如|希望我)/iu;
const OF_ONESELF = /\bI(?:['’](?:m|ve|d|ll))?\b|\b(?:is|are|was|were) my\b|我/u;
const BEGINS_WITH_ONESELF = new RegExp(`^(?:i|i['’]\\w+|im|my|our|we|${FAMILY.en})\\b|^(?:${FAMILY.zh})`, "iu");

const WITHOUT_APOSTROPHE =
  /\b([Ii])(m|ve)\b|\b((?:do|does|did|is|are|was|were|ca|wo|have|has|had|could|would|should)n)(t)\b/giu;

const LAUGHTER = /(?<=[\w'’]),? (?:(?:ha){2,}h?|(?:he){2,}|lo+l)[.!]*$/i;

/** Cleans a statement: removes the words before it and laughter after it, and adds omitted apostrophes. */
export function asTold(statement: string): string {
  return statement
    .replace(LEAD, "")
    .trim()
    .replace(LAUGHTER, "")
    .replace(WITHOUT_APOSTROPHE, (_, i = "", am = "", does = "", not = "") => `${i}${does}'${am}${not}`);
}

/** The sentences of a message in which a person states something about themselves or their own. */
export function statementsIn(message: string): readonly string[] {
  return sentencesOf(message).flatMap((sentence) => {
    const said = statementOf(sentence);
    return said === undefined || SUPPOSED.test(said) ? [] : asTold(said);
  });
}

/** Whether a message consists of such statements alone. */
export function onlyStates(message: string): boolean {
  const sentences = sentencesOf(message);
  return (
    message.length <= MAX_CHARS &&
    sentences.length > 0 &&
    sentences.every((sentence) => statementOf(sentence) !== undefined)
  );
}

export function withoutName(message: string): string {
  return message.replace(NAMED, "");
}

function sentencesOf(message: string): readonly string[] {
  return withoutName(message)
    .slice(0, MAX_CHARS)
    .replaceAll(QUOTED, "")
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
}

function statementOf(sentence: string): string | undefined {
  const lead = LEAD.exec(sentence)?.[0] ?? "";
  const said = sentence.slice(lead.length).trim();
  const isStatement =
    said.length > 0 &&
    said.length <= MAX_SENTENCE_CHARS &&
    !QUESTION.test(said) &&
    !REQUEST.test(said) &&
    (TO_BE_REMEMBERED.test(lead) || BEGINS_WITH_ONESELF.test(said) || OF_ONESELF.test(said));
  return isStatement ? said : undefined;
}
