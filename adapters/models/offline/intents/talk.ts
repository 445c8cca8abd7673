import type { Conversation, Intent, Language } from "../intent.ts";
import { takenBack, tellsOfReminder } from "./reminders.ts";

const greeting: Intent = {
  name: "greeting",
  tools: [],
  phrasings: {
    en: [
      "(hi|hello|hey|howdy|greetings|yo)( there| wakeful| everyone| again|)",
      "good (morning|afternoon|evening|day)",
      "(hi|hello|hey),? (how are you|how's it going|how do you do)",
      "how are you( today| doing|)",
      "(hi|hello|hey)(,|) nice to meet you",
      "nice to meet you",
      "(are you there|anybody there|you there)",
    ],
    zh: [
      "(你好|您好|大家好|哈喽|哈啰|嗨|嘿|喂)(啊|呀|)",
      "(早|早安|早上好|上午好|中午好|下午好|晚上好|晚安好)(啊|呀|)",
      "(你|您)好(吗|么)",
      "(最近|你最近|今天)(怎么样|还好吗|过得好吗)",
      "(在吗|在不在|有人吗|你在吗)",
      "很高兴认识你",
    ],
  },
  call: ({ language }) => ({
    say:
      language === "zh"
        ? "你好！我是离线模型，按固定规则回答。说“帮助”看看我能做什么。"
        : "Hello! I am the offline model and answer by fixed rules. Say “help” to see what I can do.",
  }),
};

/** Refers to a command that lists held notices, which needs no model. */
const held: Intent = {
  name: "held",
  tools: [],
  help: {
    en: ["say where you see what I held back", "what did you hold back?"],
    zh: ["说明在哪里看我没说的事", "你有什么没告诉我？"],
  },
  phrasings: {
    en: [
      "(what|what all) (did|do|have|are) you (hold back|held back|holding back|hold|holding|keep back|keeping back|kept back|keeping)( from me|)( today| tonight| now| last night|)",
      "what (did you not|didn't you|have you not|haven't you) (tell|told|say|said)( me|)( today| tonight| yet| last night|)",
      "what (is|are you) (held|waiting|keeping) (back |)(for me|from me)( now|)",
      "(are|is) (you|there) (holding|keeping|anything held) (anything |something |)back( from me|)",
      "(show|list)( me|) (the |)held (notices|notifications|messages)",
      "(show|list|tell)( me|) what you (hold|held|are holding) back",
    ],
    zh: [
      "你(还|)有(什么|哪些|啥)(事|事情|消息|通知|)(还|)没(有|)(告诉|跟|和|通知)我(说|的|)",
      "(还|)有(什么|哪些|啥)(事|事情|消息|通知|)(你|)(还|)没(有|)(告诉|通知)我(的|)",
      "你(瞒着|留着|压着|攒着)(我|)(什么|哪些|啥)(事|事情|消息|通知|)(没说|)",
      "(查看|看看|列出|显示)(一下|)(被|)(留着|压着|保留|推迟|暂缓)的(通知|消息)",
      "(有|)(哪些|什么)(通知|消息)(被|)(留着|压着|推迟|暂缓)(了|)",
    ],
  },
  call: ({ language }) => ({
    say:
      language === "zh"
        ? "写 /held，就能看到我没有主动告诉你的事、什么时候会说，以及原因。"
        : "Write /held and you see what I did not tell you unasked, when I will, and why.",
  }),
};

/** Refers to a command that holds unasked notices back, which needs no model. */
const quiet: Intent = {
  name: "quiet",
  tools: [],
  help: { en: ["say how to be left in peace", "don't disturb me"], zh: ["说明怎么不被打扰", "别打扰我"] },
  phrasings: {
    en: [
      "(don't|do not|stop) (disturb|disturbing|bother|bothering|interrupt|interrupting|notify|notifying) me( now| today| tonight| any more| until tomorrow|)",
      "(be|keep|stay) quiet( now| today| tonight| for a while| until tomorrow|)",
      "(leave me|let me be) (alone|in peace)( today| tonight| until tomorrow|)",
      "(mute|silence) (yourself|your notifications|notifications|the notifications)( today| until tomorrow|)",
      "no (more |)(notifications|messages) (today|tonight|until tomorrow)",
    ],
    zh: [
      "(今天|今晚|现在|先|)(别|不要|请勿)(再|)(打扰|烦|吵|通知)我(了|)",
      "(安静|静音)(一下|一会儿|到明天|)",
      "(今天|今晚|)(别|不要)(再|)(发|推送)(通知|消息)(了|)",
      "让我(安静|静)(一下|一会儿)",
      "(把|)通知(关掉|关了|静音|静音一下)",
    ],
  },
  call: ({ language }) => ({
    say:
      language === "zh"
        ? "写 /mute，到明天之前我不主动打扰你；也可以写 /mute 3小时 或 /mute off。你要求的提醒照常。"
        : "Write /mute and I say nothing unasked until tomorrow; /mute 3h for three hours, /mute off ends it. What you asked for still comes.",
  }),
};

