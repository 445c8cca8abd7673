/** How people state things in English, as `plain` writes it: `^` is the beginning of any clause. */

/** What only points at something in this conversation. */
const POINTING =
  "(?! (?:it|this|that|these|those|them|you\\w*|him|her|how|what|where|when|the (?:idea|way|look|first|second|third|last|new|one|other|answer)s?)\\b)";
/** Of a thing or a person, what will not be so tomorrow. */
const PASSING =
  "(?! (?:not )?(?:(?!living|married|getting|learning)\\w+ing|broken|frozen|blank|black|slow|late|down|here|there|ready|(?:off|on)line|full|empty|stuck|dead|ill|sick|tired|hungry|angry|mad|upset|asleep|awake|busy|wrong|lost|great|amazing|cool|fun|ok|okay|fine|so|too|such|about|that|to|done|over|off|out|back|again|arrived|been|n?ever|no|due|nice|good|bad|gone)\\b)";
const STYLE =
  "(?:emojis?|bullet\\w*|lists|tables?|jargon|abbreviations|exclamation marks?|markdown|headings?|small talk|disclaimers?|greetings?|slang|messages|reminders|(?:full|last|first) name)";
const WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day";
const WHEN = `(?:\\b(?:by|before|on|until|at|in|from|after) (?:${WEEKDAY}|noon|midnight|(?:the )?(?:\\d|end of|weekend|first)|january|february|march|april|may|june|july|august|september|october|november|december|summer|winter|spring|autumn|christmas|easter)|\\btomorrow|\\btonight\\b|\\b${WEEKDAY}\\b|\\bthe \\d+(?:st|nd|rd|th)\\b|\\bin (?:an?|two|three) (?:day|week|month|year)s?\\b|\\b(?:next|this) (?:week|month|year|spring|summer|autumn|fall|winter|\\w+day)\\b)`;
const DO =
  "(?:answer|reply|respond|write|speak|use|send|call|keep|make|give|show|include|add|put|start|leave|avoid|skip|stop|ask|check|remind|tell|do not|never|always|sign|review|convert|let(?! me know))";
/** Who speaks, alone or with somebody. */
const WE = "(?:(?:my )?(?:\\w+ and )?(?:i|we)|me and (?:my |the )?\\w+|(?:both|neither|none) of us)";
/** How often: what is said with it, holds. */
const OFTEN =
  "\\b(?:every|each|daily|weekly|twice|once a|most|mainly|on \\w+days?\\b|mornings|evenings|at (?:\\d|night|home))";

