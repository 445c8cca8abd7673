import type { Intent, IntentResult } from "../intent.ts";

interface ShownGoal {
  readonly objective: string;
  readonly current_focus?: string;
  readonly key_results?: readonly {
    readonly metric: string;
    readonly target: number | string;
    readonly current?: number | string;
  }[];
}

/** 我的目标是什么 is a question and names no goal. */
const QUESTION = /[?？]\s*$|(?:什么|啥|哪些|吗|么|呢)$/u;

const addGoal: Intent = {
  name: "goal",
  tools: ["okr_write"],
  help: {
    en: ["keep your goals", "my goal is to run a marathon"],
    zh: ["记下你的目标", "我的目标是跑马拉松"],
  },
  phrasings: {
    en: [
      "(my|my new|another|a new) goal is to {objective}",
      "(my|my new|another|a new) goal is:? {objective}",
      "(add|set|note|note down) (a|a new|the|my|as my) goal to {objective}",
      "(add|set|note|note down) (a|a new|the|my|as my) goal:? {objective}",
      "i want to make it my goal to {objective}",
      "(one|another) of my goals is to {objective}",
    ],
    zh: [
      "我的(新|)目标是(：|:|){objective}",
      "我有(一|)个(新|)目标(：|:|，|,|是){objective}",
      "(添加|增加|新增|设定|设置)(一个|)(新|)目标(：|:|，|,|){objective}",
      "(帮我|)(记下|记一下)(一个|)(我的|)目标(：|:|，|,|){objective}",
      "把{objective}(设为|定为|作为|当作)(我的|)目标",
    ],
  },
  accepts: ({ groups: { objective = "" } }) => !QUESTION.test(objective),
  call: ({ groups: { objective = "" } }) => {
    const { goal, cadence } = reviewedGoal(objective);
    const input = { objective: goal.slice(0, 200), ...(cadence !== undefined && { review_cadence: cadence }) };
    return { calls: [{ toolName: "okr_write", input }] };
  },
  phrase: (_results, { groups: { objective = "" }, language }) => {
    const { goal, cadence } = reviewedGoal(objective);
    const [noted, reviewed] =
      language === "zh"
        ? ["目标记下了：", `。${cadence}回顾。`]
        : ["Your goal is noted: ", `. It is reviewed ${cadence}.`];
    return { say: `${noted}${goal}${cadence === undefined ? "" : reviewed}` };
  },
};

const REVIEWS = [
  /[\s,;.]+(?:and |then )?(?:please )?review (?:it|that|this)(?: with me)? (?<cadence>(?:daily|weekly|monthly|quarterly|every|each)\b.*?)[\s.!]*$/i,
  /[，,；。](?:请|并|然后|再)?(?<cadence>每[^，。]+?)(?:帮我|跟我|和我)?(?:一起)?(?:回顾|复盘|检查)(?:一次|一下)?[。！]?$/u,
];
const CADENCES: Readonly<Record<string, string>> = {
  day: "daily",
  week: "weekly",
  month: "monthly",
  quarter: "quarterly",
};

/** Splits an objective into the goal and its review cadence. */
function reviewedGoal(objective: string): { readonly goal: string; readonly cadence?: string } {
  const goal = objective.trim();
  const found = REVIEWS.map((review) => review.exec(goal)).find((match) => match !== null);
  const said = found?.groups?.["cadence"];
  if (found === undefined || said === undefined) return { goal };
  const unit = /^(?:every|each) (day|week|month|quarter)$/i.exec(said)?.[1]?.toLowerCase() ?? "";
  return { goal: goal.slice(0, found.index), cadence: CADENCES[unit] ?? said };
}

