import { createTexts } from "../session/index.ts";

/** Texts for people about a turn, besides its answer. Chinese if the person wrote Chinese, else English. */
export const turnText = createTexts({
  en: {
    MODEL_UNAVAILABLE:
      "I cannot reach a language model right now. Your message is kept; please try again in a few minutes.",
    TURN_TIMEOUT:
      "I stopped because this took longer than I may work on one message. Please try again with a smaller step.",
    STEP_LIMIT:
      "I stopped after the allowed number of steps without finishing. Tell me to go on, or ask for a smaller step.",
    CONTEXT_OVERFLOW:
      "This is longer than my model can read, even after shortening the earlier conversation. Send it in smaller parts, or start a new conversation with /new; earlier messages are kept.",
    BUDGET_EXCEEDED: "My budget for language models is used up. Your message is kept; write /retry later.",
    BUDGET_DAILY:
      "Today's budget for language models is used up. It opens again at {time}. Your message is kept; write /retry then.",
    BUDGET_MONTHLY:
      "This month's budget for language models is used up. It opens again at {time}. Your message is kept; write /retry then.",
    CUT_OFF: '[The answer is cut off here because it reached the model\'s limit. Write "go on" for the rest.]',
    CONTENT_FILTERED: "[The model's provider blocked this answer with its content filter.]",
    FAILED: "Something went wrong on my side and I could not answer this message. Please try again.",
    COMPACTED: "{turns} turns are in a summary now: about {before} tokens became {after}.",
    NOTHING_TO_COMPACT: "There is nothing to summarize yet.",
  },
  zh: {
    MODEL_UNAVAILABLE: "我现在连不上语言模型。你的消息已保留，请过几分钟再试。",
    TURN_TIMEOUT: "处理这条消息超过了允许的时间，我停下来了。请拆成更小的一步再试。",
    STEP_LIMIT: "已达到允许的步数，任务还没有完成。可以让我继续，或者提出更小的一步。",
    CONTEXT_OVERFLOW:
      "内容太长，缩短之前的对话之后模型仍然读不完。请分成几段发送，或用 /new 开始新的对话，之前的内容会保留。",
    BUDGET_EXCEEDED: "语言模型的预算已经用完。你的消息已保留，请稍后用 /retry 重试。",
    BUDGET_DAILY: "今天的语言模型预算已经用完，{time} 重新开放。你的消息已保留，到时请用 /retry 重试。",
    BUDGET_MONTHLY: "本月的语言模型预算已经用完，{time} 重新开放。你的消息已保留，到时请用 /retry 重试。",
    CUT_OFF: "[回答达到模型的长度上限，到这里就断了。要看其余内容，请回复“继续”。]",
    CONTENT_FILTERED: "[这个回答被模型服务商的内容过滤拦下了。]",
    FAILED: "我这边出了问题，没能回答这条消息。请再试一次。",
    COMPACTED: "{turns} 轮对话已整理成摘要：约 {before} 个 token 变为 {after} 个。",
    NOTHING_TO_COMPACT: "现在还没有需要整理的内容。",
  },
});
