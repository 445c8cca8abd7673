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

/** 我的目标是什么 asks, and names none. */
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
  call: ({ groups: { objective = "" } }) => ({
    calls: [{ toolName: "okr_write", input: { objective: objective.trim().slice(0, 200) } }],
  }),
  phrase: (_results, { groups: { objective = "" }, language }) => ({
    say: language === "zh" ? `目标记下了：${objective.trim()}` : `Your goal is noted: ${objective.trim()}`,
  }),
};

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

/** What people work towards. */
export const goalIntents: readonly Intent[] = [addGoal, showGoals];

function line({ objective, current_focus: focus, key_results: results = [] }: ShownGoal): string {
  const shown = results.map(({ metric, target, current = "?" }) => `${metric} ${current}/${target}`);
  return `- ${[focus === undefined ? objective : `${objective} (${focus})`, ...shown].join("; ")}`;
}

function goalsIn(result: IntentResult | undefined): readonly ShownGoal[] {
  const { goals } = (result?.output ?? {}) as { readonly goals?: readonly ShownGoal[] };
  return Array.isArray(goals) ? goals : [];
}
