/** The page's texts in one language. `script` holds those for the browser's script. */
export interface PageTexts {
  readonly language: "en" | "zh";
  readonly skip: string;
  readonly needsScript: string;
  readonly signIn: string;
  readonly token: string;
  readonly tokenHint: string;
  readonly noToken: string;
  readonly wrongToken: string;
  readonly throttled: string;
  readonly metricsToken: string;
  readonly signOut: string;
  readonly newConversation: string;
  readonly conversation: string;
  readonly conversations: string;
  readonly older: string;
  readonly welcome: string;
  readonly message: string;
  readonly placeholder: string;
  readonly send: string;
  readonly stop: string;
  readonly hint: string;
  readonly memory: string;
  readonly close: string;
  readonly memoryWhose: string;
  readonly memorySearch: string;
  readonly memoryFind: string;
  readonly memoryArchive: string;
  readonly memoryFiles: string;
  readonly attention: string;
  readonly attentionMute: string;
  readonly attentionMuteHours: string;
  readonly attentionMuteTomorrow: string;
  readonly attentionUnmute: string;
  readonly attentionHeld: string;
  readonly attentionTypes: string;
  readonly attentionDecided: string;
  readonly jobs: string;
  readonly workflows: string;
  readonly workflowsRuns: string;
  readonly workflowsToRun: string;
  readonly skills: string;
  readonly skillsSuggested: string;
  readonly skillsRegistry: string;
  readonly skillsSearch: string;
  readonly metrics: string;
  readonly told: string;
  readonly toldNone: string;
  readonly toldSystem: string;
  readonly script: ScriptTexts;
}

