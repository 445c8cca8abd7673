import { AssistantError } from "../errors.ts";
import type { SendInput } from "../reply.ts";

/**
 * @param problemOfContext What is wrong with `context` according to the options'
 * schema; completes "Cannot send as …".
 * @throws {AssistantError} `OPTION_INVALID`, naming the field, its value and what was expected.
 */
export function checkSendInput(input: SendInput, problemOfContext: (context: unknown) => string | undefined): void {
  if (typeof input?.text !== "string")
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as text must be a string: current value is ${JSON.stringify(input?.text)}`,
    );
  if (input.text.trim() === "" && !input.attachments?.length)
    throw new AssistantError("OPTION_INVALID", "Cannot send as text is empty");
  if (input.attachments !== undefined) checkAttachments(input.attachments);
  const problem = input.context === undefined ? undefined : problemOfContext(input.context);
  if (problem !== undefined) throw new AssistantError("OPTION_INVALID", `Cannot send as ${problem}`);
  if (typeof input.user === "string" && /^:|:\s*$/.test(input.user.trim()))
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as user must be "channel:id": current value is ${JSON.stringify(input.user)}`,
    );
  for (const name of ["user", "session", "channel", "id"] as const) {
    const value = input[name];
    if (value !== undefined && (typeof value !== "string" || value.trim() === "")) {
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot send as ${name} must be a non-empty string: current value is ${JSON.stringify(value)}`,
      );
    }
  }
}

/** A durable message must be readable later, so malformed attachments are refused here. */
function checkAttachments(attachments: unknown): void {
  const isAttachment = (one: unknown) => {
    const { mediaType, url, artifact } = Object(one) as Record<string, unknown>;
    return typeof mediaType === "string" && typeof (url ?? artifact) === "string";
  };
  if (Array.isArray(attachments) && attachments.every(isAttachment)) return;
  throw new AssistantError(
    "OPTION_INVALID",
    "Cannot send as attachments must be a list of { mediaType, url }, both strings: pass a file that is not on the web as a data: URL",
  );
}
