import { createTexts } from "../../session/index.ts";

/** Texts about workflows. */
export const workflowText = createTexts({
  en: {
    STARTED: `⏳ {name}: {done} of {total} steps`,
    WAITS_APPROVAL: `⏸ {name}: {done} of {total} steps. {step} waits for the owner's approval.`,
    WAITS_EVENT: `⏸ {name}: {done} of {total} steps. {step} waits for {event}.`,
    WAITS_UNTIL: `⏸ {name}: {done} of {total} steps. {step} waits until {when}.`,
    DONE: `✅ {name}: done, {done} of {total} steps in {time}.`,
    FAILED: `❌ {name} failed after {done} of {total} steps.`,
    CANCELLED: `⏹ {name} was cancelled after {done} of {total} steps.`,
    WHAT_WAS_DONE: `Done: {steps}.`,
    NOTHING_DONE: `No step was done.`,
    WHAT_FAILED: `{message}`,
    LEFT: `Not done: {steps}.`,
    SPENT: `Used: {tokens} tokens, {calls} tool calls, {seconds} s.`,
    HOW_TO_RESUME: `Resume where it stopped: wakeful workflows resume {id}. Repeat one step: wakeful workflows retry {id} {step}.`,
    HOW_TO_RESUME_BUDGET: `Resume with a larger budget: wakeful workflows resume {id} {more}.`,
  },
  zh: {
    STARTED: `⏳ {name}：已完成 {done}/{total} 步`,
    WAITS_APPROVAL: `⏸ {name}：已完成 {done}/{total} 步。步骤 {step} 正在等待主人批准。`,
    WAITS_EVENT: `⏸ {name}：已完成 {done}/{total} 步。步骤 {step} 正在等待 {event}。`,
    WAITS_UNTIL: `⏸ {name}：已完成 {done}/{total} 步。步骤 {step} 等到 {when}。`,
    DONE: `✅ {name}：完成，{time} 内完成 {done}/{total} 步。`,
    FAILED: `❌ {name} 失败，已运行 {done}/{total} 步。`,
    CANCELLED: `⏹ {name} 已取消，已运行 {done}/{total} 步。`,
    WHAT_WAS_DONE: `已完成：{steps}。`,
    NOTHING_DONE: `没有完成任何步骤。`,
    WHAT_FAILED: `{message}`,
    LEFT: `未完成：{steps}。`,
    SPENT: `用量：{tokens} 个 token，{calls} 次工具调用，{seconds} 秒。`,
    HOW_TO_RESUME: `从中断处继续：wakeful workflows resume {id}。重做某一步：wakeful workflows retry {id} {step}。`,
    HOW_TO_RESUME_BUDGET: `增加预算后继续：wakeful workflows resume {id} {more}。`,
  },
});
