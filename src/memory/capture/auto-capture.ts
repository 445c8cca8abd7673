import { ENTRY_TYPES, type MemoryDraft } from "../entry.ts";
import { type CapturedTurn, briefly, isMemoryTool } from "./turn.ts";

const MAX_GOAL_CHARS = 300;
const MAX_REPLY_CHARS = 400;
const MAX_PROBLEMS = 5;

export type TaskType = "research" | "analysis" | "comparison" | "writing" | "coding" | "planning" | "lookup" | "other";

/** Kinds of work by the words that people use for each; a tie goes to the first. */
const TASK_WORDS: readonly (readonly [TaskType, RegExp])[] = [
  [
    "comparison",
    /\b(?:compar\w+|versus|vs|differences?|better|pros and cons|trade-?offs?|which (?:one|of))\b|比较|对比|区别|差别|哪个更?好|优缺点|孰优/g,
  ],
  [
    "coding",
    /\b(?:cod(?:e|ing)|programs?|scripts?|functions?|bugs?|debug\w*|refactor\w*|compil\w+|unit tests?|implement\w*|regex\w*|sql|api|typescript|javascript|python|rust|java|commit|pull request|deploy\w*)\b|代码|编程|程序|脚本|函数|调试|重构|编译|报错|接口|部署|实现一?个/g,
  ],
  [
    "planning",
    /\b(?:plan(?:s|ning)?|schedul\w+|itinerar\w+|roadmap|agenda|organi[sz]e|arrange|milestones?|timeline|to-?do list)\b|计划|规划|安排|日程|行程|路线图|时间表|清单/g,
  ],
  [
    "writing",
    /\b(?:writ(?:e|ing)|draft\w*|compose|rewrit\w+|rephrase|proofread\w*|edit|translat\w+|emails?|essays?|blog|letters?|article|poem|summar\w+)\b|写|撰|起草|草稿|改写|润色|翻译|邮件|文案|作文|总结|摘要/g,
  ],
  [
    "analysis",
    /\b(?:analy[sz]\w+|evaluat\w+|assess\w*|statistic\w*|trends?|calculat\w+|diagnos\w+|root cause|review|audit|forecast\w*|data)\b|分析|评估|统计|趋势|计算|诊断|原因|审查|预测|数据/g,
  ],
  [
    "research",
    /\b(?:research\w*|investigat\w+|explor\w+|stud(?:y|ies)|survey|literature|sources?|papers?|in depth|learn about|background)\b|研究|调研|调查|探索|文献|资料|论文|深入|了解一下/g,
  ],
  [
    "lookup",
    /\b(?:look up|find|search\w*|what(?:'s| is| are| was)|who(?:'s| is| was)|when(?:'s| is| was)|where(?:'s| is| are)|how (?:much|many|far|old|long|tall)|check|weather|price|time in|address|definition|show me|list)\b|查|找|搜|什么|是谁|哪里|多少|几点|天气|价格|地址|看看|列出/g,
  ],
];

/** Classifies a request by its words, English and Chinese. */
export function taskTypeOf(text: string): TaskType {
  const lower = text.slice(0, 2000).toLowerCase();
  let best: TaskType = "other";
  let most = 0;
  for (const [type, words] of TASK_WORDS) {
    const count = new Set(lower.match(words)).size;
    if (count <= most) continue;
    best = type;
    most = count;
  }
  return best;
}

function goalLine(text: string): string {
  return `Goal: ${briefly(text, MAX_GOAL_CHARS)}`;
}

/** Replaces the goal in the content that `autoCapture` made. */
export function withGoal(content: string, text: string): string {
  return content.replace(/^Goal: .*/, () => goalLine(text));
}

/** Reads the goal from the content that `autoCapture` made. */
export function goalIn(content: string): string {
  return /^Goal: (.*)/.exec(content)?.[1] ?? "";
}

/**
 * Makes an entry of a turn that used tools: the goal, the tools, the outcome. A turn without tools, or with memory's
 * own tools only, gives none.
 *
 * Source: docs/capture.md, "Capture".
 */
export function autoCapture(turn: CapturedTurn): MemoryDraft | undefined {
  const counts = new Map<string, number>();
  for (const { name } of turn.calls) if (!isMemoryTool(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === 0) return undefined;
  const tools = [...counts].map(([name, count]) => (count === 1 ? name : `${name} × ${count}`));
  const reply = briefly(turn.reply, MAX_REPLY_CHARS);
  const problems = (turn.problems ?? []).slice(0, MAX_PROBLEMS);
  const content = [
    goalLine(turn.text),
    `Tools: ${tools.join(", ")}`,
    `Outcome: ${turn.outcome}${problems.length === 0 ? "" : ` (${problems.join("; ")})`}${reply === "" ? "" : `: ${reply}`}`,
  ].join("\n");
  return {
    content,
    keywords: [...counts.keys()],
    slots: {
      type: ENTRY_TYPES.autoCapture,
      source: "turn",
      task_type: taskTypeOf(turn.text),
      outcome: turn.outcome,
      session_id: turn.sessionId,
      turn: turn.id,
    },
  };
}
