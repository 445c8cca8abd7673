import { createTexts } from "../session/index.ts";

/** What the runtime says of jobs. */
export const jobText = createTexts({
  en: {
    DUE: `The job "{name}" is due now ({when}). It was set up earlier for the person you write to; nobody has written just now. Do what it says, and answer with what they should read: if that is nothing, answer NO_REPLY.

{task}`,
    PAUSED: `The job "{name}" has failed {count} times in a row and is paused: {error}. Resume it when that is mended.`,
  },
  zh: {
    DUE: `任务“{name}”现在到时间了（{when}）。它是之前为对方设置的，此刻没有人写消息。请按它说的做，并用对方应该读到的内容回答；如果没有要说的，就回答 NO_REPLY。

{task}`,
    PAUSED: `任务“{name}”已经连续失败 {count} 次，现已暂停：{error}。问题解决后可以恢复它。`,
  },
});
