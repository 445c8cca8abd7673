import { messageOf } from "../../errors.ts";

/** Longest reason in characters. */
const MAX_REASON = 500;
const MAX_CAUSES = 4;

/** Joins the messages of an error and its causes: libraries wrap the cause that says what went wrong. */
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
