import type { Intent, IntentResult } from "../intent.ts";

/** The agent's id, unless the configuration sets another. With another id the tool refuses, and the reply says so. */
const AID = "main";

const note: Intent = {
  name: "note-person",
  tools: ["acp_context"],
  help: {
    en: ["keep notes about you", "put in your notes about me that I work nights"],
    zh: ["记录关于你的笔记", "在关于我的笔记里写上我上夜班"],
  },
  phrasings: {
    en: [
      "(put|write|add|note) (in|into|to) (your |the |)notes (about|on) me that {content}",
      "(put|write|add|note) (in|into|to) (your |the |)notes (about|on) me: {content}",
      "(put|write|add|note) (it |)(in|into|to) (your |the |)notes (about|on) me,? {content}",
      "(put|write|add|note) {content} (in|into|to) (your |the |)notes (about|on) me",
      "(add|make) a note about me:? (that |saying |){content}",
    ],
    zh: [
      "在(你|)(关于|对)我的笔记(里|里面|中)(写上|记上|记下|加上|写)(：|:|，|,|){content}",
      "把{content}(写进|记进|加进|写到|记到|加到)(你|)(关于|对)我的笔记(里|里面|中|)",
      "(关于|对)我的笔记(里|里面|中|)(加一条|加上|记一条|写上)(：|:|，|,|){content}",
      "(给|往)(你|)(关于|对)我的笔记(里|里面|中|)(加一条|加上|记一条|添上)(：|:|，|,|){content}",
      "(加|记|写)一条关于我的笔记(：|:|，|,|){content}",
    ],
  },
  call: ({ groups: { content = "" } }) => ({
    calls: [
      { toolName: "acp_context", input: { action: "append_memory", scope: "peer", aid: AID, content: content.trim() } },
    ],
  }),
  phrase([result], { groups: { content = "" }, language }) {
    const { ok, error } = outcomeOf(result);
    if (!ok) return { say: language === "zh" ? `没能写下：${error}` : `I could not note it: ${error}` };
    return { say: language === "zh" ? `已写进笔记：${content.trim()}` : `Noted about you: ${content.trim()}` };
  },
};

const show: Intent = {
  name: "person-notes",
  tools: ["acp_context"],
  help: {
    en: ["show my notes about you", "show me your notes about me"],
    zh: ["显示关于你的笔记", "看看你关于我的笔记"],
  },
  phrasings: {
    en: [
      "(show|show me|read|read me|tell me|list) (your |the |)notes (about|on) me",
      "(what's|what is|what stands|what do you have) in (your |the |)notes (about|on) me",
      "what (notes do you have|notes did you make|did you note|did you note down|have you noted|have you noted down) (about|on) me",
      "(do you have|did you make|have you got|are there) (any |)notes (about|on) me",
      "what (did you write|have you written) (down |)about me",
    ],
    zh: [
      "(显示|查看|看看|看一下|读一下|读)(你|)(关于|对)我的笔记",
      "(你|)(关于|对)我的笔记(里|里面|中|)(有|写了|是|记了)(些|)(什么|啥)",
      "(你|)(有|记了|写了)(什么|哪些)关于我的笔记",
      "(你|)有(没有|)关于我的笔记(吗|么|)",
      "关于我(，|,|)你(记了|写了)(些|)(什么|啥)",
    ],
  },
  call: () => ({
    calls: [{ toolName: "acp_context", input: { action: "read_peer_memory", scope: "peer", aid: AID } }],
  }),
  phrase([result], { language }) {
    const { ok, error, content = "" } = outcomeOf(result);
    if (!ok) return { say: language === "zh" ? `没能读到：${error}` : `I could not read them: ${error}` };
    if (content.trim() === "") return { say: language === "zh" ? "还没有笔记。" : "I have no notes about you yet." };
    return { say: content.trim() };
  },
};

/** Notes about the person who speaks. */
export const noteIntents: readonly Intent[] = [note, show];

function outcomeOf(result: IntentResult | undefined) {
  return (result?.output ?? {}) as { readonly ok?: boolean; readonly error?: string; readonly content?: string };
}
