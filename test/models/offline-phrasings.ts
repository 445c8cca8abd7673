import { expect } from "vitest";

/** What people say, and what the offline model makes of it: a tool call, or a part of its answer. */
export type Expected = readonly [toolName: string, input: Readonly<Record<string, unknown>>] | string;
type Rows = readonly (readonly [said: string, expected: Expected])[];

const list = (path?: string): Expected => ["list_files", path === undefined ? {} : { path }];
const read = (path: string): Expected => ["file_read", { path }];
const write = (path: string, content: string): Expected => ["file_write", { path, content }];
const edit = (path: string, old_text: string, new_text: string): Expected => [
  "file_edit",
  { path, old_text, new_text },
];
const run = (command: string): Expected => ["bash", { command }];
const send = (text: string, to?: string): Expected => ["message", to === undefined ? { text } : { text, to }];
const clock = (timezone?: string): Expected => ["time", timezone === undefined ? {} : { timezone }];

const keep = (content: string): Expected => ["memory_write", { content }];
const look = (query: string): Expected => ["memory_recall", { query }];
const all: Expected = ["memory_recall", { days: 3660, limit: 20 }];
const drop = (query: string): Expected => ["memory_forget", { query }];

const goal = (objective: string, cadence?: string): Expected => [
  "okr_write",
  { objective, ...(cadence !== undefined && { review_cadence: cadence }) },
];
const okrRead: Expected = ["okr_read", {}];

const plan = (schedule: string, task: string): Expected => ["scheduler_create", { schedule, task }];
const jobs: Expected = ["scheduler_list", {}];

const artifacts: Expected = ["artifact_list", {}];
const keepAs = (name: string, content: string): Expected => ["artifact_write", { name, content }];
const steps = (...titles: readonly string[]): Expected => ["plan", { steps: titles }];
const seePlan: Expected = ["plan", {}];
const onPeer = (action: string, more: Readonly<Record<string, unknown>> = {}): Expected => [
  "acp_context",
  { action, scope: "peer", aid: "main", ...more },
];
const noted = (content: string) => onPeer("append_memory", { content });
const onWeb = (query: string): Expected => ["web_search", { query }];

const onSkills = (input: Readonly<Record<string, unknown>>): Expected => ["skills", input];
const showSkill = (name: string) => onSkills({ action: "show", name });
const searchSkills = (query: string) => onSkills({ action: "search", query });
const findSkills = (query: string): Expected => ["find_skills", { query }];
const install = (slug: string): Expected => ["install_skill", { slug }];
const helped = (helpful: boolean, name?: string) =>
  onSkills(name === undefined ? { action: "feedback", helpful } : { action: "feedback", helpful, name });
const runWorkflow = (name: string, inputs?: Readonly<Record<string, unknown>>): Expected => [
  "workflow_run",
  inputs === undefined ? { name } : { name, inputs },
];
const reportOf = (days: number) => runWorkflow("weekly-report", { days });
const workflowRuns: Expected = ["workflow_status", {}];
const each = (expected: Expected, ...said: readonly string[]): Rows => said.map((text) => [text, expected]);

