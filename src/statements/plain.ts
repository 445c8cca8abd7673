import { simplified } from "./simplified.ts";

/** `I'm Rosa`, `This is Rosa from…`, `Marcus here`: the capital letter distinguishes a name from a state. */
const NAMED =
  /^((?:h(?:i|ello|ey)\b\W*)?)(?:(?:I['’]?m|I am|(?:[Ii]t['’]?s|[Tt]his is)(?= \S+ (?:from|at|here|again|speaking)\b)) (?=\p{Lu}\p{Ll}+\b(?! [a-z]+ing\b))|(?!(?:Nothing|Everything|Not|Back|Same|New|Still|It|Error)\b)(?=\p{Lu}\p{Ll}+ here\b))/u;

/** Abbreviations, and contractions with and without their apostrophe. */
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  im: "i am",
  ive: "i have",
  cannot: "can not",
  cant: "can not",
  wont: "will not",
  gonna: "going to",
  wanna: "want to",
  gotta: "have to",
  lets: "let us",
  pls: "please",
  plz: "please",
  fav: "favourite",
  favorite: "favourite",
  bday: "birthday",
  tmrw: "tomorrow",
};
const ENDINGS: Readonly<Record<string, string>> = { ve: "have", ll: "will", re: "are", m: "am", d: "would" };
const NEGATED = /^(do|does|did|is|are|was|were|has|have|had|could|would|should)n'?t$/;

const SHORT = new RegExp(`\\b(?:[a-z]+'[a-z]+|[a-z]+nt|${Object.keys(WRITTEN_OUT).join("|")})\\b`, "g");

