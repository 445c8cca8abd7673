import * as chinese from "./chinese-phrases.ts";
import * as english from "./english-phrases.ts";

/**
 * Kinds of statements that are kept. The patterns below match a sentence as `plain` writes it. Unlike a line of a
 * summary, a match is told in other conversations months later, so doubtful phrases are left out.
 */
export const STATEMENT_KINDS = ["preference", "decision", "commitment", "fact"] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

type Phrases = Readonly<Record<"DECISION" | "PREFERENCE" | "COMMITMENT" | "FACT", readonly string[]>>;
type Kinds = readonly (readonly [StatementKind, RegExp])[];

/** The order matters: the first kind that matches wins. */
function kindsIn(phrases: Phrases): Kinds {
  const any = (list: readonly string[]): RegExp => new RegExp(list.join("|"), "mu");
  return [
    ["decision", any(phrases.DECISION)],
    ["preference", any(phrases.PREFERENCE)],
    ["commitment", any(phrases.COMMITMENT)],
    ["fact", any(phrases.FACT)],
  ];
}

const ENGLISH = kindsIn(english);
const CHINESE = kindsIn(chinese);
const HAN = /\p{Script=Han}/u;
const LATIN = /[a-z]+ [a-z]/;

/** A clause about a moment is no fact about the person. */
const OF_THE_MOMENT =
  /\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening)|right now|just now|again|(?:minutes?|hours?) ago)\b|昨[天晚日]|今[天早晚]|这会儿|刚刚|又/;

/** Events whose result lasts, even if they happened just now. */
const IN_A_LIFE = new RegExp(
  `${english.ILLNESS}|${/\b(?:have an? (?:\w+ ){0,2}(?:dog|puppy|cat|kitten|job)\b|got (?:married|engaged|divorced|promoted|fired|laid off|diagnosed)|(?:moved|adopted|retired|died|passed away)\b|gave birth|(?:born|diagnosed|laid off))\b|[领收]养|生了|结婚了|离婚了|搬到|确诊|辞职了|入职/.source}`,
);

export function kindOf(plain: string): StatementKind | undefined {
  const find = (kinds: Kinds) =>
    kinds.find(([kind, pattern]) => pattern.test(kind === "fact" ? withoutTheMoment(plain) : plain))?.[0];
  return HAN.test(plain) ? (find(CHINESE) ?? (LATIN.test(plain) ? find(ENGLISH) : undefined)) : find(ENGLISH);
}

function withoutTheMoment(plain: string): string {
  if (!OF_THE_MOMENT.test(plain)) return plain;
  return plain
    .split(/(?<=[，\n])/)
    .filter((clause) => !OF_THE_MOMENT.test(clause) || IN_A_LIFE.test(clause))
    .join("");
}

/** Makes a statement of any kind hold for longer than this conversation. */
const FOR_GOOD =
  /\b(?:from (?:now|today|here) on|going forward|henceforth|in (?:the )?future|for (?:good|ever|life)|forever|permanently|by default|whenever|for (?:the record|future reference)|keep in mind|^remember|note that|as a rule)\b|以后(?=[请都别不一每叫用只给先，])|今后|往后|从现在|从今|从此|永远|一律|记住|默认/m;
const EVER = /\b(?:always|never|(?:every|each) time)\b|一直|始终|总是|每次|从来|从不/;
/** Says that something holds for a while. */
const FOR_A_WHILE =
  /\b(?:today|tonight|tomorrow|right now|at the moment|for now|this (?:week|month|morning|afternoon|evening|weekend|time)|next (?:week|month|\w+day)|until|till|these days|currently|temporarily|for the (?:next|time being))\b|今[天晚]|明[天晚早]|[这下]个?(?:周|月|星期|礼拜)|现在|目前|最近|暂时|这几天|这阵子|临时/;

/** `plain` removes this word since it adds no meaning, so it is searched in the original sentence. */
const CURRENTLY = /\bcurrently\b/i;

