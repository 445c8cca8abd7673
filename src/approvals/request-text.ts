import { describeCall, visible } from "../call-text.ts";
import type { ApprovalRecord } from "./records.ts";

type Shown = Pick<ApprovalRecord, "tool" | "input" | "boundTo" | "code" | "caller">;

const TEXTS = {
  en: {
    title: "Approval {code}: {tool} wants to run for {user}",
    how: "/approve {code}  (or: /approve {code} always, /deny {code} reason)",
    notice: "Approval {code}: the owner was asked before {tool} runs.",
    buttons: ["Approve once", "Always", "Deny"],
    ends: {
      once: "✓ Approved once by {by}.",
      always: "✓ Approved by {by}, now and from now on.",
      deny: "✗ Denied by {by}.",
      none: "Not answered in time, or no longer valid.",
    },
  },
  zh: {
    title: "审批 {code}：{user} 要运行 {tool}",
    how: "/approve {code}（或：/approve {code} always，/deny {code} 理由）",
    notice: "审批 {code}：运行 {tool} 之前已询问主人。",
    buttons: ["批准一次", "总是批准", "拒绝"],
    ends: {
      once: "✓ 已由 {by} 批准一次。",
      always: "✓ 已由 {by} 批准，以后不再询问。",
      deny: "✗ 已由 {by} 拒绝。",
      none: "未及时答复，或已失效。",
    },
  },
} as const;

/**
 * The complete request for the owner, never cut, with all invisible characters written out. The text is Markdown; the
 * arguments are in a code block that they cannot close.
 */
export function requestText(record: Shown): string {
  const { title, how } = textsFor(record);
  const body = describeCall(record);
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return [fill(title, record), `${fence}\n${body}\n${fence}`, fill(how, record)].join("\n");
}

/** The text for other people: only that a call waits. */
export function noticeText(record: Shown): string {
  return fill(textsFor(record).notice, record);
}

/** The text below a request that was answered or can no longer be. */
export function endText(record: Shown & Pick<ApprovalRecord, "answer">): string {
  const { ends } = textsFor(record);
  const { answer } = record;
  return ends[answer?.answer ?? "none"].replaceAll("{by}", () => visible(answer?.by ?? ""));
}

/** Each button stands for a text that could be typed instead. */
export function buttonsFor(record: Shown): readonly { readonly id: string; readonly label: string }[] {
  const [once, always, deny] = textsFor(record).buttons;
  return [
    { id: `/approve ${record.code}`, label: once },
    { id: `/approve ${record.code} always`, label: always },
    { id: `/deny ${record.code}`, label: deny },
  ];
}

function textsFor({ caller }: Shown) {
  return TEXTS[caller.language ?? "en"];
}

function fill(text: string, { code, tool, caller }: Shown): string {
  return text
    .replaceAll("{code}", code)
    .replaceAll("{tool}", () => visible(tool))
    .replaceAll("{user}", () => visible(caller.user));
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
