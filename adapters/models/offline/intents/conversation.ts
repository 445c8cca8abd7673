import type { Intent, Language, Turn } from "../intent.ts";
import type { Known } from "../remembered/known.ts";

/** Sentences that state a name. English ones need a capital where they might mean something else. */
const NAME_SENTENCE =
  /\b(?:[Mm]y name(?: is|['’]s)|[Ii](?: am|['’]m) called)\s{1,3}(?:(?:actually|really|still|now|just)\s{1,3})?(?<name>[\p{L}\p{M}'’-]{1,30}(?: \p{Lu}[\p{L}\p{M}'’-]{0,30}){0,3})|\b(?:(?<!n['’]?t |not |[Nn]ever )[Cc]all me|[Ii](?: am|['’]m))\s{1,3}(?<capital>\p{Lu}[\p{L}\p{M}'’-]{0,30}(?: \p{Lu}[\p{L}\p{M}'’-]{0,30}){0,3})(?=[,.!;]|$)|(?:我的?名字(?:叫做|叫|是)|我(?:名叫|叫做|叫)|本人(?:姓名|名叫|叫)|(?:[，,。]|^|就|你|可以|以后|请)叫我)\s{0,3}(?<han>[\p{L}\p{M}·]{1,20}?)(?:就行|就好|好了|吧)?(?=[，,。.！!；;、\s]|$)/u;
/** Words after "call me" and "我叫" that start another sentence. */
const NOT_A_NAME =
  /^not\b|^(?:the|a|an|back|later|spel(?:led|t)|pronounced|on|in|too|very|hard|difficult)$|[什么谁啥吗呢哪了的他她它你我]/iu;
const MAX_HAN_NAME = 4;
const EXCERPT_LENGTH = 200;
const RECAP_MESSAGES = 5;

const introduction: Intent = {
  name: "introduction",
  tools: [],
  help: { en: ["keep your name in this conversation", "my name is Ada"], zh: ["在这段对话里记住你的名字", "我叫小明"] },
  phrasings: {
    en: [
      "my name( is|'s) {rest}",
      "(i'm|i am) called {rest}",
      "(you can |you may |)call me {rest}",
      "(i'm|i am) {rest}",
      "(remember |note |)(that |)my name is {rest}",
    ],
    zh: [
      "我叫{rest}",
      "我(的|)名字(是|叫){rest}",
      "我名叫{rest}",
      "(你可以|你|可以|以后|请|)(就|)叫我{rest}",
      "(记住|记得)(，|,|)我(叫|的名字是|的名字叫){rest}",
      "本人(姓名|名叫|叫){rest}",
    ],
  },
  accepts: ({ text }) => nameFrom(text) !== undefined,
  call({ text, language }, { offers }) {
    const name = nameFrom(text) ?? "";
    const hello = language === "zh" ? `你好，${name}！` : `Hello, ${name}!`;
    if (offers("memory_recall")) return { say: hello };
    return {
      say:
        language === "zh"
          ? `${hello}在这段对话里我记得你的名字。`
          : `${hello} I know your name as long as this conversation lasts.`,
    };
  },
};

const ownName: Intent = {
  name: "own-name",
  tools: [],
  help: {
    en: ["tell you your name from this conversation", "what is my name?"],
    zh: ["从这段对话里说出你的名字", "我叫什么名字？"],
  },
  phrasings: {
    en: [
      "what('s| is|s) my name( again|)",
      "who am i",
      "(do you |)(know|remember) (my name|who i am|what my name is|what i am called)",
      "(tell me|say) my name",
      "what (am i called|do you call me|did i say my name is|did i say my name was)",
      "(have i|did i) (told|tell) you my name",
      "what was my name( again|)",
    ],
    zh: [
      "我(叫|是叫)(什么|啥)(名字|)(来着|)",
      "我的名字(是|叫)(什么|啥)",
      "我是谁",
      "(你|您|)(还|)(记得|知道|记不记得|知不知道)我(叫什么|是谁|的名字|叫啥)(名字|)(吗|么|)",
      "(说出|告诉我|说说)我(的名字|叫什么|是谁)",
      "我(刚才|之前|)说(过|)我叫(什么|啥)",
    ],
  },
  call({ language }, { earlier, known }) {
    const name =
      nameIn(earlier) ??
      nameIn(
        known
          .filter(({ isOfOthers }) => !isOfOthers)
          .map(asSaid)
          .toReversed(),
      );
    if (name === undefined) {
      return {
        say:
          language === "zh"
            ? "在我看得到的这段对话里，你还没说过你的名字。可以说“我叫……”。"
            : "You have not told me your name in the part of the conversation that I see. Say “my name is …”.",
      };
    }
    return { say: language === "zh" ? `你叫${name}。` : `Your name is ${name}.` };
  },
};

