import type { Intent, Language, Step } from "../intent.ts";
import { fit } from "../phrasing.ts";

/** Most characters of a file in a reply. */
const SHOWN_CHARACTERS = 4000;
const SHOWN_NAMES = 100;
/** Most further reads of a long file to count it: well under the step limit of a turn. */
const MAX_READS = 8;

const listFiles: Intent = {
  name: "list-files",
  tools: ["list_files"],
  help: { en: ["list files", "list files in docs"], zh: ["列出文件", "列出 docs 里的文件"] },
  phrasings: {
    en: [
      "(list|show) (me |)(all |)(the |my |)(files|documents)( here| you have| in the workspace|)",
      "(what|which) files (are there|are here|do you have|do i have|exist)( in the workspace|)",
      "(ls|dir)",
      "(ls|dir) {path:word}",
      "(list|show) (me |)(all |)(the |)(files|documents|contents) (in|of|under) (the |)(folder|directory) {path:word}",
      "(list|show) (me |)(all |)(the |)(files|documents|contents) (in|of|under) (the |){path:word} (folder|directory)",
      "(list|show) (me |)(all |)(the |)(files|documents|contents) (in|of|under) {path:word}",
      "(what|which) files are (in|under) (the |)(folder |directory |){path:word}",
      "(what is|what's) in (the |)(folder|directory) {path:word}",
      "(list|show) (the |)(folder|directory) {path:word}",
      "(are there any files|do you see any files)( here|)",
    ],
    zh: [
      "(列出|显示|查看|看看|看一下|列一下)(所有|全部|)(的|)(文件|文档)(列表|)",
      "(有|都有|有没有)(什么|哪些|些什么|)(文件|文档)",
      "(这里|当前目录|工作区)(里|中|)(有|都有)(什么|哪些)(文件|文档|)",
      "(列出|显示|查看|看看|列一下){path:word}(目录|文件夹)(里|中|下|)(的|)(所有|)(文件|内容|)",
      "(列出|显示|查看|看看|列一下){path:word}(里|中|下|下面)(的|)(所有|)(文件|文档)",
      "{path:word}(目录|文件夹)(里|中|下|下面|)(有|都有)(什么|哪些)(文件|文档|)",
      "{path:word}(里|中|下|下面)(有|都有)(什么|哪些)(文件|文档)",
      "(文件列表|文件清单|目录)",
    ],
  },
  accepts: ({ groups }) => !["it", "here", "them", "这", "这里", "哪"].includes(groups["path"] ?? ""),
  call: ({ groups: { path } }) => ({ calls: [{ toolName: "list_files", input: path === undefined ? {} : { path } }] }),
  phrase(results, { groups: { path }, language }) {
    const names = namesOf(results.at(-1)?.output);
    if (typeof names === "string") return { say: names };
    const place = path === undefined ? "" : language === "zh" ? ` ${path} 里` : ` in ${path}`;
    if (names.length === 0)
      return { say: language === "zh" ? `${place}没有文件。`.trim() : `There are no files${place}.` };
    const shown = names.slice(0, SHOWN_NAMES).map((name) => `- ${name}`);
    const more = names.length - shown.length;
    if (more > 0) shown.push(language === "zh" ? `……还有 ${more} 个` : `… and ${more} more`);
    const folders = names.filter((name) => name.endsWith("/")).length;
    const counts = [
      [names.length - folders, "file", "文件"],
      [folders, "folder", "文件夹"],
    ] as const;
    const told = counts.flatMap(([count, en, zh]) => {
      if (count === 0) return [];
      return language === "zh" ? `${count} 个${zh}` : `${count} ${en}${count === 1 ? "" : "s"}`;
    });
    const head = language === "zh" ? `${place.trim()}有 ${told.join("和 ")}：` : `${told.join(" and ")}${place}:`;
    return { say: `${head}\n${shown.join("\n")}` };
  },
};