const help: Intent = {
  name: "help",
  tools: [],
  help: { en: ["show this list", "help"], zh: ["显示这份清单", "帮助"] },
  phrasings: {
    en: [
      "(help|help me|/help|commands|menu)",
      "what can (you|i) (do|ask|say)( here| for me| you| to you|)",
      "what (do you know|are you able) (how |)to do",
      "what are your (abilities|skills|features|commands|capabilities)",
      "how (do i use you|does this work|can you help me|do you work)",
      "(show|list|tell me) (me |)(your |the |)(abilities|skills|features|commands|capabilities)",
      "tell me what you can do",
      "what (things |)can (you|i) (do|ask) (with|for) you",
    ],
    zh: [
      "(帮助|帮忙|求助|菜单|命令|指令)",
      "(你|您)(都|)(能|会|可以)(做|干|帮我做|帮我)(些|点|)(什么|啥|哪些事)(事|事情|)",
      "(你|您)(都|)(会|能)(些|)(什么|啥)",
      "(你|您)有(什么|哪些)(功能|本领|能力|技能|用)",
      "(怎么用|怎么使用|如何使用)(你|)",
      "(说说|告诉我|列出|看看)(你|)(能|会|可以)(做|干)(些|)(什么|啥)",
      "(有什么|有哪些)(功能|命令|指令)",
      "我(能|可以)(问|说|做)(些|)(什么|啥)",
    ],
  },
  call({ language }, { abilities }) {
    const list = abilities(language);
    return {
      say:
        language === "zh"
          ? `我是离线模型，只懂固定的一些请求：\n${list.map(([does, example]) => `- ${does}：“${example}”`).join("\n")}`
          : `I am the offline model and understand a fixed set of requests:\n${list.map(([does, example]) => `- ${does}: “${example}”`).join("\n")}`,
    };
  },
};

const about: Intent = {
  name: "about",
  tools: [],
  help: { en: ["say what I am", "are you a real model?"], zh: ["说明我是什么", "你是真的模型吗？"] },
  phrasings: {
    en: [
      "(who|what) are you( really| exactly|)",
      "(are you|is this) (a |an |)(real |)(ai|llm|model|language model|chatbot|bot|robot|human|person|gpt|chatgpt|real)",
      "(which|what) (model|llm|ai|language model) (are you|is this|do you use|are you using)",
      "what('s| is) your (name|model)",
      "do you have a name",
      "(tell me about|introduce) yourself",
      "are you (offline|online|intelligent|smart|alive)",
      "do you understand (me|language|what i say)",
    ],
    zh: [
      "(你|您)(到底|究竟|)是(谁|什么|啥|哪位)",
      "(你|您)是(一个|个|)(真的|真|真正的|)(人|真人|机器人|模型|大模型|语言模型|人工智能|AI|GPT|ChatGPT)(吗|么|)",
      "(你|您)(是|用的是|用|使用的是)(什么|哪个|哪种)(模型|大模型|语言模型)",
      "(你|您)(叫什么|叫啥|叫什么名字|的名字是什么|有名字吗)",
      "(介绍一下|请介绍|介绍)(你|您)(自己|)",
      "(你|您)(是|)(离线|在线|智能)(的|)(吗|么|)",
      "自我介绍(一下|)",
    ],
  },
  call: ({ language }) => ({
    say:
      language === "zh"
        ? "我不是真正的语言模型：我是离线模型，只用固定的规则把一些句子变成工具调用。想自由对话，请配置一个模型（见 docs/models.md）。"
        : "I am not a real language model: I am the offline model, a fixed set of rules that turns some sentences into tool calls. For free conversation, configure a model (docs/models.md).",
  }),
};

const thanks: Intent = {
  name: "thanks",
  tools: [],
  phrasings: {
    en: [
      "(thanks|thank you|thx|ty|cheers)( a lot| so much| very much| again| wakeful|)",
      "many thanks",
      "(great|good|nice|perfect|excellent|awesome|wonderful)(,|) (thanks|thank you)",
      "(i |)(really |)appreciate it",
      "(good job|well done|great job|nice work)",
      "(that's|that is) (great|helpful|perfect)(, thanks|)",
    ],
    zh: [
      "(谢谢|多谢|感谢|谢啦|谢了|谢谢啦|非常感谢|十分感谢)(你|您|)(了|啊|)",
      "(辛苦|麻烦)(你|您|)(了|啦)",
      "(太好了|很好|不错|好的)(，|,| |)(谢谢|多谢)(你|您|)",
      "(做得好|干得好|干得漂亮|真棒|你真棒)",
      "谢谢(你|您)(的|)帮(助|忙)",
    ],
  },
  call: ({ language }) => ({ say: language === "zh" ? "不客气！" : "You are welcome!" }),
};

