import type { Intent, IntentResult, Language } from "../intent.ts";

interface Step {
  readonly title: string;
  readonly status: "pending" | "in_progress" | "done";
}

/** Marks before the titles of steps. */
const SIGNS = { pending: "☐", in_progress: "◐", done: "☑" } as const;
/** Words for the numbers from 1. */
const NUMBERS: readonly (readonly string[])[] = [
  ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"],
  ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
  ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"],
];

const make: Intent = {
  name: "make-plan",
  tools: ["plan"],
  help: {
    en: ["keep a plan with steps", "make a plan: buy flour, bake, eat"],
    zh: ["记下计划的步骤", "制定计划：买面粉、烤、吃"],
  },
  phrasings: {
    en: [
      "(make|write|set up|keep) (a |a new |the |our |my |)plan(:| with the steps:| with these steps:| with the steps | with these steps | of the steps | of these steps ){steps}",
      "(the|our|my|a new) plan(:| is:){steps}",
      "plan( these steps:| these steps | the steps:| the steps |:){steps}",
      "(these are|here are) the steps( of the plan| of our plan|): {steps}",
      "(make|set up) a (new |)plan",
    ],
    zh: [
      "(制定|做|定|写|列)(一个|一份|个|)(新|)计划(：|:|，|,){steps}",
      "(新|我们的|我的|)计划(是|如下|)(：|:){steps}",
      "计划(分成|分为|分)(几步|这几步|以下几步|以下步骤)(：|:|，|,){steps}",
      "(步骤|计划的步骤)(如下|是|)(：|:){steps}",
      "(制定|做|定|写|列)(一个|一份|个)(新|)计划",
    ],
  },
  accepts: ({ groups: { steps } }) => steps === undefined || stepsOf(steps).length > 1,
  call({ groups: { steps }, language }) {
    if (steps === undefined)
      return {
        ask: language === "zh" ? "计划有哪几步？请用逗号隔开。" : "Which steps? Put commas between them.",
        slot: "steps",
      };
    return { calls: [{ toolName: "plan", input: { steps: stepsOf(steps) } }] };
  },
  phrase: ([result], { language }) => ({ say: shown(stepsIn(result), language) }),
};

const show: Intent = {
  name: "plan",
  tools: ["plan"],
  help: { en: ["show the plan", "show me the plan"], zh: ["显示计划", "看看计划"] },
  phrasings: {
    en: [
      "(show|show me|tell me|list) (the|our|my|your) plan",
      "what('s| is) (the|our|my|your) plan( now| again|)",
      "(show|show me|list|what are) the steps( of the plan| of our plan| of my plan|)",
      "how far (are we with the plan|are we with our plan|is the plan|are we)",
      "(is there a plan|do we have a plan|do you have a plan)",
      "(what is|what's) (left|left to do|still open) (in|of|on) (the|our|my) plan",
    ],
    zh: [
      "(显示|查看|看看|看一下|列出)(我们的|我的|)(计划|步骤)",
      "(我们的|我的|)计划(是什么|怎么样了|进行得怎么样|进行得怎么样了|到哪了|到哪一步了)",
      "(我们的|我的|)计划(有|都有)(哪些|哪几个|几个)步骤",
      "(有|有没有|我们有)计划(吗|么|)",
      "计划(还剩|还有)(什么|哪些|哪几步)(没做|没完成|)",
      "(做到|进行到|到)第几步了",
    ],
  },
  call: () => ({ calls: [{ toolName: "plan", input: {} }] }),
  phrase: ([result], { language }) => ({ say: shown(stepsIn(result), language) }),
};