export const PREFERENCE = [
  `\\b(?:i|we) (?:do not |have |never |always |usually |mostly |much |tend to |try to )*(?:prefer|lo+ve|like|enjoy|hate|dislike|avoid|adore|can not (?:stand|bear))(?= \\S)${POINTING}(?! to (?:know|see|think|hear|say|bother|ask|admit)\\b)`,
  "\\bi would (?:rather\\b|(?:prefer|appreciate)\\b(?! (?:it|this|that|you)\\b(?! if)))",
  `^i am (?:not )?(?:so |too |that |more )?(?:an? )?(?:\\w+ )?(?:fan of|one for|fond of|keen on|into\\b|(?:afraid|scared|terrified) of|passionate about)${POINTING}|^i am (?:more )?(?:of )?an? (?:\\w+ )*(?:person|lover|drinker|owl|bird|type)\\b`,
  "\\bfavourite .+ (?:is|are)\\b|^favourite|(?<!you )(?:\\bis|\\bare)(?: not)? my (?:favourite(?! part)|thing|passion|hobby|dream)|\\bis a must\\b|^nothing (?:beats|like) |^what i .*(?:like|love|enjoy|hate|want) is\\b|^it is always \\w|^[\\w -]{3,40} over \\w[\\w -]+,?\\s(?:always|any)\\b",
  `^${WE} (?:never|always|only|usually|rarely|normally|mostly|tend to) (?!\\w+ed\\b|said|thought|knew|know|forget|forgot|heard|wanted|got|had|saw|meant|told|have (?:trouble|problems)|get (?:an?|this|the|confused|lost)\\b)\\w{2,}(?! (?:it|this|that)\\b)|^i do not (?:eat|drink|smoke|work|want any|need any|use|wear|drive|fly|do)\\b(?! (?:it|this|that|anything)\\b)|^i can not (?:do|have)(?! (?:it|this|that|anything)\\b) \\w`,
  "^(?:can|could|would|will) you (?:please )?(?:always|never|from now on|stop \\w+ing)\\b|^make sure (?:to |you )?(?:always|never)\\b|^i want (?:you to (?:be|always|never|use|keep|call|speak|answer|stop)|every|each|all (?:my|your))\\b|\\byou would (?:always|never)\\b|^under no circumstances|^no [\\w ]{3,30}\\bever$|^every time i .+ i mean\\b",
  "^(?:always|never)(?! (?:is|are|mind|heard|thought|knew|again|been|seen|a|had|the|in|on|up|be|happy|late|good|tried|said|saw|got|did|\\w+(?:ed|ing))\\b) \\w{2}",
  "\\b(?:from|as of) (?:now|today|here|this point) (?:on|forward)|\\b(?:going forward|henceforth)\\b",
  `\\b(?:in (?:the )?future|by default|next time|as a rule|(?:whenever|any ?time|(?:every|each) time) .{3,80}),? ?(?:please |only )*${DO}\\b|^(?:whenever|any ?time|every time) .{3,80}, (?!i\\b|it\\b|he\\b|she\\b|they|we\\b|th|my\\b)\\w|^${DO}\\b.+ (?:by default|in (?:the )?future|(?:every|each|any) ?time|whenever)\\b`,
  `^(?:when|if) (?:i|you) (?:send|write|give|ask|paste|recommend|suggest|book|quote|show|cook|answer|translate)\\b.{3,80}?,? (?:please |then )*${DO}\\b`,
  `^(?:please )?(?:(?:do not|stop|no|avoid|less|fewer)\\b(?: (?!it|this|that)[\\w']+){0,3} ${STYLE}\\b|(?:do not|never) (?:ever\\b|(?:call|address|remind|text|wake|contact) me\\b|.+ (?:again|with me|to me)$)|stop (?:calling|asking|telling|sending|reminding) me\\b)`,
  "^(?:answer|reply|respond|write|speak|talk)(?: to me| with me| back)?(?: only)? (?:in (?:\\w+ )?(?:english|german|french|spanish|chinese|sentences)|in \\w+$|briefly|concisely|\\w*formally)\\b",
  "^(?:keep|make) (?:all )?your \\w+|^use (?:the )?(?:metric|imperial|celsius|fahrenheit|24-hour|british|american|tabs|spaces|euros?|dollars)\\b",
  "\\b(?:works?|is) (?:best|better) for me\\b|\\bdo(?:es)? not (?:agree with|suit|work for) me\\b|\\b(?:makes?|gives?) me (?:\\w+ )?(?:sick|ill|anxious|nervous|dizzy|sleepy|hives|migraines|headaches|an? (?:rash|headache|migraine))\\b",
];

