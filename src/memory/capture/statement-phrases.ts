/**
 * How people state what they prefer, decided, promise and are, in English and Chinese; matched against a sentence as `plain` of statements.ts writes it.
 * Unlike what a summary keeps, what is found here is told in other conversations months later: a doubtful phrase is left out.
 */
export type StatementKind = "preference" | "decision" | "commitment" | "fact";

/** What only points at something in this conversation. */
const POINTING =
  "(?! (?:it|this|that|these|those|them|you\\w*|him|her|how|what|where|when|the (?:idea|way|look|first|second|third|last|new|one|other|answer)s?)\\b)";
/** Of a thing or a person, what will not be so tomorrow. */
const PASSING =
  "(?! (?:not )?(?:\\w+ing|broken|slow|late|down|here|there|ready|(?:off|on)line|full|empty|stuck|dead|ill|sick|tired|hungry|angry|mad|upset|asleep|awake|busy|wrong|lost|great|amazing|cool|fun|ok|okay|fine|so|too|such|about|that|to|done|over|off|out|back|again|arrived|been|n?ever|no|due)\\b)";
const STYLE =
  "(?:emojis?|emoticons|bullet\\w*|lists|tables?|jargon|abbreviations|exclamation marks?|markdown|headings?|small talk|disclaimers?|apologies|greetings?|hashtags|slang|messages|notifications|reminders)";
const DAY =
  "(?:(?:mon|tues|wednes|thurs|fri|satur|sun|birth)day|tomorrow|tonight|noon|midnight|(?:the )?(?:\\d|end of|weekend|first)|january|february|march|april|may|june|july|august|september|october|november|december|christmas|easter)";
const WHEN = `(?:\\b(?:by|before|on|until|at|in) ${DAY}|\\b(?:tomorrow|tonight)\\b|\\b(?:next|this) (?:week|month|year|spring|summer|autumn|fall|winter|\\w+day|evening|afternoon)\\b)`;
const DO =
  "(?:answer|reply|respond|write|speak|use|send|call|keep|make|give|show|include|add|put|start|leave|avoid|skip|stop|ask|check|remind|tell|do not|never|always|let(?! me know))";

