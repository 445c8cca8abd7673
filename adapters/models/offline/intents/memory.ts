import type { Intent, IntentResult } from "../intent.ts";

/** Words after "remember" and "forget" that name nothing. */
const NOTHING =
  /^(?:it|this|that|them|me|you|everything|all|all of it|about it|about that|了|吧|我|它|他|她|这个|那个|这件事|一切|所有|全部)$/iu;
/** Everything about the person, which no single call forgets. */
const ALL_OF_ME =
  /^(?:(?:everything|anything|all)(?: (?:that )?you (?:know|remember|have|kept|stored))? (?:about|of) me|what you (?:know|remember) (?:about|of) me|everything you (?:know|remember)|我的?(?:一切|全部|所有)(?:的?(?:事情?|信息|记忆|内容|东西|资料))?|(?:所有|一切)(?:关于|有关)我的(?:事情?|信息|记忆|内容|东西|资料)?)(?:都|全都|全部)?$/iu;
/** Questions, which can also begin with "remember" and "记得". */
const QUESTION = /^(?:what|who|when|where|how|why|if|whether)\b|(?:吗|么|没有|什么|谁|哪|几)[?？]?$/iu;
/** A text for a later time is a reminder: 记得提醒我明天开会. */
const TO_REMIND = /^(?:to )?remind me\b|^(?:要|一定|一定要|到时候|到时)?提醒我/iu;
/** Thanks to the assistant after the text to remember, behind a comma, a sentence or a line break. */
const THANKS =
  /(?:\s{0,3}[,，\n]|(?<=[.!?。！？]))\s{0,3}(?:many thanks|thanks|thank you|thx|cheers|多谢|谢谢[你您]?)(?: a lot| so much| very much)?[.!。！]{0,3}$/iu;
/** The most that `memory_forget` lists. */
const MOST = 20;

interface Shown {
  readonly id: string;
  readonly content: string;
  readonly date: string;
}

const remember: Intent = {
  name: "remember",
  tools: ["memory_write"],
  help: {
    en: ["remember things for later", "remember that I prefer tea"],
    zh: ["记住事情", "记住我喜欢喝茶"],
  },
  phrasings: {
    en: [
      "(remember|memorize|memorise) that {content}",
      "(remember|memorize|memorise):? {content}",
      "(keep|bear) in mind that {content}",
      "(keep|bear) in mind:? {content}",
      "(don't|don’t|do not|never) forget that {content}",
      "(note down|take note|make a note|note) that {content}",
      "make a note:? {content}",
      "(save|keep|store) (this |)(in|to) (your |the |)memory:? {content}",
    ],
    zh: [
      "(记住|记下|记下来|记一下|记得)(：|:|，|,|){content}",
      "(别|不要)(忘了|忘记|忘掉)(：|:|，|,|){content}",
      "把{content}(记住|记下来|记下|记一下)",
      "(牢记|记牢)(：|:|，|,|){content}",
      "(帮我|替我|给我)(记住|记下|记一下|记录一下|记)(：|:|，|,|){content}",
    ],
  },
  accepts: ({ groups: { content = "" } }) => ![NOTHING, QUESTION, TO_REMIND].some((one) => one.test(content.trim())),
  call: ({ groups: { content = "" } }) => ({
    calls: [{ toolName: "memory_write", input: { content: withoutThanks(content) } }],
  }),
  phrase: (_results, { groups: { content = "" }, language }) => ({
    say: language === "zh" ? `记住了：${withoutThanks(content)}` : `I will remember: ${withoutThanks(content)}`,
  }),
};

function withoutThanks(content: string): string {
  return content.trim().replace(THANKS, "");
}

