/** What the runtime itself says to people. */
const TEXTS = {
  en: {
    MODEL_UNAVAILABLE:
      "I cannot reach a language model right now. Your message is kept; please try again in a few minutes.",
    TURN_TIMEOUT:
      "This took longer than I am allowed to work on one message, so I stopped. Please try again with a smaller step.",
    STEP_LIMIT:
      "I stopped after the allowed number of steps without finishing. Tell me to go on, or ask for a smaller step.",
    QUEUE_FULL: "Too many messages are waiting here, so I did not take this one. Please send it again later.",
    FAILED: "Something went wrong on my side and I could not answer this message. Please try again.",
    NOT_LET_IN: "This assistant does not know you. Ask its owner to let you in.",
  },
  zh: {
    MODEL_UNAVAILABLE: "我现在连不上语言模型。你的消息已保留，请过几分钟再试。",
    TURN_TIMEOUT: "处理这条消息超过了允许的时间，我停下来了。请拆成更小的一步再试。",
    STEP_LIMIT: "已达到允许的步数，任务还没有完成。可以让我继续，或者提出更小的一步。",
    QUEUE_FULL: "这里等待的消息太多了，这一条没有收下。请稍后再发。",
    FAILED: "我这边出了问题，没能回答这条消息。请再试一次。",
    NOT_LET_IN: "这个助手还不认识你。请让它的主人把你加进来。",
  },
} as const;

export type RuntimeText = keyof (typeof TEXTS)["en"];

/** In Chinese when the person wrote Chinese, else in English. */
export function runtimeText(name: RuntimeText, answeredText: string): string {
  return TEXTS[/\p{Script=Han}/u.test(answeredText) ? "zh" : "en"][name];
}
