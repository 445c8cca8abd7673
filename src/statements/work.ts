import { writtenPlainly } from "./plain.ts";
import { readStatement } from "./read-statements.ts";

/**
 * Phrases for decisions, open tasks and finished tasks, in English and Chinese, besides what people state about
 * themselves. A false match costs one line of a summary; a missed one loses something that a person relied on.
 */
const DECISION =
  /\b(?:decided|agreed|settled|opted|concluded|approved|ruled out|signed off|voted)(?= (?:to|on|that|for|the|against|with|in|by|we|\w+ing)\b| ?[:—,-])|\bchosen?\b|\b(?:we|i|they) (?:have )?picked\b|\bfinal (?:choice|answer)\b|\bthe plan is to\b|\bmade up my mind\b|\b(?:is|was|been) (?:decided|agreed|settled|confirmed|approved|final)\b|\bi will (?:go (?:with|for)|use|stick|choose|pick|switch|keep|not|take the|have the)\b(?! (?:bus|train|stairs|dog|time|day)\b)|\bwe (?:will|are going to) (?!see|be\b|have|need|talk|know|find|get|never|meet|miss|chat)|\bwe are not (?:doing|using|taking|buying|moving|going to)\b|\blet us (?:go (?:with|for)|use|stick|settle|pick|choose|switch|move|make|keep|do (?!\w+ again)|call (?:it|the)|drop|launch|ship|start with)\b|\b(?:decision|conclusion|verdict|resolution|root cause)s?(?: \w+)? ?(?:is|was|:)|\b(?:going|went|gone|go ahead|sticking) with (?!my|him|her|them|you|me\b|us\b|friends)|(?<![没未不以再难么何可能待])决定(?![不吗性权])|(?:就|还是|最[终后])(?:选|用|定|买)|定了|定[为在于]|定下|敲定|(?<!不)同意(?!你)|说好|[商约选]定|采用|选择用|就按|(?<![不没])确定[为用在下是了]|结论|批准了/;

