import type { JsonValue } from "./store/index.ts";

/**
 * Describes what a call would do: its input and, if there is any, what else decides its effect. Nothing is cut or
 * hidden. Only the two headings begin a line without a blank, so that no input can pass for the runtime's own text.
 */
export function describeCall({ input, boundTo }: { readonly input: JsonValue; readonly boundTo: JsonValue }): string {
  const parts = ["input", setIn(describe(input))];
  if (!isEmpty(boundTo)) parts.push("where", setIn(describe(boundTo)));
  return parts.join("\n");
}

function setIn(text: string): string {
  return `  ${visible(text).replaceAll("\n", "\n  ")}`;
}

/**
 * Texts stay unchanged, so that a command is readable. Their further lines are indented, so that they cannot pass for
 * fields.
 */
function describe(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value, null, 2);
  return Object.entries(value)
    .map(([name, field]) => `${name}: ${typeof field === "string" ? field : JSON.stringify(field, null, 2)}`)
    .map((field) => field.replaceAll("\n", "\n    "))
    .join("\n");
}

function isEmpty(value: JsonValue): boolean {
  return value === null || (typeof value === "object" && Object.keys(value).length === 0);
}

/** A run of backslashes with the character or escape after it. */
const UNSEEN =
  /(?<!\\)(\\*)(?:([\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})|(?=u\{))/gu;

/**
 * Escapes invisible characters that change the display, and blanks other than the plain one, as `\u{…}`. Line breaks
 * stay. Backslashes before an escaped character, and before a `u{` in the text, are doubled: an escape is real exactly
 * if an odd number of backslashes begins it.
 */
export function visible(text: string): string {
  return escaped(text, (character) => character === "\n");
}

/** Like {@link visible}, in one line: line breaks are escaped too. */
export function visibleLine(text: string): string {
  return escaped(text, () => false);
}

function escaped(text: string, stays: (character: string) => boolean): string {
  return text.replaceAll(UNSEEN, (whole: string, backslashes: string, character: string | undefined) => {
    if (character === undefined) return backslashes.repeat(2);
    return stays(character) ? whole : `${backslashes.repeat(2)}\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
