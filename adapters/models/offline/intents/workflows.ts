import type { Intent, IntentResult, Language, Match, Step } from "../intent.ts";
import { reportFrom } from "./report.ts";

export const RUN_WORKFLOW = "run-workflow";
const REPORT_WORKFLOW = "weekly-report";
/** Shipped workflows run by name alone: the name is no shell command. */
const SHIPPED: readonly string[] = [REPORT_WORKFLOW];
const DEFAULT_DAYS = 7;
const MAX_DAYS = 3660;
const NUMBERS_ZH = "零一二三四五六七八九十";
/** Longest result that a reply shows, in characters. */
const SHOWN_CHARACTERS = 3000;
/** Words that name no workflow. */
const NO_NAME = /^(?:a|an|the|it|that|this|these|those|my|your|any|some|all|which|what|它|这个|那个|哪个|什么|一个)$/iu;

interface ShownStep {
  readonly id: string;
  readonly status: string;
  readonly error?: string;
  readonly waits_for?: string;
}

interface Run {
  readonly run_id: string;
  readonly workflow: string;
  readonly status: string;
  readonly steps: readonly ShownStep[];
  readonly output?: unknown;
  readonly summary?: string;
}

/**
 * Writes a report from the values in its prompt, as a step of that workflow needs it. Without values, starts the
 * workflow.
 */
const report: Intent = {
  name: "report",
  tools: [],
  phrasings: {
    en: [
      "(write|make|prepare|draft) (me |)(a|the|my) (short |)report (of|on|about|for) the (last|past) {days:word} days {about}",
      "(write|make|prepare|draft) (me |)(a|the|my) (short |)report (of|on|about|for) the (last|past) {days:word} days",
      "(write|make|prepare|draft) (me |)(a|the|my) (short |)report (of|on|about|for) the (last|past) week",
      "(report|sum up) (on |)the (last|past) {days:word} days",
      "(write|make|prepare|draft) (me |)a {days:word} day report",
    ],
    zh: [
      "(写|做|生成|准备)(一份|一个|个|)(最近|过去|近){days:word}天的(报告|周报|总结){about}",
      "(写|做|生成|准备)(一份|一个|个|)(最近|过去|近){days:word}天的(报告|周报|总结)",
      "(写|做|生成|准备)(一份|一个|个|)(最近|过去|近|上)一(周|个星期)的(报告|周报|总结)",
      "(写|做|生成|准备)(一份|一个|个|){days:word}天的(报告|周报|总结)",
      "(总结|报告)(一下|)(最近|过去|近){days:word}天",
    ],
  },
  accepts: ({ groups: { days } }) => days === undefined || daysIn(days) !== undefined,
  call({ groups, language, text }, { offers }) {
    const days = daysIn(groups["days"]) ?? DEFAULT_DAYS;
    const say = reportFrom(text, days, language);
    if (say !== undefined) return { say };
    if (offers("workflow_run"))
      return { calls: [{ toolName: "workflow_run", input: { name: REPORT_WORKFLOW, inputs: { days } } }] };
    return {
      say:
        language === "zh"
          ? `我只会根据工作流 ${REPORT_WORKFLOW} 给我的数据写报告。`
          : `I can write a report only from what the workflow ${REPORT_WORKFLOW} gives me.`,
    };
  },
  phrase: begun,
};

