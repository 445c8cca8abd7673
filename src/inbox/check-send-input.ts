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
  const given: unknown = context ?? {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new AssistantError(
      "OPTION_INVALID",
      `Cannot send as context must be an object: current value is ${shown(given)}`,
    );
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(CONTEXT, name) ? CONTEXT[name] : undefined;
    if (check === undefined)
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot send as context.${name} is unknown: known: ${Object.keys(CONTEXT).join(", ")}`,
      );
    const [isRight, expected] = check;
    if (value !== undefined && !isRight(value))
      throw new AssistantError(
        "OPTION_INVALID",
        `Cannot send as context.${name} must be ${expected}: current value is ${shown(value)}`,
      );
  }
}

/** Also what JSON has no form for. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) as
    | string
    | undefined;
  return text ?? `a ${typeof value}`;
}

type Check = readonly [isRight: (value: unknown) => boolean, expected: string];

const STRATEGIES: readonly unknown[] = ["full", "lite", "custom"];
const TOKENS: Check = [(value) => Number.isInteger(value) && Number(value) >= 0, "a whole number of 0 or more"];
const NAMES: Check = [
  (value) => Array.isArray(value) && value.every((name) => typeof name === "string"),
  "a list of names",
];
const FLAG: Check = [(value) => typeof value === "boolean", "true or false"];
const CONTEXT: Readonly<Record<string, Check>> = {
  strategy: [(value) => STRATEGIES.includes(value), `one of ${STRATEGIES.join(", ")}`],
  historyTokens: TOKENS,
  injectionTokens: TOKENS,
  excludeTools: NAMES,
  includeParts: NAMES,
  includeMemory: FLAG,
  includeRuntime: FLAG,
};
