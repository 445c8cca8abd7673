import type { Approvals, ApprovalView } from "../../approvals/index.ts";
import { type JsonValue, canonicalJson } from "../../store/index.ts";
import type { AskedOwner } from "./owner-questions.ts";

export interface AskedOwnerDeps {
  readonly questions: { request: AskedOwner["requestApproval"] };
  readonly approvals: Pick<Approvals, "list">;
}

/** The owner, as requests for approval ask them. */
export function createAskedOwner({ questions, approvals }: AskedOwnerDeps): AskedOwner {
  return {
    requestApproval: questions.request,
    mayAskAgain: async (question) => mayAskAgain(await approvals.list({ all: true }), question),
  };
}

/** Whether no earlier request with this question about an MCP server's tool is open or was denied. */
export function mayAskAgain(
  requests: readonly Pick<ApprovalView, "tool" | "input" | "outcome">[],
  { server, tool, fingerprint }: { readonly server: string; readonly tool: string; readonly fingerprint: string },
): boolean {
  const question = canonicalJson({ server, tool, fingerprint });
  return requests
    .filter((one) => {
      if (one.tool !== "mcp_accept" || typeof one.input !== "object" || one.input === null) return false;
      const asked = one.input as Readonly<Record<string, JsonValue>>;
      return (
        question === canonicalJson({ server: asked["server"], tool: asked["tool"], fingerprint: asked["fingerprint"] })
      );
    })
    .every(({ outcome }) => outcome !== undefined && outcome.verdict !== "denied");
}
