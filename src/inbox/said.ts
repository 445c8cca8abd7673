import type { Clock } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Reply } from "../reply.ts";
import type { Arrived } from "./arrivals.ts";

/** A reply without a turn. */
export function said(clock: Clock, sessionKey: string, text: string, error?: Reply["error"]): Arrived {
  const turnId = newId(clock);
  const reply: Reply = {
    turnId,
    sessionKey,
    text,
    silent: false,
    toolCalls: [],
    approvals: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    steps: 0,
    ...(error && { error }),
  };
  return { outcome: "accepted", sessionKey, turnId, reply: async () => reply };
}