const PREFERENCE = [
  `\\b(?:i|we) (?:do not |have |never |always |usually |mostly |much |tend to |try to )*(?:prefer|love|like|enjoy|hate|dislike|detest|avoid|can ?not (?:stand|bear))(?= \\w)${POINTING}(?! to (?:know|see|think|hear|say|bother|ask|admit)\\b)`,
  "\\bi would (?:rather\\b|prefer\\b(?! (?:it|this|that|you)\\b))",
  `\\bi am (?:not )?(?:an? )?(?:\\w+ )?(?:fan of|fond of|keen on|into|(?:afraid|scared|terrified) of)${POINTING}|\\bi am (?:more )?(?:of )?an? (?:\\w+ )*(?:person|lover|drinker|eater|owl|early bird|type)\\b`,
  "\\bmy favou?rite .+ (?:is|are)\\b|\\b(?:is|are) my favou?rite(?! part)",
  "\\b(?:i|we) (?:never|always|only|usually|rarely|normally|mostly) (?!\\w+ed\\b|said|thought|knew|know|forget|forgot|heard|wondered|wanted|got|had|saw|meant|asked|told|have (?:trouble|problems)|get (?:an?|this|the|confused|lost)\\b)\\w{2,}(?! (?:it|this|that)\\b)|\\bi do not (?:eat|drink|smoke|work|want any|need any|use|wear|drive|fly)\\b",
  "^(?:can|could|would|will) you (?:please )?(?:always|never|from now on|stop \\w+ing)\\b|^make sure (?:to |you )?(?:always|never)\\b|\\bi want you to (?:be|always|never|use|keep|call|speak|answer|stop)\\b",
  "^(?:always|never)(?! (?:is|are|mind|heard|thought|knew|again|been|seen|a|had|the|in|on|up|be|happy|glad|here|there|late|good|great|nice|\\w+ed)\\b) \\w{2}",
  "\\b(?:from (?:now|today|here) on|going forward|henceforth)\\b",
  `\\b(?:in (?:the )?future|by default|next time|as a rule|(?:whenever|(?:every|each) time) .{3,80}), ?(?:please |only )*${DO}\\b|\\b(?:whenever|every time) .{3,80}, (?!i\\b|it\\b|he\\b|she\\b|they|we\\b|th|my\\b)\\w|\\bin (?:the )?future (?:please )?${DO}\\b|^${DO}\\b.+ (?:by default|in (?:the )?future|(?:every|each) time|whenever)\\b`,
  `^(?:do not|stop|no|avoid|less|fewer)\\b(?: (?!it|this|that)[\\w']+){0,3} ${STYLE}\\b|^do not (?:ever )?(?:call|address) me\\b`,
  "^(?:answer|reply|respond|write|speak|talk)(?: to me| with me| back)?(?: only)? (?:in (?:(?:plain|simple|british) )?(?:english|german|french|spanish|chinese|mandarin|japanese|korean|italian|portuguese|dutch|russian|swedish|\\w+ sentences?)|briefly|concisely|\\w*formally)\\b",
  "^(?:keep|make) (?:all )?your \\w+|^use (?:the )?(?:metric|imperial|celsius|fahrenheit|24-hour|british|american|tabs|spaces|euros?|dollars)\\b",
  "\\b(?:works?|is) (?:best|better) for me\\b",
  "我[^，。他她]{0,8}?(?<!要|上次)(?:喜欢|讨厌|厌恶|偏[好爱]|习惯(?!了)|受不了|更愿意|宁[愿可]|倾向|爱(?=[吃喝看听玩用在逛喝]))(?=.{2})(?!你|这|那|第|了|的人)|(?:^|，)最[喜爱][欢吃喝看]|最喜欢的.+[是：]",
  "我[^，。吗]{0,8}(?:不(?!会|能|想|要)|只)(?:吃|喝|用|抽|坐|穿|看|买)(?!了?$|[下到出完懂起])|我[^，。吗]{1,10}(?:从来?不|都不|总是|一直都?)(?!是|知道|明白).|我(?:周末|平时|[早晚]上|工作日|睡前|下班).{0,6}不.{2}|我.{0,4}怕[^你我]|我.{0,2}不(?:太|怎么)?能(?:吃|喝|闻|碰)",
  "我.{0,2}(?:一般|通常|平时|每个?(?:[天周晚年月早]|星期|礼拜))(?!都?在?[想问说])[^吗？]{3,}",
  "^(?:以后|今后|往后|从现在|从今|从此)(?![再见])|(?:以后|今后|下次|每次).{0,12}(?:请|都|别|不要|一律|先|只|用|给我)|^(?:永远|一律|始终|总是|每次都?)[用要先别不给把以按]",
  "^[^我吗？]{0,12}?(?:别|不要|不用|少)(?:再)?(?:[^吗？]{0,4}(?:表情|emoji|列表|表格|敬语|感叹号|客套|废话|术语|颜文字|markdown)|给我(?:打|发)|打扰我|叫我)",
  "(?:回答|回复|答复|说话|解释|总结).{0,5}(?:请|要|都|尽量|控制|最好|简短|简洁|直接)|用(?:简体|繁体)?(?:[中英日法德俄韩][文语]|汉语|粤语|大白话).{0,3}(?:回[答复]|说|写|聊|交流)",
];

