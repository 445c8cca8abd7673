import type { Approvals } from "../approvals/index.ts";
import { AssistantError } from "../errors.ts";

/** Takes a question back that nobody has to answer any more, and tells no conversation of it: who asked has ended. Contract: one that was answered meanwhile stays as it is. */
export async function takeBack(approvals: Pick<Approvals, "decide">, id: string, reason: string): Promise<void> {
  try {
    await approvals.decide(id, { answer: "deny", reason }, true, { isTold: true });
  } catch (error) {
    // It was answered meanwhile, or is too old: nothing is left to take back.
    if (!AssistantError.is(error)) throw error;
  }
}

/** Takes back all that waits for an answer and was asked in one of these sessions. */
export async function takeBackAsked(
  approvals: Pick<Approvals, "list" | "decide">,
  isOf: (sessionKey: string) => boolean,
  reason: string,
): Promise<void> {
  for (const { id, sessionKey } of await approvals.list()) if (isOf(sessionKey)) await takeBack(approvals, id, reason);
}