/** By the name of the intent. */
export const phrasings: Readonly<Record<string, { readonly en: Rows; readonly zh: Rows }>> = {
  "use-skill": {
    en: [
      ["use skill news", showSkill("news")],
      ["use the skill deep-research to compare two phones", showSkill("deep-research")],
      ["Please follow the weekly-review skill", showSkill("weekly-review")],
      ["run the meeting-notes skill on this text", showSkill("meeting-notes")],
      ["with the skill news, tell me about Oslo", showSkill("news")],
    ],
    zh: [
      ["用技能 news", showSkill("news")],
      ["使用技能 deep-research 来比较两部手机", showSkill("deep-research")],
      ["用 weekly-review 这个技能", showSkill("weekly-review")],
      ["用 meeting-notes 技能处理这段文字", showSkill("meeting-notes")],
      ["按照技能news做", showSkill("news")],
    ],
  },
  "show-skill": {
    en: [
      ["show skill news", showSkill("news")],
      ["Show me the skill news", showSkill("news")],
      ["read the weekly-review skill", showSkill("weekly-review")],
      ["what does the skill news do?", showSkill("news")],
      ["what does the news skill say?", showSkill("news")],
    ],
    zh: [
      ["看看技能 news", showSkill("news")],
      ["查看技能news", showSkill("news")],
      ["介绍一下 weekly-review 这个技能", showSkill("weekly-review")],
      ["技能 news 是做什么的？", showSkill("news")],
      ["news 技能有什么用？", showSkill("news")],
    ],
  },
  "search-skills": {
    en: [
      ["search your skills for weather", searchSkills("weather")],
      ["do you have a skill for weather reports?", searchSkills("weather reports")],
      ["have you got any skills about cooking?", searchSkills("cooking")],
      ["which skill is best for cooking?", searchSkills("cooking")],
      ["which of your skills are about cooking?", searchSkills("cooking")],
    ],
    zh: [
      ["在你的技能里找天气", searchSkills("天气")],
      ["你有没有关于做饭的技能？", searchSkills("做饭")],
      ["哪个技能适合做饭？", searchSkills("做饭")],
      ["你有做饭的技能", searchSkills("做饭")],
      ["有没有用来写周报的技能？", searchSkills("写周报")],
    ],
  },
  skills: {
    en: each(
      onSkills({ action: "list" }),
      "which skills do you have?",
      "list your skills",
      "Show me all skills, please",
      "what are your skills?",
      "are there any skills?",
    ),
    zh: each(
      onSkills({ action: "list" }),
      "看看你的技能",
      "你有哪些技能？",
      "列出技能",
      "技能列表",
      "你会什么技能？",
      "你的技能有哪些？",
    ),
  },
  "find-skills": {
    en: [
      ["find a skill for weather reports", findSkills("weather reports")],
      ["look for a skill to track parcels", findSkills("track parcels")],
      ["search the registry for cooking", findSkills("cooking")],
      ["which skills can I install for cooking?", findSkills("cooking")],
      ["find cooking skills", findSkills("cooking")],
    ],
    zh: [
      ["找一个天气预报的技能", findSkills("天气预报")],
      ["搜索用来查快递的技能", findSkills("查快递")],
      ["在技能库里找做饭", findSkills("做饭")],
      ["找个技能来做饭", findSkills("做饭")],
      ["查找关于做饭的技能", findSkills("做饭")],
    ],
  },
  "install-skill": {
    en: [
      ["install skill weather", install("weather")],
      ["install the skill ann/weather", install("ann/weather")],
      ["install the weather skill, please", install("weather")],
      ["download the skill weather", install("weather")],
      ["install weather as a skill", install("weather")],
    ],
    zh: [
      ["安装技能 weather", install("weather")],
      ["安装 weather 这个技能", install("weather")],
      ["把技能weather装上", install("weather")],
      ["从技能库安装 ann/weather", install("ann/weather")],
      ["装一下技能weather", install("weather")],
    ],
  },
  "skill-helped": {
    en: [
      ["that helped", helped(true)],
      ["That skill helped!", helped(true)],
      ["the skill news was helpful", helped(true, "news")],
      ["the weekly-review skill helped a lot", helped(true, "weekly-review")],
      ["that was a useful skill", helped(true)],
    ],
    zh: [
      ["这个技能有帮助", helped(true)],
      ["刚才的技能很有用", helped(true)],
      ["技能 news 很好用", helped(true, "news")],
      ["这很有帮助", helped(true)],
      ["帮上忙了", helped(true)],
    ],
  },
  "skill-did-not-help": {
    en: [
      ["that did not help", helped(false)],
      ["That skill did not help.", helped(false)],
      ["this skill was useless", helped(false)],
      ["the skill news didn't help", helped(false, "news")],
      ["the weekly-review skill was no help at all", helped(false, "weekly-review")],
    ],
    zh: [
      ["这个技能没有帮助", helped(false)],
      ["那个技能没用", helped(false)],
      ["技能 news 没帮上忙", helped(false, "news")],
      ["这没有帮助", helped(false)],
      ["没帮上忙", helped(false)],
    ],
  },
  "accept-skill": {
    en: [
      ["yes, make it a skill", onSkills({ action: "accept" })],
      ["make that a skill", onSkills({ action: "accept" })],
      ["OK, please turn this into a skill", onSkills({ action: "accept" })],
      ["keep it as a skill", onSkills({ action: "accept" })],
      ["yes, keep the suggestion page-to-note", onSkills({ action: "accept", name: "page-to-note" })],
    ],
    zh: [
      ...each(onSkills({ action: "accept" }), "好，做成技能", "把它做成技能", "可以，保存为技能吧", "接受这个技能建议"),
      ["接受建议 page-to-note", onSkills({ action: "accept", name: "page-to-note" })],
    ],
  },
  "decline-skill": {
    en: [
      ["no, not as a skill", onSkills({ action: "decline" })],
      ["don't make it a skill", onSkills({ action: "decline" })],
      ["no, I don't need a skill for that", onSkills({ action: "decline" })],
      ["decline the suggestion", onSkills({ action: "decline" })],
      ["drop the suggestion page-to-note", onSkills({ action: "decline", name: "page-to-note" })],
    ],
    zh: [
      ...each(
        onSkills({ action: "decline" }),
        "不用做成技能",
        "不，别做成技能",
        "不要把它做成技能",
        "忽略这个技能建议",
      ),
      ["拒绝建议 page-to-note", onSkills({ action: "decline", name: "page-to-note" })],
    ],
  },
  remind: {
    en: [
      ["remind me in 20 minutes to drink water", plan("in 20 minutes", "drink water")],
      ["Could you remind me to stretch every 2 hours?", plan("every 2 hours", "stretch")],
      ["set a reminder every weekday at 9 of the standup", plan("every weekday at 9", "the standup")],
      ["schedule an appointment on Fridays at 3pm to clean up", plan("on Fridays at 3pm", "clean up")],
      ["give me a reminder tomorrow at 10 to call Ada", plan("tomorrow at 10", "call Ada")],
      ["every weekday at 9 remind me to stretch", plan("every weekday at 9", "stretch")],
      ["Tomorrow at 8, please remind me to call Bo", plan("Tomorrow at 8", "call Bo")],
      ["In 20 minutes remind me to drink water.", plan("In 20 minutes", "drink water")],
      ["I want to be reminded every evening to lock up", plan("every evening", "lock up")],
    ],
    zh: [
      ["20分钟后提醒我喝水", plan("20分钟后", "喝水")],
      ["提醒我每天早上九点吃药", plan("每天早上九点", "吃药")],
      ["请每周一上午十点提醒我写周报", plan("每周一上午十点", "写周报")],
      ["设个提醒：明天下午三点开会", plan("明天下午三点", "开会")],
      ["安排一个提醒，每月15号上午十点交房租", plan("每月15号上午十点", "交房租")],
    ],
  },
  jobs: {
    en: [
      "what are my reminders?",
      "when is my next reminder?",
      "list my reminders",
      "show me all my jobs",
      "which reminders do I have?",
      "what's scheduled?",
    ].map((said) => [said, jobs] as const),
    zh: ["我有哪些提醒？", "查看提醒", "列出我的任务", "提醒列表", "我的提醒有哪些"].map(
      (said) => [said, jobs] as const,
    ),
  },
  "delete-job": {
    en: [
      "delete the reminder standup",
      "cancel my standup reminder",
      "don't remind me of the standup",
      "stop reminding me about the standup",
      "I don't need the reminder about the standup",
      "delete all my reminders",
      "delete all reminders",
      "cancel every appointment",
    ].map((said) => [said, jobs] as const),
    zh: [
      "删除提醒站会",
      "取消站会的提醒",
      "不要再提醒我站会",
      "不要再提醒我站会了",
      "不用提醒我站会",
      "把提醒站会删掉",
      "删除我所有的提醒",
      "把我的全部提醒都删掉",
      "清空提醒",
    ].map((said) => [said, jobs] as const),
  },
  alarm: {
    en: [
      ["set a timer for 10 minutes", plan("in 10 minutes", "the time is up")],
      ["set a 10-minute timer", plan("in 10 minutes", "the time is up")],
      ["start a timer for an hour", plan("in an hour", "the time is up")],
      ["set an alarm for 7am tomorrow", plan("at 7am tomorrow", "the alarm that you set")],
      ["make an alarm for noon", plan("at noon", "the alarm that you set")],
      ["wake me up tomorrow at 7am", plan("tomorrow at 7am", "wake up")],
      ["I want to be woken up at noon", plan("at noon", "wake up")],
      ["I need a timer for 5 minutes", plan("in 5 minutes", "the time is up")],
      ["ping me in an hour", plan("in an hour", "the time is up")],
      ["nudge me tomorrow at 3pm to call Ada", plan("tomorrow at 3pm", "call Ada")],
    ],
    zh: [
      ["定一个十分钟的闹钟", plan("十分钟后", "闹钟响了")],
      ["十分钟后叫我", plan("十分钟后", "时间到了")],
      ["十分钟后叫我关火", plan("十分钟后", "关火")],
      ["过十分钟叫我", plan("十分钟后", "时间到了")],
      ["设个20分钟的计时器", plan("20分钟后", "时间到了")],
      ["设置闹钟：明天早上七点", plan("明天早上七点", "闹钟响了")],
      ["定个闹钟，每天早上七点", plan("每天早上七点", "闹钟响了")],
      ["明天早上七点叫我起床", plan("明天早上七点", "起床")],
      ["闹钟定在明天早上六点", plan("明天早上六点", "闹钟响了")],
      ["倒计时五分钟", plan("五分钟后", "时间到了")],
    ],
  },
  "pause-job": {
    en: [
      "pause the reminder standup",
      "resume the reminder standup",
      "disable my standup reminder",
      "enable the standup reminder",
      "put the reminder standup on hold",
    ].map((said) => [said, jobs] as const),
    zh: ["暂停提醒站会", "恢复提醒站会", "暂停站会的提醒", "继续站会的提醒", "把任务站会暂停"].map(
      (said) => [said, jobs] as const,
    ),
  },
  time: {
    en: [
      ["What time is it?", clock()],
      ["what's the time", clock()],
      ["what’s the current time?", clock()],
      ["Could you tell me the time please", clock()],
      ["do you know the time?", clock()],
      ["what time is it in Tokyo", clock("Asia/Tokyo")],
      ["What time is it now in New York?", clock("America/New_York")],
      ["current time in São Paulo", clock("America/Sao_Paulo")],
      ["what is the local time in Europe/Oslo?", clock("Europe/Oslo")],
      ["hi, what time is it in the UK", clock("Europe/London")],
      ["what time is it in Atlantis?", "time zone of “Atlantis”"],
    ],
    zh: [
      ["现在几点", clock()],
      ["几点了？", clock()],
      ["请问现在是什么时间", clock()],
      ["报时", clock()],
      ["现在几点钟了", clock()],
      ["东京现在几点", clock("Asia/Tokyo")],
      ["现在纽约几点？", clock("America/New_York")],
      ["伦敦几点了", clock("Europe/London")],
      ["告诉我巴黎的时间", clock("Europe/Paris")],
      ["北京时间", clock("Asia/Shanghai")],
    ],
  },
  date: {
    en: [
      ["what day is it today?", clock()],
      ["What's the date", clock()],
      ["what is today's date?", clock()],
      ["which day of the week is it", clock()],
      ["tell me the date", clock()],
    ],
    zh: [
      ["今天几号", clock()],
      ["今天星期几？", clock()],
      ["今天是几月几号", clock()],
      ["今天的日期", clock()],
      ["今天周几", clock()],
    ],
  },
  "run-command": {
    en: [
      ["run ls -l", run("ls -l")],
      ["Run the command ls -la docs", run("ls -la docs")],
      ["please execute wc -l notes.txt", run("wc -l notes.txt")],
      ["run this command: sort a.txt | uniq -c", run("sort a.txt | uniq -c")],
      ["Could you run `find . -name '*.md'`?", run("find . -name '*.md'")],
      ["in the shell, run echo hi > a.txt", run("echo hi > a.txt")],
      ["run date in the terminal", run("date")],
      ["use bash to run cat a.txt", run("cat a.txt")],
      ["bash: grep -c x a.txt", run("grep -c x a.txt")],
      ["$ ls", run("ls")],
    ],
    zh: [
      ["运行 ls -l", run("ls -l")],
      ["执行命令：ls -la docs", run("ls -la docs")],
      ["请执行 wc -l notes.txt", run("wc -l notes.txt")],
      ["跑一下 date", run("date")],
      ["帮我运行命令 sort a.txt | uniq -c", run("sort a.txt | uniq -c")],
      ["在终端里运行 echo hi > a.txt", run("echo hi > a.txt")],
      ["用bash执行 cat a.txt", run("cat a.txt")],
      ["命令：grep -c x a.txt", run("grep -c x a.txt")],
      ["把 `ls` 执行一下", run("ls")],
    ],
  },
  "list-files": {
    en: [
      ["list files", list()],
      ["Show me all the files", list()],
      ["what files are there?", list()],
      ["ls", list()],
      ["which files do you have", list()],
      ["list files in docs", list("docs")],
      ["list the files in the docs/plans folder.", list("docs/plans")],
      ["what is in the folder notes?", list("notes")],
      ["please list the directory src", list("src")],
      ["ls ./notes", list("./notes")],
    ],
    zh: [
      ["列出文件", list()],
      ["有哪些文件？", list()],
      ["看看文件", list()],
      ["帮我列出所有文件", list()],
      ["工作区里有什么", list()],
      ["列出 docs 里的文件", list("docs")],
      ["列出docs目录", list("docs")],
      ["notes 目录里有什么文件", list("notes")],
      ["docs下有哪些文件？", list("docs")],
    ],
  },
  "read-file": {
    en: [
      ["read notes.txt", read("notes.txt")],
      ["Please read the file notes.txt.", read("notes.txt")],
      ["show me docs/plan.md", read("docs/plan.md")],
      ["what's in notes.txt?", read("notes.txt")],
      ["cat README", read("README")],
      ["open file todo", read("todo")],
      ["what does notes.txt say?", read("notes.txt")],
      ['read "my notes.txt"', read("my notes.txt")],
      ["could you show me the contents of notes.txt please", read("notes.txt")],
      ["read lines 3 to 5 of notes.txt", ["file_read", { path: "notes.txt", offset: 3, limit: 3 }]],
      ["show me notes.txt from line 10", ["file_read", { path: "notes.txt", offset: 10 }]],
      ["read a file", ["clarify", { question: "Which file shall I read?" }]],
    ],
    zh: [
      ["读取notes.txt", read("notes.txt")],
      ["读一下 notes.txt", read("notes.txt")],
      ["请打开文件 todo", read("todo")],
      ["看看 docs/plan.md 的内容", read("docs/plan.md")],
      ["notes.txt 里写了什么？", read("notes.txt")],
      ["把 notes.txt 读给我听", read("notes.txt")],
      ["帮我读一下笔记.txt", read("笔记.txt")],
      ["读《会议 记录.md》", read("会议 记录.md")],
      ["读 notes.txt 第3到5行", ["file_read", { path: "notes.txt", offset: 3, limit: 3 }]],
      ["读文件", ["clarify", { question: "读哪个文件？" }]],
    ],
  },
  "write-file": {
    en: [
      ["write hello to notes.txt", write("notes.txt", "hello")],
      ["Write 'Hello, World!' to notes.txt", write("notes.txt", "Hello, World!")],
      ["save to be or not to be to notes.txt", write("notes.txt", "to be or not to be")],
      ["put buy milk into the file todo", write("todo", "buy milk")],
      ["create a file called a.txt with the content one two", write("a.txt", "one two")],
      ["write to notes.txt: first line\nsecond line", write("notes.txt", "first line\nsecond line")],
      ["could you please write 你好 to notes.txt for me?", write("notes.txt", "你好")],
      ["create notes.txt containing: a, b and c", write("notes.txt", "a, b and c")],
      ["write a file", ["clarify", { question: "Which file shall I write? Give me its name." }]],
      ["write to notes.txt", ["clarify", { question: "What shall I write to notes.txt?" }]],
    ],
    zh: [
      ["把你好写入notes.txt", write("notes.txt", "你好")],
      ["把“买牛奶”写到 todo.txt 里", write("todo.txt", "买牛奶")],
      ["请把今天很好保存到文件日记", write("日记", "今天很好")],
      ["在 notes.txt 里写：第一行\n第二行", write("notes.txt", "第一行\n第二行")],
      ["新建文件 a.txt，内容是一二三", write("a.txt", "一二三")],
      ["写你好到 notes.txt", write("notes.txt", "你好")],
      ["写入notes.txt：再见", write("notes.txt", "再见")],
      ["写一个文件", ["clarify", { question: "写到哪个文件？请给出文件名。" }]],
      ["新建 a.txt", ["clarify", { question: "要在 a.txt 里写什么？" }]],
    ],
  },
  "edit-file": {
    en: [
      ["replace a with b in notes.txt", edit("notes.txt", "a", "b")],
      ['replace "this with that" with "one in two" in notes.txt', edit("notes.txt", "this with that", "one in two")],
      ["change cat to dog in docs/pets.md", edit("docs/pets.md", "cat", "dog")],
      ["in notes.txt, replace red by blue", edit("notes.txt", "red", "blue")],
      ["edit notes.txt: change red to blue", edit("notes.txt", "red", "blue")],
      ["please substitute x by y in the file a.txt", edit("a.txt", "x", "y")],
      ["edit notes.txt", ["clarify", { question: "Which text in notes.txt shall I replace?" }]],
      ["edit a file", ["clarify", { question: "Which file shall I edit?" }]],
    ],
    zh: [
      ["把 notes.txt 里的 a 改成 b", edit("notes.txt", "a", "b")],
      ["把notes.txt里的苹果换成香蕉", edit("notes.txt", "苹果", "香蕉")],
      ["请把文件 a.txt 中的“红”替换为“蓝”", edit("a.txt", "红", "蓝")],
      ["在 notes.txt 里把旧改成新", edit("notes.txt", "旧", "新")],
      ["修改 notes.txt，把旧改成新", edit("notes.txt", "旧", "新")],
      ["用新替换 notes.txt 里的旧", edit("notes.txt", "旧", "新")],
      ["修改文件", ["clarify", { question: "改哪个文件？" }]],
    ],
  },
  "count-file": {
    en: [
      ["how many lines are in notes.txt?", read("notes.txt")],
      ["How many words does notes.txt have?", read("notes.txt")],
      ["count the words in notes.txt", read("notes.txt")],
      ["number of characters in notes.txt", read("notes.txt")],
      ["how long is notes.txt", read("notes.txt")],
    ],
    zh: [
      ["notes.txt 有多少行？", read("notes.txt")],
      ["notes.txt里一共有几行", read("notes.txt")],
      ["数一下 notes.txt 的行数", read("notes.txt")],
      ["notes.txt 的字数是多少", read("notes.txt")],
      ["notes.txt 有多长", read("notes.txt")],
    ],
  },
  message: {
    en: [
      ["send a message saying dinner is ready", send("dinner is ready")],
      ["Send the message: I'll be late!", send("I'll be late!")],
      ["send me a message that says hello", send("hello")],
      ["send a message to telegram:42 saying hello to all", send("hello to all", "telegram:42")],
      ["send telegram:42 a message saying hi", send("hi", "telegram:42")],
      ["could you send a message with the text good luck", send("good luck")],
      ["send a message", ["clarify", { question: "What shall the message say?" }]],
    ],
    zh: [
      ["发消息说晚饭好了", send("晚饭好了")],
      ["发一条消息：我晚点到！", send("我晚点到！")],
      ["帮我发个消息说你好", send("你好")],
      ["给telegram:42发消息说你好", send("你好", "telegram:42")],
      ["发消息给 telegram:42：你好", send("你好", "telegram:42")],
      ["给我发消息说该走了", send("该走了")],
      ["发消息", ["clarify", { question: "消息里要写什么？" }]],
    ],
  },
  greeting: {
    en: ["hi", "Hello!", "hey there", "Good morning.", "how are you?", "hello, how are you"].map((said) => [
      said,
      "Hello!",
    ]),
    zh: ["你好", "您好！", "早上好", "嗨", "在吗？", "哈喽"].map((said) => [said, "你好！"]),
  },
  help: {
    en: ["help", "What can you do?", "what can I ask you", "how does this work?", "show me your abilities"].map(
      (said) => [said, "- repeat your words: “say hello world”"],
    ),
    zh: ["帮助", "你能做什么？", "你会什么", "你有什么功能", "怎么用", "说说你能做什么"].map((said) => [
      said,
      "- 重复你的话：“说：你好，世界”",
    ]),
  },
  about: {
    en: [
      "who are you?",
      "Are you a real model?",
      "are you an AI",
      "what model are you",
      "introduce yourself",
      "what's your name?",
    ].map((said) => [said, "I am not a real language model"]),
    zh: ["你是谁", "你是真的模型吗？", "你是机器人吗", "你用的是什么模型", "介绍一下你自己", "你叫什么名字"].map(
      (said) => [said, "我不是真正的语言模型"],
    ),
  },
  quiet: {
    en: [
      "don't disturb me",
      "Stop notifying me today",
      "be quiet for a while",
      "please leave me alone",
      "mute your notifications",
      "no more notifications tonight",
    ].map((said) => [
      said,
      "Write /mute and I say nothing unasked until tomorrow; /mute 3h for three hours, /mute off ends it. What you asked for still comes.",
    ]),
    zh: ["别打扰我", "今天别通知我了", "安静一会儿", "静音到明天", "今晚别发通知了", "让我安静一下", "把通知关掉"].map(
      (said) => [said, "写 /mute，到明天之前我不主动打扰你；也可以写 /mute 3小时 或 /mute off。你要求的提醒照常。"],
    ),
  },
  held: {
    en: [
      "what did you hold back?",
      "What did you not tell me?",
      "what didn't you tell me today?",
      "what are you holding back from me?",
      "are you holding anything back?",
      "show me the held notifications",
    ].map((said) => [said, "Write /held and you see what I did not tell you unasked, when I will, and why."]),
    zh: [
      "你有什么没告诉我？",
      "有什么事你没告诉我",
      "你还有哪些消息没通知我？",
      "你瞒着我什么",
      "看看被推迟的通知",
    ].map((said) => [said, "写 /held，就能看到我没有主动告诉你的事、什么时候会说，以及原因。"]),
  },
  thanks: {
    en: ["thanks", "Thank you very much!", "many thanks", "great, thanks", "well done"].map((said) => [
      said,
      "You are welcome!",
    ]),
    zh: ["谢谢", "谢谢你！", "多谢", "辛苦了", "非常感谢", "太好了，谢谢"].map((said) => [said, "不客气！"]),
  },
  goodbye: {
    en: ["bye", "Goodbye!", "see you later", "good night", "talk to you tomorrow"].map((said) => [said, "Goodbye!"]),
    zh: ["再见", "拜拜", "明天见", "晚安", "我要睡了"].map((said) => [said, "再见！"]),
  },
  cancel: {
    en: ["never mind", "cancel that", "Forget it.", "stop", "no thanks"].map((said) => [
      said,
      "All right, I leave it.",
    ]),
    zh: ["算了", "取消", "不用了", "停止", "当我没说"].map((said) => [said, "好的，那就不做了。"]),
  },
  echo: {
    en: [
      ["say hello world", "hello world"],
      ["Say: It works!", "It works!"],
      ["repeat after me: I am here", "I am here"],
      ["echo one two", "one two"],
      ["please say 'so long, and thanks'", "so long, and thanks"],
    ],
    zh: [
      ["说：你好，世界", "你好，世界"],
      ["说一句我来了！", "我来了！"],
      ["跟我说：早睡早起", "早睡早起"],
      ["重复一遍：一二三", "一二三"],
      ["请说“谢谢你的帮助”", "谢谢你的帮助"],
    ],
  },
  introduction: {
    en: [
      "my name is Ada",
      "My name's Ada.",
      "My name is actually Ada.",
      "call me Ada",
      "I am Ada",
      "I'm called Ada",
      "Hi, my name is Ada and I like trains",
    ].map((said) => [said, "Hello, Ada!"]),
    zh: ["我叫小明", "我的名字是小明。", "你可以叫我小明", "我名叫小明", "叫我小明吧", "你好，我叫小明，今年五岁"].map(
      (said) => [said, "你好，小明！"],
    ),
  },
  "own-name": {
    en: ["what is my name?", "What's my name", "who am I?", "do you remember my name", "tell me my name"].map(
      (said) => [said, "You have not told me your name"],
    ),
    zh: ["我叫什么名字？", "我叫什么", "我是谁", "你还记得我的名字吗", "我的名字是什么"].map((said) => [
      said,
      "你还没说过你的名字",
    ]),
  },
  "said-about": {
    en: [
      "what did I say about trains?",
      "what have I told you about trains",
      "did I mention trains?",
      "find what I said about trains",
      "have I talked about trains",
    ].map((said) => [said, "You have not mentioned “trains”"]),
    zh: [
      "关于火车我说过什么？",
      "我说过什么关于火车的话",
      "我提到过火车吗",
      "我说过火车没有",
      "查找我说过的关于火车",
    ].map((said) => [said, "你没有提到“火车”"]),
  },
  recap: {
    en: [
      "what did we talk about?",
      "recap",
      "summarize our conversation",
      "what have I said so far?",
      "show me my messages",
    ].map((said) => [said, "This is the first message that I see."]),
    zh: ["我们聊了什么？", "总结一下", "回顾一下这段对话", "我一共说了些什么", "列出聊天记录"].map((said) => [
      said,
      "这是我看得到的第一条消息。",
    ]),
  },
  "last-words": {
    en: [
      "what did I just say?",
      "What did I say before",
      "what was my last message?",
      "repeat what I just said",
      "do you remember what I said",
    ].map((said) => [said, "This is the first message that I see."]),
    zh: ["我刚才说了什么", "我刚刚说什么？", "我的上一条消息是什么", "你记得我刚才说了什么吗", "我上一句说了什么"].map(
      (said) => [said, "这是我看得到的第一条消息。"],
    ),
  },
  "my-last-words": {
    en: [
      "what did you just say?",
      "say that again",
      "repeat that please",
      "what was your last answer",
      "come again?",
    ].map((said) => [said, "I have not said anything"]),
    zh: ["你刚才说了什么", "再说一遍", "你上一句话是什么", "没听清", "重复一下你刚才说的话"].map((said) => [
      said,
      "我还没说过话",
    ]),
  },
  goal: {
    en: [
      ["My goal is to run a marathon", goal("run a marathon")],
      ["My goal is to read 12 books this year, review it every month", goal("read 12 books this year", "monthly")],
      [
        "my goal is to sleep early and review it with me every Friday at 4pm.",
        goal("sleep early", "every Friday at 4pm"),
      ],
      ["my goal is to review it all twice", goal("review it all twice")],
      ["my new goal is: twelve books", goal("twelve books")],
      ["add a goal: read more", goal("read more")],
      ["set a goal to read 20 books", goal("read 20 books")],
      ["I want to make it my goal to sleep early", goal("sleep early")],
      ["one of my goals is to learn Chinese", goal("learn Chinese")],
    ],
    zh: [
      ["我的目标是跑马拉松", goal("跑马拉松")],
      ["我的目标是今年读十二本书，每周回顾一次", goal("今年读十二本书", "每周")],
      ["我有一个新目标：早睡", goal("早睡")],
      ["添加目标：多读书", goal("多读书")],
      ["帮我记一下目标：学游泳", goal("学游泳")],
      ["把写论文设为我的目标", goal("写论文")],
    ],
  },
  goals: {
    en: [
      ["How are my goals?", okrRead],
      ["how far am I with my goals", okrRead],
      ["what are my goals?", okrRead],
      ["list my goals", okrRead],
      ["do I have any goals?", okrRead],
      ["how am I doing on my goals?", okrRead],
      ["list my objectives", okrRead],
    ],
    zh: [
      ["我的目标怎么样？", okrRead],
      ["我的目标有哪些", okrRead],
      // A question is no goal.
      ["我的目标是什么？", okrRead],
      ["目标清单", okrRead],
      ["列出目标", okrRead],
      ["我有什么目标？", okrRead],
      ["查看我的目标", okrRead],
      ["我的目标进展如何？", okrRead],
    ],
  },
  "delete-goal": {
    en: [
      ["delete my goal to run a marathon", okrRead],
      ["remove the goal marathon", okrRead],
      ["forget my goal to read more", okrRead],
      ["drop the marathon goal", okrRead],
      ["cancel my goal: learn Chinese", okrRead],
      ["remove the marathon from my goals", okrRead],
      ["I gave up my goal to read more", okrRead],
      ["running a marathon is no longer my goal", okrRead],
    ],
    zh: [
      ["删除目标跑马拉松", okrRead],
      ["把跑马拉松的目标删掉", okrRead],
      ["取消跑马拉松这个目标", okrRead],
      ["放弃我的目标：学中文", okrRead],
      ["把目标学中文删掉", okrRead],
      ["把跑马拉松从目标里去掉", okrRead],
    ],
  },
  remember: {
    en: [
      ["Remember that I prefer oat milk", keep("I prefer oat milk")],
      ["please remember: the code is 4711", keep("the code is 4711")],
      ["Keep in mind that Bob is allergic to nuts", keep("Bob is allergic to nuts")],
      ["don't forget that the rent is due on Friday", keep("the rent is due on Friday")],
      ["make a note that the key is under the mat", keep("the key is under the mat")],
      ["save this to your memory: my sister lives in Oslo", keep("my sister lives in Oslo")],
    ],
    zh: [
      ["记住我喜欢喝茶", keep("我喜欢喝茶")],
      ["请记住：门的密码是4711", keep("门的密码是4711")],
      ["别忘了周五要交房租", keep("周五要交房租")],
      ["帮我记一下，姐姐住在奥斯陆", keep("姐姐住在奥斯陆")],
      ["把我对花生过敏记下来", keep("我对花生过敏")],
      ["牢记我不吃辣", keep("我不吃辣")],
    ],
  },
  "about-me": {
    en: each(
      ["memory_recall", { query: expect.stringContaining("allergic") as string, limit: 20 }],
      "what do you know about me?",
      "What do you remember about me so far?",
      "tell me everything you know about me",
      "do you know anything about me?",
      "what have you learned about me",
    ),
    zh: each(
      ["memory_recall", { query: expect.stringContaining("过敏") as string, limit: 20 }],
      "关于我你知道些什么？",
      "你对我了解多少？",
      "你记得哪些关于我的事",
      "说说你知道的关于我的事",
      "你知道我什么",
    ),
  },
  "own-life": {
    en: [
      "am I allergic to anything?",
      "who is my dentist?",
      "where do I keep my spare key?",
      "when is mum's birthday?",
      "what's my sister's name?",
      "do you know where I live?",
      "how old is my dog?",
      "which medicine do I take",
      "does my brother eat meat?",
    ].map((said) => [said, look(said)]),
    zh: [
      "我妹妹叫什么？",
      "我对什么过敏？",
      "我住在哪里？",
      "谁是我的牙医？",
      "妈妈的生日是哪天？",
      "我喜不喜欢咖啡",
      "我对花生过敏吗？",
      "我几点开会",
      "你知道我的备用钥匙放在哪儿吗？",
    ].map((said) => [said, look(said)]),
  },
  recall: {
    en: [
      ["What do you know about oat milk?", look("oat milk")],
      ["what do you remember about my sister", look("my sister")],
      ["do you remember anything about the rent?", look("the rent")],
      ["search your memory for the door code", look("the door code")],
      ["what is in your memory about Bob", look("Bob")],
    ],
    zh: [
      ["关于茶你记得什么？", look("茶")],
      ["你知道哪些关于姐姐的事", look("姐姐")],
      ["你对房租记得什么", look("房租")],
      ["在你的记忆里查一下门的密码", look("门的密码")],
      ["回忆一下花生过敏", look("花生过敏")],
    ],
  },
  forget: {
    en: [
      ["forget that I prefer oat milk", drop("I prefer oat milk")],
      ["Please forget about the rent", drop("the rent")],
      ["you can forget the door code", drop("the door code")],
      ["delete my sister's address from your memory", drop("my sister's address")],
      ["erase your memory of Bob", drop("Bob")],
      ["stop remembering that I like tea", drop("I like tea")],
    ],
    zh: [
      ["忘掉我喜欢喝茶", drop("我喜欢喝茶")],
      ["请忘记房租", drop("房租")],
      ["把门的密码忘掉", drop("门的密码")],
      ["删除关于姐姐的记忆", drop("姐姐")],
      ["不要再记住花生过敏", drop("花生过敏")],
      ["忘了关于鲍勃", drop("鲍勃")],
    ],
  },
  "forget-me": {
    en: [
      ["forget everything you know about me", all],
      ["Please forget everything about me", all],
      ["forget all about me", all],
      ["you can forget what you know about me", all],
      ["delete everything you know about me", all],
      ["erase everything about me from your memory", all],
      ["forget me", all],
    ],
    zh: [
      ["忘掉关于我的一切", all],
      ["请忘掉我的一切", all],
      ["删除关于我的所有信息", all],
      ["把我的一切都忘掉", all],
      ["忘了我", all],
    ],
  },
  "keep-artifact": {
    en: [
      ["keep an artifact called poem.txt with the text roses are red", keepAs("poem.txt", "roses are red")],
      ["Please make a new artifact named menu: soup, fish and ice cream", keepAs("menu", "soup, fish and ice cream")],
      ["save roses are red as an artifact called poem.txt", keepAs("poem.txt", "roses are red")],
      ["save the text one, two, three in the artifact numbers.txt", keepAs("numbers.txt", "one, two, three")],
      ["could you put call the plumber into the artifact todo.md?", keepAs("todo.md", "call the plumber")],
      ["save this as an artifact called draft.md: Dear Ada,\nthank you.", keepAs("draft.md", "Dear Ada,\nthank you.")],
    ],
    zh: [
      ["新建文稿 诗.txt，内容是床前明月光", keepAs("诗.txt", "床前明月光")],
      ["把床前明月光存成文稿诗.txt", keepAs("诗.txt", "床前明月光")],
      ["请写一份叫菜单的文稿，内容是汤、鱼和冰淇淋", keepAs("菜单", "汤、鱼和冰淇淋")],
      ["保存文稿 周报.md：第一行\n第二行", keepAs("周报.md", "第一行\n第二行")],
      ["帮我在文稿待办.md里写上给水管工打电话", keepAs("待办.md", "给水管工打电话")],
    ],
  },
  "read-artifact": {
    en: [
      "read the artifact poem.txt",
      "show me the artifact called poem.txt",
      "What's in the artifact poem.txt?",
      "what does the artifact poem.txt say?",
      "show me the contents of the artifact poem.txt, please",
      "let me see the artifact poem.txt",
    ].map((said) => [said, artifacts] as const),
    zh: [
      "读一下文稿诗.txt",
      "打开文稿 诗.txt",
      "文稿诗.txt里写了什么？",
      "文稿 诗.txt 的内容是什么",
      "把文稿诗.txt读给我听",
      "让我看看文稿诗.txt",
    ].map((said) => [said, artifacts] as const),
  },
  artifacts: {
    en: [
      "list artifacts",
      "Show me all the artifacts",
      "which artifacts do we have?",
      "what artifacts did you keep?",
      "are there any artifacts?",
      "how many artifacts are there",
      "give me a list of the artifacts",
    ].map((said) => [said, artifacts] as const),
    zh: ["列出文稿", "有哪些文稿？", "看看所有的文稿", "文稿清单", "这个对话里有哪些文稿", "你存了哪些文稿？"].map(
      (said) => [said, artifacts] as const,
    ),
  },
  report: {
    en: [
      ["write a report of the last 7 days", reportOf(7)],
      ["Please make me a report on the past 30 days", reportOf(30)],
      ["prepare a short report about the last week", reportOf(7)],
      ["sum up the last 3 days", reportOf(3)],
      ["write me a 14 day report", reportOf(14)],
      ["write a report of the last 5 days for my boss", reportOf(5)],
    ],
    zh: [
      ["写一份最近7天的报告", reportOf(7)],
      ["写一份最近一周的周报", reportOf(7)],
      ["总结一下最近三天", reportOf(3)],
      ["写一份十天的总结", reportOf(10)],
      ["做一个过去14天的总结", reportOf(14)],
    ],
  },
  "run-workflow": {
    en: [
      ["run the workflow weekly-report", runWorkflow("weekly-report")],
      ["Could you run weekly-report, please?", runWorkflow("weekly-report")],
      ["run my weekly report", runWorkflow("weekly-report")],
      ["start the tea-time workflow", runWorkflow("tea-time")],
      ["run weekly-report with days=14", runWorkflow("weekly-report", { days: 14 })],
      [
        "launch the workflow tea-time with kind: green tea, cups=-2.5",
        runWorkflow("tea-time", { kind: "green tea", cups: -2.5 }),
      ],
      ["run the workflow tea-time with much love", "Write its inputs as days=14, topic=tea."],
    ],
    zh: [
      ["运行工作流 weekly-report", runWorkflow("weekly-report")],
      ["请运行 weekly-report", runWorkflow("weekly-report")],
      ["启动工作流：喝茶", runWorkflow("喝茶")],
      ["运行 tea-time 这个工作流", runWorkflow("tea-time")],
      ["运行工作流 weekly-report，参数 days=14", runWorkflow("weekly-report", { days: 14 })],
      ["运行工作流 weekly-report，使用两周", "请这样写输入：days=14，topic=茶。"],
    ],
  },
  "workflow-status": {
    en: each(
      workflowRuns,
      "how far is the workflow?",
      "How is the workflow going?",
      "how is the workflow weekly-report coming along",
      "how far is the weekly-report workflow?",
      "what's the status of my workflow?",
      "is the workflow done yet?",
    ),
    zh: each(
      workflowRuns,
      "工作流进行得怎么样",
      "工作流怎么样了？",
      "工作流 weekly-report 进行得怎么样了？",
      "工作流到哪一步了？",
      "看看工作流的进度",
      "工作流做完了吗？",
    ),
  },
  "make-plan": {
    en: [
      ["make a plan: buy flour, bake, eat", steps("buy flour", "bake", "eat")],
      [
        "Please set up a new plan with the steps pack, lock the door, and leave",
        steps("pack", "lock the door", "leave"),
      ],
      [
        "our plan is: look at the data; write the report; send it",
        steps("look at the data", "write the report", "send it"),
      ],
      ["plan these steps: measure, then cut, then glue", steps("measure", "cut", "glue")],
      ["here are the steps of the plan: sow, water, harvest", steps("sow", "water", "harvest")],
      ["plan: find the bug and then mend it", steps("find the bug", "mend it")],
      ["make a plan:\n1. wake up\n2. get up", steps("wake up", "get up")],
      ["make a plan", ["clarify", { question: "Which steps? Put commas between them." }]],
    ],
    zh: [
      ["制定计划：买面粉、烤、吃", steps("买面粉", "烤", "吃")],
      ["请帮我做一个计划，收拾行李，锁门，最后出发", steps("收拾行李", "锁门", "出发")],
      ["我们的计划是：看数据；写报告；发出去", steps("看数据", "写报告", "发出去")],
      ["计划分成这几步：量尺寸，然后切，然后粘", steps("量尺寸", "切", "粘")],
      ["步骤如下：播种、浇水、收割", steps("播种", "浇水", "收割")],
      ["做个计划", ["clarify", { question: "计划有哪几步？请用逗号隔开。" }]],
    ],
  },
  plan: {
    en: [
      "show me the plan",
      "What's our plan?",
      "what are the steps of the plan?",
      "how far are we with the plan?",
      "do we have a plan?",
      "what is left to do on our plan",
    ].map((said) => [said, seePlan] as const),
    zh: [
      "看看计划",
      "显示我们的计划",
      "计划进行得怎么样了？",
      "计划有哪些步骤",
      "有没有计划？",
      "计划还剩哪几步没做？",
      "做到第几步了",
    ].map((said) => [said, seePlan] as const),
  },
  "check-step": {
    en: [
      "step 1 is done",
      "mark step 2 as done",
      "step number 2 is finished",
      "Please check off step three",
      "tick step 3 off",
      "I've finished step 4!",
      "we're done with step two",
      "the first step is done",
    ].map((said) => [said, seePlan] as const),
    zh: [
      "第一步做完了",
      "第2步已经完成了！",
      "勾掉第三步",
      "我做完了第二步",
      "请把第1步标为完成",
      "计划的第四步搞定了",
      "第五步算完成",
    ].map((said) => [said, seePlan] as const),
  },
  "drop-plan": {
    en: [
      "drop the plan",
      "forget our plan",
      "get rid of the plan, please",
      "throw the plan away",
      "we don't need the plan any more",
      "the plan is cancelled",
    ].map((said) => [said, steps()] as const),
    zh: ["取消计划", "放弃这个计划吧", "计划作废了", "把计划删掉", "我们不需要这个计划了", "不按计划来了"].map(
      (said) => [said, steps()] as const,
    ),
  },
  "note-person": {
    en: [
      ["put in your notes about me that I work nights", noted("I work nights")],
      ["Please add to your notes about me: I play the cello", noted("I play the cello")],
      ["write it in your notes on me, I hate mornings", noted("I hate mornings")],
      ["could you put I have two cats into your notes about me?", noted("I have two cats")],
      ["add a note about me: I am left-handed", noted("I am left-handed")],
      ["make a note about me saying I prefer short answers", noted("I prefer short answers")],
    ],
    zh: [
      ["在关于我的笔记里写上我上夜班", noted("我上夜班")],
      ["请把我会拉大提琴写进你关于我的笔记里", noted("我会拉大提琴")],
      ["关于我的笔记里加一条：我讨厌早起", noted("我讨厌早起")],
      ["给你关于我的笔记加上：我有两只猫", noted("我有两只猫")],
      ["帮我加一条关于我的笔记：我是左撇子", noted("我是左撇子")],
    ],
  },
  "person-notes": {
    en: [
      "show me your notes about me",
      "What's in your notes on me?",
      "what did you note down about me?",
      "do you have any notes about me?",
      "what have you written about me?",
      "read me the notes about me",
    ].map((said) => [said, onPeer("read_peer_memory")] as const),
    zh: [
      "看看你关于我的笔记",
      "你关于我的笔记里写了什么？",
      "你有哪些关于我的笔记",
      "有没有关于我的笔记？",
      "关于我，你记了些什么？",
    ].map((said) => [said, onPeer("read_peer_memory")] as const),
  },
  search: {
    en: [
      ["search the web for tide tables", onWeb("tide tables")],
      ["Can you look online for memory prices?", onWeb("memory prices")],
      ["web search: best bread in Oslo", onWeb("best bread in Oslo")],
      ["google how tall is the Eiffel Tower?", onWeb("how tall is the Eiffel Tower")],
      ["please look up the opening hours of the zoo on the internet", onWeb("the opening hours of the zoo")],
      ["what does the internet say about sourdough?", onWeb("sourdough")],
      ["search for train timetables", onWeb("train timetables")],
      ["search the web", ["clarify", { question: "What shall I search for?" }]],
    ],
    zh: [
      ["上网搜一下潮汐表", onWeb("潮汐表")],
      ["请在网上查一下内存价格", onWeb("内存价格")],
      ["在互联网上搜索奥斯陆最好的面包", onWeb("奥斯陆最好的面包")],
      ["用百度搜一下埃菲尔铁塔有多高？", onWeb("埃菲尔铁塔有多高")],
      ["网上有没有关于酸面包的资料？", onWeb("酸面包")],
      ["搜索火车时刻表", onWeb("火车时刻表")],
      ["上网搜一下", ["clarify", { question: "搜索什么？" }]],
    ],
  },
};