const DECISION = [
  "\\b(?:i|we|they|team|board|family) (?:have |both |all )*(?:(?:decided|agreed|settled|opted|voted|concluded) (?:to|on|that|for|against|not|with|\\w+ing)|(?:chosen?|picked) (?!it|this|that|you|up|one|the (?:first|second|last|wrong|right) (?:one|option|answer))\\w+)\\b",
  "\\bmade up (?:my|our) minds?\\b",
  "\\b(?:i|we) (?:will|(?:am|are) going to) (?:go (?:with|for)|stick (?:with|to)|stay with|switch|settle|use|adopt|drop|postpone|cancel|launch|not (?:renew|buy|take|use|hire))\\b(?! (?:it|that|you)\\b)|\\b(?:i|we) will .+ instead\\b",
  "\\b(?:i|we) (?:am|are) (?:not )?(?:going with|sticking (?:with|to)|switching to|moving to|migrating|dropping|cancell?ing|postponing|adopting|quitting|leaving (?:my|our)|renewing|selling (?:my|our|the)|keeping the)\\b",
  "^(?:then )?let us (?:go (?:with|for)|stick (?:with|to)|settle on|use|switch|drop|postpone|cancel)\\b(?! (?:it|that|this|the (?:first|second|third|last|other|next))\\b)",
  "\\b(?:decision|verdict|final (?:choice|answer|plan)|conclusion) ?(?:is\\b|was\\b|:)|\\bthe plan is to\\b|\\b(?:is|was|been) (?:decided|settled|agreed)\\b",
  "(?:我|我们|咱们?|大家|团队|公司|家里|^|，|最[终后]|已经)[^他她没未你谁]{0,6}(?<!没有?|未|[能法难来者])决定(?!吗|哪|怎么|是否|权)(?=.{2})|不[^，吗？]{1,6}了，?[改换]",
  "(?<!没|没有)(?:商量好|商定|敲定|说定|谈好|选定|议定|拍板|想好)了?|(?<!决)(?:定|确定)(?:[了为在]|下来?了?)(?!吗)(?=.{0,20}$)|(?:我们|团队|最[终后]|都|那?就|还是)[^没不吗？]{0,10}(?:采用|改用|沿用|继续用|换成|选[了择用第a-z]|放弃|推迟|延期)(?!哪)|就[用选定按][^你吗？]{2,}[吧了]。?$|达成[了]?(?:一致|共识)|(?:结论|决定)[是：]|(?:一致|都)同意",
];

const COMMITMENT = [
  "\\bi (?:have )?(?:promised?|committed|pledged?|vowed|swore|(?:signed up|volunteered)(?= (?:to|for) )) (?!you)\\w+",
  `\\b(?:i|we) (?:will|have to|need to|must|should|am going to|are going to|plan to|intend to|am supposed to|(?:am|are)(?= \\w+ing)) (?!know|see you|talk|sleep|be (?:right )?back|tell you|let you|go to bed|think|ask)\\w.{2,140}?${WHEN}`,
  "\\bi (?:will|am going to) (?:finish|submit|deliver|prepare|renew|return|repay|pay|review|publish|quit|learn|train for|organi[sz]e|host|take care of) (?!it\\b|that\\b|this\\b|you\\b)\\w",
  `\\b(?:i|we) have (?:an? |my |our |the )?(?:[\\w'-]+ ){1,4}?${WHEN}`,
  `\\b(?:my|our|the) (?!birthday|name)(?:[\\w'-]+ ){1,6}(?:is due|leaves|departs|starts|expires|ends|runs out|is)(?: |.{1,20} )?${WHEN}`,
  "\\bi owe (?!you)\\w",
  "我[^吗？没不]{0,4}(?:答应|承诺|保证|发誓)(?=.{2})",
  "我们?(?:打算|准备|计划)(?!问|让|先|睡|吃)[^吗？]{2,}",
  "我(?:们)?(?:已经|刚)?(?:约|预约|报名|订|预订)了(?=.{2})|(?:我们|[和跟].{1,10})(?:约|说)好(?=.{2})|我.{0,2}欠.{2}",
];
const WHEN_ZH =
  "(?:[今明][天晚早年]|后天|下个?(?:周|月|星期|季度)|这(?:周|个月)|(?:周|星期|礼拜)[一二三四五六日天末]|[月年周][底初末]|(?!一点(?![钟半]))[\\d一二三四五六七八九十]+[月号日点]|春节|国庆|元旦|暑假|寒假)";