const goodbye: Intent = {
  name: "goodbye",
  tools: [],
  phrasings: {
    en: [
      "(bye|goodbye|good bye|bye bye|cya|farewell)( for now| then| wakeful|)",
      "(see you|see ya)( later| soon| tomorrow| around|)",
      "good night",
      "(talk|speak) to you (later|soon|tomorrow)",
      "(i have to|i've got to|i must|got to) go( now|)",
      "(that's|that is) all( for now| for today|)",
    ],
    zh: [
      "(再见|拜拜|拜|回见|下次见|回头见)(了|啦|)",
      "(明天|一会儿|待会儿|下次|以后)(见|再聊|再说)",
      "晚安",
      "我(要|得|该)(走|睡|下线)(了|啦)",
      "(先|今天)(这样|到这里|到这儿)(吧|了|)",
    ],
  },
  call: ({ language }) => ({
    say:
      language === "zh" ? "再见！这段对话我会留着。" : "Goodbye! The conversation stays here for when you come back.",
  }),
};

const cancel: Intent = {
  name: "cancel",
  tools: [],
  phrasings: {
    en: [
      "(never mind|nevermind)",
      "(cancel|cancel that|cancel it)",
      "(delete|remove|drop) (that|it|that one)( again|)",
      "forget (it|about it)",
      "(stop|stop it|stop that)",
      "(no|nope),? (thanks|thank you)",
      "leave it",
    ],
    zh: [
      "(算了|算啦)(吧|)",
      "(取消|撤销)(它|这个|这个提醒|)(吧|了|)",
      "(删掉|删除|删了)(它|这个|这个提醒)(吧|)",
      "(不用|不要|不必)(了|啦|)(谢谢|)",
      "当我没说",
      "(停|停止|停下)(吧|)",
    ],
  },
  call({ text, language }, conversation) {
    const isOfReminder =
      tellsOfReminder(saidLast(conversation)) &&
      !/^leave|thank|谢/iu.test(text) &&
      ["scheduler_list", "scheduler_delete"].every((tool) => conversation.offers(tool));
    if (isOfReminder) return { calls: [{ toolName: "scheduler_list", input: {} }] };
    const { goal, memory } = /^leave|thank|谢/iu.test(text) ? {} : (KEPT.exec(saidLast(conversation))?.groups ?? {});
    const isChinese = language === "zh";
    if (goal !== undefined)
      return {
        say: isChinese
          ? `目标已经记下了。要去掉，请说：删除目标${goal}`
          : `The goal is noted already. To have it removed, say: delete the goal ${goal}`,
      };
    if (memory !== undefined)
      return {
        say: isChinese
          ? `已经记住了。要忘掉，请说：忘掉${memory}`
          : `I remember it already. To have it forgotten, say: forget ${memory}`,
      };
    if (/^(?:delete|remove|drop|删)/iu.test(text)) return nameless(language);
    return left(language);
  },
  phrase: (results, { language }, conversation) =>
    takenBack(results, saidLast(conversation), language) ?? left(language),
};

/** The assistant's words that report a kept goal or memory. */
const KEPT = /^(?:Your goal is noted: |目标记下了：)(?<goal>.+)$|^(?:I will remember: |记住了：)(?<memory>.+)$/u;

function nameless(language: Language) {
  return {
    say:
      language === "zh"
        ? "要删掉什么？请带上名字：删除提醒站会。"
        : "I am not sure what is to be deleted. Say it with its name: delete the reminder standup.",
  };
}

function left(language: Language) {
  return { say: language === "zh" ? "好的，那就不做了。" : "All right, I leave it." };
}

function saidLast({ earlier }: Conversation): string {
  const last = earlier.at(-1);
  return last?.role === "assistant" ? last.text : "";
}

const echo: Intent = {
  name: "echo",
  tools: [],
  help: { en: ["repeat your words", "say hello world"], zh: ["重复你的话", "说：你好，世界"] },
  phrasings: {
    en: [
      "say:? {words}",
      "repeat after me(:|,|) {words}",
      "repeat( the words| this|):? {words}",
      "echo:? {words}",
      "(tell|write) me the words:? {words}",
      "just say {words}",
    ],
    zh: [
      "(说一句|说一声|说一遍|说出){words}",
      "说(：|:|，|,|){words}",
      "(重复一遍|重复一下|重复|复述一遍|复述)(：|:|，|,|){words}",
      "(跟我|跟着我)(说|念|读)(一遍|一句|)(：|:|，|,|){words}",
      "(念一下|念一遍|念)(：|:|，|,|){words}",
    ],
  },
  accepts: ({ groups, language }) =>
    language === "zh"
      ? !/^(?:明|话|法|服|书|起|到|是|真|什么|不|一下|一些|点|些|清|出|过|没)/u.test(groups["words"] ?? "")
      : !/^(?:something|anything|some more|what)(?:\s|$)|^(?:it|that|this|again|more)$/iu.test(groups["words"] ?? ""),
  call: ({ groups }) => ({ say: groups["words"] ?? "" }),
};

/** Small talk, help, and facts about the model. */
export const talkIntents: readonly Intent[] = [greeting, help, quiet, held, about, thanks, goodbye, cancel, echo];
