import type { BaseIssue } from "valibot";

const KINDS: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  boolean: "true or false",
  number: "a number",
  string: "a text",
};

/** As `Invalid length: Expected <=64 but received 200`. */
const BOUND = /^Invalid (length|value): Expected ([<>])=(\d+) /;

/** What is wrong with a value, also where its schema has no words of its own for another type, a bound, or fields. */
export function issueText({ message, expected }: Pick<BaseIssue<unknown>, "message" | "expected">): string {
  if (message.startsWith("Invalid key: "))
    return expected === "never" ? "Expected no field of this name" : "Expected this field, but it is missing";
  const [, measure, sign, bound] = BOUND.exec(message) ?? [];
  if (bound !== undefined)
    return `Expected ${measure === "length" ? "a length of " : ""}${bound} or ${sign === "<" ? "less" : "more"}`;
  if (message.startsWith("Invalid integer: ")) return "Expected a whole number";
  if (!message.startsWith("Invalid type: ") || expected === null) return message;
  const kinds = expected.replace(/^\((.*)\)$/, "$1").split(" | ");
  return `Expected ${kinds.map((kind) => KINDS[kind] ?? kind).join(" or ")}`;
}