const lastWords: Intent = {
  name: "last-words",
  tools: [],
  help: { en: ["say what you said last", "what did I just say?"], zh: ["说出你上一句话", "我刚才说了什么？"] },
  phrasings: {
    en: [
      "what did i (just |)say( just now| before| earlier| last| a moment ago|)",
      "what (was|is) my (last|previous) (message|question|request|sentence)",
      "what (have i|did i) (just |)(ask|asked|told you|tell you|say|said|write)( you|)( before| last|)",
      "(repeat|remind me of|tell me) what i (just |)(said|asked|wrote)( before| last|)",
      "(do you remember|can you remember) what i (just |)said( before|)",
      "my (last|previous) (message|question)",
    ],
    zh: [
      "我(刚才|刚刚|刚|上一句|之前|前面|上次)(都|)(说|讲|问|写)(了|的是|过|)(些|)(什么|啥)(话|)",
      "我(的|)(上一句|上一条|上一个|前一句|前一条)(话|消息|问题|)(是|)(什么|啥|说了什么)",
      "(重复|复述|告诉我|说说)我(刚才|刚刚|之前|上一句)(说的|说了什么|的话|说的话)",
      "(你|)(还|)(记得|记不记得)我(刚才|刚刚|之前)(说了什么|说的话|说过什么|说什么)(吗|么|)",
      "我(说|问)(了|过)(些|)(什么|啥)",
    ],
  },
  call({ language }, { earlier }) {
    const turn = earlier.findLast(({ role }) => role === "user");
    if (turn === undefined) return { say: nothingYet(language) };
    return { say: language === "zh" ? `你刚才说：${quote(turn.text)}` : `You said: ${quote(turn.text)}` };
  },
};

const myLastWords: Intent = {
  name: "my-last-words",
  tools: [],
  help: { en: ["say again what I said", "what did you just say?"], zh: ["再说一遍我的上一句话", "你刚才说了什么？"] },
  phrasings: {
    en: [
      "what did you (just |)say( just now| before| last|)",
      "(say|repeat) (that|it|your answer|yourself)( again| please|)",
      "(say|tell me) that once more",
      "what was (that|your last message|your last answer|your answer)( again|)",
      "(pardon|pardon me|come again|sorry, what)",
      "(can you |)repeat what you (just |)said",
    ],
    zh: [
      "你(刚才|刚刚|刚|上一句|之前)(说|讲|回答)(了|的是|过|)(些|)(什么|啥)",
      "(再说|重说|重复)(一遍|一次)",
      "你(的|)(上一句|上一条|上一个)(话|消息|回答|回复|)(是|)(什么|啥)",
      "(重复|复述)(一下|)你(刚才|刚刚|)(说的|的话|说的话|的回答)",
      "(没听清|没看清|什么来着|你说什么|你说啥)",
    ],
  },
  call({ language }, { earlier }) {
    const turn = earlier.findLast(({ role, text }) => role === "assistant" && text !== "");
    if (turn === undefined) {
      return {
        say: language === "zh" ? "在这段对话里我还没说过话。" : "I have not said anything in this conversation yet.",
      };
    }
    return { say: language === "zh" ? `我刚才说：${quote(turn.text)}` : `I said: ${quote(turn.text)}` };
  },
};

const aboutTopic: Intent = {
  name: "said-about",
  tools: [],
  help: {
    en: ["find what you said about something", "what did I say about trains?"],
    zh: ["查找你说过的话", "关于火车我说过什么？"],
  },
  phrasings: {
    en: [
      "what did i (say|tell you|mention|write) about {topic:short}",
      "what have i (said|told you|mentioned|written) about {topic:short}",
      "(did|have) i (mention|mentioned|say anything about|said anything about|talk about|talked about) {topic:short}",
      "find what i said about {topic:short}",
      "when did i (mention|talk about) {topic:short}",
    ],
    zh: [
      "关于{topic:short}(，|,|)我(都|)(说过|说了|讲过|提过)(些|)(什么|啥)",
      "我(说过|说了|讲过|提过)(什么|哪些)(关于|有关){topic:short}(的话|的事|的|)",
      "我(说过|提过|提到过|讲过){topic:short}(吗|么|没有)",
      "我(之前|刚才|)(怎么说|说过|提到)(关于|有关|){topic:short}(的|)(什么|吗)",
      "(查找|找找|找一下)我(说过|说)的(关于|有关|){topic:short}",
    ],
  },
  call({ language, groups }, { earlier }) {
    const topic = groups["topic"] ?? "";
    const lower = topic.toLowerCase();
    const found = earlier
      .filter(({ role, text }) => role === "user" && text.toLowerCase().includes(lower))
      .slice(-RECAP_MESSAGES);
    if (found.length === 0) {
      return {
        say:
          language === "zh"
            ? `在我看得到的这段对话里，你没有提到“${topic}”。`
            : `You have not mentioned “${topic}” in the part of the conversation that I see.`,
      };
    }
    return {
      say: `${language === "zh" ? `关于“${topic}”，你说过：` : `About “${topic}” you said:`}\n${listed(found)}`,
    };
  },
};