const DUTY_ZH = "(?:会|要|得|必须|需要|打算|计划|准备|争取)";
COMMITMENT.push(
  `我(?:们)?[^吗？]{0,8}${DUTY_ZH}[^吗？]{0,12}${WHEN_ZH}[^吗？]{1,}`,
  `我(?:们)?[^吗？不没]{0,6}${WHEN_ZH}[^吗？]{0,8}(?:${DUTY_ZH}|去|见(?!谅|解)|有(?!点|些)|约|到(?!这|此)|飞|交|还|付|参加)(?!睡|下线|吃饭|你)[^吗？]{1,}`,
  `${WHEN_ZH}我们?(?:${DUTY_ZH}|去|有|约|到|飞)(?!睡|下线|吃饭|再|问)[^吗？]{1,}`,
  `(?:截止|到期|答辩|交稿|考试|面试|手术|婚礼|航班).{0,4}${WHEN_ZH}|${WHEN_ZH}.{0,6}(?:截止|到期|答辩|交稿)`,
);

const FACT = [
  "\\ballerg(?:ic to|y|ies)\\b|\\bintolerant\\b",
  "\\b(?:call|address) me (?!back|when|if|at|on|tomorrow|later|tonight|asap|crazy|old|an?\\b|maybe|in|after|before|again|once|today|this|soon|up|names|to|for|with|every)\\w|\\bi go by \\w",
  "\\bi (?:am|was) (?:not )?(?:from|born|raised|based|diagnosed|vegan|vegetarian|pescatarian|diabetic|c(?:o)?eliac|asthmatic|epileptic|dyslexic|autistic|married|divorced|single|engaged|pregnant|retired|self-employed|left-handed|right-handed|colou?r-?blind|deaf|muslim|jewish|christian|living|learning|training for|studying|working (?:at|for|as|in)|in (?!an? |the (?:middle|car|bus|kitchen|train)|bed|trouble|need|love|charge|line)|\\d+(?: years| and|$| feet| foot| cm| kg))",
  "\\bi am an? (?!bit|little|lot|fan|big|huge|fool|idiot|mess|good|bad|step|couple|few|tad|total|minute|while)(?:[\\w-]+ ){0,3}\\w{3,}",
  "\\b(?:i|we) (?:have |used to )?(?:live|reside|work|study|teach|volunteer|moved|relocated)(?:d|ed|s|ing)?(?: here| there| back)? (?:in|to|at|for|as|with|near|on|from|part|full|remotely|next|\\w+ (?:at|in))\\b(?! (?:it|this|that)\\b)|\\bi grew up\\b|\\bi (?:own|drive|speak|play|teach|study|run an?|manage|wear|take insulin|suffer from|graduated|come from)(?= \\w)(?! (?:it|this|that|you|to|with you)\\b)",
  "\\b(?:i|we) have (?!been|not|to|had|seen|done|made|got|gone|read|sent|written|found|heard|come|thought|built|become|learned|always|never|each|the|this|that|your|any|some|one|more|it|\\w+ed\\b|\\w+ (?:questions|problems|issues|ideas|errors))(?!(?:an? |no |another |two |\\d+ )?(?:question|problem|idea|feeling|request|doubt|meeting|headache|cold|minute|moment|lot|bad|bug|issue|error|few|couple|bit|hard|look|plan|clue|time|choice|suggestion|file|list|pic\\w*|photo|great|good|super|awesome))\\w",
  `(?:^|[,;:–—-] ?|\\b(?:that|and|but|because|since) )(?:my|our) (?!guess|point|question|problem|bad|god|thought|issue|mood|head|opinion|idea|concern|order|file|code|last|first|next|other|essay|homework|goal|app|error|test|script|apolog|mistake|turn|previous)(?:(?!i |you |we |he |she |they |it |this |that |whether |asks? |wants? |says? |and i |if |when |why |how |what |to )[\\w'-]+ ){1,8}?(?:(?:is|are|was|has)${PASSING}|(?:lives?|works?|likes?|loves?|hates?|prefers?|speaks?|plays?|go|goes|attends?|turns|died|passed away|retired|moved|married|owns?|drives?|costs|suffers?|studies|study|teach|teaches|do not|does not|can ?not)\\b)`,
  "\\b(?:i|we) go to (?:the )?\\w+ (?:on|every|once|twice|three)\\b|\\b(?:i|we) have been .+ (?:since (?:\\d{4}|i|childhood|birth)|for .*years)\\b|\\bi can ?not (?:drive|swim|cook|eat|drink|ride|hear|digest)\\b",
  `(?:^|[,;] ?|\\b(?:and|but|because|since) )i (?!think|know|need|want|mean|guess|see|get|feel|hope|wish|find|keep|say|ask|understand|agree|believe|remember|forget|expect|doubt|assume|thank|appreciate|look|hear|notice|try|click|open|start|will|would|can|could|should|must|might|may|have|had|am|was|do|did|got|said|saw|made|found|told|came|went|ran|wrote|thought|knew|took|gave|left|felt|kept|heard|meant|read|put|let|like|love|hate|prefer|enjoy|just|did|lost|forgot|woke|ate|drank|met|spent|brought|paid|slept|sat|stood|spoke|broke|chose|drove|flew|grew|held|caught|began|fell|rode|sang|won|stuck|swam|copy|paste|hit|press|receive|see|suppose|wonder|swear|promise|bet|care|call|send|\\w+ed\\b)[a-z]{3,}(?= \\w)(?! (?:it|this|that|these|those|the|you|your|to|if|about|how|what|why|whether|for you|with you)\\b)`,
  "\\b(?:i|we) (?:have )?(?:got (?:an? (?!error|message|question|notification|call|mail|email|reply|strange|weird|feeling)|married|divorced|engaged|promoted|a new)|became|adopted|bought an?|sold my|joined|quit (?:my|smoking|drinking)|married|switched (?:to|from)|(?:stopped|started|gave up|given up) (?!get|see|hav|receiv|read|work|load|think)\\w+ing|graduated|retired|lost my|broke up|started (?:an? |my own|working))",
  "\\b(?:i|we) use (?!it|this|that|the|you|them)(?:[\\w.+#-]+ ){1,3}(?:for|at|as|on|with|every|since)\\b",
  "\\b(?:i|we) no longer \\w|^(?:correction|(?:sorry, )?i (?:meant|misspoke))\\b.{8}",
  "^(?:remember|note|keep in mind|for the record|for future reference|fyi|just so you know)(?: that\\b|[,:]? (?:i|my|we|our|the)\\b)|\\byou can reach me\\b",
  "(?:对|我)[^，。吗]{1,14}过敏|过敏体质|不耐受|我.{0,2}(?:恐高|晕[车船机]|色盲)",
  "(?:叫|称呼)我(?!的|去|来|起|怎|时|吃|别|不|先|做|一声).|我(?:英文名|小名)?叫(?![他她你了车外做]|不|醒|停).",
  "我.{0,6}[\\d一二三四五六七八九十]岁|我.{0,2}(?:有|得了|患有?)(?:.{0,4}(?:病|[高低]血[压糖脂]|哮喘|炎|头痛|色盲|痛风|症|恐高)|[\\d一二三四五六两几]*[个只条辆套位台间家](?!会|[^，。]{0,10}(?:问题|想法|疑问|建议|请求|需求|任务|文件|错误)))|我们?[^，。吗他她]{0,3}(?:[领收]?养|生)了",
  "我(?!.{0,3}[找等问])[^，。吗？]{0,12}?(?:[开骑]一?[辆台]|身高|体重|鞋码|(?<![卡记忍堵停站])住(?:在|的)?|搬到了?|来自|出生|长大|毕业|就[读职]|任职|定居|退休|怀孕|[结离]婚|单身|戴|姓|信(?=[佛教主基天伊])|吃素|戒[烟酒了]|[上倒][夜早晚]班|会[说讲弹拉]|没有驾照|左撇子|近视|学的是|属.$|属.。|不会(?:开车|游泳|做饭|喝酒|骑|说|抽烟)|是做.+的|穿(?:\\d|.码))(?![哪口手院]|就好)",
  "(?:我|我[^，。吗？]{0,5})在[^，。吗？你]{1,14}(?:工作|上班|上学|读|教书|实习|生活|当.|做(?!作业|饭|什|这|那).{2,}|开了)|我.{0,2}在(?:学|准备|备考|减肥|戒|攻读)|我.{1,8}都?用[a-z]+",
  "我(?:是|当)[^，。吗？不说想问这]{0,14}(?:[一-龥](?:市|国|省|方)?人|医生|老师|[医律厨会]?[师计]|学生|研究生|博士|护士|程序员|翻译|经理|公务员|作家|记者|警察|司机|教授|老板|职业者|者|迷|员|妈|爸)(?=$|[，。！]|，?在)",
  "我[^，。吗]{0,4}(?:租|买)了[^，。吗]{0,4}[套辆栋房车]|我[^，。吗]{0,6}开了一?[家间]|我[^，。吗没]{0,10}(?:换|改|转)(?:到|成|用).{2}|我[^，。吗]{0,4}搬家了|^(?:抱歉|不好意思|不对)?，?我(?:是说|说的是).{2,}不是",
  "我[^，。吗]{0,4}(?:换|找到|辞)[^，。吗]{0,3}[工职]作?|我是[^，。吗不说想问这]{2,4}，(?:在|是|来自|做|一[名个位])",
  "我们?的?(?!今天|昨天|明天|刚|卡|更|太|很|最|真|挺|意思|问题|想法|天|猜|错|建议|是|觉得|快递|订单|现在|马上|刚|正|还|也|先|只|就|朋友|点)[^，。吗？我的在是说不没]{1,6}(?:的[^，。吗？]{1,4})?(?:叫|是|(?<!现)在|属|住|喜欢|爱|不吃|姓|对|有)(?!哪|什|不是|多|问|家|吗|点|现|正|等|吵|睡|哭)[^吗？]{1,}",
  "我(?:家|的)?(?:[爸妈哥姐弟妹爷奶叔姨舅姑]{1,2}|老[婆公板]|妻子|丈夫|先生|太太|女儿|儿子|孩子|宝宝|父母|父亲|母亲|对象|[男女]朋?友|室友|导师|家?[狗猫])(?!.{0,4}[问说想等让叫要找骂看]|.{0,3}(?:正|现在|刚才|马上)|够|会不会)[^吗？]{3,}",
  "^(?:帮我)?(?:记[住得]|记一下|记下|备注|别忘了?)(?:[，,：:]|我|这).{2}|^注意[，：:]?我.{4}|^更正(?:一下)?[，：:].{4}",
];