const readFile: Intent = {
  name: "read-file",
  tools: ["file_read"],
  help: { en: ["read a file", "read notes.txt"], zh: ["读文件", "读一下 notes.txt"] },
  phrasings: {
    en: [
      "(read|open|show|cat|print|display|view) (me |)(the |)file (called |named |){path:word}",
      "(read|open|show|cat|print|display|view) (me |)(the |)(contents of |content of |text of |)(the file |){path:path}",
      "(read|open) {path:word} (file|aloud|out loud)",
      "(read|show) (me |)lines {from:word} (to|through|until) {until:word} (of|from|in) {path:path}",
      "(read|show) (me |){path:path} from line {from:word}",
      "(what is|what's) (written |)in (the file ){path:word}",
      "(what is|what's) (written |)in {path:path}",
      "what does (the file |){path:path} (say|contain)",
      "what does the file {path:word} (say|contain)",
      "(read|open|show) (a|the) file",
    ],
    zh: [
      "(读一下|读取|读|打开|查看|显示|看一下|看看|念一下)(一下|)(文件|文档){path:word}(的内容|的全部内容|)",
      "(读一下|读取|读|打开|查看|显示|看一下|看看|念一下)(一下|){path:path}(这个文件|文件|)(的内容|的全部内容|里的内容|)",
      "(文件|文档|){path:path}(里|里面|中|)(写了|写着|有|是)(什么|啥|些什么|什么内容)",
      "{path:path}的内容(是什么|是啥|)",
      "把{path:path}(的内容|)(读|念|显示|打印)(出来|给我听|给我看|给我|一下|)",
      "(给我看|给我读){path:path}(的内容|)",
      "(读取|读一下|读|显示|查看|看){path:path}(的|)第{from:word}(到第|到|至第|至){until:word}行",
      "从第{from:word}行开始(读取|读|显示|看){path:path}",
      "(读|打开|查看)(一个|一下|)(文件|文档)",
    ],
  },
  accepts({ groups: { path = "", from = "1", until = from } }) {
    if (["a", "the", "this", "that", "my", "your", "one", "一个"].includes(path)) return false;
    return /^[1-9]\d{0,8}$/.test(from) && /^[1-9]\d{0,8}$/.test(until) && Number(until) >= Number(from);
  },
  call({ groups: { path, from, until }, language }) {
    if (path === undefined)
      return { slot: "path", ask: language === "zh" ? "读哪个文件？" : "Which file shall I read?" };
    const part = {
      ...(from === undefined ? {} : { offset: Number(from) }),
      ...(from === undefined || until === undefined ? {} : { limit: Number(until) - Number(from) + 1 }),
    };
    return { calls: [{ toolName: "file_read", input: { path: fit(path, "word") ?? path, ...part } }] };
  },
  phrase(results, { groups: { path = "" }, language }) {
    const output = results.at(-1)?.output;
    const content = contentOf(output);
    if (content.trim() === "") return { say: language === "zh" ? `${path} 是空的。` : `${path} is empty.` };
    const { note } = fieldsOf(output);
    const hidden = content.length - SHOWN_CHARACTERS;
    if (hidden > 0) {
      const more = language === "zh" ? `……（还有 ${hidden} 个字符）` : `… (${hidden} more characters)`;
      return { say: `${content.slice(0, SHOWN_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}\n${more}` };
    }
    return { say: typeof note === "string" ? `${content}\n… (${note})` : content };
  },
};

const writeFile: Intent = {
  name: "write-file",
  tools: ["file_write"],
  help: { en: ["write a file", "write hello to notes.txt"], zh: ["写文件", "把你好写入 notes.txt"] },
  phrasings: {
    en: [
      "(write|save|put|store) (the following |this |)(to|into|in) (the |a |)(file |)(called |named |){path:word}: {content}",
      "(create|make|write|save) (the |a |)(new |)file (called |named |){path:word} (with the content|with the text|with content|with|containing|saying|that says)(:|) {content}",
      "(create|make|write|save) {path:path} (with the content|with the text|with content|with|containing|saying|that says)(:|) {content}",
      "(write|save|put|store) (the text |the words |){content} (to|into|in) (the |a |)file (called |named |){path:word}",
      "(write|save|put|store) (the text |the words |){content} (to|into|in|as) {path:path}",
      "(write|save) {path:path}: {content}",
      "(write|save) (something |)(to|into|in) (the |a |)(file |)(called |named |){path:path}",
      "(create|make|write|save) (the |a |)(new |)file (called |named ){path:word}",
      "(create|make) (the file |){path:path}",
      "(create|make|write|save) (the |a |)(new |)file( please|)",
      "(write|save) (something |)(to|into|in) (the |a |)file",
      "write something down",
    ],
    zh: [
      "(在|往|向)(文件|){path:path}(里|里面|中|)(写入|写上|写|保存)(内容|)(：|:|){content}",
      "(写入|保存到|写到)(文件|){path:path}(：|:){content}",
      "(新建|创建|建立)(一个|)(文件|){path:path}(，|,|)(内容是|内容为|写上|写入|内容)(：|:|){content}",
      "把{content}(写入|写进|写到|保存到|存到|存入|放到|放进)(文件|文档){path:word}(里|里面|中|)",
      "把{content}(写入|写进|写到|保存到|存到|存入|放到|放进){path:path}(里|里面|中|)",
      "(写|写入|保存){content}(到|进|入|在)(文件|){path:path}(里|里面|中|)",
      "(在|往|向)(文件|){path:path}(里|里面|中|)(写|写点东西|写些东西)",
      "(新建|创建|建立)(一个|)(文件|){path:path}",
      "(写|新建|创建|保存)(一个|个|)(新|)(文件|文档)",
      "(写点东西|写些东西)(到文件|到文件里|)",
    ],
  },
  call({ groups, language }) {
    const { path, content } = groups;
    const name = path === undefined ? undefined : fit(path, "word");
    if (name === undefined) {
      return {
        slot: "path",
        ask: language === "zh" ? "写到哪个文件？请给出文件名。" : "Which file shall I write? Give me its name.",
      };
    }
    if (content === undefined) {
      return { slot: "content", ask: language === "zh" ? `要在 ${name} 里写什么？` : `What shall I write to ${name}?` };
    }
    return { calls: [{ toolName: "file_write", input: { path: name, content } }] };
  },
  phrase: (_results, { groups: { path = "" }, language }) => ({
    say: language === "zh" ? `已写入 ${path}。` : `Written to ${path}.`,
  }),
};

