import type { Clock } from "../clock.ts";
import type { Reply } from "../reply.ts";
import * as v from "valibot";
import type { AllowRuleView, ApprovalResult, ApprovalView, AnswerInput } from "../approvals/index.ts";
import type { Caller } from "./auth.ts";
import { failureFor } from "./failure.ts";
import { checkedQuery, json, type GuardedRoute } from "./route.ts";
import { speakerOf } from "./speaker.ts";
import { RUNTIME_CHANNEL } from "../host-channels.ts";
import { ReplyJson, replyJson } from "./wire.ts";
import { checkedBody } from "./checked-body.ts";

const ListQuery = v.object({
  all: v.optional(
    v.pipe(v.picklist(["true", "false"]), v.description("`true` also lists requests that ended in the last 30 days")),
  ),
});

const AnswerBody = v.strictObject({
  answer: v.pipe(
    v.picklist(["once", "always", "deny"], 'Expected "once", "always" or "deny"'),
    v.description(
      "`always`: from now on, calls with exactly these arguments, or calls that match `pattern`, need no approval",
    ),
  ),
  reason: v.optional(
    v.pipe(v.string(), v.maxLength(2000), v.description("For `deny`: the reason that the model reads")),
  ),
  pattern: v.optional(
    v.pipe(v.string(), v.minLength(1), v.maxLength(500), v.description("For `always`: a pattern such as `git log *`")),
  ),
  wait: v.optional(v.pipe(v.boolean(), v.description("Also waits for the assistant's reply to the outcome"))),
});

const Time = v.pipe(v.string(), v.isoTimestamp());
const FailureJson = v.strictObject({ code: v.string(), message: v.string() });
const view = {
  id: v.string(),
  code: v.pipe(v.string(), v.description("The code that people type in a chat: `/approve <code>`")),
  state: v.picklist(["open", "approved", "running", "ended"]),
  tool: v.string(),
  input: v.unknown(),
  bound_to: v.pipe(
    v.unknown(),
    v.description("What else determines the effect of the call, such as the working folder"),
  ),
  user: v.string(),
  session_key: v.string(),
  requested_at: Time,
  expires_at: Time,
  answered_by: v.optional(v.string()),
  run_by: v.optional(
    v.pipe(Time, v.description("For an approved call that has not begun: it does not run after this time")),
  ),
  outcome: v.optional(
    v.strictObject({
      verdict: v.picklist(["done", "failed", "denied", "expired", "interrupted"]),
      output: v.optional(v.unknown()),
      error: v.optional(FailureJson),
      reason: v.optional(v.string()),
    }),
  ),
};
const ApprovalJson = v.strictObject(view);
const ApprovalListJson = v.strictObject({ approvals: v.array(ApprovalJson) });
const AnsweredJson = v.strictObject({
  ...view,
  ok: v.boolean(),
  output: v.optional(v.unknown()),
  error: v.optional(FailureJson),
  reply: v.optional(ReplyJson),
});
const RuleListJson = v.strictObject({
  rules: v.array(
    v.strictObject({
      id: v.string(),
      tool: v.string(),
      input: v.optional(v.unknown()),
      pattern: v.optional(v.string()),
      for: v.string(),
      by: v.string(),
      made_at: Time,
    }),
  ),
});

const ID = { id: "The request's id, percent-encoded, or its code" };

/** Approval requests, as the API uses them. The ledger decides from the token's user alone who may answer. */
export interface ApprovalsPart {
  list(options: { readonly all: boolean }): Promise<readonly ApprovalView[]>;
  answer(idOrCode: string, answer: AnswerInput & { readonly asOwner?: boolean }): Promise<ApprovalResult>;
  /** The assistant's reply to the outcome, in the session that asked. `null`: none yet. */
  followUp(id: string, signal?: AbortSignal): Promise<Reply | null>;
  rules(): Promise<readonly AllowRuleView[]>;
  removeRule(id: string): Promise<void>;
}