function writtenOut(word: string): string {
  return (
    WRITTEN_OUT[word.replace("'", "")] ??
    word.replace(NEGATED, "$1 not").replace(/'(ve|ll|re|m|d)$/, (_, ending: string) => ` ${ENDINGS[ending]}`)
  );
}

const CANTONESE: Readonly<Record<string, string>> = {
  唔: "不",
  係: "是",
  喺: "在",
  嘅: "的",
  佢: "他",
  冇: "没有",
  咗: "了",
  食: "吃",
  哋: "们",
  咱: "我",
  俺: "我",
  您: "你",
};
const HAN_FORMS: readonly (readonly [RegExp, string])[] = [
  [/[唔係喺嘅佢冇咗食哋咱俺您]/g, ""],
  [/(?<=\p{Script=Han}[a-z\d]*) (?=\p{Script=Han})|(?<=\p{Script=Han}),|,(?=\p{Script=Han})/gu, "，"],
  [/(?<=\p{Script=Han}):|:(?=\p{Script=Han})/gu, "："],
  [/屋企/g, "家"],
  [/ ?allergic/g, "过敏"],
  [/(?<=我[^，]{3,})(?=要注意什么|怎么[治吃]|该怎么|能不能|可不可以|有什么)/g, "，"],
  [/返工/g, "上班"],
  [/[钟鍾]意/g, "喜欢"],
  [/(?<!日)本人/g, "我"],
];
const LATIN_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bactually,? (?=it'?s (?!an?\b|the\b)[^,]{2,30},? not (?!an?\b|the\b)[\w ]{2,20}\W*$)/, "correction: "],
  [/\b(have|has) got\b/g, "$1"],
  [/\b(?:have )?got to\b/g, "have to"],
  [/\bid(?= (?:rather|prefer|like|love|help|call|come|bring|pick|send)\b)/g, "i would"],
  [
    /(\w)'s(?= (?:called|named|an?|the|not|from|in|on|at|off|allergic|vegan|married|paid|due|always|been|\d+|(?!ring|king|thing|string|wing)\w+ing)\b)/g,
    "$1 is",
  ],
  [/\b(name|birthday)'?s(?= (?!and\b|of\b))/g, "$1 is"],
  [/^were(?= (?:both|vegan|vegetarian|living|moving|getting|expecting|having|married|renting|planning)\b)/, "we are"],
  [/\bmy (\w+[^s\W])s(?= (?:called|named|an?|allergic)\b)/g, "my $1 is"],
  [/\b(it|s?he)'?s\b/g, "$1 is"],
  [/\bthe (?=(?:wife|husband|missus|in[- ]laws)\b)/, "my "],
  [/\b(?:my )?hubby\b/g, "my husband"],
  [
    /\b(?:already|just|finally|(?<!from )now|also|really|still|actually|definitely|personally|currently|recently|mainly|quite|simply|originally|very|truly|totally|honestly|kind of|strictly),? (?=\w)/g,
    "",
  ],
];
const LEADING =
  /^(?:(?:and|turns out(?: that)?|heads up|(?:just )?so you know|so|ok|okay|well|oh|hey|hi(?:ya)?|hello|yes|yeah|nope|great|cool|sure|fine|right|hmm+|thanks?(?: you)?|thx|please|btw|by the way|anyway|tbh|to be honest|ngl|but|then|sorry|wait|will do|bro|because|since(?= (?:i|we|my|our)\b)|although|no(?=,| (?:i|we|my)\b))\b[\s,.!;:–—-]*|[\p{P}\p{Extended_Pictographic}\s]+)+/u;
const TRAILING =
  /[,\s]+(?:tbh|btw|please|though|too|ok|thx|thanks|fyi|imo|remember|right|by the way)(?=\W*$)|(?<=\p{Script=Han})(?:[啦喔欸哦嘛呀啊噢喇囉]+|(?<!哈)哈)(?=[，。！]|$)/gu;
const LEADING_ZH =
  /^(?:那么?|请|好的?|嗯+|对了?|另外|还有|麻烦你?|其实|谢谢你?|你好|大家好|(?:跟你)?说一下|顺便|(?:不[是对]|可以)(?=，)|[哦啊哎]+|说实话|不过|但是?|而且|因为|所以|反正|[，！! ])+/u;
/** The border before a clause in which people speak of themselves or say how things should be: `I'm deaf, so I …`. */
const BORDER =
  /(?:[,;()–—]+| -|(:))\s*(?:(?:and|but|so|because|since(?! i was)|as|while|though|although|that|then|plus|or)\s+)*(?=(?:i|we|my|our|please|always|never|do not|stop|what|which(?! (?:is|are|was|has)\b)|how|why|should|can (?:i|you)|could you|do (?:i|you)|is (?:it|there)|any)\b)|(?<!\b(?:my|our) (?:\w+ )?(?:wife|husband|partner|brother|sister|son|daughter|mother|father|mum|mom|dad|cousin|friend|boyfriend|girlfriend|ex|kids|children|family)(?= and i\b))\s+(?:and|but|so|because|since(?! i was)|although|though|while)\s+(?:that\s+)?(?=(?:i|we|my|our|nobody|no one|(?:live|work|study) (?:in|at|for|as))\b)|(?<=\b(?:please|thanks|here|too|now|me|lol|though|today|tips?|recipes?|ideas?|help|advice|again|right))\s+(?=(?:i (?:am|have|live|work|get|prefer|hate|love|always|never|do not|can not)|my)\b)/g;
/** `At home we speak Tamil`, `since the divorce I…`. */
const ADVERBIAL =
  /^(?:(?:on|at|by|in(?! case)|for|(?:ever )?since|after|as|being|with|every|most|these days) (?!time\b)[^,\n]{3,40}?|(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekday) ?(?:mornings?|afternoons?|evenings?|nights?)?|(?:most )?(?:mornings|evenings|nights)),? (?=(?:i|we|my|our)\b)/;
/** Clauses that leave out their subject. `learning the cello` is said of oneself; `Adding a line` is not. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:i |we )?got (?=(?:an?|two|three|four|\d+|asthma|diabetes|epilepsy|arthritis|crohns|lupus|gout|ibs|adhd|migraines|high|my)\b)/gm,
    "i have ",
  ],
  [
    /^(?=(?:been|had \w+ since|owe|got (?:diagnosed|laid off|fired|made|promoted|hired)|decided|moved|relocated|switched|signed|quit|gave up|sold|bought|turned|picked|chose|booked|promised|(?:stopped|started) \w+ing|lived|ditched|turned down|handed in|grew up|got (?:married|rid|my)|can not (?!you)|do not (?:drink|eat|smoke|drive|own|do|live|like|have)|would rather|hate|prefer|love|(?:live|work|study) (?:in|at|for|as|near|from (?:home|an?))|need to|have to|want to)\b)/gm,
    "i ",
  ],
  [/^(?=(?:born|raised|diagnosed|brought up)\b)/gm, "i was "],
  [/^(?=am (?!i\b)|was (?:born|raised|adopted|diagnosed)\b)/gm, "i "],
  [
    /^(?=(?!(?:need|speed|feed|bleed|seed|weed|breed|attached|based|related|noted|agreed|used|fixed|updated|changed|named|called|speaking)\b)(?:[a-z]{3,}ed|took|lost|ran|tore|broke|built|had|left|met|won|became|began|came|went|kept|taught|wrote|put|spent|fell|paid|fought|hurt|told|gave|made|have not|(?:own|wear|volunteer|commute|coach|suffer from|belong to|come from|play in|play the \w+ (?:in|for|with)|collect \w+ (?:from|since)|keep (?:bees|chickens|hens)|do (?:all|most) (?:of )?(?:my|our)|have(?! (?:you|an? (?:look|nice|good|great|lovely|safe|go|seat|drink|think|word|read)|to|we|they|i|it|some|fun|the))))\b (?!by\b|back\b|it\b|this\b|that\b|you\b)\w)/gm,
    "i ",
  ],
  [
    /^(?=(?:living|learning|studying|writing my|working (?:at|for|as|in|from|nights)|training|trying to|saving|planning|going to|renting|expecting|doing an?|not (?:an?|into|keen|big)|pregnant|divorced|widowed|retired|epileptic|diabetic|asthmatic|dyslexic|scared of|afraid of|keeping(?! (?:it|the|this|that|up|an? eye|you))|wearing an?|sharing an?|having my|building (?:my|our)|moving (?:out|in|back|to)|starting (?:school|college|at)|putting|switching to|on the waiting list|allergic|based in|vegan|vegetarian|married|single|supposed to)\b(?![^\n]* (?:is|are|was|can|will|makes|takes) ))/gm,
    "i am ",
  ],
];

/**
 * Returns a sentence in lower case and simplified characters, with contractions and abbreviations written out,
 * without emphasis and addressee.
 */
export function writtenPlainly(sentence: string): string {
  let text = simplified(sentence.normalize("NFKC"))
    .replace(/(?<![\p{L}\p{N}])[*_~]+|[*_~]+(?![\p{L}\p{N}])|`/gu, "")
    .replace(/\s+/g, " ")
    .replace(/^ ?@\S+[ ,:，]*/, "")
    .replace(NAMED, "$1my name is ")
    .toLowerCase()
    .replaceAll("’", "'");
  if (/\p{Script=Han}/u.test(text))
    for (const [form, written] of HAN_FORMS) text = text.replace(form, (sign) => CANTONESE[sign] ?? written);
  if (/[a-z]/.test(text)) {
    text = text.replace(SHORT, writtenOut);
    for (const [form, written] of LATIN_FORMS) text = text.replace(form, written);
  }
  return text;
}

/**
 * Splits a plainly written sentence for the statement rules: removes filler words, and begins a new line at each
 * clause in which people speak of themselves.
 */
export function inClauses(written: string): string {
  let text = written.replace(TRAILING, "").replace(LEADING, "").replace(LEADING_ZH, "").replace(BORDER, "$1\n");
  text = text.replace(ADVERBIAL, "$&\n");
  for (const [gap, who] of LEFT_OUT) text = text.replace(gap, who);
  return text.trim();
}
