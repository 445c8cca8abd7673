import type { Reply } from "../../mod.ts";
import type { AllowRuleView, AnswerInput, ApprovalView } from "../../kit.ts";

/** A request as the command line shows it. Times are ISO 8601 texts. */
export type RequestRow = Omit<ApprovalView, "requestedAt" | "expiresAt" | "runBy"> & {
  readonly requestedAt: string;
  readonly expiresAt: string;
  readonly runBy?: string;
};

/** The outcome of an answer, and the assistant's reply to it. */
export type AnsweredRow = RequestRow & {
  readonly ok: boolean;
  readonly output?: unknown;
  readonly error?: { readonly code: string; readonly message: string };
  readonly reply?: Pick<Reply, "text" | "silent" | "error"> & {
    readonly approvals: readonly { readonly code: string; readonly name: string }[];
  };
};

export type RuleRow = Omit<AllowRuleView, "madeAt"> & { readonly madeAt: string };

/** Requests for approval, of a store or of a server. */
export interface ApprovalsClient {
  list(options: { readonly all: boolean }): Promise<readonly RequestRow[]>;
  /** Runs the call if the answer allows it. Waits for the call and for the assistant's reply to it. */
  answer(idOrCode: string, answer: Pick<AnswerInput, "answer" | "reason" | "pattern">): Promise<AnsweredRow>;
  rules(): Promise<readonly RuleRow[]>;
  removeRule(id: string): Promise<void>;
}

/** Calls one route of the API. @returns Its JSON; `null` when it has none. */
export type ApiCall = (
  path: string,
  options?: { readonly method?: string; readonly body?: unknown; readonly timeoutMs?: number },
) => Promise<Record<string, unknown> | null>;

/** A call may take ten minutes, and the assistant's reply to it some more. */
const ANSWER_TIMEOUT_MS = 15 * 60_000;

/** Uses the API's routes. */
export function approvalsClient(call: ApiCall): ApprovalsClient {
  return {
    async list({ all }) {
      const { approvals } = (await call(`/api/v1/approvals${all ? "?all=true" : ""}`)) ?? {};
      return (approvals as readonly Record<string, unknown>[]).map(camelCased) as unknown as RequestRow[];
    },
    async answer(idOrCode, answer) {
      const found = await call(`/api/v1/approvals/${encodeURIComponent(idOrCode)}`, {
        method: "POST",
        body: { ...answer, wait: true },
        timeoutMs: ANSWER_TIMEOUT_MS,
      });
      return camelCased(found ?? {}) as unknown as AnsweredRow;
    },
    async rules() {
      const { rules } = (await call("/api/v1/approvals/rules")) ?? {};
      return (rules as readonly Record<string, unknown>[]).map(camelCased) as unknown as RuleRow[];
    },
    async removeRule(id) {
      await call(`/api/v1/approvals/rules/${encodeURIComponent(id)}`, { method: "DELETE" });
    },
  };
}

/** Converts the API's snake_case names. Only outermost names: inner ones may belong to a tool. */
export function camelCased(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      item,
    ]),
  );
}