/** Texts for the browser's script, passed as JSON. */
export interface ScriptTexts {
  readonly you: string;
  readonly told: string;
  readonly toldNow: string;
  readonly toldAway: string;
  readonly answerCounts: string;
  readonly assistant: string;
  readonly note: string;
  readonly working: string;
  readonly answered: string;
  readonly stopping: string;
  readonly silent: string;
  readonly toolRunning: string;
  readonly toolDone: string;
  readonly toolFailed: string;
  readonly input: string;
  readonly output: string;
  readonly error: string;
  readonly approval: string;
  readonly toolWaits: string;
  readonly approvalAsked: string;
  readonly approvalFor: string;
  readonly approveOnce: string;
  readonly approveAlways: string;
  readonly alwaysHint: string;
  readonly deny: string;
  readonly denyReason: string;
  readonly approvalRuns: string;
  readonly approvalDone: string;
  readonly approvalFailed: string;
  readonly approvalDenied: string;
  readonly approvalWaits: string;
  readonly approvalGone: string;
  readonly offline: string;
  readonly notReached: string;
  readonly notLoaded: string;
  readonly tryAgain: string;
  readonly started: string;
  readonly untitled: string;
  readonly download: string;
  readonly remove: string;
  readonly removeAsk: string;
  readonly removeHint: string;
  readonly removed: string;
  readonly notRemoved: string;
  readonly cancel: string;
  readonly edit: string;
  readonly save: string;
  readonly notSaved: string;
  /** `{s}`: the plural ending. */
  readonly summaryTurns: string;
  readonly summaryEdited: string;
  readonly summaryText: string;
  readonly summaryEmpty: string;
  readonly summaryNewer: string;
  readonly reset: string;
  readonly unreachable: string;
  /** `{name}`: the name of the new item, which already exists. */
  readonly nameTaken: string;
  /** Refusals by error code. If a code has no text here, the server's own text is shown, which is English. */
  readonly problems: Readonly<Record<string, string>>;
  readonly memoryNothing: string;
  readonly memoryFound: string;
  readonly memoryMore: string;
  readonly memoryType: string;
  readonly memoryKeywords: string;
  readonly memoryWhy: string;
  readonly memoryScore: string;
  readonly memoryLongTerm: string;
  readonly memoryDaily: string;
  readonly memoryEntry: string;
  readonly memoryInArchive: string;
  readonly memoryKeyword: string;
  readonly memorySemantic: string;
  readonly memoryNeighbours: string;
  readonly memoryProximity: string;
  readonly memoryFeedback: string;
  readonly memoryArchive: string;
  readonly memoryRestore: string;
  readonly memoryArchived: string;
  readonly memoryRestored: string;
  readonly memoryRemoved: string;
  readonly removeSure: string;
  readonly memoryText: string;
  readonly memorySaved: string;
  readonly memoryEmpty: string;
  readonly memoryOwn: string;
  readonly attentionNotMuted: string;
  /** `{time}`: the end of the mute. */
  readonly attentionMutedUntil: string;
  readonly attentionMuted: string;
  readonly attentionUnmuted: string;
  readonly attentionNoneHeld: string;
  readonly attentionNoneDecided: string;
  readonly attentionSent: string;
  readonly attentionHeldOne: string;
  readonly attentionDigest: string;
  readonly attentionDropped: string;
  /** `{time}`: the end of the hold; `{left}`: the time left until then. */
  readonly attentionUntil: string;
  readonly attentionLess: string;
  readonly attentionAsBefore: string;
  /** `{count}`: the number of times. */
  readonly attentionTimes: string;
  /** `{type}`: the type. */
  readonly attentionLessSaid: string;
  readonly attentionMoreSaid: string;
  readonly ruleChannelDisabled: string;
  readonly ruleExpired: string;
  readonly ruleAsked: string;
  readonly ruleMuted: string;
  readonly ruleQuietHours: string;
  readonly ruleThreshold: string;
  readonly ruleDuplicate: string;
  readonly ruleDailyCap: string;
  readonly ruleMinInterval: string;
  readonly ruleOk: string;
  readonly ruleTooMany: string;
  readonly jobOf: string;
  readonly jobsNone: string;
  readonly jobActive: string;
  readonly jobPaused: string;
  readonly jobBroken: string;
  readonly jobDone: string;
  readonly jobLastFailed: string;
  /** `{time}`: the time left. */
  readonly jobIn: string;
  readonly jobDue: string;
  readonly jobWhen: string;
  /** `{time}`: the interval. */
  readonly jobEvery: string;
  readonly jobNext: string;
  readonly jobSource: string;
  readonly jobFixed: string;
  readonly jobRuns: string;
  readonly jobNoRuns: string;
  readonly jobRunNow: string;
  readonly jobStarted: string;
  readonly jobPause: string;
  readonly jobPausedNow: string;
  readonly jobResume: string;
  readonly jobResumedNow: string;
  readonly jobRemoved: string;
  readonly runWaiting: string;
  readonly runRunning: string;
  readonly runSuccess: string;
  readonly runFailed: string;
  readonly runSkipped: string;
  readonly workflowsNone: string;
  readonly workflowsNoRuns: string;
  readonly workflowSteps: string;
  readonly workflowStepCount: string;
  readonly workflowAfter: string;
  readonly workflowOfHost: string;
  readonly workflowOfSkill: string;
  readonly workflowRun: string;
  readonly workflowRuns: string;
  readonly workflowAsJson: string;
  readonly workflowText: string;
  readonly workflowNew: string;
  readonly workflowSaved: string;
  readonly workflowRemoved: string;
  readonly workflowBack: string;
  readonly workflowProgress: string;
  readonly workflowCancelled: string;
  readonly workflowCancel: string;
  readonly workflowCancelSure: string;
  readonly workflowCancelling: string;
  readonly workflowResume: string;
  readonly workflowResumed: string;
  readonly workflowBudgetNew: string;
  readonly workflowRetry: string;
  readonly workflowRetrySure: string;
  readonly workflowRetried: string;
  readonly workflowOpenRun: string;
  readonly workflowPartOf: string;
  readonly workflowEventData: string;
  readonly workflowSendEvent: string;
  readonly workflowEventSent: string;
  readonly workflowArtifact: string;
  readonly workflowState: string;
  readonly workflowAttempt: string;
  readonly stepAttempt: string;
  readonly stepPending: string;
  readonly workflowStarted: string;
  readonly workflowEnded: string;
  readonly workflowUntil: string;
  readonly workflowEvent: string;
  readonly workflowItems: string;
  readonly workflowUsed: string;
  readonly workflowTokens: string;
  readonly workflowSeconds: string;
  readonly workflowCalls: string;
  readonly workflowCost: string;
  readonly skillsNone: string;
  readonly skillWorkspace: string;
  readonly skillGiven: string;
  readonly skillGlobal: string;
  readonly skillBuiltIn: string;
  readonly skillNotOffered: string;
  readonly skillWhyNot: string;
  readonly skillWaits: string;
  readonly skillFrom: string;
  readonly skillComes: string;
  readonly skillByItself: string;
  readonly skillWhenAsked: string;
  readonly skillFor: string;
  readonly skillCame: string;
  readonly skillNever: string;
  /** `{count}`: the number of times. */
  readonly skillTimes: string;
  /** `{said}`: the number of verdicts; `{helpful}`: the number of positive ones. */
  readonly skillHelpfulOf: string;
  readonly skillFiles: string;
  readonly skillText: string;
  readonly skillHelped: string;
  readonly skillNoHelp: string;
  readonly skillThanks: string;
  readonly skillMake: string;
  readonly skillDecline: string;
  /** `{name}`: the skill. */
  readonly skillMade: string;
  readonly skillDeclined: string;
  readonly skillNew: string;
  readonly skillCopy: string;
  readonly skillSaved: string;
  readonly skillRemoved: string;
  readonly skillVerify: string;
  readonly skillVerified: string;
  /** `{files}`: the names of the files. */
  readonly skillDiffers: string;
  readonly skillUpdate: string;
  readonly skillNewest: string;
  readonly skillEnable: string;
  readonly skillEnabled: string;
  /** `{line}`: the line number; `{what}`: the problem. */
  readonly skillLine: string;
  readonly skillSearching: string;
  readonly skillNothingFound: string;
  /** `{registry}` and the `{reason}`. */
  readonly skillNotAsked: string;
  readonly skillInstall: string;
  readonly skillInstalling: string;
  /** `{name}` and `{version}`. */
  readonly skillInstalled: string;
  readonly skillFindings: string;
  readonly skillWaitsFor: string;
  readonly verdictClean: string;
  readonly verdictSuspicious: string;
  readonly verdictMalicious: string;
  readonly verdictUnknown: string;
  readonly metricsSince: string;
  readonly metricsRefresh: string;
  readonly metricsTurns: string;
  readonly metricsByOutcome: string;
  readonly metricsAnswered: string;
  readonly metricsFailed: string;
  readonly metricsStopped: string;
  readonly metricsTimes: string;
  readonly metricsTokensByDay: string;
  readonly metricsRecall: string;
  readonly metricsRecalled: string;
  readonly metricsRecallsADay: string;
  readonly metricsShown: string;
  readonly metricsUsed: string;
  readonly metricsCompaction: string;
  readonly metricsCompactions: string;
  readonly metricsKept: string;
  readonly metricsKnown: string;
  readonly metricsUnasked: string;
  readonly metricsByDecision: string;
  readonly metricsSent: string;
  readonly metricsHeld: string;
  readonly metricsDigest: string;
  readonly metricsDropped: string;
  readonly metricsRead: string;
  readonly metricsByRule: string;
  readonly metricsPatterns: string;
  readonly metricsOutcome: string;
  readonly metricsProactive: string;
  readonly metricsHeldOut: string;
  readonly metricsDifference: string;
  readonly metricsWork: string;
  readonly metricsTools: string;
  readonly metricsRuns: string;
  readonly metricsDenied: string;
  readonly metricsFailing: string;
  readonly metricsHandlers: string;
}