const recall: Intent = {
  name: "recall",
  tools: ["memory_recall"],
  help: {
    en: ["say what I remember", "what do you know about tea?"],
    zh: ["说出记住的事", "关于茶你记得什么？"],
  },
  phrasings: {
    en: [
      "what do you (know|remember|recall) (about|of|from) {query:short}",
      "(do|can) you (remember|recall) (anything about|something about|anything of) {query:short}",
      "(search|look in|look through) (your |the |)memory for {query:short}",
      "what (is|do you have) in (your |the |)memory about {query:short}",
      "(do|can) you (remember|recall) {query:short}",
      "(recall|recollect) {query:short}",
    ],
    zh: [
      "关于{query:short}(，|,|)(你|您|)(都|还|)(知道|记得|了解|记住了)(些|)(什么|啥|哪些)",
      "(你|您)(都|还|)(知道|记得|了解|记住了)(些|)(什么|啥|哪些)(关于|有关){query:short}(的|)(事|事情|内容|)",
      "(你|您)(对|关于){query:short}(都|还|)(知道|记得|了解)(些|)(什么|啥|哪些|多少)",
      "(在|)(你的|)记忆(里|中)(查|搜|找|搜索|查找)(一下|){query:short}",
      "(回忆|回想)(一下|){query:short}",
      "(你|您)(还|)(记得|记不记得){query:short}(吗|么|)",
    ],
  },
  accepts: ({ groups: { query = "" } }) => !/^(?:it|that|this|you|它|这个|那个)$/iu.test(query.trim()),
  call: ({ groups: { query = "" } }) => ({ calls: [{ toolName: "memory_recall", input: { query: query.trim() } }] }),
  phrase(results, { language }) {
    const found = memoriesIn(results.at(-1));
    if (found.length === 0) {
      return { say: language === "zh" ? "我没有记住这方面的内容。" : "I remember nothing about that." };
    }
    return { say: [language === "zh" ? "我记得：" : "I remember:", ...found.map(line)].join("\n") };
  },
};

const forget: Intent = {
  name: "forget",
  tools: ["memory_forget", "memory_recall"],
  help: {
    en: ["forget what I remember", "forget that I prefer tea"],
    zh: ["忘掉记住的事", "忘掉我喜欢喝茶"],
  },
  phrasings: {
    en: [
      "(you can |you may |)forget (that|what i said about|everything about|all about|about) {query:short}",
      "(you can |you may |)forget {query:short}",
      "(delete|remove|erase) {query:short} from (your |the |)memory",
      "(delete|remove|erase) (your |the |)(memory|memories) (of|about) {query:short}",
      "(stop remembering|don't remember|don’t remember|do not remember) (that |){query:short}",
    ],
    zh: [
      "忘(掉|了|记)(关于|有关|){query:short}",
      "把{query:short}(忘掉|忘了|从记忆里删掉|从记忆中删除|从记忆里删除)",
      "(删除|删掉|清除)(关于|有关|){query:short}的(记忆|记录)",
      "(别|不要)再(记住|记得|记着){query:short}",
      "(你|您)(可以|)忘(掉|了|记){query:short}(了|吧|)",
    ],
  },
  accepts: ({ groups: { query = "" } }) => !NOTHING.test(query.trim()) && !ALL_OF_ME.test(query.trim()),
  call({ groups: { query = "", which }, language }) {
    if (which === undefined) return { calls: [{ toolName: "memory_forget", input: { query: query.trim() } }] };
    if (/^(?:no|none|nothing|neither|cancel|stop|不|不用|不要|都不|取消|算了)/iu.test(which.trim()))
      return { say: language === "zh" ? "好，都保留。" : "All right, I keep them." };
    // The search is repeated, so that the numbers mean the same entries.
    return { calls: [{ toolName: "memory_recall", input: { query: query.trim(), limit: MOST } }] };
  },
  phrase(results, { groups: { query = "", which }, language }) {
    const last = results.at(-1);
    if (last?.toolName === "memory_recall") {
      const ids = chosen(memoriesIn(last), which ?? "");
      if (ids.length > 0) return { calls: [{ toolName: "memory_forget", input: { ids } }] };
      return {
        say:
          language === "zh"
            ? "没有找到你说的那一条，都保留了。"
            : "I did not find which one you mean, and kept them all.",
      };
    }
    const found = memoriesIn(last);
    if (found.length > 0) {
      const asked =
        language === "zh"
          ? `有几条和“${query.trim()}”有关，忘掉第几条？`
          : `Several things fit “${query.trim()}”. Which number shall I forget?`;
      return { ask: [asked, ...found.map((one, index) => `${index + 1}. ${one.content}`)].join("\n"), slot: "which" };
    }
    const { forgotten, was } = fieldsOf(last) as { readonly forgotten?: number; readonly was?: Partial<Shown> };
    if (!forgotten) return { say: language === "zh" ? "我没有记住这方面的内容。" : "I remember nothing about that." };
    const what = was?.content === undefined ? "" : language === "zh" ? `：${was.content}` : `: ${was.content}`;
    return { say: language === "zh" ? `已忘掉${what}` : `Forgotten${what}` };
  },
};

