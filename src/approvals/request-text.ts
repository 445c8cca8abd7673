import { describeCall, visible } from "../call-text.ts";
import type { ApprovalRecord } from "./records.ts";

/**
 * What the owner reads before they answer: all of it, never cut, with everything that could hide something written out.
 * The text is Markdown; the arguments stand in a code block that they cannot close.
 */
export function requestText(record: Pick<ApprovalRecord, "tool" | "input" | "boundTo" | "code" | "caller">): string {
  const { tool, code, caller } = record;
  const body = describeCall(record);
  const fence = "`".repeat(Math.max(3, longestRun(body) + 1));
  return [
    `Approval ${code}: ${visible(tool)} wants to run for ${visible(caller.user)}`,
    `${fence}\n${body}\n${fence}`,
    `/approve ${code}  (or: /approve ${code} always, /deny ${code} reason)`,
  ].join("\n");
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