export const DECISION = [
  "\\b(?:i|we|they|team|board|family) (?:have |both |all )*(?:(?:decided|agreed|settled|opted|voted) (?:to|on|that|for|against|not|with|\\w+ing)|(?:chosen?|picked) (?!it|this|that|you|up|one|the (?:first|second|last|wrong|right) (?:one|option|answer))\\w+)\\b|\\bmade up (?:my|our) minds?\\b|^what we (?:decided|agreed) .*\\bis\\b|^i am \\w+ing .+ instead of|^(?:i|we) (?:have )?(?:turned down|ditched|put (?:the|our) \\w+ (?:on|up for))\\b",
  "\\b(?:i|we) (?:will|(?:am|are) going to) (?:go (?:with|for)|stick (?:with|to)|stay with|switch|settle|use|drop|postpone|cancel|launch|not (?:renew|buy|take|use|hire))\\b(?! (?:it|that|you)\\b)|^(?:i|we) will .+ instead\\b",
  "\\b(?:i|we) (?:am|are) (?:not )?(?:going with|sticking (?:with|to)|switching to|moving to|migrating|dropping|cancell?ing|postponing|quitting|leaving (?:my|our)|renewing|selling (?:my|our|the)|keeping the|using|buying|giving up)\\b(?! (?:it|this|that|your)\\b)",
  "^let us (?:go (?:with|for)|stick (?:with|to)|settle on|use|switch|drop|postpone|cancel)\\b(?! (?:it|that|this|the (?:first|second|third|last|other|next))\\b)",
  "\\b(?:decision|final (?:choice|answer|plan)|conclusion) ?(?:is\\b|was\\b|:)|\\b(?:is|was|been) (?:decided|settled|agreed)\\b",
];

export const COMMITMENT = [
  "\\bi (?:have )?(?:promised?|committed|pledged|vowed|swore|(?:signed up|volunteered)(?= (?:to|for) )|agreed to|told (?!you|him|her|them)\\w+ i would) (?!you)\\w+",
  `\\b${WE} (?:will|shall|have to|need to|must|should|plan to|intend to|am|are)(?! (?:know|see you|talk|sleep|be (?:right )?back|tell you|let you|go to bed|think|ask|so|not sure|done|here|tired|hungry)\\b) \\w.{1,140}?${WHEN}`,
  "\\bi (?:will|am going to|intend to|want to|am trying to|need to|have to) (?:finish|submit|deliver|prepare|renew|return|repay|pay|publish|quit|learn|train for|organi[sz]e|host|take care of|retire|lose \\d|run an?|save|stop \\w+ing|become) (?!it\\b|that\\b|this\\b|you\\b)\\w",
  "\\bi am (?:trying to (?:lose|quit|learn|eat|save|cut|become)|(?:planning|saving|preparing) (?:up )?(?:to|for)) (?!it\\b|that\\b|this\\b)\\w|\\b(?:my|our) (?:goal|dream|plan)s? (?:is|are) (?!here)|\\bcount me in\\b|\\bi owe (?!you)\\w",
  `\\b(?:i|we) have (?:[\\w'-]+ ){1,5}?${WHEN}`,
  `\\b(?:my|our|the) (?!birthday|name)(?:[\\w'&-]+ ){1,6}(?:is due|leaves|departs|starts|expires|ends|meets|is|opens|closes)(?: |.{1,40} )?${WHEN}`,
];

/** What people do while they talk with an assistant, or that happened once: said with `i`, it tells nothing of them. */
const CHAT_VERB =
  "(?:think|know|need|want|mean|guess|see|get|feel|hope|wish|find|keep|say|ask|understand|agree|believe|remember|forget|expect|doubt|assume|thank|appreciate|look|hear|notice|try|click|open|start|will|would|can|could|should|must|might|may|have|had|am|are|was|were|do|did|got|said|saw|made|found|told|came|went|ran|wrote|thought|knew|took|gave|left|felt|kept|heard|meant|read|put|let|shall|like|love|hate|prefer|enjoy|lost|forgot|woke|ate|drank|met|spent|brought|paid|slept|sat|stood|spoke|broke|chose|drove|flew|grew|held|caught|began|fell|rode|sang|won|stuck|swam|copy|paste|hit|press|receive|suppose|reckon|bet|wonder|swear|promise|care|call|send|all|both|even|then|ever|used to|cut|run into|type|scroll|figure|admit|sound|seem|disagree|recommend|suggest|fear|trust|upload|come|bought|\\w{3,}(?<!re|app|f)ly|\\w+ed)";