const runWorkflow: Intent = {
  name: RUN_WORKFLOW,
  tools: ["workflow_run"],
  help: {
    en: ["run a workflow", "run the workflow weekly-report"],
    zh: ["运行工作流", "运行工作流 weekly-report"],
  },
  phrasings: {
    en: [
      "(run|start|launch|begin|execute) (the |my |our |your |a |)workflow {name:word}(,|) (with|using|for) (the input |the inputs |inputs |)(:|){inputs}",
      "(run|start|launch|begin|execute) (the |my |our |your |a |)workflow {name:word}",
      "(run|start|launch|begin|execute) (the |my |our |your |a |){name:word} workflow (with|using|for) (the input |the inputs |inputs |){inputs}",
      "(run|start|launch|begin|execute) (the |my |our |your |a |){name:word} workflow",
      "(run|start|launch|begin|execute) (the |my |our |a |){shipped:short} (with|using|for) (the input |the inputs |inputs |){inputs}",
      "(run|start|launch|begin|execute) (the |my |our |a |){shipped:short}",
    ],
    zh: [
      "(运行|启动|执行|开始|跑)(一下|)工作流(程|)(：|:|){name:word}(，|,|)(输入|参数|用|使用|带上)(：|:|是|){inputs}",
      "(运行|启动|执行|开始|跑)(一下|)工作流(程|)(：|:|){name:word}",
      "(运行|启动|执行|开始|跑)(一下|){name:word}(这个|的|)工作流(程|)",
      "(运行|启动|执行|开始|跑)(一下|){shipped:short}(，|,|)(输入|参数|用|使用|带上)(：|:|是|){inputs}",
      "(运行|启动|执行|开始|跑)(一下|){shipped:short}",
    ],
  },
  accepts: ({ groups: { name, shipped } }) =>
    name === undefined ? SHIPPED.includes(nameOf(shipped ?? "")) : !NO_NAME.test(name),
  call({ groups: { name, shipped = "", inputs }, language }) {
    const given = inputs === undefined ? {} : inputsIn(inputs);
    if (given === undefined)
      return {
        say: language === "zh" ? "请这样写输入：days=14，topic=茶。" : "Write its inputs as days=14, topic=tea.",
      };
    const input = { name: name ?? nameOf(shipped), ...(Object.keys(given).length > 0 && { inputs: given }) };
    return { calls: [{ toolName: "workflow_run", input }] };
  },
  phrase: begun,
};

const workflowStatus: Intent = {
  name: "workflow-status",
  tools: ["workflow_status"],
  help: {
    en: ["say how far a workflow is", "how far is the workflow?"],
    zh: ["说出工作流进行到哪一步", "工作流进行得怎么样？"],
  },
  phrasings: {
    en: [
      "how (far |)is (the |my |our |)workflow {name:word}( going| doing| coming along| now|)",
      "how (far |)is (the |my |our |)workflow( going| doing| coming along| now|)",
      "how (far |)is (the |my |our |){name:word} workflow( going| doing| coming along| now|)",
      "how (far |)are (the |my |our |)workflows( going| doing| coming along| now|)",
      "(what is|what's) (the |)(status|state|progress) of (the |my |our |)workflow {name:word}",
      "(what is|what's) (the |)(status|state|progress) of (the |my |our |)workflow(s|)",
      "(is|has) (the |my |our |)workflow (done|finished|ready|running|still running|ended)( yet|)",
      "(show|list) (me |)(the |my |our |)(runs of workflows|workflow runs|workflow status|status of the workflow)",
    ],
    zh: [
      "工作流(程|){name:word}(进行得怎么样|进行到哪|做到哪|到哪|怎么样|完成|做完|跑完|结束)(一步|里|)(了|)(吗|没有|没|)",
      "工作流(程|)(进行得|进展得|进展|进度|跑得|做得|)(怎么样|如何|怎样)(了|)",
      "工作流(程|)(进行到|做到|到|跑到)哪(一步|里|儿|)(了|)",
      "工作流(程|)(完成|做完|跑完|结束)(了|)(吗|没有|没|)",
      "(查看|看看|看一下|显示)(一下|)工作流(程|)(的|)(状态|进度|进展)",
    ],
  },
  accepts: ({ groups: { name } }) => name === undefined || !NO_NAME.test(name),
  call: () => ({ calls: [{ toolName: "workflow_status", input: {} }] }),
  phrase([result], { language, groups: { name } }) {
    const runs = runsIn(result).filter(({ workflow }) => name === undefined || workflow === name);
    const [newest, ...earlier] = runs;
    const what = name === undefined ? "" : ` ${name}`;
    if (newest === undefined)
      return { say: language === "zh" ? `工作流${what}还没有运行过。` : `No workflow${what} has run yet.` };
    const more = earlier.map((run) => `- ${head(run, language)}`);
    const before = language === "zh" ? "更早的：" : "Before that:";
    return { say: [told(newest, language), ...(more.length === 0 ? [] : [before, ...more])].join("\n") };
  },
};

