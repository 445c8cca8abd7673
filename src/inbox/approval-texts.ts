import { MAX_APPROVED_HOURS } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";
import type { ApprovalCommand } from "./commands.ts";
import type { AnswerApproval, Answering } from "./approval-answers.ts";
import { inboxText } from "./texts.ts";

export interface AnswerTextDeps {
  /** @throws {AssistantError} If the answer does not count, with the reason. */
  answer(
    command: ApprovalCommand & { readonly answer: "once" | "always" | "deny" },
    speaker: Answering,
  ): Promise<{
    readonly code: string;
    readonly tool: string;
    readonly language: "en" | "zh";
    /** Whether it is approved and its tool is not in this process. */
    readonly isWaiting: boolean;
    /** Absent if this process does not know when the outcome reaches it. */
    readonly sessionKey?: string;
    readonly messageId?: string;
  }>;
  /** Codes of the requests that the speaker may answer now. */
  openFor(speaker: Answering): Promise<readonly string[]>;
}

const MAX_CODES = 20;

/** Creates the replies for a person who answers a request in a chat. */
export function answerText({ answer, openFor }: AnswerTextDeps): AnswerApproval {
  /** The reply to a command that names no known request. Lists the codes it could have named. */
  async function withOpenCodes(why: string, speaker: Answering): Promise<{ readonly text: string }> {
    const codes = await openFor(speaker);
    const shown = codes.slice(0, MAX_CODES).join(", ") + (codes.length > MAX_CODES ? ", …" : "");
    const open = codes.length === 0 ? "NONE_OPEN" : "OPEN_CODES";
    return { text: `${why} ${inboxText(open, speaker, { codes: shown })}` };
  }

  return async (command, speaker) => {
    const { answer: given } = command;
    if (command.code === "") return withOpenCodes(inboxText("NEEDS_CODE", speaker), speaker);
    if (given === "unclear") return { text: inboxText("HOW_TO_ANSWER", speaker, { code: command.code }) };
    try {
      const { code, tool, language, isWaiting, ...follows } = await answer({ ...command, answer: given }, speaker);
      const name = given === "deny" ? "DENIED" : given === "always" ? "APPROVED_ALWAYS" : "APPROVED";
      const texts = [name, ...(isWaiting ? (["WAITS_FOR_TOOL"] as const) : [])] as const;
      const values = { code, tool, hours: String(MAX_APPROVED_HOURS) };
      return { text: texts.map((one) => inboxText(one, { language }, values)).join(" "), ...follows };
    } catch (error) {
      const { code } = command;
      if (!AssistantError.is(error)) throw error;
      if (error.code === "NOT_FOUND") return withOpenCodes(inboxText("NO_SUCH_REQUEST", speaker, { code }), speaker);
      if (error.code === "FORBIDDEN") return { text: inboxText("MAY_NOT_ANSWER", speaker, { code }), refused: true };
      if (error.code === "CONFLICT") return { text: inboxText("ANSWERED_BEFORE", speaker, { code }) };
      if (error.code === "GONE") return { text: inboxText("REQUEST_TOO_OLD", speaker, { code }) };
      if (error.code === "OPTION_INVALID") return { text: error.message };
      throw error;
    }
  };
}
