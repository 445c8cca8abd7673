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

/** What the runtime asks the owner: may this tool run with this input? */
export interface RuntimeQuestion {
  readonly tool: string;
  readonly input: unknown;
}

/** What the runtime asks the owner in its own name: not from a session, so nobody is told of the outcome. */
export function createRuntimeRequests({ dispatch, approvals, clock }: RuntimeRequestsDeps) {
  /** Asks, unless the same question is open. @throws {AssistantError} `FORBIDDEN`: nobody can be asked. */
  async function request({ tool, input }: RuntimeQuestion): Promise<void> {
    const id = await idOf({ tool, input });
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
  }

  return {
    request,
    /** What became of a question when it was asked first; `null`: it was not. */
    find: async (question: RuntimeQuestion) => approvals.of(await idOf(question)),
  };
}

async function idOf({ tool, input }: RuntimeQuestion): Promise<string> {
  return `runtime.${(await sha256(canonicalJson({ tool, input }))).slice(0, 32)}`;
}
