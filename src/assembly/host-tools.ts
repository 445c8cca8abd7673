import type { ApprovalsApi, Assistant, ToolUse } from "../assistant-types.ts";
import type { AnswerInput, ApprovalResult, Approvals } from "../approvals/index.ts";
import type { Clock } from "../clock.ts";
import type { HttpParts } from "../http/index.ts";
import type { Submissions } from "../inbox/index.ts";
import { newId } from "../ids.ts";
import { parseSessionKey, speakerOf } from "../session/index.ts";
import type { LateResults, ToolCaller, ToolDispatch, ToolRegistry } from "../tools/index.ts";

export interface HostToolsParts {
  readonly clock: Clock;
  readonly dispatch: ToolDispatch;
  readonly registry: ToolRegistry;
  readonly lateResults: LateResults;
  readonly submissions: Pick<Submissions, "describe">;
  /** Takes values out of all that is shown from now on. */
  addSecrets(secrets: Iterable<string>): void;
  /** Waits until the assistant runs. */
  start(): Promise<void>;
  hasChannel(target: { readonly channel: string; readonly account: string }): boolean;
  /** The agent's id as it is configured. */
  agentIdOf(id: string): string;
}

const RECALL = "memory_recall";

/** `assistant.tools`: the dispatch point, for the host program. It has no rights of its own: a call has those of the user that it names. */
export function createHostTools(parts: HostToolsParts) {
  const { clock, dispatch, registry, lateResults, submissions, start } = parts;

  function callerOf({ user, channel, session, turnId, signal }: ToolUse, asOwner = false): ToolCaller {
    const named = session === undefined || parseSessionKey(session) ? {} : { session };
    const spoken = { ...(user !== undefined && { user }), ...(channel !== undefined && { channel }), ...named };
    const who = { text: "", ...spoken, ...(asOwner && { asOwner }) };
    const { sessionKey, record } = submissions.describe(who);
    const key = session !== undefined && parseSessionKey(session) ? session : sessionKey;
    const target = { channel: record.channel, account: record.account, chat: record.peer.id };
    return {
      speaker: speakerOf(record, key, parts.agentIdOf(parseSessionKey(key)?.agentId ?? "")),
      taskId: turnId ?? newId(clock),
      ...(parts.hasChannel(target) && { target }),
      inTurn: false,
      signal: signal ?? new AbortController().signal,
    };
  }

  function run(name: string, input: unknown, caller: ToolCaller) {
    return dispatch.run(name, input, caller, `${caller.taskId}.${newId(clock)}`);
  }

  const tools: Assistant["tools"] = {
    async run(name, input, who = {}) {
      await start();
      const result = await run(name, input, callerOf(who));
      return result.ok ? { ok: true, output: result.output } : result;
    },
    list: (who = {}) =>
      dispatch
        .visible(callerOf(who))
        .map(({ name, description, groups, dangerous }) => ({ name, description, groups, dangerous })),
    register(name, tool) {
      parts.addSecrets(tool.meta?.secrets ?? []);
      return registry.register("dynamic", name, tool);
    },
    complete: lateResults.complete,
  };

  /** What `/mcp` offers as `recall`: there the token says who speaks. */
  const memoryRecall: NonNullable<HttpParts["memoryRecall"]> = {
    async run(input, speaker) {
      await start();
      return run(RECALL, input, callerOf(speaker, speaker.asOwner === true));
    },
    async isOffered(speaker) {
      await start();
      const caller = callerOf(speaker, speaker.asOwner === true);
      return dispatch.visible(caller).some(({ name }) => name === RECALL);
    },
  };
  return { tools, memoryRecall };
}

/** `assistant.approvals`. */
export function createHostApprovals(
  approvals: Pick<Approvals, "list" | "rules">,
  answerAs: (idOrCode: string, given: AnswerInput) => Promise<ApprovalResult>,
): ApprovalsApi {
  return {
    list: approvals.list,
    // Field by field: what the host passes on from elsewhere cannot make anybody the owner.
    answer: async (idOrCode, { answer, reason, pattern, user }) =>
      answerAs(idOrCode, {
        answer,
        ...(reason !== undefined && { reason }),
        ...(pattern !== undefined && { pattern }),
        ...(user !== undefined && { user }),
      }),
    rules: approvals.rules.list,
    removeRule: approvals.rules.remove,
  };
}