/**
 * Whether a statement lasts. Preferences and facts last unless the sentence says otherwise; decisions and commitments
 * are over one day.
 *
 * @param said The sentence as it was written.
 */
export function isLasting(kind: StatementKind | undefined, plain: string, said: string): boolean {
  if (FOR_GOOD.test(plain)) return true;
  const isForAWhile = FOR_A_WHILE.test(plain) || CURRENTLY.test(said);
  if (kind === "preference") return EVER.test(plain) || !isForAWhile;
  return kind === "fact" && !isForAWhile;
}

/** Tells the assistant how to do things, even where no preference is stated. */
export const INSTRUCTION =
  /^(?:do not|never|always|avoid|make sure|be sure|remember|only use|use only|keep|stop)\b|\b(?:please (?:do not|always|never|only|make sure|use|keep|avoid)|make sure|must(?: not)?|from now on|instead of|do not (?:forget|use|touch|change|delete|share|send|mention))\b|(?:请|务必|必须|一定要|不要|别忘|别再|记住|注意|始终|一律|只能|不得(?!不)|不许|确保)/;

const ASKS = /[?？]["'”)）]*$|[吗呢么][。！~]?$/;
/** Chinese: only the last clause asks, and it does not ask whether the rest is true. */
const ASKS_LAST = /^(?!.*[?？]).*我.*，(?!(?:你?[是对好行]|可以|你?知道|你?记得|真的)[吗呢么])[^，]+$/;
/** A clause that asks a question or for something. The clauses around it can still state something. */
const REQUEST =
  /^(?:did|do(?! not)|does|have (?:you|we|they|i)|has|should|shall|what(?! (?:i|we) .* is\b)|who\w*|when(?!ever| (?:i|you) )|why|how|which|where|is|are|was|were|am|can|could|would(?! rather)|will|tell (?:me|him|her|them)|remind|guess|any idea|ask)\b|怎么(?!都|样都)|什么(?!都|时候都)|哪[个里些种儿位]|多少|为什么|是[否咪]|有没有|([一-龥])不\1|几[点号]|^谁|^(?=[^，]{0,12}(?:[天日周月号点早晚午]|分钟|小时))[^，我别不少]{1,14}(?:提醒|叫醒)我|^(?:帮忙|提醒|我想(?:问|知道|请教|了解)|[帮给替]我(?!记|写|订|的|看的|发的|.{1,8}(?:的话|时))|(?:查|找|搜|写|推荐|告诉|问问|把)(?!.{0,8}(?:的时候|时，)))/;
/** A request about how things should always be done is no question. */
const ASKS_FOR_GOOD = /^(?:can|could|would|will) you (?:please )?(?:always|never|from now on|stop)\b/;
/** A clause that is not meant as certain. */
const DOUBT =
  /\b(?:^(?:my|our|an?) (?!best|oldest|closest)(?:\w+ )?(?:friend|colleague|co-?worker|neighbou?r|classmate)s? (?:\w+ )?(?:is|are|has|have|lives?|works?) (?!called|my|our|from)|^(?:nobody|no one)(?! in (?:my|our))|maybe|perhaps|might|wish|hope|wonder\w*|i guess|i (?:do not )?(?:think|believe|bet|doubt) (?:that )?(?!i\b|we\b)|not sure|(?:would|could|should) have|(?:was|were) (?:going|thinking|about) to?|thinking (?:of|about)|yet to|(?:not|never|help me|hard to)(?: yet)? (?:decided?|agreed|settled|said?|say (?:that )?(?:i|we|my))|(?:almost|nearly) (?:\w+ed|there|done|forgot)|i dream (?:of|about|that)|i (?:thought|believed|assumed) (?:that )?(?:i|we|my)|(?:live|living|am|are) in (?:(?:constant|great|deep) )?(?:fear|terror|denial|chaos|misery|despair|peace(?! river)|pain|agony|shock|panic|danger|tears|h(?:eaven|ell)$|hot water|the (?:moment|past|dark)|a bubble)|(?:i|we) (?:very )?(?:almost|nearly) (?!always|never|every|all|only|exclusively|daily)\w+)\b|也许|可能|或许|说不定|大概|估计|好像|不确定|不知道|还没|没有?决定|没说|并没|从[没未]|谁说|(?<!我)希望|我们?(?:很|好|真|一直)?想(?:[^，我你]{0,6}(?:住|工作|上班)|[有要][^，]{0,3}[只个条辆套])|梦[见到]|我希望(?!你(?:说|回|写|用|以后|每))|祝你|要不是|本来|原本|差点|帮我(?:决定|选)|等我有|感[到觉受]|怀疑|以为|不是说|没关系$|我(?:有|一个|[的前老]|[^，和跟]{1,3}的){0,3}(?:朋友|同[学事]|闺蜜|邻居|客户|当事人|前任|偶像|老师|粉丝)(?!.{0,3}[叫姓])|我的?(?:手机|电脑|浏览器|程序|代码|屏幕|网速?|火车|飞机|航班|下载|快递|外卖)(?!号|是|用的|叫)[^，]*(?:了|不|没|只剩|卡|断|慢|崩|退|点)|我不(?:这么|那么)|我认识(?:一?个|的)|^我(?:需要|想要|要)[^，都]{1,12}(?:表格|模板|路线|方案|版本|图片|资料|列表|食谱|地址|电话|号码|建议|答案)|[有出](?:点|些|了)?(?:问题|错误)(?:$|。|，)|(?:同样|一样)的(?:问题|错误)|老是[被卡掉断]|在(?:考虑|想要不要|纠结)|我猜|(?:[他她]们?|有人|别人|客户|大家|老师|朋友|同[事学])[^，。我]{0,4}(?:更?喜欢|[吃爱在对怕要想])|(?:遇到|收到|看到|出现|弹出).{0,6}(?:错误|报错|问题|提示)|^我(?!.*(?:常|一直|老是|总|多年|每)).{0,4}[疼痛](?:$|，)|^[这那](?!以后|边)[^，]{0,8}[在是]我|^我(?:需?要|想要?)(?:给|帮|找|买|看|[^，]{0,6}(?:翻译|总结|润色))|一[夜晚]没|我们?[都就马上]{0,2}(?:快要?|要)(?:失业|破产|下岗|被[裁辞炒开])|我们?[^，]{0,4}[活住处陷][在入于]?[^，]{0,4}(?:恐惧|痛苦|绝望|焦虑|困境|危机)/;
/** Marks a whole sentence as a supposition. */
const SUPPOSED =
  /\b(?:suppos(?:e|ing)|^(?:write|make up|compose|invent|draft) (?:me |us )?(?:an?|another|the|some)|imagine|pretend|(?:act|behave) (?:as|like)|role[- ]?play|hypothetical\w*|assum(?:e|ing)|unless(?! i (?:ask|say|tell))|provided|whether (?:i|we)|what if|kidding|let us (?:say|pretend|suppose|assume)|for (?:example|instance)|not (?:true|saying|that i|like i)|once i have|in case (?:i|we|my)|were i|had i (?:known|been|had)|^you are (?:an?|my) (?:\w+ ?){1,3}(?=[\s,.]+(?:and\b|i\b|we\b|my\b|$))|^say (?:i|we|my))\b|假[如设定装]|^(?:比如|例如|譬如)|想象|^你是[^，]{1,8}，我是|除非|比方|扮演/;
const IF = /(?:^if\b|(?<!prefer |like it |appreciate it )\bif (?:i|we|my|it|the|there|he|she|they|you(?! ask me))\b)/;
const IF_ALWAYS = /^if you (?:send|write|give|ask|suggest|recommend|book|quote|show|answer|translate)\b/;
/** In Chinese the condition comes first: the text before it does not depend on it. */
const FROM_CONDITION_ON =
  /(?:^|，)[^，]{0,4}(?:如果|假[如设]|要是|万一|就算|即使|只要|不管|无论|[^，]*的话(?!，?(?:[用都按写别请要]|我(?:一[般直]|都|从))))[\s\S]*/;
const TOLD =
  /\b(?:he|she|they|people|(?!doctor|gp\b|dentist|physio|therapist|midwife)\w+(?<!\bi|\bwe)) (?:said|says|saying|wrote|claims?)\b|\b(?:he|she|they) (?:\w+ )?(?:told|asked|thinks?|prefers?|likes?)\b|\bused to say\b|(?<!\b(?:doctor|gp|dentist|physio|therapist|midwife) (?:has )?)\btold me\b|\bi was told\b|\bthey say\b|\bbe like\b|\baccording to (?!my (?:wife|husband|partner|doctor|kids)\b)|\b(?:in|from) (?:the|an?|this|my) (?:film|movie|book|novel|story|game|series|song|scene|chapter|play|sketch|dream)\b|\b(?:the|this|a) (?:phrase|sentence|quote|song)\b|\bmy (?:character|hero|protagonist)\b|^(?!.*\b(?:i|my|our|decision|plan|answer|fyi|ps|note|update|correction|reminder|about)\b[^:]*:)[a-z][\w. ()]{0,24}:\s*["“]?(?:i|we|my|our|call|"")(?![\w])|\b(?:e\.g|i\.e)\.|(?:电影|小说|故事|游戏|剧|书|歌|[这那]一?(?:幕|集|章|场戏?))[里中]|[爸妈哥姐弟妹友事](?:觉得|认为|说我(?![对有得]))|(?:[他她]们?|有人|别人|客户|文章|书[上里]|新闻|大家|网上|老师|作者|用户|主角|朋友|同[事学])[^，。我]{0,4}(?:说|讲|问|写|认为|觉得|告诉)|^[^，。：我]{1,6}(?<!更正|注意|备注|记住|决定|结论|补充|生日)：["“]?我|据说|听说|[说讲唱]：|这[句首段](?!时间)|我的?(?:角色|人物|主角)/;
/** What was true and no longer is, unless the sentence says that it continues. */
const ENDED =
  /\bused to (?!it\b)(?![^\n]*\n(?:i|we) \w)|\bfor a (?:year|while|time) (?:once|back)\b|\bonce$|\bback (?:when|then|in the day)\b|^when i was (?:a|an|in|at|little|young|small|\d)|^i (?:\w+ )*(?:loved|liked|hated|wanted|thought|believed|enjoyed)\b.*\bwhen i was\b|(?:^|，)(?:(?:我们?)(?:以前|曾经?|从前|当时|原来|小时候|那时候?)|(?:[^，我]{0,4}(?:那会儿?|那时候?|的时候)|以前|从前|当年|小时候)，?我)(?!.*(?:现在|至今|长大|戒了|后来))|^我?[^，]{1,3}过[一两几半\d]+年/;
const SECRET =
  /\b(?:pass(?:word|code|phrase|key)s?|pin(?: code| number)?|cvv|secret key|api key|access token|(?:seed|recovery) phrase|recovery key|pwd?|my log-?in|(?:door|gate|entry|entrance|alarm|access|security|lock|safe|verification|confirmation|activation|recovery|backup|unlock|log-?in|sms|2fa|mfa|otp|one-time)[ -]codes?|otp|card number|social security number|ssn)\b|密[码碼]|口令|[验驗][证證][码碼]|密[钥鑰]|(?:门锁|门禁|大门|激活|恢复|取件)码|助记词|(?:身份证|社保|银行卡|信用卡)号|卡号/i;
/** A 16-digit card number, or a social security number. */
const SECRET_NUMBER = /(?<!\d[ -]?)(?:(?:\d{4}[ -]?){3}\d{4}|\d{3}-\d{2}-\d{4})(?![ -]?\d)/;
/** Marks of irony: laughter, faces, and phrases that mean the opposite of what they say. */
const IRONY =
  /\b(?:a?(?:ha){2,}h?|he(?:he)+|lo+l|lmf?ao|rofl|said no one|yeah right|said nobody|brb|hold on|^(?:oh )?(?:great|wonderful|fantastic|brilliant|lovely)[,!.]* (?:i|just|another)|in my dreams|as if i|because i (?:just |so |totally )?(?:love|enjoy)|(?:i am|i['’]m) (?:the (?:pope|queen|king)|groot|batman|santa|dead))\b|^(?:yeah|sure|right)\b,? (?:and|so) i['’ a]+m\b|[🙄🙃💀😂🤣😜😏]|哈哈|呵呵|嘿嘿|笑死|秦始皇|梦里|我可太|并不是[）)]/iu;
/**
 * Laughter that ends a sentence, with no pause before it, is a habit ("i moved to leeds lol") and no irony, unless
 * the sentence calls a person what they are not.
 */
export const LAUGHS_LAST =
  /(?<!\b(?:(?:am|im|is|are|['’]m) (?:an?|the|so|such|basically|literally|allergic)|call me)\b.*)(?<=[\w'’]) (?:(?:ha){2,}h?|(?:he){2,}|lo+l)[.!\s]*$/i;
/** Takes back the whole message. */
const TAKEN_BACK =
  /(?:^|\s)\/s(?:\s|$)|\bj\/?k\b|\b(?:just kidding|i['’ a]*m (?:only )?joking)\b|\bkidding!|\bsarcasm\b|开个?玩笑|開個?玩笑|骗你的|騙你的|逗你[的玩]|才怪/i;
/** Says how something should be done once. */
const ONCE =
  /\b(?:just|only) (?:this )?once\b|\bthis (?:time|one|reply|answer|email|message|text)\b|\bfor (?:now|(?:this|the next) \w+)\b|就这一?[次回]|这一?[次回](?=[用只就先不别要按])|这[个封条篇份].{0,6}(?:用|落款|写|短|长|只|不要|别)|先.{1,6}就行/;
export const SPEAKS_OF_ONESELF = /\b(?:i|we|my|our)\b|(?<![给帮回跟叫告诉教替问让])我/;

/** Whether a sentence asks, supposes, reports what others say, or tells what is over. */
export function statesNothing(plain: string): boolean {
  if ([TOLD, SUPPOSED, ENDED].some((veto) => veto.test(plain))) return true;
  if (ONCE.test(plain) && !SPEAKS_OF_ONESELF.test(plain)) return true;
  if (ASKS.test(plain) && !ASKS_LAST.test(plain)) return !ASKS_FOR_GOOD.test(plain);
  return isConditional(plain) && !IF_ALWAYS.test(plain) && !FOR_GOOD.test(plain) && !EVER.test(plain);
}

/** A condition inside a request does not make the other clauses conditional. */
const isConditional = (plain: string) =>
  IF.test(plain) && plain.split(/, |\n/).some((clause) => IF.test(clause) && !REQUEST.test(clause));

/** Returns a sentence without the clauses that ask, doubt, or depend on a condition. */
export function certain(plain: string): string {
  const text = plain.replace(FROM_CONDITION_ON, "");
  if (ASKS_FOR_GOOD.test(text)) return text;
  return text
    .split(/(?<=[，\n])/)
    .filter((clause) => ![DOUBT, REQUEST, ASKS].some((veto) => veto.test(clause)))
    .join("");
}

/** Whether a sentence is about a secret. Secrets never become memories. */
export function isSecret(sentence: string): boolean {
  return SECRET.test(sentence) || SECRET_NUMBER.test(sentence);
}

export function isIronic(sentence: string): boolean {
  return IRONY.test(sentence);
}

export function isTakenBack(text: string): boolean {
  return TAKEN_BACK.test(text);
}
