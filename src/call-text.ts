import type { JsonValue } from "./store/index.ts";

/** What a call would do: its arguments and what else it is bound to, a line each, with nothing cut and nothing hidden. */
export function describeCall({ input, boundTo }: { readonly input: JsonValue; readonly boundTo: JsonValue }): string {
  const parts = [visible(describe(input))];
  if (!isEmpty(boundTo)) parts.push(visible(describe(boundTo)));
  return parts.join("\n");
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

/** Characters that change what is seen without being seen: written out as `\u{…}`. Line breaks stay. */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu,
    (character) => (character === "\n" ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`),
  );
}
