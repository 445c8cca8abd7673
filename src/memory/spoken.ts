import { ownWords } from "../statements/index.ts";

/** A longer quotation is material, not a name. */
const QUOTATION = /["“「『][^"”」』]{30,}["”」』]?/g;
/** A request to work on a text is followed by that text. */
const WORK_ON =
  /^[^:：\n]{0,200}?(?:\b(?:translate|re-?write|rephrase|paraphrase|proofread|summari[sz]e|shorten|fix|correct|polish|improve|edit|turn)\b|翻译|译成|改写|改一?下|润色|总结|概括|校对|修改)[^:：\n]*(?=[:：\n])/i;

/** The rest of a longer message is a document. */
const MAX_CHARS = 4000;
/** A message that asks for an answer to a text is used whole. */
const RESPOND = /\b(?:reply|answer|respond|get back) to\b|回[复信]|回他|回她|怎么回/i;

/**
 * Returns what the writer says in a message, without pasted, quoted or forwarded text; the whole message when nothing
 * else is left.
 */
export function spoken(whole: string): string {
  const message = whole.slice(0, MAX_CHARS);
  if (RESPOND.test(message)) return message;
  const own = ownWords(message).replace(QUOTATION, " ");
  const said = WORK_ON.exec(own)?.[0] ?? own;
  return said.trim() === "" ? message : said;
}
