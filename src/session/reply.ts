import type { Reply } from "../reply.ts";
import type { OutRecord } from "./records.ts";

/** Converts a logged reply into the result of `send`. */
export function replyOf(sessionKey: string, out: OutRecord): Reply {
  return {
    turnId: out.turn,
    sessionKey,
    text: out.text,
    silent: out.silent,
    toolCalls: out.toolCalls,
    approvals: out.approvals ?? [],
    usage: out.usage,
    steps: out.steps,
    ...(out.error && { error: out.error }),
  };
}
