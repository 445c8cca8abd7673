import type { Intent, IntentResult, Language, Step } from "../intent.ts";
import { saidHour, saidHourInChinese, withHourInDigits } from "./said-hour.ts";
import { bareTask, isWhen, splitWhen } from "./when.ts";

interface ShownJob {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly next: readonly string[];
  /** Set only for jobs of another account. */
  readonly user?: string;
  /** Whether that account belongs to the same person. */
  readonly own?: boolean;
}

const HOUR_ZH = /(?:[零一二两三四五六七八九十\d]{1,3}[点點].*|\d{1,2}[:：]\d\d)$/u;
const HOUR_EN = /\s*,?\s*(?:at|@)\s+(?:\d{1,2}(?:[:.]\d\d)?(?:\s*[ap]\.?m\.?(?![a-z]))?|noon|midnight)/i;

/** One weekend or every weekend. */
const WEEKEND_ZH = /(?<!每个?)周末/u;
const WEEKEND_EN = /(?:\b(?:at|on|over|during)\s+)?(?:\bthe\s+)?\bweekend\b/i;

const PART_ZH = /(?:上午|下午|早上|晚上|中午|凌晨)$/u;

/** `3/4` and `03/04/2027`: either number may be the month. */
const SLASHES = /\b(\d{1,2})([/.-])(\d{1,2})(?:\2(\d{4}))?\b/;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `3/4 at 9am` with the answer `April 3` becomes `Apr 3 at 9am`. */
function withMonth(when: string, answer: string): string | undefined {
  const [slashes = "", first = "", , second = "", year = ""] = SLASHES.exec(when) ?? [];
  const dates = [
    [first, second],
    [second, first],
  ].map(([month = "", day = ""]) => ({ month: MONTHS[Number(month) - 1], day: Number(day) }));
  const meant = dates.find(({ month }) => month !== undefined && new RegExp(`\\b${month}`, "i").test(answer));
  if (meant === undefined) return undefined;
  const hour = HOUR_EN.test(when) ? "" : (HOUR_EN.exec(answer)?.[0] ?? "");
  return when.replace(slashes, `${meant.month} ${meant.day} ${year}`.trim()) + hour;
}

/** `every day` with `5 pm` becomes `every day at 5 pm`; `每天三点` with `下午` becomes `每天下午三点`. */
function withAnswer(when: string, answer: string, language: Language): string {
  if (language === "zh") {
    const hour = saidHourInChinese(answer);
    const edge = /当天|第二天|次日/u.exec(answer)?.[0];
    if (edge !== undefined) return withNight(when, edge !== "当天") ?? `${when}，${edge}凌晨`;
    if (hour !== undefined && /天|日|[周期拜][一二三四五六]/u.test(answer)) return answer;
    const weekend = /每?个?(?:周|星期|礼拜)[六日天]|每/u.exec(answer)?.[0];
    if (weekend !== undefined && hour === undefined && WEEKEND_ZH.test(when))
      return when.replace("周末", weekend === "每" ? "每个周末" : weekend);
    const part = /上午|下午|早上|晚上|中午|凌晨/u.exec(answer)?.[0];
    const said = HOUR_ZH.exec(when)?.[0] ?? "";
    const day = when.replace(HOUR_ZH, "");
    // 下午 with 15:00, 早上 with 早上八点: the part of the day appears once.
    const isWhole = part !== undefined || /^(?:1[3-9]|2[0-3])/u.test(hour ?? "");
    return `${isWhole ? day.replace(PART_ZH, "") : day}${part ?? ""}${hour ?? said}`;
  }
  const edge = /\b(?:beginning|start|end)\b/i.exec(answer)?.[0];
  if (edge !== undefined) return `${when}, at the ${edge} of that day`;
  const dated = withMonth(when, answer);
  if (dated !== undefined) return dated;
  const half = /(?<![a-z])[ap]\.?m\b\.?|morning|afternoon|evening|night/i.exec(answer)?.[0];
  const hour = saidHour(answer);
  if (hour !== undefined && /day|tomorrow|tonight|\bin\b(?! the (?:morning|afternoon|evening)\b)/i.test(answer))
    return answer;
  const weekend = /(?:\b(?:every|each)\s+)?\b(?:sat|sun)(?:urday|day)?\b|\b(?:every|each)\b/i.exec(answer)?.[0];
  if (weekend !== undefined && hour === undefined && !/\b(?:every|each)\b/i.test(when) && WEEKEND_EN.test(when))
    return when.replace(WEEKEND_EN, /^(?:every|each)$/i.test(weekend) ? "every weekend" : weekend);
  const said = /(?:at|@)\s+(\d[\d:.]*)/i.exec(when)?.[1];
  // `tonight at 1` with `tomorrow`.
  if (hour === undefined && half === undefined && isWhen(answer, "en")) return `${answer} at ${said ?? ""} am`;
  if (hour === undefined && said === undefined && half !== undefined) return `${when} ${half}`;
  return [when.replace(HOUR_EN, ""), "at", hour ?? said ?? "", half && partOf(half, hour ?? said)].join(" ").trim();
}

