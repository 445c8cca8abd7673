import { AssistantError } from "../errors.ts";
import type { SendInput } from "../reply.ts";

/** @throws {AssistantError} `OPTION_INVALID`, naming the field, its value and what was expected. */
export function checkSendInput(input: SendInput): void {
  if (typeof input?.text !== "string")
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as text must be a string: current value is ${JSON.stringify(input?.text)}`,
    );
  if (input.text.trim() === "" && !input.attachments?.length)
    throw new AssistantError("OPTION_INVALID", "Cannot send as text is empty");
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
