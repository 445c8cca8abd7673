import type { Conversation, Intent, Language, Step } from "../intent.ts";
import { withRecalled } from "../remembered/known.ts";
import { questionIn } from "../remembered/question.ts";
import { allOf, answerFrom } from "../remembered/say.ts";

/** Query for a prompt that has nothing about the person: words of typical statements, in either language. */
const ABOUT_SELF =
  "like prefer hate live work name born birthday family sister brother mother father allergic favourite always never 我 喜欢 住 工作 名字 生日 过敏";
/** The most that `memory_recall` returns. */
const MOST = 20;
/** The longest query that `memory_recall` accepts. */
const MAX_QUERY_CHARS = 500;
const RECALL = "memory_recall";

/** Searches memory for what the prompt lacks; `undefined` without the tool. */
function recalling(
  input: { readonly query: string; readonly limit?: number },
  { offers }: Conversation,
): Step | undefined {
  return offers(RECALL) ? { calls: [{ toolName: RECALL, input }] } : undefined;
}

const aboutMe: Intent = {
  name: "about-me",
  tools: [],
  help: {
    en: ["say what I know about you", "what do you know about me?"],
    zh: ["说出我知道的关于你的事", "关于我你知道些什么？"],
  },
  phrasings: {
    en: [
      "what (do|did) you (know|remember|recall) (about|of) (me|myself|us)( so far| now|)",
      "what (have you|did you) (learned|learnt|learn|remembered|remember|kept|keep|saved|save) (about|of) me( so far|)",
      "(tell me |say |list |show me |)(what|everything|all|all that) you (know|remember|have) (about|of) me",
      "(do|can) you (know|remember|recall) (anything|something) about me",
      "what (is|do you have) in (your |the |)memory about me",
    ],
    zh: [
      "关于我(，|,|)(你|您)(都|还|)(知道|记得|了解|记住了)(些|)(什么|啥|哪些)",
      "(你|您)(对|关于)我(都|还|)(知道|记得|了解)(些|)(什么|啥|哪些|多少)",
      "(你|您)(都|还|)(知道|记得|了解|记住了)(些|)(什么|啥|哪些)(关于|有关)我(的|)(事|事情|内容|)",
      "(说说|告诉我|列出)(你|您)(知道|记得|了解)的(关于|有关)我的(事|事情|一切|内容)",
      "(你|您)(知道|记得|了解|记住了)我(的|)(什么|啥|哪些|哪些事|多少)(事|事情|)",
    ],
  },
  call({ language }, conversation) {
    const say = allOf(conversation.known, { language, today: conversation.today });
    if (say !== undefined) return { say };
    return recalling({ query: ABOUT_SELF, limit: MOST }, conversation) ?? { say: nothing(language) };
  },
  phrase: (results, { language }, { known, today, speaker }) => ({
    say: allOf(withRecalled(known, results.at(-1)?.output, speaker), { language, today }) ?? nothing(language),
  }),
};

const ownLife: Intent = {
  name: "own-life",
  tools: [],
  help: {
    en: ["answer from what you told me of yourself", "am I allergic to anything?"],
    zh: ["用你告诉过我的事回答", "我对什么过敏？"],
  },
  phrasings: {
    en: [
      "(am|are|was|were|do|does|did|have|has|is|can) {rest:short}",
      "(what|what's|whats|which) {rest:short}",
      "(who|who's|whose) {rest:short}",
      "(when|when's|where|where's|how) {rest:short}",
      "(tell me|do you know|do you remember|did you know) (if|whether|what|which|who|whose|when|where|how) {rest:short}",
    ],
    zh: [
      "我{rest:short}",
      "(谁|哪个|哪位|哪天|什么时候)是我{rest:short}",
      "(你|您)(还|)(知道|记得|知不知道|记不记得)我{rest:short}",
      "(告诉我|说说)(，|,|)我{rest:short}",
      "(妈|爸|母|父|爷|奶|外|姥|老|哥|姐|弟|妹){rest:short}",
    ],
  },
  accepts: ({ text }) => questionIn(text) !== undefined,
  call({ text, language }, conversation) {
    const question = questionIn(text);
    if (question === undefined) return { say: nothing(language) };
    const { say, isAnswer } = answerFrom(question, conversation.known, conversation.today);
    if (isAnswer) return { say };
    return recalling({ query: text.slice(0, MAX_QUERY_CHARS) }, conversation) ?? { say };
  },
  phrase(results, { text, language }, { known, today, speaker }) {
    const question = questionIn(text);
    if (question === undefined) return { say: nothing(language) };
    return { say: answerFrom(question, withRecalled(known, results.at(-1)?.output, speaker), today).say };
  },
};

/** Questions of a person about themselves, answered from the prompt. */
export const ownLifeIntents: readonly Intent[] = [aboutMe, ownLife];

function nothing(language: Language): string {
  return language === "zh" ? "关于你，我还没有记住什么。" : "I remember nothing about you yet.";
}
