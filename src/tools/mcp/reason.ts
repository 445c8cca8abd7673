import { messageOf } from "../../errors.ts";

/** In characters. */
const MAX_REASON = 500;
const MAX_CAUSES = 4;

/** What went wrong, down to where it began: libraries wrap the one thing that says it. */
export function reasonOf(error: unknown): string {
  const messages: string[] = [];
  let at = error;
  while (at !== undefined && at !== null && messages.length < MAX_CAUSES) {
    const message = messageOf(at);
    if (!messages.includes(message)) messages.push(message);
    at = at instanceof Error ? at.cause : undefined;
  }
  return messages.join(": ").slice(0, MAX_REASON);
}