/** `am` for "morning", `pm` for "8 in the evening". Twelve in the evening is not noon, and 15:00 needs neither. */
function partOf(half: string, hour = ""): string {
  if (parseInt(hour, 10) > 12) return "";
  if (/^[ap]/i.test(half) && half.length <= 4) return half;
  if (/morning/i.test(half)) return "am";
  return /night/i.test(half) || hour.startsWith("12") ? `in the ${half}` : "pm";
}

/** One o'clock at night, in the night after a day or before it. */
function withNight(when: string, isAfter: boolean): string | undefined {
  const days = ["今", "明", "后"];
  const at = days.indexOf(/^(?:今|明)(?=晚)/u.exec(when)?.[0] ?? "");
  if (at === -1) return undefined;
  return when.replace(/^(?:今|明)晚上?/u, `${days[isAfter ? at + 1 : at]}天凌晨`);
}

/** Intervals of some days at a clock time, which no schedule can express. */
const SOME_DAYS =
  /\bevery\s+(?:other|second|third|two|three|four|five|six|\d+)\s+days?\b|隔[一两二三四五六\d]?天|每[两二三四五六\d]天/iu;

const CLOCK = String.raw`(?:(?:\bat|@)\s*\d{1,2}|\d{1,2}:\d\d|\d{1,2}\s*[ap]\.?m\b)`;
/** `at 8am and 8pm` */
const SEVERAL_HOURS = new RegExp(
  String.raw`${CLOCK}[^\n]{0,200}?(?:[,&]|\band\b)\s*${CLOCK}|\bat\s+\d{1,2}(?:\s*,\s*|\s+and\s+)\d|[点點时][^\n]{0,20}?[和及、，,][^\n]{0,6}[点點时]`,
  "iu",
);

/** Words a question for a person. */
function asked(question: string): string {
  return /\p{Script=Han}/u.test(question)
    ? question
    : `${question.charAt(0).toUpperCase()}${question.slice(1)}`.replace(/(?<![?？.])$/u, "?");
}