/** Phrases that make a task even in a question. */
const ASKED =
  /^[-*•]? ?\[ ?\]|\bto-?do\b(?! with)|\bto do ?:|\b(?:action item|next step|open task|follow-?up|deadline)s?\b ?(?:[:-]|is|are|for|on|\d)|\bremind (?:me|us|him|her|them)\b|\bremember to\b|\bnot (?:let \w+ )?forget\b|\b(?:please|(?:can|could|would|will) you|make sure|i will|we will)\b.{3,120}(?:\b(?:by|before|no later than) (?:\w+day|the|noon|next|end|to\w+|\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|\b(?:on \w+day|tomorrow|tonight|next (?:week|month))\b)|提醒(?:我|一下)|别忘|不要忘|待办|待处理|记得(?![上你他她那我吗小当])|下一步|截止|[请我烦必得要].{0,24}之?前(?=[把完交提给发做回付寄办准续订。]|$)|[请我烦]你?在?(?:明天|后天|今晚|下周|下个?月|周[一二三四五六日天末])/;
const TASK =
  /\b(?:needs? to|ha(?:ve|s) to|must|ought to)\b(?! (?:go\b|run|be (?:honest|kidding|fun|nice|hard|tough)|admit|say|sleep|eat|relax|rest|laugh|think|know|worry|confess|see|try (?:it|this)|have been|love))|\b(?:i|we) will (?:remind|send|follow|get back|check back|report|prepare|draft|call|email|pay|renew|book|order|submit|deliver|file|return)\b|\bfollow up (?:on|with)\b|\bdue (?:on|by|date)\b|\b(?:is|are) (?:due|overdue|open|missing|pending|outstanding)\b|\bwaiting (?:for|on) \w+ (?:to|from)\b|(?<!maybe |perhaps )\b(?:i|we|some(?:one|body)) should (?!be|go\b|have|know|see|try|meet|relax|sleep|eat|rest|say|think)|\bi (?:promised|want you) to\b|^(?:book|order|renew|pay|send|call|submit|buy|file|finish|prepare|schedule|return|cancel|email)\b.{4,120}\b(?:by|before|tomorrow|next)\b|(?<![不无没否能只])需要?[去在把给跟尽先再准提完联安处买付交续订预确更修发办写回打]|必须|务必|(?<!不)[要得]去?[取拿交办买接送还寄付订]|得去|要给|记一下|还没[做办]|[还得该]要?[去给把]?(?:交|付|寄|买|续|预约|联系|提交|准备|办)/;

/** The sentence itself says that something is finished. */
const DONE =
  /^[-*•]? ?\[x\]|^(?:[a-z ]{2,12}[:,.!] )?(?:done|finished|completed?|closed|resolved|fixed|sorted)(?: ?[:,!—–-]| with\b)|(?:\b(?:is|are|was|were|been|got)|'s) (?:done|finished|completed?|closed|sorted|handled|taken care of|resolved)\b|\bno longer need\b|\bnot need (?:to|the|a)\b.+any ?more|\b(?:never ?mind the|scratch|(?<!not )forget about|cancel the (?:reminder|task|todo))\b|\bcross .{3,60} off\b|[已都部于经](?:完成|做完|搞定|解决|取消)|(?:完成|做完|搞定|办[完好]|处理[完好]|弄好|解决|交完|写完|付清|取消)(?:了|[！。]|$)|不用再?.{1,20}了/;
/** Reports that something happened, which closes a task that says the same. */
const REPORTED =
  /^(?:[\w ]{2,12}[,:!—-] )?(?:i|we|he|she|they|the|my|our|your)\b(?: \w+){0,5} (?:\w+ed|sent|paid|bought|got|made|wrote|took|gave|met|told|found|put)\b|^(?:booked|sent|paid|renewed|ordered|submitted|called|cancelled|bought)\b|[已刚都].{1,24}|[好完过]?了[。！]?$/;
const NOT_DONE =
  /\b(?:not|never|when|once|if|until|unless|after|before|should|will be|to be|almost|nearly|want|make sure|needs?|remind)\b|还没|没有|尚未|未完成|等.{0,12}[完好]|如果|之后/;

/** `Decision 7: …`, `待办：…`. */
const LABEL =
  /^(?:(decision|decided|agreed|confirmed|resolved|conclusion|final|决定|结论)|((?:open |action )?(?:task|item)|to-?do|pending|reminder|next step|follow-?up|deadline|待办|任务|提醒|下一步)|(fact|preference|note|fyi|事实|偏好|备注))(?: [^\s:：]{1,8}){0,2} ?[:：]/;
const QUESTION =
  /[?？]["'”)）]*$|[吗呢么][。！]?$|^(?:did|do|does|have|has|should|shall|what|who|when|why|how|which|is|are|was|if)\b/;
/** Looks like a decision but is none. */
const UNDECIDED =
  /\b(?:not|never|help me|hard to|yet to|if \w+)(?: yet| have)? (?:decide|agree|settle)|还没|没有|不确定|不知道/;

/** The kind of a sentence. `reported`: something happened, which closes a task that says the same. */
export interface Said {
  readonly kind: SaidKind;
  /** Approximate offset of the phrase that decided the kind. */
  readonly at: number;
}
type SaidKind = "decision" | "task" | "fact" | "done" | "reported";

/**
 * Returns the kind of a sentence of a conversation. The phrase that comes first decides. A promise is a task only if
 * it is phrased like one; otherwise it is a fact.
 *
 * Source: docs/compaction.md.
 */
export function readSentence(sentence: string): Said | undefined {
  const text = writtenPlainly(sentence);
  if (DONE.test(text) && !NOT_DONE.test(text.replace(DONE, ""))) return { kind: "done", at: 0 };
  const label = LABEL.exec(text);
  if (label) return { kind: label[1] ? "decision" : label[2] ? "task" : "fact", at: 0 };
  const isAsked = QUESTION.test(text);
  const at = (pattern: RegExp, counts = !isAsked): number => (counts ? text.search(pattern) : -1);
  const first = (...places: readonly Said[]): Said | undefined =>
    places.filter((place) => place.at !== -1).sort((one, other) => one.at - other.at)[0];
  const stated = readStatement(sentence)?.kind;
  return (
    first(
      { kind: "task", at: at(ASKED, true) },
      { kind: "decision", at: at(DECISION, !isAsked && !UNDECIDED.test(text)) },
    ) ??
    first({ kind: "task", at: at(TASK) }) ??
    first({ kind: stated === "decision" ? "decision" : "fact", at: stated ? 0 : -1 }) ??
    first({ kind: "reported", at: NOT_DONE.test(text) ? -1 : at(REPORTED) })
  );
}
