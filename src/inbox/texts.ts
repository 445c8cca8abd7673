import { createTexts } from "../session/index.ts";

/** Texts for people about their messages, requests and rights. Chinese if the person wrote Chinese, else English. */
export const inboxText = createTexts({
  en: {
    QUEUE_FULL: "Too many messages are waiting here, so I did not accept this one. Please send it again later.",
    NOT_LET_IN: "This assistant does not know you. Ask its owner to let you in.",
    APPROVED: "Approved ({code}): {tool} runs once.",
    APPROVED_ALWAYS:
      "Approved ({code}): {tool} runs, and no longer needs approval for this. `wakeful approvals rules` revokes it.",
    WAITS_FOR_TOOL:
      "This program does not have that tool: the call runs when a program that has it starts, within {hours} hours. Until then /deny {code} revokes the approval.",
    DENIED: "Denied ({code}): {tool} does not run.",
    NOT_RUN: "The call you approved ({code}) did not run: {tool} for {user}. {reason}",
    HOW_TO_ANSWER: "Not answered: write /approve {code}, /approve {code} always, or /deny {code} and a reason.",
    NEEDS_CODE:
      "This needs a code: /approve CODE runs a call once, /approve CODE always also approves it from now on, /deny CODE with a reason denies it.",
    OPEN_CODES: "Open: {codes}.",
    NONE_OPEN: "There is no open request that you may answer.",
    NO_SUCH_REQUEST: "There is no request for approval {code}.",
    MAY_NOT_ANSWER: "Only the owner who was asked may answer the request {code}.",
    ANSWERED_BEFORE: "The request {code} was already answered.",
    PROGRAM_MAY_NOT_ANSWER:
      "Not answered: messages through /mcp come from a program, but a person has to answer. The owner can answer on the page, in the terminal (`wakeful approvals`, `wakeful access`), in a chat, or over the HTTP API.",
    REQUEST_TOO_OLD: "The request {code} is no longer valid. Ask again if it is still needed.",
    MAY_ASK:
      "This assistant does not know you yet. Its owner can let you in with this code: {code} (valid for an hour).",
    ASKS: "A person asks to write to this assistant. Names can be faked; the id is reliable:",
    HOW_TO_LET_IN: "/approve {code} lets them in, /deny {code} does not.",
    LET_IN: "You are let in. Please send your message again.",
    LET_SOMEBODY_IN: "Let in ({code}): {user} may write now. `wakeful access` can revoke this.",
    NOT_LET_SOMEBODY_IN: "Not let in ({code}): {user} cannot ask again for 24 hours.",
    NOW_OWNER: "You are the owner of this assistant now.",
    WRONG_OWNER_CODE: "That is not the owner code, or it has expired.",
    BUTTON_USED: "That was already answered.",
    LESS: "I will say less of this.",
    BUTTON_OVER: "This button is no longer valid.",
    YES: "Let in",
    NO: "Deny",
  },
  zh: {
    QUEUE_FULL: "这里等待的消息太多了，这一条没有收下。请稍后再发。",
    NOT_LET_IN: "这个助手还不认识你。请让它的主人把你加进来。",
    APPROVED: "已批准（{code}）：{tool} 执行一次。",
    APPROVED_ALWAYS: "已批准（{code}）：{tool} 开始执行，以后同样的操作不再询问。可用 `wakeful approvals rules` 撤回。",
    WAITS_FOR_TOOL:
      "这个程序里没有该工具：{hours} 小时内有该工具的程序启动后才会执行，在那之前可用 /deny {code} 撤回。",
    DENIED: "已拒绝（{code}）：{tool} 不会执行。",
    NOT_RUN: "你批准的操作（{code}）没有执行：{user} 的 {tool}。{reason}",
    HOW_TO_ANSWER: "没有回应：请写 /approve {code}、/approve {code} always，或 /deny {code} 加上理由。",
    NEEDS_CODE: "需要编号：/approve 编号 执行一次，/approve 编号 always 以后也执行，/deny 编号 加上理由则不执行。",
    OPEN_CODES: "待回应：{codes}。",
    NONE_OPEN: "没有你可以回应的请求。",
    NO_SUCH_REQUEST: "没有编号为 {code} 的审批请求。",
    MAY_NOT_ANSWER: "只有被询问的主人可以回应审批请求 {code}。",
    ANSWERED_BEFORE: "审批请求 {code} 之前已经有人回应了。",
    PROGRAM_MAY_NOT_ANSWER:
      "没有回应：通过 /mcp 来的内容出自程序，必须由人来回应。主人可以在网页、终端（`wakeful approvals`、`wakeful access`）、聊天里或通过 HTTP API 回应。",
    REQUEST_TOO_OLD: "审批请求 {code} 已失效。如果还需要，请重新提出。",
    MAY_ASK: "这个助手还不认识你。它的主人可以用这个验证码让你加入：{code}（一小时内有效）。",
    ASKS: "有人想和这个助手对话。名字可以随便取，id 才可信：",
    HOW_TO_LET_IN: "/approve {code} 让对方加入，/deny {code} 拒绝。",
    LESS: "这类消息我会少发。",
    LET_IN: "你已加入。请把刚才的消息再发一次。",
    LET_SOMEBODY_IN: "已加入（{code}）：{user} 现在可以对话了。可用 `wakeful access` 撤回。",
    NOT_LET_SOMEBODY_IN: "已拒绝（{code}）：{user} 24 小时内不能再次请求。",
    NOW_OWNER: "你现在是这个助手的主人了。",
    WRONG_OWNER_CODE: "主人验证码不对，或者已经过期。",
    BUTTON_USED: "之前已经回应过了。",
    BUTTON_OVER: "这个按钮已失效。",
    YES: "允许",
    NO: "拒绝",
  },
});
