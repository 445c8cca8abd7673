import type { Clock } from "../clock.ts";
import type { Reply } from "../reply.ts";
import type { Submission } from "../inbox/index.ts";
import { withTimeout } from "../time-limit.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";
import { speakerOf } from "./speaker.ts";

/** How long a caller waits for a reply, in milliseconds. A turn may take 300 s and wait for the previous one. */
export const MAX_WAIT_MS = 600_000;

/** The API's input to a turn. */
export type Input = Submission;

/** Builds the input for a message of the token's holder. @throws {ProblemError} As `speakerOf`. */
export function messageInput(
  caller: Caller,
  message: { readonly text: string; readonly user?: string | undefined; readonly session?: string | undefined },
  id: string,
): Input {
  const speaker = speakerOf(caller, message);
  // Only the owner's own call counts as the host program, or as its terminal if it names that. Any other call gets the
  // tools of the channel that the user comes from.
  const isTerminal = caller.role === "owner" && speaker.user === "cli";
  const channel = isTerminal ? { channel: "cli" } : speaker.asOwner ? { channel: "sdk" } : {};
  return { text: message.text, id, ...channel, ...speaker };
}

/**
 * Waits for the reply. The turn goes on if the wait times out.
 *
 * @throws {ProblemError} `TURN_TIMEOUT` after `MAX_WAIT_MS`.
 */
export async function replyWithin(
  { send, clock }: { send(input: Input): Promise<Reply>; readonly clock: Clock },
  input: Input,
  id: string,
): Promise<Reply> {
  return withTimeout(clock, MAX_WAIT_MS, send(input), () => {
    throw new ProblemError(
      "TURN_TIMEOUT",
      `The turn took longer than ${MAX_WAIT_MS / 1000} seconds and continues: send the same message with this id again to get its reply`,
      { members: { id } },
    );
  });
}
