import type { Language } from "../intent.ts";

/** A value that a workflow step puts into a prompt. */
const VALUE = /<wakeful-data source="[^"\n]{1,200}">\n([\s\S]*?)\n<\/wakeful-data>/g;
/** Longest text of one line, in characters. */
const LINE_CHARACTERS = 300;

interface Memory {
  readonly content: string;
  readonly date: string;
}

interface Goal {
  readonly objective: string;
  readonly current_focus?: string;
  readonly key_results?: readonly {
    readonly metric: string;
    readonly target: number | string;
    readonly current?: number | string;
    readonly progress?: string;
  }[];
}

interface Job {
  readonly name: string;
  readonly status: string;
  readonly next?: readonly string[];
  readonly last_run?: string;
}

/** The data of a report. */
interface Given {
  readonly memories: readonly Memory[];
  readonly goals: readonly Goal[];
  readonly jobs: readonly Job[];
}

/** A report from the values in a prompt, in the language of most of them; `undefined` when there are none. */
export function reportFrom(prompt: string, days: number, language: Language): string | undefined {
  const given = givenIn(prompt);
  return given && written(given, days, languageOf(given) ?? language);
}

/** The values in a prompt; `undefined` when there are none. */
function givenIn(text: string): Given | undefined {
  const values = [...text.matchAll(VALUE)].map(([, value = ""]) => fieldsIn(value));
  if (values.length === 0) return undefined;
  const items = (name: keyof Given): readonly unknown[] =>
    values.flatMap((fields) => (Array.isArray(fields[name]) ? (fields[name] as readonly unknown[]) : []));
  return {
    memories: items("memories").filter((one): one is Memory => hasTexts(one, "content", "date")),
    goals: items("goals").filter(isGoal),
    jobs: items("jobs").filter((one): one is Job => hasTexts(one, "name", "status")),
  };
}

function isGoal(item: unknown): item is Goal {
  if (!hasTexts(item, "objective")) return false;
  const { key_results: results = [] } = item as { readonly key_results?: unknown };
  return Array.isArray(results) && results.every((one) => hasTexts(one, "metric"));
}

/** A user's own workflow may put anything under these names. */
function hasTexts(item: unknown, ...names: readonly string[]): boolean {
  const fields = (item ?? {}) as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof fields[name] === "string");
}

/** A long value is cut; the part before the cut is read. */
function fieldsIn(value: string): Readonly<Record<string, unknown>> {
  for (const text of [value, `${value.slice(0, value.lastIndexOf("},{"))}}]}`]) {
    try {
      const fields: unknown = JSON.parse(text);
      if (typeof fields === "object" && fields !== null) return fields as Readonly<Record<string, unknown>>;
    } catch {
      continue;
    }
  }
  return {};
}

/** The language of most texts; `undefined` when there are none. */
function languageOf({ memories, goals, jobs }: Given): Language | undefined {
  const texts = [
    ...memories.map(({ content }) => content),
    ...goals.map(({ objective }) => objective),
    ...jobs.map(({ name }) => name),
  ];
  if (texts.length === 0) return undefined;
  return texts.filter((text) => /\p{Script=Han}/u.test(text)).length * 2 > texts.length ? "zh" : "en";
}

function written({ memories, goals, jobs }: Given, days: number, language: Language): string {
  const words = WORDS[language];
  const done = memories.flatMap(({ date, content }) => {
    const { goal, outcome = "" } = DONE.exec(content)?.groups ?? {};
    if (goal === undefined) return [];
    return [outcome === "success" ? dated(date, goal, language) : `${dated(date, goal, language)} (${outcome})`];
  });
  const remembered = memories
    .filter(({ content }) => !DONE.test(content))
    .map(({ date, content }) => dated(date, content, language));
  const active = jobs.filter(({ status }) => status === "active");
  const others = jobs.filter(({ status }) => status !== "active");
  const part = (title: string, lines: readonly string[], none: string) =>
    `## ${title}\n\n${lines.length === 0 ? none : lines.map((one) => `- ${one}`).join("\n")}`;
  return [
    `# ${words.title(days)}`,
    words.counts(done.length, remembered.length, goals.length, active.length),
    part(words.done, done, words.nothingDone),
    part(words.remembered, remembered, words.nothingRemembered),
    part(
      words.goals,
      goals.map((goal) => goalLine(goal, language)),
      words.noGoals,
    ),
    part(
      words.jobs,
      [...active, ...others].map((job) => jobLine(job, language)),
      words.noJobs,
    ),
  ].join("\n\n");
}

