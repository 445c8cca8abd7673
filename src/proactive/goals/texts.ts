import { createTexts } from "../../session/index.ts";

/** Names and prompts of review jobs. */
export const goalText = createTexts({
  en: {
    NAME: `Review: {objective}`,
    REVIEW: `Review the goal "{objective}" with the person. Read it with okr_read, say briefly where it stands and what is due next, and ask what has changed since. Record what they tell you with okr_write.`,
  },
  zh: {
    NAME: `回顾：{objective}`,
    REVIEW: `和对方一起回顾目标“{objective}”。先用 okr_read 读取，简短说明进展和下一步，并询问有什么变化。对方告诉你的内容用 okr_write 记录下来。`,
  },
});
