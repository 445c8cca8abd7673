import { type ApprovalRecord, MAX_APPROVED_HOURS } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";
import type { ApprovalCommand } from "./commands.ts";
import type { InboxParts } from "./inbox.ts";
import { runtimeText } from "./texts.ts";

type Speaker = Parameters<InboxParts["answerApproval"]>[1];

export interface AnswerTextParts {
  /** @throws {AssistantError} Why the answer does not count. */
  answer(
    command: ApprovalCommand & { readonly answer: "once" | "always" | "deny" },
    speaker: Speaker,
  ): Promise<{
    readonly code: string;
    readonly tool: string;
    readonly language: "en" | "zh";
    /** It is approved, and its tool is not in this process. */
    readonly isWaiting: boolean;
    /** Absent when this process does not know when something is said to it. */
    readonly sessionKey?: string;
    readonly messageId?: string;
  }>;
  /** Codes of what the speaker may answer now. */
  openFor(speaker: Speaker): Promise<readonly string[]>;
}

const MAX_CODES = 20;

/** What a person reads who answered a request in a chat. */
export function answerText({ answer, openFor }: AnswerTextParts): InboxParts["answerApproval"] {
  /** What a command says that names no request: which ones it could have named. */
  async function withOpenCodes(why: string, speaker: Speaker): Promise<{ readonly text: string }> {
    const codes = await openFor(speaker);
    const shown = codes.slice(0, MAX_CODES).join(", ") + (codes.length > MAX_CODES ? ", …" : "");
    const open = codes.length === 0 ? "NONE_OPEN" : "OPEN_CODES";
    return { text: `${why} ${runtimeText(open, speaker.text, { codes: shown })}` };
  }

  return async (command, speaker) => {
    const { answer: given } = command;
    if (command.code === "") return withOpenCodes(runtimeText("NEEDS_CODE", speaker.text), speaker);
    if (given === "unclear") return { text: runtimeText("HOW_TO_ANSWER", speaker.text, { code: command.code }) };
    try {
      const { code, tool, language, isWaiting, ...follows } = await answer({ ...command, answer: given }, speaker);
      const name = given === "deny" ? "DENIED" : given === "always" ? "APPROVED_ALWAYS" : "APPROVED";
      const texts = [name, ...(isWaiting ? (["WAITS_FOR_TOOL"] as const) : [])] as const;
      const values = { code, tool, hours: String(MAX_APPROVED_HOURS) };
      return { text: texts.map((one) => runtimeText(one, { language }, values)).join(" "), ...follows };
    } catch (error) {
      const { code } = command;
      if (!AssistantError.is(error)) throw error;
      if (error.code === "NOT_FOUND")
        return withOpenCodes(runtimeText("NO_SUCH_REQUEST", speaker.text, { code }), speaker);
      if (error.code === "FORBIDDEN")
        return { text: runtimeText("MAY_NOT_ANSWER", speaker.text, { code }), refused: true };
      if (error.code === "CONFLICT") return { text: runtimeText("ANSWERED_BEFORE", speaker.text, { code }) };
      if (error.code === "GONE") return { text: runtimeText("REQUEST_TOO_OLD", speaker.text, { code }) };
      if (error.code === "OPTION_INVALID") return { text: error.message };
      throw error;
    }
  };
}

/** The outcome of a request, for the model. What stands in it was written elsewhere, so it is shown as data. */
export function outcomeText({ tool, code, input, answer, outcome }: ApprovalRecord): string {
  const call = `${tool} ${JSON.stringify(input)}`;
  switch (outcome?.verdict) {
    case "done":
      return `Approved (${code}): ${call} ran. Result: ${shown(outcome.output)}`;
    case "failed":
      return `Approved (${code}): ${call} ran and failed. ${outcome.error?.code ?? "FAILED"}: ${outcome.error?.message ?? ""}`;
    case "denied":
      return `Denied (${code}): ${call} did not run. Reason: ${outcome.reason ?? "none given"}. Do not ask for the same again`;
    case "expired":
      return answer
        ? `Not run in time (${code}): ${call} did not run: ${outcome.reason ?? "it was approved too long ago"}`
        : `Not answered in time (${code}): ${call} did not run`;
    default:
      return `Interrupted (${code}): ${call} was approved, and the program stopped while it ran. It may or may not have had its effect: check before you do it again`;
  }
}

function shown(output: unknown): string {
  return typeof output === "string" ? output : JSON.stringify(output ?? null);
}
