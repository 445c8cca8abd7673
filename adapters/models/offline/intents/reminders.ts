import { recurrenceIn } from "../../../../kit.ts";
import type { Intent, IntentResult, Language, Step } from "../intent.ts";

interface ShownJob {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly next: readonly string[];
}

/** Words about a single day, and the time of day behind them: what they mean is read by the tool. */
const DATE_EN =
  /\b(?:(?:on\s+)?(?:(?:next|this|coming)\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|day\s+after\s+tomorrow|the\s+day\s+after\s+tomorrow|tomorrow|today|tonight)(?:\s+(?:morning|afternoon|evening|night|noon))?(?:\s*,?\s*at\s+[\w:.]+(?:\s*[ap]\.?m\.?)?)?|on\s+(?:the\s+)?(?:\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]+|[a-z]+\s+\d{1,2}(?:st|nd|rd|th)?)(?:\s*,?\s*at\s+[\w:.]+(?:\s*[ap]\.?m\.?)?)?|at\s+(?:noon|midnight|\d{1,2}(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?)?))(?![\w])/iu;
const DATE_ZH =
  /(?:大?后天|明天|今天|今晚|明晚|明早|今早|(?:下个?|这个?|本)?(?:周|星期|礼拜)[一二三四五六日天]|\d{1,2}月\d{1,2}[日号])(?:的?(?:早上|上午|中午|下午|傍晚|晚上|晚|早))?(?:[零一二两三四五六七八九十\d]{1,3}(?:点|时)(?:半|一刻|三刻|[零一二三四五六七八九十\d]{1,3}分?)?|\d{1,2}[:：]\d\d)?/u;
/** What stands between the words for a time and those for what is to be done. */
const JOINT = /^(?:[\s,，、:：]|to\b|that\b|about\b|of\b|请|我|去|要|把)+|(?:[\s,，、:：?？.。!！]|\bto|\bthat)+$/giu;
/** When and what, in the words of the person; null: they do not say when. */
function splitReminder(text: string): { when: string; what: string; ask?: string } | null {
  const found = recurrenceIn(text, { tz: "UTC", now: 0 });
  if (found !== undefined) {
    const what = `${found.before} ${found.after}`.replaceAll(JOINT, "").trim();
    return { when: found.words, what, ...("ask" in found && { ask: found.ask }) };
  }
  const date = DATE_ZH.exec(text) ?? DATE_EN.exec(text);
  if (date === null) return null;
  const what = [text.slice(0, date.index), text.slice(date.index + date[0].length)]
    .map((part) => part.trim().replaceAll(JOINT, ""))
    .filter((part) => part !== "")
    .join(" ");
  return { when: date[0].trim(), what };
}

/** Nothing but words for a time, as in "Tomorrow at 8 remind me …". */
function isTime(text: string): boolean {
  return splitReminder(text)?.what === "";
}

/** `every day` and `5 pm` are `every day at 5 pm`; `每天三点` and `下午` are `每天下午三点`. */
function withAnswer(when: string, answer: string, language: Language): string {
  if (language === "zh") {
    const part = /上午|下午|早上|晚上|中午|凌晨/u.exec(answer)?.[0];
    const hour = /[零一二两三四五六七八九十\d]{1,3}(?:点.*|[:：]\d\d)/u.exec(answer)?.[0];
    const base = when.replace(/[零一二两三四五六七八九十\d]{1,3}(?:点.*|[:：]\d\d)$/u, "");
    const said = /[零一二两三四五六七八九十\d]{1,3}(?:点.*|[:：]\d\d)$/u.exec(when)?.[0] ?? "";
    return `${base}${part ?? ""}${hour ?? said}`;
  }
  const half = /\b[ap]\.?m\.?\b|morning|afternoon|evening|night/i.exec(answer)?.[0];
  const hour = /\d{1,2}(?:[:.]\d\d)?|noon|midnight/i.exec(answer)?.[0];
  const base = when.replace(/\s*,?\s*(?:at|@)\s+.*$/i, "");
  const said = /(?:at|@)\s+(\S+)/i.exec(when)?.[1] ?? "";
  const part = half === undefined ? "" : /m/i.test(half) && half.length <= 4 ? ` ${half}` : ` in the ${half}`;
  return `${base} at ${hour ?? said}${part}`;
}

