import { createTexts } from "../session/index.ts";

export const commandText = createTexts({
  en: {
    HELP: `/status  what I work with and what waits
/new  begin a new conversation
/compact  put what was said earlier into a summary
/queue  how I take messages that arrive while I work: collect, followup, steer, interrupt
/model  which model I use in this conversation; /model NAME changes it
/stop  end what I am doing
/retry  answer your last message again
/memory  how much I remember here; /memory WORDS looks in it
/jobs  what I do for you later
/mute  say nothing unasked until tomorrow; /mute 3h, /mute off
/held  what I did not tell you unasked, and why
/skills  what I know how to do; /skills good or bad says whether it helped
/approve CODE, /deny CODE  answer a request
/whoami  who you are to me`,
    MUTED: "Muted: I send nothing unasked until {until} ({zone}). What you asked for still comes. /mute off ends it.",
    MUTE_ENDED: "Not muted any more: I may tell you things unasked again.",
    MUTE_UNKNOWN: "Not muted: {text} is not a time. Write /mute, /mute 3h, /mute 2d (at most 30d), or /mute off.",
    HELD: "Held for later ({zone}):",
    DROPPED: "Not said:",
    HELD_NONE: "I am not holding anything back.",
    HELD_MORE: "and {count} more",
    HELD_DIRECT: "Ask me that in our direct chat.",
    MEMORY: `Remembered here: {entries}, archived: {archived}, lines in MEMORY.md: {facts}, days: {days}.
/memory WORDS searches it.`,
    MEMORY_NONE: "I remember nothing like that here.",
    UNKNOWN: "There is no command /{name}. /help lists them. To say it as a message, put a word before it.",
    NOT_YET: "/{name} has nothing to show in this version.",
    TOO_MANY: "You sent more commands than I answer in a minute. Please wait a moment.",
    OWNER:
      "Nothing changed. /owner CODE only works in a direct chat of a channel while I have no owner, with the code that `wakeful serve` prints.",
    OWNERS_ONLY: "Only my owner may use /{name} here.",
    DAMAGED: "I cannot read the data for this: see the log.",
    BEGAN_ANEW: "A new conversation begins here. Earlier messages are kept, but I no longer read them.",
    QUEUE_IS: "Messages that arrive while I work: {mode}. /queue MODE changes it: {modes}, default.",
    QUEUE_SET: "From now on, messages that arrive while I work: {mode}.",
    QUEUE_UNKNOWN: "There is no mode {mode}. Write /queue and one of {modes}, default.",
    MODEL_IS: "Model of this conversation: {model}. /model NAME changes it: {models}, default.",
    MODEL_SET: "From now on I ask {model} first in this conversation.",
    MODEL_UNKNOWN: "There is no model {model}. Write /model and one of {models}, default.",
    MODEL_NEAREST: "There is no model {model}. Did you mean {nearest}? Write /model and one of {models}, default.",
    STOPPED: "Stopped. /retry answers your message again.",
    NOTHING_RUNS: "Nothing is running here.",
    NOTHING_TO_RETRY: "There is nothing here to answer again.",
    STILL_WORKING: "I am still working on it. /stop ends that.",
    WHOAMI: "You are {user}. Roles: {roles}. This conversation: {session}.",
    STATUS: `Model: {model}
Conversation: about {tokens} of {window} tokens, {turns} turns{summary}
Queue: {mode}, {waiting} waiting, {state}`,
    STATUS_JOBS: "Jobs: {count}",
    STATUS_JOBS_NEXT: "Jobs: {count}, next {next}",
    JOBS: `{lines}
Tell me in your own words to pause, resume or delete one.`,
    JOBS_NONE:
      "You have no jobs here. Tell me what to do and when, for example: remind me every weekday at 9 to stretch.",
    JOBS_MORE: "and {count} more",
    JOB_NEXT: "{name}: {next}",
    JOB_PAUSED: "{name}: paused",
    JOB_BROKEN: "{name}: stopped after failures",
    USED: "Used today, in all conversations: {used} tokens",
    SUMMARY: ", and a summary of {turns} earlier ones",
    WORKING: "working",
    RESTING: "idle",
  },
  zh: {
    HELP: `/status  我用的模型和排队的消息
/new  开始新的对话
/compact  把之前的内容整理成摘要
/queue  工作时收到的消息怎么处理：collect、followup、steer、interrupt
/model  这个对话用的模型；/model 名称 可以更改
/stop  停下正在做的事
/retry  重新回答你的上一条消息
/memory  我在这里记住了多少；/memory 词语 可以查找
/jobs  我之后要为你做的事
/mute  明天之前不主动打扰你；/mute 3小时、/mute off
/held  我没有主动告诉你的事，以及原因
/skills  我会的技能；/skills good 或 bad 告诉我有没有帮助
/approve 编号、/deny 编号  回应请求
/whoami  你在我这里的身份`,
    MUTED: "{until}（{zone}）之前我不会主动打扰你；你要求的提醒照常。/mute off 可以取消。",
    MUTE_ENDED: "我又可以主动告诉你事情了。",
    MUTE_UNKNOWN: "没有静音：{text} 不是时间。请写 /mute、/mute 3小时、/mute 2天（最多 30 天）或 /mute off。",
    HELD: "留到以后再说（{zone}）：",
    DROPPED: "没有说：",
    HELD_NONE: "没有什么瞒着你的。",
    HELD_MORE: "还有 {count} 条",
    HELD_DIRECT: "这个请在私聊里问我。",
    MEMORY: `我在这里记住了 {entries} 条，MEMORY.md 有 {facts} 行，每日记录 {days} 天；已归档 {archived} 条。
用 /memory 词语 可以查找。`,
    MEMORY_NONE: "这里没有记住类似的内容。",
    UNKNOWN: "没有 /{name} 这个命令，/help 可以看到全部命令。如果想当作普通消息发送，请在前面加一个词。",
    NOT_YET: "/{name}：这个版本里还没有可显示的内容。",
    TOO_MANY: "一分钟内的命令太多了，请稍等一会儿。",
    OWNER: "没有变化。/owner 验证码 只在还没有主人时有效：在频道的私聊里发送 `wakeful serve` 打印的验证码。",
    OWNERS_ONLY: "在这里只有我的主人可以使用 /{name}。",
    DAMAGED: "需要的数据读不出来，详见日志。",
    BEGAN_ANEW: "从这里开始新的对话。之前的内容会保留，但我不再读取。",
    QUEUE_IS: "工作时收到的消息：{mode}。用 /queue 模式 更改：{modes}、default。",
    QUEUE_SET: "从现在起，工作时收到的消息：{mode}。",
    QUEUE_UNKNOWN: "没有 {mode} 这个模式。请写 /queue 加上 {modes} 或 default。",
    MODEL_IS: "这个对话的模型：{model}。用 /model 名称 更改：{models}、default。",
    MODEL_SET: "从现在起，这个对话先用 {model}。",
    MODEL_UNKNOWN: "没有 {model} 这个模型。请写 /model 加上 {models} 或 default。",
    MODEL_NEAREST: "没有 {model} 这个模型，你是说 {nearest} 吗？请写 /model 加上 {models} 或 default。",
    STOPPED: "已停止。/retry 可以重新提问。",
    NOTHING_RUNS: "这里没有正在进行的工作。",
    NOTHING_TO_RETRY: "这里没有可以重新回答的内容。",
    STILL_WORKING: "我还在处理。/stop 可以停下。",
    WHOAMI: "你是 {user}。角色：{roles}。当前对话：{session}。",
    STATUS: `模型：{model}
对话：约 {tokens}/{window} 个 token，{turns} 轮{summary}
队列：{mode}，{waiting} 条等待，{state}`,
    STATUS_JOBS: "任务：{count} 个",
    STATUS_JOBS_NEXT: "任务：{count} 个，下一个 {next}",
    JOBS: `{lines}
想暂停、恢复或删除某一个，直接告诉我就行。`,
    JOBS_NONE: "你在这里没有任务。告诉我做什么、什么时候做，例如：每个工作日早上九点提醒我活动一下。",
    JOBS_MORE: "还有 {count} 个",
    JOB_NEXT: "{name}：{next}",
    JOB_PAUSED: "{name}：已暂停",
    JOB_BROKEN: "{name}：执行失败，已停止",
    USED: "今天所有对话共用：{used} 个 token",
    SUMMARY: "，另有之前 {turns} 轮的摘要",
    WORKING: "工作中",
    RESTING: "空闲",
  },
});
