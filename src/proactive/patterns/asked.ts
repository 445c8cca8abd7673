import { ENTRY_TYPES } from "../../memory/index.ts";
import { countOf, textSlot, timeOf } from "./entries.ts";
import type { PatternEntry } from "./pattern.ts";
import { type Topic, topicOf } from "./topics.ts";

/** A question or a request of a person. */
export interface Asked {
  readonly entry: PatternEntry;
  readonly text: string;
  readonly topic: Topic;
  readonly at: number;
  readonly count: number;
  /** Whether it is a question, not a request to do something. */
  readonly isQuestion: boolean;
  /** Whether the answer changes from day to day, as for the weather. */
  readonly isOfTheMoment: boolean;
}

/** Longer texts count as documents and are skipped. */
export const MAX_ASKED_CHARS = 400;
/** Types of entries that hold conclusions, not a person's own words. */
const CONCLUDED: ReadonlySet<string | undefined> = new Set([
  "commitment",
  ...Object.values(ENTRY_TYPES).filter((type) => type !== ENTRY_TYPES.autoCapture),
]);

const SMALL_TALK =
  /^(?:(?:hi|hey|hello|thanks?|thank you|thx|cheers|ok(?:ay)?|yes|yep|no|nope|sure|great|nice|cool|perfect|good (?:morning|afternoon|evening|night)|bye|see you|continue|go on|next|more|again|please|never ?mind|sorry|lol|haha|how are you|what'?s up|you there|there|everyone|so much|你好|您好|早|早安|早上好|下午好|晚上好|晚安|谢谢你?|多谢|辛苦了|好的?|嗯+|行|对|是的?|不用了?|继续|可以|再见|拜拜|哈+|在吗|吃了吗|最近怎么样|收到)[\s,.!?~，。！？～]*)+$/iu;
const QUESTION_MARK = /[?？]["'”)）\s]*$/;
const ENGLISH_QUESTION =
  /^(?:(?:hey|hi|hello|so|and|sorry|quick question|again|wait|ok(?:ay)?|please)[\s,:.!-]+)*(?:what(?:'?s|s|'re)?|who(?:'?s)?|where(?:'?s)?|when(?:'?s)?|why|how|which|is|are|am|do|does|did|can (?:i|we|one)|should|could i|may i|has|have (?:i|we|you)|was|were)\b/i;
/** Requests to be told something that does not change. */
const TELL_ME =
  /\b(?:tell me|explain|remind me|show me|look up|give me|i forgot|i keep forgetting|forgot(?:ten)?)\b.{0,20}\b(?:what|how|where|which|who|when|why|the (?:[\w-]+ ){0,3}(?:address|password|code|number|name|command|link|steps|difference|recipe|formula))\b/i;
const CHINESE_QUESTION =
  /[吗呢么][。！~～]?$|什么|怎么|怎样|如何|哪[里个些儿位]|谁|多少|几[点个号年岁天]|为什么|为何|是不是|能不能|可不可以|有没有|是否|多[久大长远高]/;
const CHINESE_TELL_ME =
  /(?:告诉我|解释|说一?下|讲一?下|提醒我).{0,12}(?:是|怎|什么|地址|密码|号码|步骤|区别|链接|命令)/;
const POLITE = /^(?:can|could|would|will) you\b|^(?:能不能|能否|可以|可不可以|能|麻烦|请)(?:你|您)?(?:帮|给|把)/i;
const OF_THE_MOMENT =
  /\b(?:today'?s?|tonight|tomorrow'?s?|now|currently|current|latest|newest|new|this (?:morning|afternoon|evening|week|month)|weather|forecast|rain|news|headlines?|prices?|rates?|stocks?|scores?|inbox|e?-?mails?|unread|calendar|agenda|schedule|meetings?|status|traffic|queue|dashboard|overnight|yesterday'?s?|so far|time is it|(?:my|any|many) (?:reminders|tasks|goals))\b|今[天日早晚]|明[天早日]|昨[天日晚]|现在|目前|最新|最近|这[周个]|本[周月]|天气|下雨|新闻|头条|股[价市]|汇率|价格|行情|日程|会议|邮件|未读|状态|路况|进度|待办|走势|几点了|我[^，]{0,5}(?:提醒|任务|目标)/i;
/** Statements about the speaker, a fact or a feeling. */
const TELLS =
  /^(?:i|we|my|our|it|that|this|these|those|the|he|she|they|there|you|your|just|today|yesterday|nothing|nobody)\b(?:['’]|\s)|^(?:im|ive|ill)\b|^(?:我|他|她|它|这|那|昨天|刚|终于)/i;
/** Requests that refer to the previous message, as `make it shorter`. */
const REFERS =
  /^(?:[\w'’]+ ){0,4}(?:it|that|these|those|them|this(?! (?:week|month|morning|afternoon|evening)))\b|[这那][是个段篇句里]|它|确定|一[点些]$/i;
const ASKS_FOR =
  /\b(?:please|i(?:'d| would) like|i want you|i need (?:you|a|an|the|my)|could you|can you|for me)\b|请|帮[我忙]|给我|替我|麻烦|我[想需]?要(?:你|看|查|一)/i;

/** Returns the questions and requests among entries, oldest first. Skips small talk, documents and statements. */
export function askedIn(entries: readonly PatternEntry[]): readonly Asked[] {
  const asked: Asked[] = [];
  const turns = new Set<string>();
  for (const entry of entries) {
    const type = textSlot(entry, "type");
    if (CONCLUDED.has(type) || textSlot(entry, "tool") !== undefined) continue;
    const text = textOf(entry, type);
    const turn = textSlot(entry, "turn");
    // A turn's request and the entry captured from that turn are the same; count it once.
    if (turn !== undefined && type === ENTRY_TYPES.autoCapture && turns.has(turn)) continue;
    if (text === "" || text.length > MAX_ASKED_CHARS || SMALL_TALK.test(text)) continue;
    const isQuestion = asksQuestion(text);
    if (!isQuestion && type !== ENTRY_TYPES.autoCapture && TELLS.test(text) && !ASKS_FOR.test(text)) continue;
    const topic = topicOf(text);
    const { core, words } = topic;
    if (core.size < 2 && (REFERS.test(text) || (core.size === 0 && words.size < 2))) continue;
    if (turn !== undefined) turns.add(turn);
    const isOfTheMoment = OF_THE_MOMENT.test(text);
    asked.push({ entry, text, topic, at: timeOf(entry), count: countOf(entry), isQuestion, isOfTheMoment });
  }
  return asked;
}

function textOf({ content }: PatternEntry, type: string | undefined): string {
  return (type === ENTRY_TYPES.autoCapture ? (/^Goal: (.*)/.exec(content)?.[1] ?? content) : content).trim();
}

/** Whether a text asks a question, rather than for something to be done. */
export function asksQuestion(text: string): boolean {
  if (TELL_ME.test(text) || CHINESE_TELL_ME.test(text)) return true;
  if (POLITE.test(text)) return false;
  return QUESTION_MARK.test(text) || ENGLISH_QUESTION.test(text) || CHINESE_QUESTION.test(text);
}
