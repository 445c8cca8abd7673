import type { JsonValue } from "./store/index.ts";

/**
 * What a call would do: its input and, where there is any, what besides the input decides its effect. Nothing is cut and nothing hidden. Only the two headings
 * begin a line without a blank, so that no input can pass for what the runtime says.
 */
export function describeCall({ input, boundTo }: { readonly input: JsonValue; readonly boundTo: JsonValue }): string {
  const parts = ["input", setIn(describe(input))];
  if (!isEmpty(boundTo)) parts.push("where", setIn(describe(boundTo)));
  return parts.join("\n");
}

function setIn(text: string): string {
  return `  ${visible(text).replaceAll("\n", "\n  ")}`;
}

/** Texts are shown as they are, so that a command can be read like one, and their further lines are indented, so that they cannot pass for fields. */
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

/** A run of backslashes with what it stands before. */
const UNSEEN =
  /(?<!\\)(\\*)(?:([\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs})|(?=u\{))/gu;

/**
 * Characters that change what is seen without being seen, and blanks that are not the plain one: written out as `\u{…}`. Line breaks stay. Backslashes
 * before such a place are doubled, and so before a `u{` that was in the text: what looks like an escape after an odd number of them is one.
 */
export function visible(text: string): string {
  return escaped(text, (character) => character === "\n");
}

/** As {@link visible}, in one line: line breaks are written out too. */
export function visibleLine(text: string): string {
  return escaped(text, () => false);
}

function escaped(text: string, stays: (character: string) => boolean): string {
  return text.replaceAll(UNSEEN, (whole: string, backslashes: string, character: string | undefined) => {
    if (character === undefined) return backslashes.repeat(2);
    return stays(character) ? whole : `${backslashes.repeat(2)}\\u{${character.codePointAt(0)?.toString(16)}}`;
  });
}