const ENGLISH: PageTexts = {
  language: "en",
  skip: "Skip to the message box",
  needsScript:
    "This page needs JavaScript to chat. You can also reach the assistant over its HTTP API and in the terminal.",
  signIn: "Sign in",
  token: "Access token",
  tokenHint: "The server prints it when it starts, unless you set one (server.token or WAKEFUL_TOKEN).",
  noToken:
    "This server has no access token, so you cannot sign in. Set server.token in the configuration or WAKEFUL_TOKEN in the environment, then restart the server.",
  wrongToken: "That is not a token of this server. Check that no characters are missing, then try again.",
  throttled: "Too many failed attempts. Wait a minute, then try again.",
  metricsToken: "This token can only read metrics. Sign in with the token of an owner or a user.",
  signOut: "Sign out",
  newConversation: "New conversation",
  conversation: "Conversation",
  conversations: "Conversations",
  older: "Older",
  welcome: "Write a message to begin. The conversation is saved on the server, and it is here when you come back.",
  message: "Message",
  placeholder: "Write a message",
  send: "Send",
  stop: "Stop",
  hint: "Enter sends, Shift+Enter starts a new line.",
  memory: "Memory",
  close: "Close",
  memoryWhose: "User",
  memorySearch: "Search memory",
  memoryFind: "Search",
  memoryArchive: "Archive",
  memoryFiles: "Files",
  attention: "Attention",
  attentionMute: "Mute",
  attentionMuteHours: "Mute for 3 hours",
  attentionMuteTomorrow: "Mute until midnight",
  attentionUnmute: "Unmute",
  attentionHeld: "Held",
  attentionTypes: "By type",
  attentionDecided: "Decided",
  jobs: "Jobs",
  workflows: "Workflows",
  workflowsRuns: "Runs",
  workflowsToRun: "Workflows to run",
  metrics: "Metrics",
  skills: "Skills",
  skillsSuggested: "Suggested",
  skillsRegistry: "Install from a registry",
  skillsSearch: "Search the registries",
  told: "Notices",
  toldNone: "You have no new notices.",
  toldSystem: "Also show notices outside this page",
  script: {
    you: "You",
    told: "Notices",
    toldNow: "The assistant says:",
    toldAway: "Dismiss",
    answerCounts: "Your answer was received.",
    assistant: "Assistant",
    note: "Note",
    working: "The assistant is working…",
    answered: "The assistant has answered.",
    stopping: "Stopping…",
    silent: "The assistant chose not to answer.",
    toolRunning: "running",
    toolDone: "done",
    toolFailed: "failed",
    input: "Input",
    output: "Output",
    error: "Error",
    approval: "Waits for the owner's approval, code",
    toolWaits: "waits for approval",
    approvalAsked: "Approval needed",
    approvalFor: "Asked by",
    approveOnce: "Approve once",
    approveAlways: "Always",
    alwaysHint: "Always: calls with exactly these arguments no longer need approval.",
    deny: "Deny",
    denyReason: "Reason, if you deny it",
    approvalRuns: "Your answer is being carried out…",
    approvalDone: "Approved, and done.",
    approvalFailed: "Approved, but it failed.",
    approvalDenied: "Denied. It does not run.",
    approvalWaits:
      "Approved. The call runs when a program that has this tool starts within a day. Until it runs, you can still deny it.",
    approvalGone: "Already answered elsewhere, or expired.",
    offline: "The server cannot be reached. Your message is kept here.",
    notReached: "The server cannot be reached. Check whether the call still waits for approval before you try again.",
    notLoaded: "The conversation could not be loaded.",
    tryAgain: "Try again",
    started: "A new conversation has begun.",
    untitled: "Untitled",
    download: "Download",
    remove: "Delete",
    removeAsk: "Delete this conversation?",
    removeHint: "The conversation and everything in it will be deleted from the server.",
    removed: "The conversation is deleted.",
    notRemoved: "The server cannot be reached. The conversation was not deleted.",
    cancel: "Cancel",
    edit: "Edit",
    save: "Save",
    notSaved: "The server cannot be reached. The summary was not saved.",
    summaryTurns: "older turn{s} as a summary",
    summaryEdited: "edited",
    summaryText: "Summary",
    summaryEmpty: "A summary cannot be empty.",
    summaryNewer: "A newer summary was written in the meantime. Reload the page to see it.",
    reset: "New start: the assistant no longer reads the messages above.",
    unreachable: "The server cannot be reached. Nothing was changed.",
    nameTaken: "The name {name} is taken.",
    problems: {},
    memoryNothing: "No memories found.",
    memoryFound: "shown",
    memoryMore: "Older",
    memoryType: "Kind",
    memoryKeywords: "Keywords",
    memoryWhy: "Why it was found",
    memoryScore: "score",
    memoryLongTerm: "a line of MEMORY.md",
    memoryDaily: "a line of a daily digest",
    memoryEntry: "an entry",
    memoryInArchive: "in the archive",
    memoryKeyword: "words",
    memorySemantic: "meaning",
    memoryNeighbours: "neighbours",
    memoryProximity: "words close together",
    memoryFeedback: "words from other hits",
    memoryArchive: "Archive",
    memoryRestore: "Restore",
    memoryArchived: "The entry is archived.",
    memoryRestored: "The entry is restored.",
    memoryRemoved: "The entry is deleted.",
    removeSure: "Delete permanently?",
    memoryText: "Text",
    memorySaved: "Saved.",
    memoryEmpty: "This file is empty.",
    memoryOwn: "mine",
    attentionNotMuted: "Not muted: messages that matter are sent, except during quiet hours.",
    attentionMutedUntil: "Muted until {time}: unsolicited messages wait.",
    attentionMuted: "Unsolicited messages are muted.",
    attentionUnmuted: "Unsolicited messages are no longer muted.",
    attentionNoneHeld: "No messages are held.",
    attentionNoneDecided: "No unsolicited messages yet.",
    attentionSent: "sent",
    attentionHeldOne: "held",
    attentionDigest: "kept for a digest",
    attentionDropped: "dropped",
    attentionUntil: "until {time} (in {left})",
    attentionLess: "Less of this",
    attentionAsBefore: "As before",
    attentionTimes: "asked for less {count}×",
    attentionLessSaid: "You will get fewer messages of the type {type}.",
    attentionMoreSaid: "You will get as many messages of the type {type} as before.",
    ruleChannelDisabled: "Unsolicited messages are off on this channel.",
    ruleExpired: "It had expired.",
    ruleAsked: "It was asked for, or urgent.",
    ruleMuted: "Unsolicited messages were muted.",
    ruleQuietHours: "It came during quiet hours.",
    ruleThreshold: "It was not important enough.",
    ruleDuplicate: "The same was said within a day.",
    ruleDailyCap: "The daily limit was reached.",
    ruleMinInterval: "It came too soon after another message of its type.",
    ruleOk: "No rule was against it.",
    ruleTooMany: "Too many messages were already held.",
    jobOf: "User",
    jobsNone: "There are no jobs yet. Ask for one in the conversation: “remind me in 20 minutes to drink water”.",
    metricsSince: "Counted since {time}, when the program started.",
    metricsRefresh: "Refresh",
    metricsTurns: "Turns",
    metricsByOutcome: "How turns ended",
    metricsAnswered: "answered",
    metricsFailed: "failed",
    metricsStopped: "stopped",
    metricsTimes: "Half of the turns took less than {half}, and 95% less than {most}.",
    metricsTokensByDay: "Tokens by day",
    metricsRecall: "Memory",
    metricsRecalled: "What was recalled",
    metricsRecallsADay: "recalls a day",
    metricsShown: "memories shown",
    metricsUsed: "of these, used in the reply",
    metricsCompaction: "When conversations became too long",
    metricsCompactions: "summaries",
    metricsKept: "kept in memory",
    metricsKnown: "already known",
    metricsUnasked: "Unsolicited messages",
    metricsByDecision: "By decision",
    metricsSent: "sent",
    metricsHeld: "held",
    metricsDigest: "added to a digest",
    metricsDropped: "dropped",
    metricsRead: "read",
    metricsByRule: "By rule",
    metricsPatterns: "Patterns found · accepted",
    metricsOutcome: "Tasks that succeeded",
    metricsProactive: "with proactive behaviour",
    metricsHeldOut: "without, for comparison",
    metricsDifference: "Difference: {share}",
    metricsWork: "Tools and jobs",
    metricsTools: "Calls of tools",
    metricsRuns: "Runs of jobs, and refused calls",
    metricsDenied: "calls refused by policy",
    metricsFailing: "Failed runs in a row",
    metricsHandlers: "Errors of event handlers",
    jobActive: "active",
    jobPaused: "paused",
    jobBroken: "stopped after a failure",
    jobDone: "done",
    jobLastFailed: "last run failed",
    jobIn: "in {time}",
    jobDue: "due now",
    jobWhen: "When",
    jobEvery: "every {time}",
    jobNext: "Next",
    jobSource: "From",
    jobFixed: "the configuration; change it there",
    jobRuns: "Last runs",
    jobNoRuns: "There are no runs yet.",
    jobRunNow: "Run now",
    jobStarted: "The job is running.",
    jobPause: "Pause",
    jobPausedNow: "The job is paused.",
    jobResume: "Resume",
    jobResumedNow: "The job is active again.",
    jobRemoved: "The job is deleted.",
    runWaiting: "waiting",
    runRunning: "running",
    runSuccess: "done",
    runFailed: "failed",
    runSkipped: "skipped",
    workflowsNone: "There are no workflows yet.",
    workflowsNoRuns: "There are no runs yet.",
    workflowSteps: "Steps",
    workflowStepCount: "{count} step{s}",
    workflowAfter: ", after {steps}",
    workflowOfHost: "from the program",
    workflowOfSkill: "from a skill",
    workflowRun: "Run",
    workflowRuns: "{name} is running.",
    workflowAsJson: 'Enter JSON: a list such as [1, 2], or an object such as {"a": 1}.',
    workflowText: "Definition",
    workflowNew: "Write a workflow",
    workflowSaved: "The workflow is saved.",
    workflowRemoved: "The workflow is deleted.",
    workflowBack: "‹ All workflows",
    workflowProgress: "{done} of {total} step{s}",
    workflowCancelled: "cancelled",
    workflowCancel: "Cancel",
    workflowCancelSure: "End this run?",
    workflowCancelling: "The run is cancelled.",
    workflowResume: "Resume",
    workflowResumed: "The run continues.",
    workflowBudgetNew: "Budget for the resumed run",
    workflowRetry: "Again from here",
    workflowRetrySure: "Run this step and the steps that depend on it again?",
    workflowRetried: "{step} is running again.",
    workflowOpenRun: "Open the run that this step waits for",
    workflowPartOf: "Step of another run",
    workflowEventData: "Data of the event (text or JSON, optional)",
    workflowSendEvent: "Send “{event}”",
    workflowEventSent: "The event is sent.",
    workflowArtifact: "The output is too long to show here. It is stored as the artifact {name}.",
    workflowState: "State",
    workflowAttempt: "Attempt",
    stepAttempt: "attempt {count}",
    stepPending: "not begun",
    workflowStarted: "Began",
    workflowEnded: "Ended",
    workflowUntil: "Waits until",
    workflowEvent: "Waits for the event",
    workflowItems: "Items",
    workflowUsed: "Budget used",
    workflowTokens: "Tokens",
    workflowSeconds: "Seconds at work",
    workflowCalls: "Tool calls",
    workflowCost: "Cost so far",
    skillsNone: "There are no skills yet.",
    skillWorkspace: "workspace",
    skillGiven: "given folder",
    skillGlobal: "your folder",
    skillBuiltIn: "built in",
    skillNotOffered: "not offered",
    skillWhyNot: "Not offered",
    skillWaits: "waits for your consent",
    skillFrom: "From",
    skillComes: "Activated",
    skillByItself: "automatically, when it fits",
    skillWhenAsked: "only on request",
    skillFor: "For",
    skillCame: "Used",
    skillNever: "never",
    skillTimes: "{count}×",
    skillHelpfulOf: "helpful {helpful} of {said}",
    skillFiles: "Files",
    skillText: "Text",
    skillHelped: "It helped",
    skillNoHelp: "It did not help",
    skillThanks: "Your feedback is saved.",
    skillMake: "Make it",
    skillDecline: "Never",
    skillMade: "The skill {name} is created.",
    skillDeclined: "This skill will not be suggested again.",
    skillNew: "New skill",
    skillCopy: "Edit a copy",
    skillSaved: "The skill is saved.",
    skillRemoved: "The skill is deleted.",
    skillVerify: "Verify",
    skillVerified: "unchanged since it was installed",
    skillDiffers: "changed since it was installed: {files}",
    skillUpdate: "Update",
    skillNewest: "already the newest version",
    skillEnable: "Enable",
    skillEnabled: "The skill is enabled.",
    skillLine: "Line {line}: {what}",
    skillSearching: "Searching…",
    skillNothingFound: "No skills found.",
    skillNotAsked: "{registry} could not be searched: {reason}.",
    skillInstall: "Install",
    skillInstalling: "Installing…",
    skillInstalled: "{name} {version} is installed.",
    skillFindings: "Review these findings before you use the skill:",
    skillWaitsFor: "The skill is not offered until you enable it in the list.",
    verdictClean: "The registry calls it clean.",
    verdictSuspicious: "The registry calls it suspicious.",
    verdictMalicious: "The registry calls it malicious.",
    verdictUnknown: "The registry has not checked it.",
  },
};

