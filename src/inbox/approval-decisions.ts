import type { Access } from "../access/index.ts";
import { type AnswerInput, type Approvals, homeOfRequest } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";
import type { AnswerApproval } from "./approval-answers.ts";
import { outcomeId } from "./approval-outcomes.ts";
import { answerText } from "./approval-texts.ts";

export interface ApprovalDecisionsDeps {
  readonly approvals: Pick<Approvals, "decide" | "settle" | "of" | "openFor">;
  mayAnswer(user: string): boolean;
  /** Whether this process has a tool of this name now. */
  hasTool(name: string): boolean;
  /** People who ask to be let in, oldest first. */
  readonly access: Pick<Access, "list">;
}

/** @returns A function that answers a request for approval in a chat. It returns errors as texts. */
export function createApprovalDecisions(deps: ApprovalDecisionsDeps): AnswerApproval {
  const { approvals, mayAnswer, hasTool, access } = deps;
  const pairingCodes = async () => (await access.list()).pending.map(({ code }) => code);

  return answerText({
    async answer({ code, ...answer }, speaker) {
      const input: AnswerInput = { ...answer, user: speaker.user };
      const { id } = await approvals.decide(code, input, speaker.asOwner);
      const view = speaker.runNow ? await approvals.settle(id) : await approvals.of(id);
      if (!view) throw new AssistantError("NOT_FOUND", `The request ${code} no longer exists`);
      const { caller, tool } = view;
      const { language = "en" } = caller;
      const { sessionKey } = homeOfRequest(caller);
      const isToldSoon = view.state === "ended" || (!speaker.runNow && hasTool(tool));
      return {
        code: view.code,
        tool,
        language,
        isWaiting: view.state === "approved" && !hasTool(tool),
        ...(isToldSoon && { sessionKey, messageId: outcomeId(id) }),
      };
    },
    /** Codes of calls and of people who ask to be let in. */
    async openFor({ user, asOwner }) {
      const isOwner = asOwner || mayAnswer(user);
      return [...(await approvals.openFor(user, asOwner)), ...(isOwner ? await pairingCodes() : [])];
    },
  });
}