export interface ApprovalRoutesDeps {
  readonly approvals: ApprovalsPart;
  readonly clock: Clock;
}

export function approvalRoutes({ approvals, clock }: ApprovalRoutesDeps): readonly GuardedRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/approvals",
      summary: "Lists calls that wait for the owner's approval, oldest first",
      access: ["owner"],
      query: ListQuery,
      answers: { 200: { description: "The requests", schema: ApprovalListJson } },
      async handle({ query }) {
        const { all } = checkedQuery(ListQuery, query);
        return json({ approvals: (await approvals.list({ all: all === "true" })).map(viewJson) });
      },
    },
    {
      method: "GET",
      path: "/api/v1/approvals/rules",
      summary: "Lists rules for calls that no longer need approval",
      access: ["owner"],
      answers: { 200: { description: "The rules", schema: RuleListJson } },
      handle: async () => json({ rules: (await approvals.rules()).map(ruleJson) }),
    },
    {
      method: "DELETE",
      path: "/api/v1/approvals/rules/:id",
      summary: "Removes a rule: the next matching call needs approval again",
      access: ["owner"],
      params: { id: "The rule's id" },
      answers: { 204: { description: "The rule was removed" } },
      async handle({ params }) {
        await approvals.removeRule(params["id"] ?? "");
        return new Response(null, { status: 204 });
      },
    },
    {
      method: "POST",
      path: "/api/v1/approvals/:id",
      summary:
        "Answers a request. An approved call runs at once and its result is returned; if its tool belongs to another program, it stays approved until that program starts",
      access: ["owner", "user"],
      params: ID,
      body: AnswerBody,
      answers: { 200: { description: "The request with its outcome", schema: AnsweredJson } },
      async handle({ request, params, caller }) {
        const { wait = false, answer, reason, pattern } = await checkedBody(AnswerBody, request, clock);
        const given = { answer, ...(reason !== undefined && { reason }), ...(pattern !== undefined && { pattern }) };
        const result = await approvals.answer(params["id"] ?? "", { ...given, ...answererOf(caller) });
        // A request of the runtime itself has no conversation for a reply.
        const isToldOf = wait && result.sessionKey !== RUNTIME_CHANNEL;
        const reply = isToldOf ? await approvals.followUp(result.id) : null;
        return json({ ...resultJson(result), ...(reply && { reply: replyJson(failureFor(caller, reply)) }) });
      },
    },
  ];
}

/** Returns who answers, from the token alone. */
export function answererOf(caller: Caller): Pick<Parameters<ApprovalsPart["answer"]>[1], "user" | "asOwner"> {
  const { user, asOwner } = speakerOf(caller, {});
  return { ...(user !== undefined && { user }), ...(asOwner && { asOwner }) };
}

function viewJson(one: ApprovalView): v.InferOutput<typeof ApprovalJson> {
  const { id, code, state, tool, input, outcome, answeredBy, runBy } = one;
  return {
    id,
    code,
    state,
    tool,
    input,
    bound_to: one.boundTo,
    user: one.user,
    session_key: one.sessionKey,
    requested_at: one.requestedAt.toISOString(),
    expires_at: one.expiresAt.toISOString(),
    ...(answeredBy !== undefined && { answered_by: answeredBy }),
    ...(runBy && { run_by: runBy.toISOString() }),
    ...(outcome && {
      outcome: {
        verdict: outcome.verdict,
        ...(outcome.output !== undefined && { output: outcome.output }),
        ...(outcome.error && { error: outcome.error }),
        ...(outcome.reason !== undefined && { reason: outcome.reason }),
      },
    }),
  };
}

function resultJson(result: ApprovalResult): v.InferOutput<typeof AnsweredJson> {
  return result.ok
    ? { ...viewJson(result), ok: true, output: result.output }
    : { ...viewJson(result), ok: false, error: result.error };
}

function ruleJson({ madeAt, ...rule }: AllowRuleView): v.InferOutput<typeof RuleListJson>["rules"][number] {
  return { ...rule, made_at: madeAt.toISOString() };
}