export const remind: Intent = {
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
      "I need a reminder {rest}",
      "(remember|don't forget|don’t forget|do not forget) to remind me {rest}",
      "(don't|don’t|do not) let me forget {rest}",
    ],
    zh: [
      "提醒我{rest}",
      "(记得|别忘了|不要忘了|不要忘记|别忘记)(要|一定要|到时候|到时|)提醒我{rest}",
      "(别|不要)(让|叫)我(忘了|忘记){rest}",
      "{before}提醒我{rest}",
      "{before}提醒我",
      "(设|设置|设个|设一个|加|加个)提醒(：|:|，|,|){rest}",
      "(安排|创建|新建)(一个|个|)提醒(：|:|，|,|){rest}",
    ],
  },
  accepts: ({ groups: { before = "" }, language }) => before === "" || isWhen(before, language),
  call({ groups: { before = "", rest = "", when: answer, more, last }, language, text }) {
    const split = splitWhen(before, rest, language);
    const isChinese = language === "zh";
    if (split === null && answer === undefined)
      return { ask: isChinese ? "什么时候提醒你？" : "When should I remind you?", slot: "when" };
    const { when = answer ?? "", what = bareTask(rest), isClear = true } = split ?? {};
    if (what === "")
      return {
        say: isChinese
          ? "要提醒你什么？请再说一遍，带上内容。"
          : "What should I remind you of? Please say it again with that.",
      };
    if (!isClear) return { say: unclear(language, text) };
    const schedule = [more, last].reduce<string>(
      (said, answered) => (answered === undefined ? said : withAnswer(said, answered, language)),
      // 过十分钟 means 十分钟后.
      isChinese ? when.replace(/^再?过(.+?)(?:[以之]?后)?$/u, "$1后") : withHourInDigits(when),
    );
    return { calls: [{ toolName: "scheduler_create", input: { schedule, task: what } }] };
  },
  failed(reason, { language, text, groups: { when = "", more } }) {
    const question = /^Ask the person first: (.+)$/su.exec(reason)?.[1];
    if (question !== undefined) return { ask: asked(question), slot: more === undefined ? "more" : "last" };
    if (reason.endsWith(" has passed"))
      return {
        say:
          language === "zh"
            ? "这个时间已经过去了。请说一个之后的时间。"
            : "That time has passed. Please name a later one.",
      };
    if (!reason.startsWith("Cannot read the schedule: ")) return undefined;
    const apart = /is too often: at least ([\d.]+) s /.exec(reason)?.[1];
    if (apart === undefined) return { say: unclear(language, `${text}\n${when}`) };
    return {
      say:
        language === "zh"
          ? `这太频繁了：两次提醒之间至少要隔${apart}秒。`
          : `That is too often: at least ${apart} seconds must lie between two reminders.`,
    };
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
      "(when|what) (is|are) my next (reminder|reminders|job|jobs|appointment|appointments)",
      "(when's|what's) my next (reminder|job|appointment)",
      "(my |the |)next (reminder|job|appointment)",
      "how long (until|till|before) (my|the) (next |)(reminder|job|appointment)",
    ],
    zh: [
      "(列出|显示|看看|查看)(我的|所有|全部|)(提醒|任务|日程)",
      "我有(哪些|什么)(提醒|任务|日程)",
      "(我|)(还|)有(没有|)(什么|哪些|)(提醒|任务|日程)",
      "(提醒|任务|日程)(列表|清单)",
      "我的(提醒|任务|日程)(有哪些|是什么|都有什么|)",
      "(我的|我|)下(一个|个|一次|次)(提醒|任务|日程)(是|在|)(什么时候|几点|何时|什么|)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: ([result], { language, text }) =>
    tooLong(result, language) ?? {
      say: /\bnext\b|how long|下[一个次]/i.test(text)
        ? nextOf(ownJobs(result), language)
        : listed(/\b(?:my|i)\b|我/i.test(text) ? ownJobs(result) : jobsIn(result), language),
    },
};