const showGoals: Intent = {
  name: "goals",
  tools: ["okr_read"],
  help: {
    en: ["say how your goals are", "how are my goals?"],
    zh: ["说出你的目标", "我的目标怎么样？"],
  },
  phrasings: {
    en: [
      "how are my goals( doing| going| coming along|)",
      "how (far am i|am i doing) (with|on) my goals",
      "what (are my goals|is my goal)",
      "(show|list|read|check)( me|) (my |all my |)(goals|objectives)",
      "do i have (any |)goals",
    ],
    zh: [
      "我的目标(怎么样|如何|怎样)(了|)",
      "我的目标(是什么|有哪些|是啥)",
      "我有(哪些|什么)目标",
      "(查看|看看|列出|显示)(一下|)(我的|所有|)目标",
      "(我的|)目标(列表|清单)",
      "(我的|)目标(进展|进度|完成)(怎么样|如何|得怎么样|到哪了)(了|)",
    ],
  },
  call: () => ({ calls: [{ toolName: "okr_read", input: {} }] }),
  phrase(results, { language }) {
    const goals = goalsIn(results.at(-1));
    if (goals.length === 0) return { say: language === "zh" ? "你还没有目标。" : "You have no goals yet." };
    return { say: [language === "zh" ? "你的目标：" : "Your goals:", ...goals.map(line)].join("\n") };
  },
};

const removeGoal: Intent = {
  name: "delete-goal",
  tools: ["okr_read", "okr_write"],
  phrasings: {
    en: [
      "(delete|remove|drop|cancel|forget|abandon|give up) (my |the |)goal:? (to |of |about |){name}",
      "(delete|remove|drop|cancel|forget|abandon|give up) (my |the |){name} goal",
      "(delete|remove|drop|take|cross) {name} (from|off) my (list of |)goals",
      "I (give|gave|have given|am giving) up (my |the |)goal:? (to |of |){name}",
      "{name} is (no longer|not) my goal( any more| anymore|)",
    ],
    zh: [
      "(删除|删掉|取消|去掉|放弃)(我的|)目标(：|:|，|,|){name}",
      "(删除|删掉|取消|去掉|放弃)(我的|){name}(的|这个)目标",
      "把(我的|)目标(：|:|，|,|){name}(删掉|删除|删了|取消|去掉)",
      "把(我的|){name}(的|这个)目标(删掉|删除|删了|取消|去掉)",
      "把{name}从(我的|)目标(里|中|列表|清单)(删掉|删除|去掉|移除)",
    ],
  },
  call: () => ({ calls: [{ toolName: "okr_read", input: {} }] }),
  phrase(results, { groups: { name = "" }, language }) {
    const last = results.at(-1);
    if (last?.toolName === "okr_write") return { say: language === "zh" ? "目标已删除。" : "The goal is deleted." };
    const goals = goalsIn(last);
    const wanted = name.trim().toLowerCase();
    const named = goals.filter(({ objective }) => objective.toLowerCase() === wanted);
    const found = named.length > 0 ? named : goals.filter(({ objective }) => objective.toLowerCase().includes(wanted));
    const [only] = found;
    if (only !== undefined && found.length === 1)
      return { calls: [{ toolName: "okr_write", input: { objective: only.objective, remove: true } }] };
    const none =
      language === "zh" ? `没有找到唯一的目标“${name.trim()}”。` : `I found no single goal "${name.trim()}".`;
    return { say: [none, ...(found.length > 0 ? found : goals).map(line)].join("\n") };
  },
};

/** Goals of the person. */
export const goalIntents: readonly Intent[] = [addGoal, showGoals, removeGoal];

function line({ objective, current_focus: focus, key_results: results = [] }: ShownGoal): string {
  const shown = results.map(({ metric, target, current = "?" }) => `${metric} ${current}/${target}`);
  return `- ${[focus === undefined ? objective : `${objective} (${focus})`, ...shown].join("; ")}`;
}

function goalsIn(result: IntentResult | undefined): readonly ShownGoal[] {
  const { goals } = (result?.output ?? {}) as { readonly goals?: readonly ShownGoal[] };
  return Array.isArray(goals) ? goals : [];
}