/** The outcome of a turn, as memory keeps it. */
const DONE = /^Goal: (?<goal>[\s\S]*?)\nTools: [^\n]*\nOutcome: (?<outcome>\w+)/;

const WORDS = {
  en: {
    title: (days: number) => (days === 1 ? "The last day" : `The last ${days} days`),
    counts: (done: number, remembered: number, goals: number, jobs: number) =>
      `${counted(done, "thing")} done, ${counted(remembered, "thing")} remembered, ${counted(goals, "goal")}, ${counted(jobs, "active appointment")}.`,
    done: "Done",
    nothingDone: "Nothing that is remembered.",
    remembered: "Remembered",
    nothingRemembered: "Nothing was remembered in these days.",
    goals: "Goals",
    noGoals: "There are no goals.",
    jobs: "Appointments",
    noJobs: "There are no appointments.",
  },
  zh: {
    title: (days: number) => `最近 ${days} 天`,
    counts: (done: number, remembered: number, goals: number, jobs: number) =>
      `做了 ${done} 件事，记住了 ${remembered} 件事，有 ${goals} 个目标、${jobs} 项生效的安排。`,
    done: "做过的事",
    nothingDone: "没有记录。",
    remembered: "记住的事",
    nothingRemembered: "这些天没有记住什么。",
    goals: "目标",
    noGoals: "没有目标。",
    jobs: "安排",
    noJobs: "没有安排。",
  },
} as const;

function dated(date: string, text: string, language: Language): string {
  return language === "zh" ? `${date}：${line(text)}` : `${date}: ${line(text)}`;
}

function goalLine({ objective, current_focus: focus, key_results: results = [] }: Goal, language: Language): string {
  const about = focus === undefined ? "" : language === "zh" ? `（重点：${line(focus)}）` : ` (focus: ${line(focus)})`;
  const shown = results.map(({ metric, target, current = "?", progress }) => {
    const share = progress === undefined ? "" : language === "zh" ? `（${progress}）` : ` (${progress})`;
    return `${line(metric)} ${current}/${target}${share}`;
  });
  const [colon, comma] = language === "zh" ? ["：", "；"] : [": ", "; "];
  return `${line(objective)}${about}${shown.length === 0 ? "" : `${colon}${shown.join(comma)}`}`;
}

function jobLine({ name, status, next = [], last_run: last }: Job, language: Language): string {
  const isChinese = language === "zh";
  const when = next[0] === undefined ? undefined : isChinese ? `下一次 ${next[0]}` : `next ${next[0]}`;
  const before = last === undefined ? undefined : isChinese ? `上一次 ${last}` : `last ${last}`;
  const state = status === "active" ? undefined : isChinese ? (STATES_ZH[status] ?? status) : status;
  const told = [state, when, before].filter((one) => one !== undefined);
  if (told.length === 0) return line(name);
  return isChinese ? `${line(name)}：${told.join("，")}` : `${line(name)}: ${told.join(", ")}`;
}

const STATES_ZH: Readonly<Record<string, string>> = { paused: "已暂停", completed: "已完成", error: "出错" };

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function line(text: string): string {
  const characters = Array.from(text.replace(/\s+/gu, " ").trim());
  return characters.length <= LINE_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, LINE_CHARACTERS).join("")}…`;
}