const any = (list: readonly string[]): RegExp => new RegExp(list.join("|"));

/** In the order in which they are asked. */
export const KINDS: readonly (readonly [StatementKind, RegExp])[] = [
  ["decision", any(DECISION)],
  ["preference", any(PREFERENCE)],
  ["commitment", any(COMMITMENT)],
  ["fact", any(FACT)],
];

/** Says that it holds for longer than this conversation, or is for life however it is said. */
const LASTING =
  /\b(?:from (?:now|today|here) on|going forward|henceforth|in (?:the )?future|for (?:good|ever|life)|forever|permanently|by default|whenever|for (?:the record|future reference)|keep in mind|^remember|note that|as a rule|allerg(?:ic|y|ies)|call me|name is|i was born|diabet\w+)\b|以后(?=[请都别不一每叫用只给先，])|今后|往后|从现在|从今|从此|永远|一律|记住|默认|过敏|叫我|我叫|糖尿病|出生/;
const EVER = /\b(?:always|never|(?:every|each) time)\b|一直|始终|总是|每次|从来|从不/;

export function isLasting(kind: StatementKind, plain: string): boolean {
  return LASTING.test(plain) || (kind === "preference" && EVER.test(plain));
}

/** Tells the assistant how to do things, if not what the person prefers. */
export const INSTRUCTION =
  /^(?:do not|never|always|avoid|make sure|be sure|remember|only use|use only|keep|stop)\b|\b(?:please (?:do not|always|never|only|make sure|use|keep|avoid)|make sure|must(?: not)?|from now on|instead of|do not (?:forget|use|touch|change|delete|share|send|mention))\b|(?:请|务必|必须|一定要|不要|别忘|别再|记住|注意|始终|一律|只能|不得|不许|确保)/;

