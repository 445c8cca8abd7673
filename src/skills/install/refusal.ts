import { AssistantError } from "../../errors.ts";
import { shortened } from "../../short-text.ts";

/** Creates the error for a refused archive. `reason` follows "Cannot use this archive:". */
export function refusal(reason: string, options?: ErrorOptions): AssistantError {
  return new AssistantError("SKILL_REFUSED", `Cannot use this archive: ${reason}`, options);
}

/** Quotes an untrusted name for a message: short, and in quotes that it cannot close. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name, 80)).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "?");
}
