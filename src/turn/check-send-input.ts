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
  if (input.attachments !== undefined) checkAttachments(input.attachments);
  checkContext(input.context);
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

/** What is made durable must be readable later: anything odd is refused at the door. */
function checkAttachments(attachments: unknown): void {
  const isAttachment = (one: unknown) =>
    typeof one === "object" && one !== null && "mediaType" in one && typeof one.mediaType === "string";
  if (Array.isArray(attachments) && attachments.every(isAttachment)) return;
  throw new AssistantError(
    "OPTION_INVALID",
    'Cannot send as attachments must be a list of objects with a mediaType, as { mediaType: "image/png", url }',
  );
}

function checkContext(context: SendInput["context"]): void {
  if (context === undefined) return;
  const { strategy, historyTokens } = context ?? {};
  if (strategy !== undefined && !STRATEGIES.includes(strategy)) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as context.strategy must be one of ${STRATEGIES.join(", ")}: current value is ${JSON.stringify(strategy)}`,
    );
  }
  if (historyTokens !== undefined && !(Number.isInteger(historyTokens) && historyTokens >= 0)) {
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as context.historyTokens must be a whole number of 0 or more: current value is ${JSON.stringify(historyTokens)}`,
    );
  }
}

const STRATEGIES: readonly string[] = ["full", "lite", "custom"];