const remind: Intent = {
  name: "remind",
  tools: ["scheduler_create"],
  help: {
    en: ["remind you at a time, or again and again", "remind me every weekday at 9 of the standup"],
    zh: ["到时间提醒你，一次或每天", "每个工作日早上九点提醒我站会"],
  },
  phrasings: {
    en: [
      "remind me {rest}",
      "{before}(,| |, )(please |)remind me {rest}",
      "(set|make|create|add) (a|an|another) (reminder|appointment) {rest}",
      "(schedule|set up|plan) (a|an|another) (reminder|appointment) {rest}",
      "(please |)give me a reminder {rest}",
      "I want to be reminded {rest}",
    ],
    zh: [
      "提醒我{rest}",
      "{before}提醒我{rest}",
      "{before}提醒我",
      "(设|设置|设个|设一个|加|加个)提醒(：|:|，|,|){rest}",
      "(安排|创建|新建)(一个|个|)提醒(：|:|，|,|){rest}",
    ],
  },
  accepts: ({ groups: { before = "", rest = "" }, language }) =>
    before === "" || (language === "zh" ? splitReminder(`${before} ${rest}`.trim()) !== null : isTime(before)),
  call({ groups: { before = "", rest = "", when: answer }, language }) {
    const split = splitReminder(`${before} ${rest}`.trim());
    if (split === null && answer === undefined)
      return { ask: language === "zh" ? "什么时候提醒你？" : "When should I remind you?", slot: "when" };
    const { when = answer ?? "", what = `${before} ${rest}`.replaceAll(JOINT, "").trim(), ask } = split ?? {};
    if (what === "")
      return {
        say:
          language === "zh"
            ? "要提醒你什么？请再说一遍，带上内容。"
            : "What should I remind you of? Please say it again with that.",
      };
    if (ask !== undefined && answer === undefined)
      return {
        ask: language === "zh" ? ask : `${ask.charAt(0).toUpperCase()}${ask.slice(1)}`.replace(/(?<![?？.])$/u, "?"),
        slot: "when",
      };
    const schedule = ask === undefined || answer === undefined ? when : withAnswer(when, answer, language);
    return { calls: [{ toolName: "scheduler_create", input: { schedule, task: what } }] };
  },
  phrase([result], { language }) {
    const { name = "", next = [] } = (result?.output ?? {}) as Partial<ShownJob>;
    const [first = "", ...more] = next;
    const later =
      more.length === 0 ? "" : language === "zh" ? `，之后是 ${more.join("、")}` : `, then ${more.join(" and ")}`;
    return {
      say:
        language === "zh"
          ? `好的，我会在 ${first} 提醒你：${name}${later}`
          : `I will remind you at ${first}: ${name}${later}`,
    };
  },
};

