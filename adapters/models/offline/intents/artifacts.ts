import type { Intent, IntentResult } from "../intent.ts";

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly bytes: number;
}

/** The part of a text that `artifact_read` shows. */
interface Part {
  readonly text: string;
  readonly characters: number;
}

const list: Intent = {
  name: "artifacts",
  tools: ["artifact_list"],
  help: { en: ["list this conversation's artifacts", "list artifacts"], zh: ["列出本对话的文稿", "有哪些文稿？"] },
  phrasings: {
    en: [
      "(list|show|show me) (the |all |all the |your |my |)artifacts",
      "(what|which) artifacts (are there|do you have|do we have|did you make|did you keep)",
      "(are there|do we have|do you have) (any |)artifacts",
      "how many artifacts (are there|do you have|do we have)",
      "(give me |)(a|the) list of (the |all |all the |your |)artifacts",
    ],
    zh: [
      "(列出|显示|查看|看看|列一下)(所有|全部|本对话的|)(的|)文稿",
      "(有|你有|我们有|都有)(哪些|什么)文稿",
      "文稿(列表|清单|都有哪些|有哪些)",
      "(这个对话|本对话|这里)(里|)(有|都有)(哪些|什么)文稿",
      "(你|)(存|保存)(了|过)(哪些|什么)文稿",
    ],
  },
  call: () => ({ calls: [{ toolName: "artifact_list", input: {} }] }),
  phrase([result], { language }) {
    const { artifacts: found = [], note } = listIn(result);
    if (found.length === 0) return { say: language === "zh" ? "还没有文稿。" : "There are no artifacts yet." };
    const lines = found.map(({ name, bytes }) => `- ${name} (${bytes} B)`);
    if (note !== undefined) lines.push(`… (${note})`);
    return { say: [language === "zh" ? "文稿：" : "Artifacts:", ...lines].join("\n") };
  },
};

const keep: Intent = {
  name: "keep-artifact",
  tools: ["artifact_write"],
  help: {
    en: ["keep a text as an artifact", "keep an artifact called poem.txt with the text roses are red"],
    zh: ["把文字存成文稿", "新建文稿 诗.txt，内容是床前明月光"],
  },
  phrasings: {
    en: [
      "(keep|make|create|write|save) (an |a new |the |)artifact (called |named |){name:word} (with the text|with the content|with|saying|containing)(:|) {content}",
      "(keep|make|create|write|save) (an |a new |the |)artifact (called |named |){name:word}: {content}",
      "(keep|save|write|store) (the text |the words |){content} (as|in|to|into) (an |a new |the |)artifact (called |named |){name:word}",
      "(put|add) {content} (in|into) (an |a new |the |)artifact (called |named |){name:word}",
      "(keep|save|store) (this |)as (an |the |)artifact (called |named |){name:word}: {content}",
    ],
    zh: [
      "(新建|创建|保存|写)(一份|一个|)文稿{name:word}(，|,|：|:|)内容(是|为)(：|:|){content}",
      "把{content}(存成|保存成|保存为|存为|写成)(一份|)文稿{name:word}",
      "(存|写|建)(一份|一个)(叫|名叫|名为){name:word}的文稿(，|,|：|:|)(内容|)(是|为|)(：|:|){content}",
      "(新建|创建|保存|写)(一份|一个|)文稿{name:word}(：|:){content}",
      "在文稿{name:word}(里|中)(写上|写下|写入|写)(：|:|){content}",
    ],
  },
  call: ({ groups: { name = "", content = "" } }) => ({
    calls: [{ toolName: "artifact_write", input: { name, content: content.trim() } }],
  }),
  phrase(_results, { groups: { name = "" }, language }) {
    return { say: language === "zh" ? `文稿已保存：${name}` : `I kept the artifact ${name}.` };
  },
};

const read: Intent = {
  name: "read-artifact",
  tools: ["artifact_list", "artifact_read"],
  phrasings: {
    en: [
      "(read|show|show me|open|display) (the |)artifact (called |named |){name:word}",
      "(what is|what's) (written |)in (the |)artifact (called |named |){name:word}",
      "what does (the |)artifact (called |named |){name:word} (say|contain)",
      "(read|show|show me) (the |)(contents|content|text) of (the |)artifact (called |named |){name:word}",
      "(let me see|give me) (the |)artifact (called |named |){name:word}",
    ],
    zh: [
      "(读一下|读|打开|显示|查看|看看|看一下)文稿{name:word}(的内容|)",
      "文稿{name:word}(里|里面|中|)(写了|写着|有|是)(什么|啥|些什么)",
      "文稿{name:word}的内容(是什么|是啥|)",
      "把文稿{name:word}(读|念|显示)(出来|给我听|给我看|给我|一下)",
      "(给我看|让我看看|给我读)文稿{name:word}",
    ],
  },
  call: () => ({ calls: [{ toolName: "artifact_list", input: {} }] }),
  phrase(results, { groups: { name = "" }, language }) {
    const last = results.at(-1);
    if (last?.toolName === "artifact_read") {
      const { text = "", characters = text.length } = (last.output ?? {}) as Partial<Part>;
      if (text.trim() === "") return { say: language === "zh" ? `${name} 是空的。` : `${name} is empty.` };
      const hidden = characters - text.length;
      if (hidden <= 0) return { say: text };
      const more = language === "zh" ? `……（还有 ${hidden} 个字符）` : `… (${hidden} more characters)`;
      return { say: `${text}\n${more}` };
    }
    const found = listIn(last).artifacts?.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (found !== undefined) return { calls: [{ toolName: "artifact_read", input: { id: found.id } }] };
    return { say: language === "zh" ? `没有叫“${name}”的文稿。` : `There is no artifact called ${name}.` };
  },
};

/** Texts kept with the conversation. Tried before files, since `文稿诗.txt` could be the name of one. */
export const artifactIntents: readonly Intent[] = [keep, read, list];

function listIn(result: IntentResult | undefined): { readonly artifacts?: readonly Shown[]; readonly note?: string } {
  return result?.output ?? {};
}
