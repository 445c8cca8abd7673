import type { Intent } from "../intent.ts";

interface Hit {
  readonly title?: string;
  readonly url?: string;
  readonly snippet?: string;
}

/** Things in the assistant itself, which must not go to a search engine. */
const ELSEWHERE =
  /^(?:(?:in|through|all|any|the|my|your|our|this|a|an)\s+)*(?:memor|(?:files?|notes?|conversations?|chats?|messages?|reminders?|artifacts?|plans?)\b)|^(?:在|从)?(?:我|你|您|我们|这个|这段)?的?(?:记忆|文件|笔记|对话|聊天|消息|提醒|文稿|计划)/iu;
const NOTHING = /^(?:it|that|this|them|him|her|something|anything|它|他|她|这个|那个|一下)$/iu;

const search: Intent = {
  name: "search",
  tools: ["web_search"],
  help: { en: ["search the web", "search the web for tide tables"], zh: ["上网搜索", "上网搜一下潮汐表"] },
  // `query` is a web search; `unplaced` may be about something here.
  phrasings: {
    en: [
      "(search|look|look around) (the web|online|on the web|the internet|on the internet) for {query:short}",
      "(google|web search|search the web|search online|search the internet): {query:short}",
      "(google|do a web search for) {query:short}",
      "(find|look up|search for|search) {query:short} (online|on the web|on the internet)",
      "what does the (web|internet) say about {query:short}",
      "search for {unplaced:short}",
      "(search|look around) (the web|online|on the web|the internet|on the internet)",
    ],
    zh: [
      "(上网|在网上|网上|到网上)(搜索一下|搜索|搜一下|搜搜|搜|查一下|查查|查|找一下|找){query:short}",
      "在(互联网|网络)上(搜索一下|搜索|搜一下|搜|查一下|查|找){query:short}",
      "(用|)(谷歌|百度|必应)(搜索一下|搜索|搜一下|搜|查一下|查){query:short}",
      "(网上|互联网上)(有没有|有什么|有哪些)关于{query:short}的(信息|资料|消息|新闻|内容)",
      "(搜索一下|搜索|搜一下|搜搜)(：|:|){unplaced:short}",
      "(上网|在网上|到网上)(搜索一下|搜索|搜一下|搜搜|搜|查一下|查查)",
    ],
  },
  accepts: ({ groups: { query = "", unplaced = "" } }) =>
    !ELSEWHERE.test(unplaced) && !NOTHING.test(query) && !NOTHING.test(unplaced),
  call({ groups: { unplaced, query = unplaced }, language }) {
    if (query === undefined)
      return { ask: language === "zh" ? "搜索什么？" : "What shall I search for?", slot: "query" };
    return { calls: [{ toolName: "web_search", input: { query } }] };
  },
  phrase([result], { language }) {
    const hits: readonly Hit[] = (Array.isArray(result?.output) ? result.output : []).filter(isHit);
    if (hits.length === 0) return { say: language === "zh" ? "没有找到结果。" : "I found nothing." };
    const lines = hits.map(({ title = "", url = "", snippet = "" }) => `- ${title}\n  ${url}\n  ${snippet}`.trimEnd());
    return { say: [language === "zh" ? "搜索结果：" : "This is what I found:", ...lines].join("\n") };
  },
};

/** Web search. */
export const searchIntents: readonly Intent[] = [search];

function isHit(value: unknown): value is Hit {
  return typeof value === "object" && value !== null;
}
