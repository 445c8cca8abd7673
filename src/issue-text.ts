import type { BaseIssue } from "valibot";

const KINDS: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  boolean: "true or false",
  number: "a number",
  string: "a text",
};

/** What is wrong with a value, also where its schema has no words of its own for another type, or for fields. */
export function issueText({ message, expected }: Pick<BaseIssue<unknown>, "message" | "expected">): string {
  if (message.startsWith("Invalid key: "))
    return expected === "never" ? "Expected no field of this name" : "Expected this field, but it is missing";
  if (!message.startsWith("Invalid type: ") || expected === null) return message;
  const kinds = expected.replace(/^\((.*)\)$/, "$1").split(" | ");
  return `Expected ${kinds.map((kind) => KINDS[kind] ?? kind).join(" or ")}`;
}