const ASKS =
  /[?？]["'”)）]*$|[吗呢么][。！~]?$|^(?:did|do(?! not)|does|have (?:you|we|they)|has|should|shall|what|who\w*|when(?!ever)|why|how|which|where|is|are|was|were|am|can|could|would|will)\b|怎么(?!都|样都)|什么(?!都|时候都)|哪[个里些种儿位]|多少|为什么|是不是|有没有|能不能|要不要|会不会|好不好|可不可以|^谁|^(?:帮忙|[帮给替]我(?!记)|查|找|搜|写|推荐)/;
/** A request that says how things should be done at all times is no question. */
const ASKS_FOR_GOOD = /^(?:can|could|would|will) you (?:please )?(?:always|never|from now on|stop)\b/;
const UNSURE =
  /\b(?:maybe|perhaps|might|suppos\w+|imagine|pretend|hypothetical\w*|assum(?:e|ing)|wish|wonder\w*|i guess|not sure|(?:would|could|should) have|unless|what if|kidding|let us (?:say|pretend|suppose|assume)|for (?:example|instance)|yet to|(?:not|never|help me|hard to|can ?not) (?:yet )?(?:decide|agree)\w*)\b|如果|假[如设定装]|^(?:比如|例如|譬如)|要是|万一|也许|可能|或许|说不定|大概|想象|除非|比方|开玩笑|不确定|不知道|还没|没有?决定|帮我(?:决定|选)/;
const IF = /^if\b|\bif (?:i|we|my|it|the|there|he|she|they)\b/;
const TOLD =
  /\b(?:he|she|they|people|\w+(?<!\bi|\bwe)) (?:said|says|wrote|writes|claim\w*)\b|\b(?:he|she|they) (?:\w+ )?(?:told|asked|thinks?|prefers?|likes?)\b|\baccording to\b|\bin (?:the|an?|this|my) (?:film|movie|book|novel|story|game|series)\b|(?:电影|小说|故事|游戏|剧|书)里|[爸妈哥姐弟妹友事](?:觉得|认为)|(?:[他她]们?|有人|别人|客户|文章|书[上里]|新闻|大家|网上|老师|作者)[^，。我]{0,4}(?:说|讲|问|写|表示|认为|觉得|告诉|更?喜欢)|据说|听说/;
const SECRET =
  /\b(?:pass(?:word|code|phrase)|pin(?: code| number)?|cvv|secret key|api key|access token|seed phrase)\b|密码|口令|验证码|密钥/;

/** Whether a sentence asks, supposes, doubts, or tells what others say; secrets are nobody's memory. */
export function statesNothing(plain: string): boolean {
  if (SECRET.test(plain) || TOLD.test(plain) || UNSURE.test(plain)) return true;
  if (ASKS.test(plain)) return !ASKS_FOR_GOOD.test(plain);
  return IF.test(plain) && !LASTING.test(plain) && !EVER.test(plain);
}