const editFile: Intent = {
  name: "edit-file",
  tools: ["file_edit"],
  help: {
    en: ["replace text in a file", "replace a with b in notes.txt"],
    zh: ["改文件里的字", "把 notes.txt 里的 a 改成 b"],
  },
  phrasings: {
    en: [
      "(replace|substitute|swap) {old} (with|by) {new} in (the file |){path:path}",
      "change {old} (to|into) {new} in (the file |){path:path}",
      "in (the file |){path:path},? (replace|substitute|change) {old} (with|by|to|into) {new}",
      "in (the file |){path:path} (replace|substitute|change) {old} (with|by|to|into) {new}",
      "edit (the file |){path:path}(:|,| and) (replace|change) {old} (with|by|to|into) {new}",
      "(replace|change|edit) (something |some text |text |)in (the file |){path:path}",
      "edit (the file |){path:path}",
      "edit (a|the) file",
    ],
    zh: [
      "把(文件|){path:path}(里|里面|中)的{old}(改成|改为|换成|替换成|替换为){new}",
      "(将|在)(文件|){path:path}(里|里面|中)(的|把|将){old}(改成|改为|换成|替换成|替换为){new}",
      "(用|以){new}(替换|代替|换掉)(文件|){path:path}(里|里面|中)的{old}",
      "(修改|编辑)(文件|){path:path}(，|,|：|:|)把{old}(改成|改为|换成|替换成|替换为){new}",
      "(文件|){path:path}(里|里面|中)的{old}(改成|改为|换成|替换成|替换为){new}",
      "(修改|编辑|改一下)(文件|){path:path}",
      "(修改|编辑|改)(一个|一下|)文件",
    ],
  },
  call({ groups, language }) {
    const zh = language === "zh";
    const path = fit(groups["path"] ?? "", "word");
    if (path === undefined) return { slot: "path", ask: zh ? "改哪个文件？" : "Which file shall I edit?" };
    const { old, new: replacement } = groups;
    if (old === undefined)
      return { slot: "old", ask: zh ? `${path} 里的哪段文字要改？` : `Which text in ${path} shall I replace?` };
    if (replacement === undefined)
      return { slot: "new", ask: zh ? `把“${old}”改成什么？` : `What shall “${old}” become?` };
    return { calls: [{ toolName: "file_edit", input: { path, old_text: old, new_text: replacement } }] };
  },
  phrase: (_results, { groups: { path = "", old = "", new: replacement = "" }, language }) => ({
    say:
      language === "zh"
        ? `已把 ${path} 里的“${old}”改成“${replacement}”。`
        : `Replaced “${old}” with “${replacement}” in ${path}.`,
  }),
};