const remove: Intent = {
  name: "delete-job",
  tools: ["scheduler_list", "scheduler_delete"],
  phrasings: {
    en: [
      "(delete|remove|cancel|drop|clear) (all |all of |)my (reminders|jobs|appointments)",
      "(delete|remove|cancel|drop|clear) all (of the |the |)(reminders|jobs|appointments)",
      "(delete|remove|cancel|drop|clear) every (reminder|job|appointment)",
      "(delete|remove|cancel|drop) (the |my |)(reminder|job|appointment) (about |of |for |to |){name}",
      "(delete|remove|cancel|drop) (the |my |){name} (reminder|job|appointment)",
      "(delete|remove|cancel|drop) {name:word} (reminder|job|appointment)",
      "(do not|don't|don’t) remind me (any more |anymore |)(about |of |to ){name}",
      "(stop|quit) reminding me (about |of |to ){name}",
      "I (do not|don't|don’t) need the (reminder|job|appointment) (about |of |for |to |){name}",
    ],
    zh: [
      "(删除|删掉|取消|去掉|清空|清除)(我的|我|)(所有|全部)(的|)(提醒|任务|日程)",
      "(清空|清除)(我的|)(提醒|任务|日程)",
      "(把|)(我的|我|)(所有|全部)(的|)(提醒|任务|日程)(都|全|全都|)(删掉|删除|删了|取消|取消掉|清空)",
      "(删除|取消|去掉)(提醒|任务)(：|:|，|,|){name}",
      "(删除|取消|去掉){name}(的|)(提醒|任务)",
      "(不要|别|不用)(再|)提醒我{name}了",
      "(不要|别|不用)(再|)提醒我{name}",
      "(把|)(提醒|任务){name}(删掉|删除|取消)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: (results, { groups: { name }, language }) =>
    tooLong(results[0], language) ??
    (name === undefined
      ? allRemoved(results, language)
      : chosen(results, name, language, (id) => ({ toolName: "scheduler_delete", input: { id } }))),
  failed(reason, { groups: { name }, language }) {
    if (name !== undefined) return undefined;
    return { say: language === "zh" ? `有的没有删掉：${reason}` : `Not all of them could be deleted: ${reason}` };
  },
};

function allRemoved(results: readonly IntentResult[], language: Language): Step {
  const [listing, ...deleted] = results;
  if (deleted.length > 0)
    return { say: language === "zh" ? `已删除 ${deleted.length} 个提醒。` : `Deleted: ${deleted.length}.` };
  const own = ownJobs(listing);
  if (own.length === 0) return { say: listed([], language) };
  return { calls: own.map(({ id }) => ({ toolName: "scheduler_delete", input: { id } })) };
}

const pause: Intent = {
  name: "pause-job",
  tools: ["scheduler_list", "scheduler_pause"],
  phrasings: {
    en: [
      "(pause|stop|disable|resume|continue|enable) (all |all of |)(my|the) (reminders|jobs|appointments)",
      "(pause|stop|disable|resume|continue|enable) (all|every) (reminders|reminder|jobs|job|appointments|appointment)",
      "(pause|resume) (all|all of them|everything)",
      "(pause|stop|disable) (the |my |)(reminder|job|appointment) (about |of |for |to |){name}",
      "(resume|continue|enable) (the |my |)(reminder|job|appointment) (about |of |for |to |){resumed}",
      "(pause|disable) (the |my |){name} (reminder|job|appointment)",
      "(resume|continue|enable) (the |my |){resumed} (reminder|job|appointment)",
      "(pause|stop|disable) {name:word} (reminder|job|appointment)",
      "(resume|continue|enable) {resumed:word} (reminder|job|appointment)",
      "put the (reminder|job|appointment) (about |of |for |to |){name} on hold",
    ],
    zh: [
      "(暂停|恢复|继续)(我的|)(所有|全部)(的|)(提醒|任务|日程)",
      "(把|)(我的|)(所有|全部)(的|)(提醒|任务|日程)(都|全|全都|)(暂停|停一下|恢复)",
      "暂停(提醒|任务)(：|:|，|,|){name}",
      "(恢复|继续)(提醒|任务)(：|:|，|,|){resumed}",
      "暂停{name}(的|)(提醒|任务)",
      "(恢复|继续){resumed}(的|)(提醒|任务)",
      "把(提醒|任务){name}(暂停|停一下)",
    ],
  },
  call: () => ({ calls: [{ toolName: "scheduler_list", input: {} }] }),
  phrase: (results, { groups: { name, resumed }, language, text }) =>
    tooLong(results[0], language) ??
    (name === undefined && resumed === undefined
      ? allPaused(results, !/resume|continue|enable|恢复|继续/iu.test(text), language)
      : chosen(results, name ?? resumed ?? "", language, (id) => ({
          toolName: "scheduler_pause",
          input: { id, paused: name !== undefined },
        }))),
  failed(reason, { groups: { name, resumed }, language }) {
    if (name !== undefined || resumed !== undefined) return undefined;
    return { say: language === "zh" ? `不是全部都做到了：${reason}` : `Not with all of them: ${reason}` };
  },
};

function allPaused(results: readonly IntentResult[], paused: boolean, language: Language): Step {
  const [listing, ...done] = results;
  if (done.length > 0 && paused)
    return { say: language === "zh" ? `已暂停 ${done.length} 个提醒。` : `Paused: ${done.length}.` };
  if (done.length > 0)
    return { say: language === "zh" ? `已恢复 ${done.length} 个提醒。` : `Resumed: ${done.length}.` };
  const own = ownJobs(listing).filter(({ status }) => status === (paused ? "active" : "paused"));
  if (own.length === 0) return { say: listed(ownJobs(listing), language) };
  return { calls: own.map(({ id }) => ({ toolName: "scheduler_pause", input: { id, paused } })) };
}

/** Asks again, never guesses: for a time that the model cannot read, or that has several meanings. */
function unclear(language: Language, text: string): string {
  if (SOME_DAYS.test(text))
    return language === "zh"
      ? "隔几天的提醒我只能从现在起数：每48小时提醒我浇花。或者说是星期几：每周一、周三、周五早上九点提醒我浇花。"
      : "I can only count such days from now: remind me every 48 hours to water the plants. Or name the weekdays: remind me every Monday, Wednesday and Friday at 9am to water the plants.";
  if (SEVERAL_HOURS.test(text))
    return language === "zh"
      ? "一个提醒只有一个时间。请一个一个说：每天早上八点提醒我吃药。"
      : "Each reminder has one time. Please say them one after the other: remind me every day at 8am to take my pills.";
  return language === "zh"
    ? "我没看懂是什么时候。请这样说：明天下午三点提醒我开会；每个工作日早上九点提醒我站会。"
    : "I am not sure when that is. Say the time first, in one place: remind me tomorrow at 3pm to call Ada; remind me every weekday at 9 to stretch.";
}

const MADE = /^(?:I will remind you at|好的，我会在) /mu;

/** Whether the assistant's words report a new reminder. */
export function tellsOfReminder(said: string): boolean {
  return MADE.test(said);
}

/** Removes the reminders that the assistant's words name; `undefined` when none of them exists any more. */
export function takenBack(results: readonly IntentResult[], said: string, language: Language): Step | undefined {
  const [listing, deleted] = results;
  const unread = tooLong(listing, language);
  if (unread !== undefined) return unread;
  if (deleted !== undefined) return { say: DELETED[language] };
  const told = ownJobs(listing).filter(
    ({ name, next: [at = ""] }) => at !== "" && said.includes(at) && said.includes(name),
  );
  return told.length === 0
    ? undefined
    : { calls: told.map(({ id }) => ({ toolName: "scheduler_delete", input: { id } })) };
}

/** In the order in which they are tried. */
export const reminderIntents: readonly Intent[] = [remind, list, remove, pause];

function jobsIn(result: IntentResult | undefined): readonly ShownJob[] {
  return ((result?.output ?? {}) as { readonly jobs?: readonly ShownJob[] }).jobs ?? [];
}

/** A list that is too long for a prompt arrives as a text with its middle cut out. That must not count as an empty list. */
function tooLong(listing: IntentResult | undefined, language: Language): Step | undefined {
  if (typeof listing?.output !== "string") return undefined;
  return {
    say:
      language === "zh"
        ? "提醒太多，我一次读不完。写 /jobs 可以看到它们。"
        : "There are more reminders than I can read at once. Write /jobs to see them.",
  };
}

/** The person's own jobs: the owner also sees those of others. */
function ownJobs(result: IntentResult | undefined): readonly ShownJob[] {
  return jobsIn(result).filter(({ user, own }) => user === undefined || own === true);
}

function nextOf(jobs: readonly ShownJob[], language: Language): string {
  const coming = jobs.flatMap(({ name, next: [at] }) => (at === undefined ? [] : { name, at }));
  const [first] = coming.toSorted((one, other) => (one.at < other.at ? -1 : 1));
  if (first === undefined) return listed([], language);
  const { name, at } = first;
  return language === "zh" ? `下一个提醒：${at}，${name}` : `Your next reminder is at ${at}: ${name}`;
}

function listed(jobs: readonly ShownJob[], language: Language): string {
  if (jobs.length === 0) return language === "zh" ? "没有提醒。" : "There are no reminders.";
  const lines = jobs.map(
    ({ name, status, next }) =>
      `- ${name}: ${next[0] ?? (language === "zh" ? ({ paused: "已暂停", done: "已完成", error: "出错" }[status] ?? status) : status)}`,
  );
  return `${language === "zh" ? "提醒：" : "Reminders:"}\n${lines.join("\n")}`;
}

/** The one job that a name means, and the call for it; a question when no job or several match. */
function chosen(
  results: readonly IntentResult[],
  name: string,
  language: Language,
  what: (id: string) => { readonly toolName: string; readonly input: Readonly<Record<string, unknown>> },
): Step {
  const last = results.at(-1);
  if (last?.toolName === "scheduler_delete") return { say: DELETED[language] };
  if (last?.toolName === "scheduler_pause") {
    const { status, next = [] } = last.output as Partial<ShownJob>;
    if (status === "paused") return { say: language === "zh" ? "已暂停。" : "It is paused." };
    return { say: language === "zh" ? `已恢复，下一次是 ${next[0] ?? ""}` : `It goes on: next at ${next[0] ?? ""}` };
  }
  const wanted = name.trim().toLowerCase();
  const all = jobsIn(last);
  const own = ownJobs(last);
  const found =
    THAT_ONE.test(wanted) && own.length === 1
      ? own
      : ([(job: string) => job === wanted, (job: string) => isWithin(wanted, job), alike(wanted)]
          .map((isMeant) => all.filter((job) => isMeant(job.name.toLowerCase())))
          .find((jobs) => jobs.length > 0) ?? []);
  const [only] = found;
  if (only !== undefined && found.length === 1) return { calls: [what(only.id)] };
  const choice = listed(found.length > 0 ? found : all, language);
  return {
    say:
      language === "zh"
        ? `没有找到唯一的“${name.trim()}”。${choice}`
        : `I found no single reminder "${name.trim()}". ${choice}`,
  };
}

const DELETED = { en: "It is deleted.", zh: "已删除。" } as const;

/** Words for the only one there is. */
const THAT_ONE = /^(?:this|that|the|my|only|这个?|那个?|该)$/u;

/** Whether a name has all of the words in any form: after "the reminder about", "stand up" matches "standing up". */
function alike(wanted: string): (name: string) => boolean {
  const stems = (text: string) =>
    text.split(/[^\p{L}\p{N}]+/u).map((word) => word.replace(/(?:ing|es|s|e)$/u, "").replace(/(.)\1$/u, "$1"));
  const words = stems(wanted).filter((word) => word !== "");
  return (name) => words.length > 0 && words.every((word) => stems(name).includes(word));
}

/** Whole words only: "run" is not in "brunch". Chinese has no blanks between words. */
function isWithin(wanted: string, name: string): boolean {
  if (/\p{Script=Han}/u.test(wanted)) return name.includes(wanted);
  for (let at = name.indexOf(wanted); at !== -1; at = name.indexOf(wanted, at + 1)) {
    const [before, after] = [name.slice(0, at), name.slice(at + wanted.length)];
    if (!/[a-z\p{N}]$/u.test(before) && !/^[a-z\p{N}]/u.test(after)) return true;
  }
  return false;
}
