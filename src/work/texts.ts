import { createTexts } from "../session/index.ts";

/** Texts about jobs. */
export const jobText = createTexts({
  en: {
    DUE: `The job "{name}" is due now ({when}). It was set up earlier for the person you write to; nobody has written just now. Do what it says, and answer with what they should read: if that is nothing, answer NO_REPLY.

{task}`,
    HEARTBEAT: `This is a heartbeat ({when}): nobody has written just now. Below is HEARTBEAT.md, the list of what the owner wants you to look after by yourself. Look after it with your tools. What you answer here reaches nobody: tell the owner what they must know now with notify, and only that. If there is nothing, answer HEARTBEAT_OK.

{task}`,
    PAUSED: `The job "{name}" has failed {count} times in a row and is paused: {error}. Resume it when the problem is fixed.`,
    LOST: `The job "{name}" was due but did not run: {reason}. It will not run again by itself: give it another time.`,
  },
  zh: {
    DUE: `任务“{name}”现在到时间了（{when}）。它是之前为对方设置的，此刻没有人写消息。请按它说的做，并用对方应该读到的内容回答；如果没有要说的，就回答 NO_REPLY。

{task}`,
    HEARTBEAT: `这是一次心跳（{when}），此刻没有人写消息。下面是 HEARTBEAT.md，主人希望你自己留意的事。请用工具逐项查看。你在这里的回答不会发给任何人：只有主人现在必须知道的事，才用 notify 告诉他们。如果没有，就回答 HEARTBEAT_OK。

{task}`,
    PAUSED: `任务“{name}”已经连续失败 {count} 次，现已暂停：{error}。问题解决后可以恢复它。`,
    LOST: `任务“{name}”到时间了，但没有完成：{reason}。它不会自己再来，请给它另定一个时间。`,
  },
});