/** What is about the work at hand, or about somebody who has a life of their own. */
const CHAT_NOUN =
  "(?:guess|point|question|problem|bad|god|thought|issue|mood|head|brain|opinion|idea|concern|order|file|code|last|first|next|other|essay|homework|app|error|test|script|mistake|turn|previous|screen|internet|browser|query|message|text|feeling|impression|answer|reply|conversation|prompt|page|printer|friends?|colleagues?|co-?workers?|clients?|customers?|patients?|classmates?|neighbou?rs?)";
const TRAIT =
  "(?:(?:from|born|raised|based|diagnosed|vegan|married|divorced|single|engaged|pregnant|breastfeeding|retired|deaf|blind|muslim|jewish|lactose|gay|trans|sober|type \\d|(?:left|right)[- ]handed|(?:really |so |not )*(?:good|bad|terrible) (?:at|with|in) (?!it|this|that)|colou?r-?blind|new to|(?!fanta|ecsta|fran|sarca|selfi|fooli|optimi|pessimi|enthusi|reali|pani|finish)\\w{2,}(?:ian|ese|ish|ic|iac)|[\\w-]+-(?:handed|employed|sighted))\\b|(?:[\\w-]+ )?(?:\\w+[eo]r|head|c[etf]o) (?:and|at|of|for) |the (?!one|same|first|last|problem|worst|best|boss|queen|king)(?:[\\w-]+ ){0,3}\\w{4,}|\\d[\\d.]*(?: ?(?:m|years?|and|f[eo]+t|cm|kg)\\b|$))";
/** What comes for a moment and goes. */
const AT_HAND =
  "(?!(?:an? |no |another |two |\\d+ )?(?:quick |small |other )?(?:questions?|problems?|ideas?|feeling|request|doubt|meeting|headache|cold|minute|moment|lot|bad|bugs?|issues?|errors?|few|couple|bit|hard|look|plan|clue|time|choice|suggestion|files?|list|pic\\w*|photo|great|good|text|sentence|function)\\b)";

