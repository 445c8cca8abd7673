// Decides what a message is about from a few words, in English and Chinese: no model is asked before each turn.

/**
 * `own`: the writer's own life, or a request or statement that may be about it. `life`: a question that people ask
 * about their own life, as for a time or a price. `question`: another question. `world`: general knowledge, or
 * something to invent.
 */
export type Subject = "own" | "life" | "question" | "world";

/** "me" in a request names the recipient, not the subject: "tell me", "for me", "帮我". */
const FOR_ME =
  /\b(?:tell|give|help|show|write|get|teach|let|remind|excuse|find|send|make|for|like) (?:me|us|i'?m)\b(?! and\b)|\b(?:can|could|may|should) i (?:ask|get|have)\b|\bi (?:want|need|would like|'d like) you\b|(?:[帮给教替为跟和请让陪问]|告诉)(?:一下)?我|我(?:想问|问你|要问|想知道|想让你|要你)/g;
const SELF = /\b(?:my|mine|our|ours|we|us|i|im|ive|me)\b|[我咱俺]/;
/** People whom one has one of: "mum" means the writer's mother. */
const KIN =
  /\b(?:m[uo]m|m[uo]mmy|dad|daddy|wife|husband|girlfriend|boyfriend|(?:room|flat)mate|grand?ma|grand?pa|nan|gran)\b|爸|妈|老婆|老公|妻子|丈夫|室友|女儿|儿子|孩子|[男女]朋?友|爷爷|奶奶|外[婆公]|姥[姥爷]|领导|老板|导师/;
const WORLD =
  /\b(?:populations?|capital|founde[dr]|founding|invent\w*|discover\w*|origins?|etymology|mean(?:s|ing)?|synonyms?|antonyms?|(?:another|opposite) word|spell\w*|pronounce\w*|differences? between|define|definition|headquarters|wrote|century|dynasty|recipes? for|how (?:big|tall|far|old|high|deep|long|many people)|is \w+ made|stor(?:y|ies)|poems?|haikus?|limericks?|jokes?|riddles?|lyrics|pun|rhymes?|regex|equation|formula|theorem)\b|人口|首都|创[立建办]|成立|总部|发明|起源|发源|由来|得名|典故|朝代|哪一?年|哪个(?:市|省|国)|谁(?:造|建|发|写|画)|海拔|面积|区别|区分|差别|含义|定义|[同近反]义词|怎么读|拼音|原名|谁写的|作者|故事|笑话|谜语|[写编作][^，。]{0,6}诗|绝句|歌词|对联|成语|正则|公式|[长宽高深远]几米|多[高大深远长](?!了)|有(?:多少|几)[个座条]|是[^，。]{1,6}还是/;
const LIFE =
  /\b(?:when|what (?:time|day|date)|which day)\b|几[点号月天时]|[周拜期]几|哪天|[什啥]么?时候|多少钱|[放搁存藏停]哪|[赔欠剩还]\S{0,3}多少|还[差剩欠有]几/;
const HAN = /\p{Script=Han}/u;
const ASKS_IN_CHINESE = /[?？]\s*$|什么|为什|怎么|怎样|如何|多少|[几谁哪吗]|是不是|有没有/;
const ASKS =
  /\?\s*$|^\W*(?:so |and |hey |ok |hi )?(?:what|who|when|where|why|how|which|is|are|was|were|does|do|did|can|could|whats|whos)\b/;
/** Refers to something under way: what was before, or what comes next. */
const GOES_ON =
  /\b(?:last time|earlier|(?:that|the) \w+ (?:you|we|they)|again|still|this (?:week|weekend|month|evening)|tonight|tomorrow)\b|上次|之前|那次|说的|刚才|又.*了|今晚|明天|后天|周末|傍晚|过来|带[着上去]/;
/** A question of more than one clause describes a case. */
const CLAUSES = /[^\s，。；]{3}[，。；]\s*[^\s，。；]{3}/;
/** Matches "What do you know about me?", but not "what do you know about my car?". */
const ASKS_OF_SELF =
  /\b(?:know|remember(?:ed)?|learn(?:ed|t)|noted?|kept|have|got|tell me|say)\b[^.?!]{0,40}\b(?:about|on|of) me\b(?! (?:and|that|when|to)\b)|\bwho (?:am i|i am)\b|\b(?:remember|know) me\b(?! to\b)|\bdescribe me\b|\b(?:what(?:'?s| is| was)|(?:know|remember|tell me)(?: what)?) my name\b(?! (?:day|tag|badge))|\bwhat am i called\b|我(?:的名字(?:[是叫]?(?:什么|啥)|[吗么])|叫(?:什么|啥))|(?:知道|了解|记得|记住|记着)了?(?:关于)?我(?:的)?(?:什么|哪些|多少|吗|啥|[?？])|(?:关于|对)于?我[^，。]{0,8}(?:知道|了解|记得|记住|记着)|我是谁|(?:认识|记得|了解)我(?:吗|么|不)|描述一?下?我(?![^吧。！]{2})/;
const MAX_ASKED_CHARS = 200;
/** The beginning of a message says what it is about. */
const MAX_CHARS = 1000;

export function subjectOf(message: string): Subject {
  const text = message.slice(0, MAX_CHARS).toLowerCase();
  if (KIN.test(text) || SELF.test(text.replaceAll(FOR_ME, " "))) return "own";
  if (WORLD.test(text)) return "world";
  if (LIFE.test(text)) return "life";
  return asks(text) && !GOES_ON.test(text) && !CLAUSES.test(text) ? "question" : "own";
}

/** Whether a message is a question. */
export function asks(message: string): boolean {
  const text = message.slice(0, MAX_CHARS).toLowerCase();
  return (HAN.test(text) ? ASKS_IN_CHINESE : ASKS).test(text);
}

/** Whether a message asks what is known about the writer in general. */
export function asksOfSelf(message: string): boolean {
  return message.length <= MAX_ASKED_CHARS && ASKS_OF_SELF.test(message.toLowerCase());
}