const list: Intent = {
  name: "jobs",
  tools: ["scheduler_list"],
  help: { en: ["list your reminders", "what are my reminders?"], zh: ["列出提醒", "我有哪些提醒？"] },
  phrasings: {
    en: [
      "(list|show|show me|tell me) (my |all |all my |the |)(reminders|jobs|appointments)",
      "what (are my|reminders do i have|jobs do i have|appointments do i have)( reminders| jobs| appointments|)",
      "what('s| is) (scheduled|planned|on my schedule)",
      "which (reminders|jobs|appointments) (do I have|are there)",
      "(do I have|are there) (any |)(reminders|jobs|appointments)",
    ],
    zh: [
      "(列出|显示|看看|查看)(我的|所有|全部|)(提醒|任务|日程)",
      "我有(哪些|什么)(提醒|任务|日程)",
      "(我|)(还|)有(没有|)(什么|哪些|)(提醒|任务|日程)",
      "(提醒|任务|日程)(列表|清单)",
      "我的(提醒|任务|日程)(有哪些|是什么|都有什么|)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: ([result], { language }) => ({ say: listed(jobsIn(result), language) }),
};

const remove: Intent = {
  name: "delete-job",
  tools: ["scheduler_list", "scheduler_delete"],
  phrasings: {
    en: [
      "(delete|remove|cancel|drop) (the |my |)(reminder|job|appointment) (about |of |for |to |){name}",
      "(delete|remove|cancel|drop) (the |my |){name} (reminder|job|appointment)",
      "(do not|don't|don’t) remind me (any more |anymore |)(about |of |to ){name}",
      "(stop|quit) reminding me (about |of |to ){name}",
      "I (do not|don't|don’t) need the (reminder|job|appointment) (about |of |for |to |){name}",
    ],
    zh: [
      "(删除|取消|去掉)(提醒|任务)(：|:|，|,|){name}",
      "(删除|取消|去掉){name}(的|)(提醒|任务)",
      "(不要|别)(再|)提醒我{name}",
      "不用(再|)提醒我{name}",
      "(把|)(提醒|任务){name}(删掉|删除|取消)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: (results, { groups: { name = "" }, language }) =>
    chosen(results, name, language, (id) => ({ toolName: "scheduler_delete", input: { id } })),
};

const pause: Intent = {
  name: "pause-job",
  tools: ["scheduler_list", "scheduler_pause"],
  phrasings: {
    en: [
      "(pause|stop|disable) (the |my |)(reminder|job|appointment) (about |of |for |to |){name}",
      "(resume|continue|enable) (the |my |)(reminder|job|appointment) (about |of |for |to |){resumed}",
      "(pause|disable) (the |my |){name} (reminder|job|appointment)",
      "(resume|continue|enable) (the |my |){resumed} (reminder|job|appointment)",
      "put the (reminder|job|appointment) (about |of |for |to |){name} on hold",
    ],
    zh: [
      "暂停(提醒|任务)(：|:|，|,|){name}",
      "(恢复|继续)(提醒|任务)(：|:|，|,|){resumed}",
      "暂停{name}(的|)(提醒|任务)",
      "(恢复|继续){resumed}(的|)(提醒|任务)",
      "把(提醒|任务){name}(暂停|停一下)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: (results, { groups: { name, resumed = "" }, language }) =>
    chosen(results, name ?? resumed, language, (id) => ({
      toolName: "scheduler_pause",
      input: { id, paused: name !== undefined },
    })),
};

/** In the order in which they are tried. */
export const reminderIntents: readonly Intent[] = [remind, list, remove, pause];

function jobsIn(result: IntentResult | undefined): readonly ShownJob[] {
  return ((result?.output ?? {}) as { readonly jobs?: readonly ShownJob[] }).jobs ?? [];
}

function listed(jobs: readonly ShownJob[], language: Language): string {
  if (jobs.length === 0) return language === "zh" ? "没有提醒。" : "There are no reminders.";
  const lines = jobs.map(
    ({ name, status, next }) =>
      `- ${name}: ${next[0] ?? (language === "zh" ? ({ paused: "已暂停", done: "已完成", error: "出错" }[status] ?? status) : status)}`,
  );
  return `${language === "zh" ? "提醒：" : "Reminders:"}\n${lines.join("\n")}`;
}

/** The one job that a name means, and what is done with it; a question's answer when there is none or several. */
function chosen(
  results: readonly IntentResult[],
  name: string,
  language: Language,
  what: (id: string) => { readonly toolName: string; readonly input: Readonly<Record<string, unknown>> },
): Step {
  const last = results.at(-1);
  if (last?.toolName === "scheduler_delete") return { say: language === "zh" ? "已删除。" : "It is deleted." };
  if (last?.toolName === "scheduler_pause") {
    const { status, next = [] } = last.output as Partial<ShownJob>;
    if (status === "paused") return { say: language === "zh" ? "已暂停。" : "It is paused." };
    return { say: language === "zh" ? `已恢复，下一次是 ${next[0] ?? ""}` : `It goes on: next at ${next[0] ?? ""}` };
  }
  const wanted = name.trim().toLowerCase();
  const found = jobsIn(last).filter((job) => job.name.toLowerCase().includes(wanted));
  const [only] = found;
  if (only !== undefined && found.length === 1) return { calls: [what(only.id)] };
  const all = listed(jobsIn(last), language);
  return {
    say:
      language === "zh"
        ? `没有找到唯一的“${name.trim()}”。${all}`
        : `I found no single reminder "${name.trim()}". ${all}`,
  };
}