export const FACT = [
  "\\ballerg(?:ic to|y|ies)\\b|\\bintolerant\\b|\\b(?:call|address) me (?!back|when|if|at|on|tomorrow|later|tonight|asap|crazy|old|an?\\b|maybe|in|after|before|again|once|today|this|soon|up|names|to|for|with|every)\\w|\\bi go by \\w|\\bit is spelled \\w",
  `^${WE} (?:am|are|was) (?:not |both |all |an? )*${TRAIT}`,
  `^${WE} (?:am|are|was) (?:not )?(?:living|learning|training for|studying|renting|expecting|doing an? \\w+ (?:in|at)|saving|working (?:at|for|as|in|nights)|in (?!(?:it|this|that|to|an?|the (?:middle|car|bus|kitchen|train|office|mood)|bed|trouble|need|love|charge|line)\\b)\\w+|on (?:a (?:budget|diet)|nights|\\w+ leave)|off (?:next|from|on)|available|getting married)\\b`,
  "^i am an? (?!bit|little|lot|fan|big|huge|fool|idiot|mess|good|bad|step|couple|few|tad|total|minute|while|genius|millionaire|pirate|king|queen)(?:[\\w-]+ ){0,3}\\w{3,}",
  "\\b(?:i|we) (?:have )?(?:live|reside|work|study|teach|volunteer|moved|relocated)(?:d|s|ing)?(?: here| there| back)? (?:in|to|at|for|as|with|near|on|from|part|full|remotely|next|nights|\\w+ (?:at|in))\\b(?! (?:it|this|that)\\b)|^i (?:grew up|was raised)\\b|^i (?:own|drive|speak|play|teach|run|manage|wear|take|come from|graduated)(?= \\w)(?! (?:it|this|that|you|to|a look|with you)\\b)",
  `^${WE} have (?!(?:been|not|to|have|had|seen|done|made|got|gone|read|sent|written|found|heard|come|thought|built|become|learned|always|never|each|the|this|that|your|any|some|one (?:more|thing)|more|it|\\w+ed)\\b)${AT_HAND}\\w|^i do not have (?!it|this|that|the|to|time)${AT_HAND}\\w`,
  `^(?:(?:both|all)(?: of)? )?(?:my|our) (?!${CHAT_NOUN}\\b)(?:(?!i |you |we |he |she |they |it |this |that |when |to )[\\w'-]+ ){1,8}?(?:(?:is|are|was|has|have)${PASSING}|(?:live|work|like|love|speak|play|go|own|study|use|run)s?\\b|(?:died|passed away|retired|moved|went (?:up|down|to))\\b|(?:do|does|can) not\\b(?! (?:work$|load|start|open|turn|show)\\b)|(?!wants|asks|needs|keeps|thinks|crashes|fails|breaks|throws|shows|looks|seems|sounds|feels|hurts|kids|gets|always|\\w+'s|\\w+ss\\b|parents)\\w{2,}s \\w${PASSING})`,
  "^(?:my|our) friends? (?:is|are) called\\b|\\b(?:is|are) (?:not )?my (?:first|native|second|mother|\\w+ (?:day|language|name))\\b|\\b(?:i|we) have been (?!waiting|trying|looking|getting|thinking|reading|wondering|on hold).+ (?:since|for .*(?:years|months))\\b|\\bi have been sober",
  `^i can not (?!you|wait|help|tell|access|decide|run|install|connect|load|make|explain|imagine|be |edit|save|change|(?!read|keep|wear|take)${CHAT_VERB}\\b)\\w+(?! (?:it|this|that|the|your?)\\b)`,
  `^${WE} (?!${CHAT_VERB}\\b)[a-z]{3,}(?= \\w)${POINTING}(?! (?:the|to|if|about|why|whether|for you|with you|so)\\b(?!.*${OFTEN}))`,
  `^${WE} (?:do|go|take|see|call|get|leave|start|need|book|read|make)(?= \\w)${POINTING}(?! an? error).*${OFTEN}`,
  `^(?:i|we) do not (?!mind|recall|follow|${CHAT_VERB}\\b)\\w{2,}(?= \\w)${POINTING}|^i do (?:most|all|the (?:cooking|laundry|shopping))\\b|^i get (?:\\w+ )?(?:migraines|headaches|\\w*sick\\b|hives|anxious|nervous|panic|up at|paid|hay fever)`,
  "^(?:i|we) (?:have )?(?:got (?:an? (?:[\\w-]+ )?(?:job|dog|puppy|cat|kitten|car|house|flat|promotion|degree|bike)\\b|married|divorced|engaged|promoted|rid of)|became|adopted|(?:bought|sold) (?:an?|my|our|the) |joined|quit (?:my|\\w+ing)|switched (?:to|from)|(?:stopped|started|gave up) (?!get|see|hav|receiv|work|load)(?:\\w+ing|an?|my|at)\\b|graduated|retired|lost my (?:job|\\w*(?:mother|father|wife|husband))|broke up|turned \\d|passed my|changed my|signed (?:the|an?|my) (?:contract|lease)|handed in|named (?:him|her|our)|had (?:an? )?(?:baby|surgery|operation|c-section))|^i (?:could|can) not live without|^there are \\w+ of us\\b|^you are (?:talking to|speaking with) an? |^i (?:have )?lived here\\b",
  "^(?:i|we) use (?!it|this|that|the|you|them)[\\w.+#@/-]+(?: \\w|$|,)|^(?:i|we) no longer \\w|^correction\\b.{8}|^i (?:meant|misspoke)\\b(?! (?:the (?:other|first|second|last)|this|that|it|what|to)\\b).{4}",
  "^(?:remember|note|keep in mind|for the record|for future reference|fyi|just so you know)(?: that\\b|[,:]?\\s(?:i|my|we|our|the)\\b)|\\byou can reach me\\b|\\bnote to self\\b",
  "\\b(?:doctor|gp|physician|dietitian)(?: has)? (?:says?|told|put|wants|prescribed|advised|diagnosed)\\b.*\\b(?:i|me)\\b|^as an? \\w+(?: \\w+)?,?\\s+i (?!am wondering|would)",
];