const CHINESE: PageTexts = {
  language: "zh",
  skip: "跳到输入框",
  needsScript: "聊天需要启用 JavaScript。也可以通过 HTTP 接口或终端与同一个助手对话。",
  signIn: "登录",
  token: "访问令牌",
  tokenHint: "服务器启动时会显示令牌，除非已经设置（server.token 或 WAKEFUL_TOKEN）。",
  noToken:
    "服务器没有设置访问令牌，因此无法登录。请在配置中设置 server.token，或设置环境变量 WAKEFUL_TOKEN，然后重新启动。",
  wrongToken: "令牌不正确。请检查是否缺少字符，然后重试。",
  throttled: "失败次数过多。请等待一分钟再试。",
  metricsToken: "该令牌只能读取指标。请使用所有者或用户的令牌登录。",
  signOut: "退出",
  newConversation: "新对话",
  conversation: "对话",
  conversations: "对话列表",
  older: "更早的",
  welcome: "说点什么开始吧。对话保存在服务器上，下次回来时仍在这里。",
  message: "消息",
  placeholder: "输入消息",
  send: "发送",
  stop: "停止",
  hint: "按 Enter 发送，按 Shift+Enter 换行。",
  memory: "记忆",
  close: "关闭",
  memoryWhose: "属于",
  memorySearch: "搜索记住的内容",
  memoryFind: "搜索",
  memoryArchive: "归档",
  memoryFiles: "文件",
  attention: "打扰",
  attentionMute: "静音",
  attentionMuteHours: "静音 3 小时",
  attentionMuteTomorrow: "静音到午夜",
  attentionUnmute: "取消静音",
  attentionHeld: "暂缓",
  attentionTypes: "按类型",
  attentionDecided: "已决定",
  jobs: "任务",
  workflows: "工作流",
  workflowsRuns: "运行记录",
  workflowsToRun: "可运行的工作流",
  metrics: "指标",
  skills: "技能",
  skillsSuggested: "建议",
  skillsRegistry: "从技能库安装",
  skillsSearch: "搜索技能库",
  told: "通知",
  toldNone: "没有等你看的内容。",
  toldSystem: "在页面之外也显示",
  script: {
    you: "你",
    told: "通知",
    toldNow: "助手说：",
    toldAway: "知道了",
    answerCounts: "已收到你的回答。",
    assistant: "助手",
    note: "备注",
    working: "助手正在处理…",
    answered: "助手已回复。",
    stopping: "正在停止…",
    silent: "助手选择不回复。",
    toolRunning: "运行中",
    toolDone: "完成",
    toolFailed: "失败",
    input: "输入",
    output: "输出",
    error: "错误",
    approval: "等待所有者批准，代码",
    toolWaits: "等待批准",
    approvalAsked: "需要批准",
    approvalFor: "请求者",
    approveOnce: "批准一次",
    approveAlways: "始终批准",
    alwaysHint: "始终批准：以后完全相同的参数不再询问。",
    deny: "拒绝",
    denyReason: "拒绝的理由（可选）",
    approvalRuns: "正在按你的回答处理…",
    approvalDone: "已批准，已完成。",
    approvalFailed: "已批准，但执行失败。",
    approvalDenied: "已拒绝，不会执行。",
    approvalWaits: "已批准。一天之内有这个工具的程序启动后才会执行，在那之前可以拒绝。",
    approvalGone: "已在别处回答或已过期。",
    offline: "无法连接服务器。消息仍保留在这里。",
    notReached: "无法连接服务器。请先确认它是否仍在等待，然后再试。",
    notLoaded: "无法加载对话。",
    tryAgain: "重试",
    started: "新对话已开始。",
    untitled: "没有文字",
    download: "下载",
    remove: "删除",
    removeAsk: "删除这个对话？",
    removeHint: "它会连同全部内容从服务器上删除。",
    removed: "对话已删除。",
    notRemoved: "无法连接服务器，对话没有删除。",
    cancel: "取消",
    edit: "编辑",
    save: "保存",
    notSaved: "无法连接服务器，摘要没有保存。",
    summaryTurns: "轮较早的对话已归纳为摘要",
    summaryEdited: "已编辑",
    summaryText: "摘要",
    summaryEmpty: "摘要不能为空。",
    summaryNewer: "已有新摘要，请重新加载。",
    reset: "从这里重新开始：以上内容不再读取。",
    unreachable: "无法连接服务器，没有更改。",
    nameTaken: "名称 {name} 已被使用。",
    problems: {
      CONFLICT: "已经被改动，请重新查看。",
      FORBIDDEN: "没有权限。",
      NOT_FOUND: "没有找到。",
    },
    memoryNothing: "这里没有记住任何内容。",
    memoryFound: "条",
    memoryMore: "更早的",
    memoryType: "类型",
    memoryKeywords: "关键词",
    memoryWhy: "为何找到",
    memoryScore: "得分",
    memoryLongTerm: "MEMORY.md 中的一行",
    memoryDaily: "每日记录中的一行",
    memoryEntry: "一条记忆",
    memoryInArchive: "在归档中",
    memoryKeyword: "词语",
    memorySemantic: "含义",
    memoryNeighbours: "相邻内容",
    memoryProximity: "词语相近",
    memoryFeedback: "其他结果的词语",
    memoryArchive: "归档",
    memoryRestore: "恢复",
    memoryArchived: "已归档。",
    memoryRestored: "已恢复。",
    memoryRemoved: "已删除。",
    removeSure: "确定永久删除？",
    memoryText: "文本",
    memorySaved: "已保存。",
    memoryEmpty: "这里还没有内容。",
    memoryOwn: "我的",
    attentionNotMuted: "未静音：除安静时段外，重要的事会告诉你。",
    attentionMutedUntil: "静音到 {time}：未请求的内容会等待。",
    attentionMuted: "已静音。",
    attentionUnmuted: "已取消静音。",
    attentionNoneHeld: "没有暂缓的内容。",
    attentionNoneDecided: "还没有主动要说的内容。",
    attentionSent: "已说",
    attentionHeldOne: "暂缓",
    attentionDigest: "留待汇总",
    attentionDropped: "已放弃",
    attentionUntil: "到 {time}（{left}后）",
    attentionLess: "少发这类",
    attentionAsBefore: "恢复如前",
    attentionTimes: "已要求减少 {count} 次",
    attentionLessSaid: "以后会少说“{type}”。",
    attentionMoreSaid: "“{type}”恢复如前。",
    ruleChannelDisabled: "这个渠道不主动发消息。",
    ruleExpired: "已经过期。",
    ruleAsked: "应要求而说，或很紧急。",
    ruleMuted: "当时已静音。",
    ruleQuietHours: "当时是安静时段。",
    ruleThreshold: "不够重要。",
    ruleDuplicate: "一天之内说过同样的事。",
    ruleDailyCap: "当天说得够多了。",
    ruleMinInterval: "离上一条同类消息太近。",
    ruleOk: "没有理由不说。",
    ruleTooMany: "等待的内容太多。",
    jobOf: "属于",
    jobsNone: "还没有任务。在对话中说一声就行：“20分钟后提醒我喝水”。",
    metricsSince: "自程序启动（{time}）以来的统计。",
    metricsRefresh: "刷新",
    metricsTurns: "轮次",
    metricsByOutcome: "轮次的结果",
    metricsAnswered: "已回答",
    metricsFailed: "失败",
    metricsStopped: "已停止",
    metricsTimes: "一半的轮次用时少于 {half}，95% 少于 {most}。",
    metricsTokensByDay: "每天的 token 数",
    metricsRecall: "记忆",
    metricsRecalled: "回忆的内容",
    metricsRecallsADay: "每天回忆次数",
    metricsShown: "展示的记忆",
    metricsUsed: "其中回复用到的",
    metricsCompaction: "对话过长时",
    metricsCompactions: "摘要",
    metricsKept: "已存入记忆",
    metricsKnown: "记忆中已有",
    metricsUnasked: "主动发出的消息",
    metricsByDecision: "处理结果",
    metricsSent: "已发送",
    metricsHeld: "暂缓",
    metricsDigest: "并入汇总",
    metricsDropped: "丢弃",
    metricsRead: "已读",
    metricsByRule: "按规则",
    metricsPatterns: "发现的规律 · 被采纳",
    metricsOutcome: "成功的任务",
    metricsProactive: "有主动行为",
    metricsHeldOut: "没有主动行为（对照）",
    metricsDifference: "差异：{share}",
    metricsWork: "工具和任务",
    metricsTools: "工具调用",
    metricsRuns: "任务运行与被拒绝的调用",
    metricsDenied: "被策略拒绝的调用",
    metricsFailing: "连续失败的运行",
    metricsHandlers: "事件处理程序的错误",
    jobActive: "启用",
    jobPaused: "已暂停",
    jobBroken: "失败，已停止",
    jobDone: "已完成",
    jobLastFailed: "上次失败",
    jobIn: "{time}后",
    jobDue: "到时间了",
    jobWhen: "时间",
    jobEvery: "每 {time}",
    jobNext: "接下来",
    jobSource: "来自",
    jobFixed: "配置文件，请在那里修改",
    jobRuns: "最近的运行",
    jobNoRuns: "还没有运行过。",
    jobRunNow: "立即运行",
    jobStarted: "正在运行。",
    jobPause: "暂停",
    jobPausedNow: "已暂停。",
    jobResume: "恢复",
    jobResumedNow: "将按时间继续运行。",
    jobRemoved: "任务已删除。",
    runWaiting: "等待中",
    runRunning: "运行中",
    runSuccess: "完成",
    runFailed: "失败",
    runSkipped: "已跳过",
    workflowsNone: "还没有工作流。",
    workflowsNoRuns: "还没有运行过。",
    workflowSteps: "步骤",
    workflowStepCount: "{count} 个步骤",
    workflowAfter: "，在 {steps} 之后",
    workflowOfHost: "来自程序",
    workflowOfSkill: "来自技能",
    workflowRun: "运行",
    workflowRuns: "{name} 正在运行。",
    workflowAsJson: '用 JSON 填写：列表如 [1, 2]，对象如 {"a": 1}。',
    workflowText: "定义",
    workflowNew: "编写工作流",
    workflowSaved: "工作流已保存。",
    workflowRemoved: "工作流已删除。",
    workflowBack: "‹ 所有工作流",
    workflowProgress: "{total} 步中的 {done} 步",
    workflowCancelled: "已取消",
    workflowCancel: "取消运行",
    workflowCancelSure: "结束这次运行？",
    workflowCancelling: "已取消。",
    workflowResume: "继续",
    workflowResumed: "继续运行。",
    workflowBudgetNew: "继续时的预算",
    workflowRetry: "从这里重做",
    workflowRetrySure: "重做这一步及其后续？",
    workflowRetried: "正在重做 {step}。",
    workflowOpenRun: "打开它等待的运行",
    workflowPartOf: "另一次运行的步骤",
    workflowEventData: "事件附带的内容（文本或 JSON，可以为空）",
    workflowSendEvent: "发送“{event}”",
    workflowEventSent: "事件已发送。",
    workflowArtifact: "输出很长，保存为文稿 {name}。",
    workflowState: "状态",
    workflowAttempt: "尝试次数",
    stepAttempt: "第 {count} 次",
    stepPending: "未开始",
    workflowStarted: "开始",
    workflowEnded: "结束",
    workflowUntil: "等到",
    workflowEvent: "等待事件",
    workflowItems: "项目",
    workflowUsed: "预算使用情况",
    workflowTokens: "token 数",
    workflowSeconds: "工作秒数",
    workflowCalls: "工具调用",
    workflowCost: "目前费用",
    skillsNone: "还没有技能。",
    skillWorkspace: "工作区",
    skillGiven: "指定文件夹",
    skillGlobal: "个人文件夹",
    skillBuiltIn: "内置",
    skillNotOffered: "未启用",
    skillWhyNot: "未启用的原因",
    skillWaits: "等待你的同意",
    skillFrom: "来自",
    skillComes: "何时使用",
    skillByItself: "合适时自动使用",
    skillWhenAsked: "被要求时使用",
    skillFor: "适用于",
    skillCame: "已使用",
    skillNever: "从未",
    skillTimes: "{count} 次",
    skillHelpfulOf: "{said} 次评价中 {helpful} 次有帮助",
    skillFiles: "文件",
    skillText: "文本",
    skillHelped: "有帮助",
    skillNoHelp: "没有帮助",
    skillThanks: "已记下。",
    skillMake: "做成技能",
    skillDecline: "不用了",
    skillMade: "技能 {name} 已建好。",
    skillDeclined: "不再建议。",
    skillNew: "新建技能",
    skillCopy: "编辑副本",
    skillSaved: "技能已保存。",
    skillRemoved: "技能已删除。",
    skillVerify: "校验",
    skillVerified: "与安装时一致",
    skillDiffers: "与安装时不同：{files}",
    skillUpdate: "更新",
    skillNewest: "已经是最新版本",
    skillEnable: "启用",
    skillEnabled: "已启用。",
    skillLine: "第 {line} 行：{what}",
    skillSearching: "正在搜索…",
    skillNothingFound: "没有找到这样的技能。",
    skillNotAsked: "无法查询 {registry}：{reason}。",
    skillInstall: "安装",
    skillInstalling: "正在安装…",
    skillInstalled: "{name} {version} 已安装。",
    skillFindings: "使用前请查看：",
    skillWaitsFor: "在列表中启用之后才会使用。",
    verdictClean: "技能库认为它没有问题。",
    verdictSuspicious: "技能库认为它可疑。",
    verdictMalicious: "技能库认为它是恶意的。",
    verdictUnknown: "技能库还没有检查过它。",
  },
};

/**
 * Returns the texts in the language that `Accept-Language` prefers; English if it names neither.
 * Source: RFC 9110, section 12.5.4.
 */
export function textsFor(acceptLanguage: string | null): PageTexts {
  let best = { texts: ENGLISH, quality: 0 };
  for (const range of (acceptLanguage ?? "").split(",")) {
    const [tag = "", ...parameters] = range.trim().toLowerCase().split(";");
    const texts = /^zh(-|$)/.test(tag.trim()) ? CHINESE : /^en(-|$)/.test(tag.trim()) ? ENGLISH : undefined;
    const given = parameters.find((parameter) => parameter.trim().startsWith("q="));
    const quality = given === undefined ? 1 : Number(given.trim().slice(2)) || 0;
    if (texts && quality > best.quality) best = { texts, quality };
  }
  return best.texts;
}
