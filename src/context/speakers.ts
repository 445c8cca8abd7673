import { withoutMarkers } from "../guard/index.ts";
import type { Sender } from "../message.ts";
import { oneLine } from "./boundaries.ts";

const MAX_ID_CHARS = 64;
const MAX_NAME_CHARS = 40;

/**
 * Formats a speaker as `Ada (42)`. People choose their display names, so the id follows the name. The name is
 * stripped of characters that could end it or imitate an id.
 */
export function speakerName(sender: Sender): string {
  const id = oneLine(sender.id)
    .replace(/[%:()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .slice(0, MAX_ID_CHARS);
  const name = oneLine(sender.name ?? "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .replace(/[:：︰﹕∶()（）\s]+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_CHARS);
  return withoutMarkers(name === "" ? id : `${name} (${id})`);
}

/**
 * A line of a speaker in a group. Only the runtime begins lines: further lines of a text are indented, so
 * that it cannot speak for others.
 */
export function spokenLine(sender: Sender, text: string): string {
  return `${speakerName(sender)}: ${setIn(withoutMarkers(text))}`;
}

/** Indents all lines but the first, because only the runtime begins lines. */
export function setIn(text: string): string {
  return text.replace(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/g, "\n  ");
}