/** Workflows. */
export const workflowIntents: readonly Intent[] = [report, runWorkflow, workflowStatus];

function daysIn(word = ""): number | undefined {
  const days = /^\d{1,4}$/.test(word) ? Number(word) : NUMBERS_ZH.indexOf(word);
  return days >= 1 && days <= MAX_DAYS ? days : undefined;
}

/** Reports a started run, or one that had already ended. */
function begun([result]: readonly IntentResult[], { language }: Match): Step {
  const [run] = runsIn(result);
  if (run === undefined) return { say: language === "zh" ? "工作流已开始。" : "The workflow has begun." };
  if (run.status !== "running") return { say: told(run, language) };
  return {
    say:
      language === "zh"
        ? `工作流 ${run.workflow} 已开始，共 ${run.steps.length} 步。问“工作流进行得怎么样”就能知道进度。`
        : `The workflow ${run.workflow} has begun: ${run.steps.length} steps. “how far is the workflow?” tells where it is.`,
  };
}

function told(run: Run, language: Language): string {
  const steps = run.steps.map((step) => `- ${stepLine(step, language)}`);
  if (run.status === "done") return [head(run, language), ...outputLines(run.output)].join("\n");
  return [head(run, language), ...steps, ...(run.summary === undefined ? [] : [run.summary])].join("\n");
}

function head({ workflow, status, steps }: Run, language: Language): string {
  const over = steps.filter((step) => step.status === "done" || step.status === "skipped").length;
  return language === "zh"
    ? `工作流 ${workflow} ${STATES.zh[status] ?? status}：${over}/${steps.length} 步。`
    : `The workflow ${workflow} ${STATES.en[status] ?? status}: ${over} of ${steps.length} steps.`;
}

const STATES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: { running: "is running", waiting: "waits", done: "is done", failed: "failed", cancelled: "was cancelled" },
  zh: { running: "正在运行", waiting: "正在等待", done: "已完成", failed: "失败了", cancelled: "已取消" },
};
const STEP_STATES_ZH: Readonly<Record<string, string>> = {
  pending: "未开始",
  running: "进行中",
  waiting: "等待中",
  done: "完成",
  failed: "失败",
  skipped: "跳过",
};

function stepLine({ id, status, error, waits_for: wait }: ShownStep, language: Language): string {
  const state = language === "zh" ? (STEP_STATES_ZH[status] ?? status) : status;
  const why = error ?? (wait === undefined ? undefined : language === "zh" ? `等 ${wait}` : `for ${wait}`);
  if (language === "zh") return `${id}：${state}${why === undefined ? "" : `（${why}）`}`;
  return `${id}: ${state}${why === undefined ? "" : `, ${why}`}`;
}

function outputLines(output: unknown): readonly string[] {
  if (output === undefined || output === null) return [];
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return ["", text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}…`];
}

/** `weekly report, please` becomes `weekly-report`. */
function nameOf(words: string): string {
  const bare = words.trim().replace(/,?\s{1,3}(?:please|now|again|for me)$/i, "");
  return bare.toLowerCase().replaceAll(/\s+/g, "-");
}

/** Reads `days=14, topic: tea`; `undefined` when the text has another form. */
function inputsIn(text: string): Readonly<Record<string, string | number>> | undefined {
  const given: Record<string, string | number> = {};
  for (const part of text.split(/[,，;；\n]/u)) {
    const [, name, value = ""] = /^\s*([A-Za-z_][\w-]{0,63})\s*[=:：]\s*(\S[^\n]*?)\s*$/u.exec(part) ?? [];
    if (name === undefined) return undefined;
    given[name] = /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value;
  }
  return given;
}

/** One run, or a list of them. */
function runsIn(result: IntentResult | undefined): readonly Run[] {
  const output = result?.output as Partial<Run> & { readonly runs?: unknown };
  if (typeof output !== "object" || output === null) return [];
  const runs: readonly unknown[] = Array.isArray(output.runs) ? output.runs : [output];
  return runs.filter(isRun);
}

function isRun(run: unknown): run is Run {
  const { workflow, status, steps } = (run ?? {}) as Partial<Run>;
  return typeof workflow === "string" && typeof status === "string" && Array.isArray(steps);
}
