import type { Approvals } from "../approvals/index.ts";
import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { RUNTIME_CHANNEL } from "../host-channels.ts";
import { DEFAULT_ACCOUNT } from "../message.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import { canonicalJson } from "../store/index.ts";
import type { ToolDispatch } from "./dispatch.ts";
import type { ToolCaller } from "./tool-call.ts";
import { sha256 } from "../hash.ts";

export interface RuntimeRequestsDeps {
  readonly dispatch: Pick<ToolDispatch, "run">;
  readonly approvals: Pick<Approvals, "of">;
  readonly clock: Clock;
}

/** A question to the owner: may this tool run with this input? */
export interface RuntimeQuestion {
  readonly tool: string;
  readonly input: unknown;
}

/**
 * Questions that the runtime asks the owner in its own name. They come from no session, so their outcome is told to
 * no one.
 */
export function createRuntimeRequests({ dispatch, approvals, clock }: RuntimeRequestsDeps) {
  /** Asks, unless the same question is open. @throws {AssistantError} `FORBIDDEN` if no one can be asked. */
  async function request({ tool, input }: RuntimeQuestion): Promise<void> {
    const id = await idOf({ tool, input });
    const known = await approvals.of(id);
    // While it is open it is the same question; after it was answered or has expired, it is a new one.
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
  }

  return {
    request,
    /** The state of the first request for a question; `null` if it was never asked. */
    find: async (question: RuntimeQuestion) => approvals.of(await idOf(question)),
  };
}

async function idOf({ tool, input }: RuntimeQuestion): Promise<string> {
  return `runtime.${(await sha256(canonicalJson({ tool, input }))).slice(0, 32)}`;
}