const check: Intent = {
  name: "check-step",
  tools: ["plan"],
  help: { en: ["check off a step of the plan", "step 1 is done"], zh: ["勾掉计划的一步", "第一步做完了"] },
  phrasings: {
    en: [
      "(mark |)(step number |step ){number:word} (as done|as finished|is done|is finished|is ready|done|finished)",
      "(check|tick|cross) off step {number:word}",
      "(check|tick|cross) step {number:word} off",
      "(I |we |I have |we have |I've |we've |)(finished|did|done|completed) (with |)step {number:word}",
      "(I am|I'm|we are|we're) (done|finished|ready) with step {number:word}",
      "(I am|I'm|we are|we're) (done|finished|ready) with the {number:word} step",
      "the {number:word} step is (done|finished|ready)",
    ],
    zh: [
      "(计划的|计划|)第{number:word}步(已经|都|)(做完了|完成了|做好了|好了|搞定了)",
      "(我|我们|)(已经|)(完成|做完|搞定)了第{number:word}步",
      "(完成|做完|勾掉|勾上)第{number:word}步",
      "把第{number:word}步(标为完成|标记为完成|标成完成|勾掉|勾上|打上勾)",
      "第{number:word}步(标为|标记为|算)(完成|已完成|做完了)",
    ],
  },
  accepts: ({ groups: { number = "" } }) => numberOf(number) > 0,
  call: () => ({ calls: [{ toolName: "plan", input: {} }] }),
  phrase(results, { groups: { number = "" }, language }) {
    if (results.length > 1) return { say: shown(stepsIn(results.at(-1)), language) };
    const steps = stepsIn(results[0]);
    const done = numberOf(number) - 1;
    if (steps[done] === undefined)
      return { say: language === "zh" ? `计划没有第 ${done + 1} 步。` : `The plan has no step ${done + 1}.` };
    const changed = steps.map((step, index) => (index === done ? { ...step, status: "done" } : step));
    return { calls: [{ toolName: "plan", input: { steps: changed } }] };
  },
};

const drop: Intent = {
  name: "drop-plan",
  tools: ["plan"],
  phrasings: {
    en: [
      "(drop|delete|cancel|forget|remove|clear|erase|discard) (the|our|my|this) plan",
      "(get rid of|give up|give up on) (the|our|my|this) plan",
      "throw (the|our|my|this) plan away",
      "(we|I) (do not|don't) need (the|our|my|this) plan( any more| anymore| any longer|)",
      "the plan is (off|cancelled|canceled|no longer needed)",
    ],
    zh: [
      "(取消|删除|删掉|放弃|清空|扔掉)(这个|我们的|我的|)计划",
      "(这个|)计划(取消|作废|不要|不用)了",
      "把(这个|我们的|我的|)计划(取消|删掉|删除|清空|扔掉)(了|)",
      "(我|我们|)不(需要|要|用)(这个|)计划了",
      "(我|我们|)(不按|别按)计划(做|来)了",
    ],
  },
  call: () => ({ calls: [{ toolName: "plan", input: { steps: [] } }] }),
  phrase: (_results, { language }) => ({ say: language === "zh" ? "计划已取消。" : "I dropped the plan." }),
};

/** The plan of the conversation. */
export const planIntents: readonly Intent[] = [make, show, check, drop];

function stepsOf(text: string): readonly string[] {
  return text
    .split(/\s*(?:[,;，；、\n]|(?:\band\s+)?\bthen\b|然后)\s*/iu)
    .map((step) =>
      step
        .replace(/^(?:\d+[.)、]|and\b|最后)\s*/iu, "")
        .replace(/[.。!！]$/u, "")
        .trim(),
    )
    .filter((step) => step !== "");
}

function stepsIn(result: IntentResult | undefined): readonly Step[] {
  return ((result?.output ?? {}) as { readonly steps?: readonly Step[] }).steps ?? [];
}

function shown(steps: readonly Step[], language: Language): string {
  if (steps.length === 0) return language === "zh" ? "还没有计划。" : "There is no plan yet.";
  const done = steps.filter(({ status }) => status === "done").length;
  const head = language === "zh" ? `计划（${done}/${steps.length}）：` : `The plan (${done} of ${steps.length} done):`;
  return [head, ...steps.map(({ title, status }, index) => `${index + 1}. ${SIGNS[status]} ${title}`)].join("\n");
}

/** The number of a step, from 1; 0 if the word is none. */
function numberOf(word: string): number {
  if (/^\d{1,2}$/.test(word)) return Number(word);
  return Math.max(...NUMBERS.map((words) => words.indexOf(word.toLowerCase()) + 1));
}