const recap: Intent = {
  name: "recap",
  tools: [],
  help: {
    en: ["list what you said in this conversation", "what did we talk about?"],
    zh: ["列出这段对话里你说过的话", "我们聊了什么？"],
  },
  phrasings: {
    en: [
      "what (did|have) we (talk|talked|spoken|discussed|discuss|speak)( about|)( so far| before| earlier| today|)",
      "(recap|summary|summarize|summarise)( please|)",
      "(summarize|summarise|recap|sum up) (this|our|the) (conversation|chat|talk)( so far|)",
      "what (did|have) i (say|said|tell you|told you|ask you) (so far|until now|in this conversation)",
      "(show|list|give) (me |)(our|the|this|my) (conversation|messages|history|chat history)",
      "what were we talking about",
    ],
    zh: [
      "我们(都|刚才|之前|)(聊|谈|说|讨论)(了|过)(些|)(什么|啥)",
      "(总结|回顾|概括|小结)(一下|)(这段|我们的|刚才的|)(对话|聊天|谈话|)",
      "我(一共|总共|到现在|至今)(都|)(说|问)(了|过)(些|)(什么|啥)",
      "(列出|显示|看看)(我们的|我的|这段|)(对话|聊天记录|消息|历史)",
      "(刚才|之前)(聊到哪|说到哪|聊到哪儿|说到哪儿)了",
    ],
  },
  call({ language }, { earlier }) {
    const said = earlier.filter(({ role }) => role === "user");
    if (said.length === 0) return { say: nothingYet(language) };
    const shown = said.slice(-RECAP_MESSAGES);
    const head =
      language === "zh"
        ? `我看得到你的 ${said.length} 条消息。${said.length > shown.length ? `最近 ${shown.length} 条：` : "内容是："}`
        : `I see ${said.length === 1 ? "1 message" : `${said.length} messages`} from you${said.length > shown.length ? `, the last ${shown.length} being` : ""}:`;
    return { say: `${head}\n${listed(shown)}` };
  },
};

/** Answers from the conversation itself. */
export const conversationIntents: readonly Intent[] = [
  ownName,
  introduction,
  aboutTopic,
  recap,
  lastWords,
  myLastWords,
];

/** The last name that the person gave. */
function nameIn(earlier: readonly Turn[]): string | undefined {
  for (let index = earlier.length - 1; index >= 0; index--) {
    const turn = earlier[index] as Turn;
    const name = turn.role === "user" ? nameFrom(turn.text) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function asSaid({ text }: Known): Turn {
  return { role: "user", text };
}

/** The name that a sentence of the text states; `undefined` when there is none, or when it may not be a name. */
function nameFrom(text: string): string | undefined {
  const groups = NAME_SENTENCE.exec(text)?.groups;
  const name = groups?.["name"] ?? groups?.["capital"] ?? groups?.["han"];
  if (name === undefined || NOT_A_NAME.test(name)) return undefined;
  return /^\p{Script=Han}+$/u.test(name) && name.length > MAX_HAN_NAME ? undefined : name;
}

function nothingYet(language: Language): string {
  return language === "zh" ? "这是我看得到的第一条消息。" : "This is the first message that I see.";
}

function listed(turns: readonly Turn[]): string {
  return turns.map(({ text }) => `- ${quote(text)}`).join("\n");
}

function quote(text: string): string {
  const short =
    text.length > EXCERPT_LENGTH ? `${text.slice(0, EXCERPT_LENGTH).replace(/[\uD800-\uDBFF]$/, "")}…` : text;
  return `“${short}”`;
}
