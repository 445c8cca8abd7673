import { type Approvals, sha256 } from "../approvals/index.ts";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { RUNTIME_CHANNEL } from "../host-channels.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { canonicalJson } from "../store/index.ts";
import type { ToolCaller, ToolDispatch } from "./dispatch.ts";

export interface RuntimeRequestsDeps {
  readonly dispatch: Pick<ToolDispatch, "run">;
  readonly approvals: Pick<Approvals, "of">;
  readonly clock: Clock;
}

/**
 * @returns What asks the owner in the runtime's own name: not from a session, so nobody is told of the outcome. The same question is not asked again while it
 * is open.
 */
export function createRuntimeRequests({ dispatch, approvals, clock }: RuntimeRequestsDeps) {
  return async function request({ tool, input }: { readonly tool: string; readonly input: unknown }): Promise<void> {
    const id = `runtime.${(await sha256(canonicalJson({ tool, input }))).slice(0, 32)}`;
    const known = await approvals.of(id);
    // While it waits it is the same question; once it was answered, or nobody did, it is a new one.
    const callId = known && known.state === "ended" ? `${id}.${clock.now()}` : id;
    const caller: ToolCaller = {
      speaker: {
        user: RUNTIME_CHANNEL,
        roles: [OWNER_ROLE],
        channel: RUNTIME_CHANNEL,
        account: DEFAULT_ACCOUNT,
        peer: { kind: "direct", id: RUNTIME_CHANNEL },
        sessionKey: RUNTIME_CHANNEL,
        agentId: RUNTIME_CHANNEL,
      },
      taskId: id,
      inTurn: false,
      signal: new AbortController().signal,
    };
    const result = await dispatch.run(tool, input, caller, callId);
    if (!result.ok && "error" in result) throw new AssistantError("FORBIDDEN", result.error.message);
  };
}