const countFile: Intent = {
  name: "count-file",
  tools: ["file_read"],
  help: {
    en: ["count lines, words or characters of a file", "how many lines are in notes.txt?"],
    zh: ["数文件的行数、词数或字数", "notes.txt 有多少行？"],
  },
  phrasings: {
    en: [
      "how many {unit:word} (are there in|are in|does) (the file |){path:path}( have| contain|)",
      "how many {unit:word} (are there |are |)in (the file |){path:path}",
      "count (the |)(number of |){unit:word} (in|of) (the file |){path:path}",
      "(number of|count) {unit:word} (in|of) (the file |){path:path}",
      "(tell|give) me the number of {unit:word} (in|of) (the file |){path:path}",
      "how long is (the file |){path:path}",
    ],
    zh: [
      "(文件|){path:path}(里|里面|中|)(一共|总共|)有(多少个|多少|几个|几){unit:word}",
      "(数一下|数|统计一下|统计|计算)(文件|){path:path}(里有多少个|里有多少|里有几|有多少个|有多少|有几|里的|中的|的){unit:word}",
      "(文件|){path:path}的{unit:word}(是多少|有多少|)",
      "(文件|){path:path}(有|)多长",
      "(文件|){path:path}(有|)多少{unit:word}",
    ],
  },
  accepts: ({ groups: { unit } }) => unit === undefined || unitOf(unit) !== undefined,
  call: ({ groups: { path = "" } }) => ({ calls: [{ toolName: "file_read", input: { path } }] }),
  phrase(results, match): Step {
    const { path = "", unit = "lines" } = match.groups;
    const kind = unitOf(unit) ?? "lines";
    const { lines } = fieldsOf(results.at(-1)?.output);
    if (kind === "lines" && typeof lines === "number") return { say: counted(lines, kind, path, match.language) };
    const rest = restOf(results.at(-1)?.output);
    if (rest.more && rest.offset !== undefined && results.length < MAX_READS) {
      return { calls: [{ toolName: "file_read", input: { path, offset: rest.offset } }] };
    }
    if (rest.more) {
      return {
        say:
          match.language === "zh"
            ? `${path} 太大，我只读到一部分，所以数不出来。`
            : `I cannot count, as ${path} is too large and I read only a part of it.`,
      };
    }
    const content = results.map(({ output }) => contentOf(output)).join("\n");
    return { say: counted(countOf(content, kind), kind, path, match.language) };
  },
};

/** Files of the workspace. */
export const fileIntents: readonly Intent[] = [countFile, editFile, writeFile, readFile, listFiles];

type Unit = "lines" | "words" | "characters";

function unitOf(word: string): Unit | undefined {
  if (/^(?:lines?|行|行数)$/iu.test(word)) return "lines";
  if (/^(?:words?|词|单词|词数)$/iu.test(word)) return "words";
  if (/^(?:characters?|chars?|letters?|字|字数|字符|字符数)$/iu.test(word)) return "characters";
  return undefined;
}

function countOf(content: string, unit: Unit): number {
  if (unit === "lines") return content === "" ? 0 : content.replace(/\n$/u, "").split("\n").length;
  return unit === "words" ? (content.match(/\S+/gu)?.length ?? 0) : Array.from(content).length;
}

function counted(count: number, unit: Unit, path: string, language: Language): string {
  if (language === "zh") return `${path} 有 ${count} ${{ lines: "行", words: "个词", characters: "个字符" }[unit]}。`;
  return `${path} has ${count} ${unit.slice(0, -1)}${count === 1 ? "" : "s"}.`;
}

/** Whether a read returned only a part, and the next offset if the tool names it. */
function restOf(output: unknown): { more: boolean; offset?: number } {
  const { note } = fieldsOf(output);
  if (typeof note !== "string") return { more: false };
  const offset = /^Lines .* go on with offset (\d{1,9})$/u.exec(note)?.[1];
  return offset === undefined ? { more: true } : { more: true, offset: Number(offset) };
}

function fieldsOf(output: unknown): Readonly<Record<string, unknown>> {
  return typeof output === "object" && output !== null ? (output as Record<string, unknown>) : {};
}

function contentOf(output: unknown): string {
  if (typeof output === "string") return output;
  const { text, content } = fieldsOf(output);
  if (typeof text === "string") return text;
  return typeof content === "string" ? content : JSON.stringify(output, undefined, 2);
}

/** The names in a list of files; a string when the output is not a list. */
function namesOf(output: unknown): readonly string[] | string {
  const { entries, files } = fieldsOf(output);
  const list = [output, entries, files].find((value) => Array.isArray(value));
  if (list === undefined) return typeof output === "string" ? output : JSON.stringify(output);
  return list.map((entry: unknown) => (typeof entry === "string" ? entry : JSON.stringify(entry)));
}