/** Most days that `memory_recall` looks back. */
const ALL_DAYS = 3660;

const forgetMe: Intent = {
  name: "forget-me",
  tools: ["memory_recall"],
  help: {
    en: ["say how to have everything forgotten", "forget everything you know about me"],
    zh: ["说明怎样忘掉一切", "忘掉关于我的一切"],
  },
  phrasings: {
    en: [
      "(you can |you may |)forget {all}",
      "(delete|erase|remove) {all} from (your |the |)memory",
      "(delete|erase|remove) {all}",
      "(stop remembering|don't remember|don’t remember|do not remember) {all}",
      "(forget|delete|erase) me",
    ],
    zh: [
      "忘(掉|了|记)(关于|有关|){all}",
      "(删除|删掉|清除)(关于|有关|){all}",
      "把(关于|有关|){all}(忘掉|忘了|删掉|删除|清除)",
      "(别|不要)再(记住|记得|记着)(关于|有关|){all}",
      "忘(掉|了|记)我",
    ],
  },
  accepts: ({ groups: { all } }) => all === undefined || ALL_OF_ME.test(all.trim()),
  call: () => ({ calls: [{ toolName: "memory_recall", input: { days: ALL_DAYS, limit: MOST } }] }),
  phrase(results, { language }) {
    const found = memoriesIn(results.at(-1)).map(line);
    if (language === "zh") {
      const how =
        "我一次忘掉一件事，比如：“忘掉我喜欢喝茶”。要删除关于你的一切，包括我们的对话，请让运行我的人执行 wakeful memory forget --user <你的账号>。";
      return { say: found.length === 0 ? how : ["我还没有忘掉什么。我记得：", ...found, how].join("\n") };
    }
    const how =
      "I forget one thing at a time: “forget that I prefer tea”. To remove everything that is kept of you, our conversations too, whoever runs me has to run: wakeful memory forget --user <your id>";
    return { say: found.length === 0 ? how : ["I have forgotten nothing yet. I remember:", ...found, how].join("\n") };
  },
};

/** Memory across conversations. */
export const memoryIntents: readonly Intent[] = [remember, recall, forget, forgetMe];

/** Chooses by number, as "2" or "1 and 3", or by words. */
function chosen(found: readonly Shown[], which: string): readonly string[] {
  const numbers = (which.match(/\d{1,2}/g) ?? []).map(Number);
  const byNumber = numbers.flatMap((number) => found[number - 1]?.id ?? []);
  if (byNumber.length > 0) return byNumber;
  const words = which.trim().toLowerCase();
  const byWords = words === "" ? [] : found.filter(({ content }) => content.toLowerCase().includes(words));
  return byWords.length === 1 ? byWords.map(({ id }) => id) : [];
}

function line({ content, date }: Shown): string {
  return `- ${date}: ${content.replace(/\s+/gu, " ").trim()}`;
}

function memoriesIn(result: IntentResult | undefined): readonly Shown[] {
  const { memories } = fieldsOf(result) as { readonly memories?: readonly Shown[] };
  return Array.isArray(memories) ? memories : [];
}

function fieldsOf(result: IntentResult | undefined): object {
  const output = result?.output;
  return typeof output === "object" && output !== null ? output : {};
}
