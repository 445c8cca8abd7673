import { createTexts } from "../session/index.ts";

/** Texts of alerts: the problem, since when, and how to fix it. */
export const alertText = createTexts({
  en: {
    job_failures: `The job "{name}" has failed {count} times in a row, since {since}: {error}
See its runs with \`wakeful jobs show {id}\` or on the page under Jobs. When the cause is mended, \`wakeful jobs run {id}\` tries it now; \`wakeful jobs pause {id}\` stops it until then.`,
    handler_errors: `Event handlers have failed {count} times within a minute, since {since}; most often "{handler}". Replies go out all the same, but what this handler does is missing.
The log names each error ("An event handler failed"). Mend the hook or listener of this name, or take it off.`,
    nothing_flushed: `Since {since}, conversations that became too long were put into a summary {count} times, and memory kept nothing of it, although it is on.
If they held nothing worth keeping, all is well. Otherwise look into the log for "could not be kept in memory" and run \`wakeful doctor\`, which tries whether the store can be written.`,
  },
  zh: {
    job_failures: `任务“{name}”自 {since} 起已经连续失败 {count} 次：{error}
用 \`wakeful jobs show {id}\` 或在页面的“任务”里查看每次运行。原因解决后，\`wakeful jobs run {id}\` 会立即再试；\`wakeful jobs pause {id}\` 会先把它暂停。`,
    handler_errors: `自 {since} 起，事件处理程序在一分钟内失败了 {count} 次，最多的是“{handler}”。回复仍会发出，但这个处理程序该做的事没有做。
日志里有每一次的错误（“An event handler failed”）。请修好这个名称的钩子或监听器，或者把它去掉。`,
    nothing_flushed: `自 {since} 起，有 {count} 次对话因为太长被整理成摘要；记忆功能开着，却没有从中留下任何内容。
如果其中没有值得记住的内容，就一切正常。否则请在日志里查找“could not be kept in memory”，并运行 \`wakeful doctor\`，它会检查存储能否写入。`,
  },
});
