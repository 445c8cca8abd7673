import * as v from "valibot";
import { type Option, type Section, choicesOf, optionOf } from "../settings/index.ts";
import { promptOptions } from "./schema/context.ts";

/** Returns what is wrong with the `context` of one message, if anything. The text completes "Cannot send as …". */
export function problemOfContext(context: unknown): string | undefined {
  const given = context ?? {};
  if (typeof given !== "object" || Array.isArray(given))
    return `context must be an object: current value is ${shown(given)}`;
  const { keys } = optionOf(promptOptions) as Section;
  const known = new Map(Object.entries(keys).map(([name, schema]) => [name, optionOf(schema)]));
  for (const [name, option] of known) if (option.status === "later") known.delete(name);
  for (const [name, value] of Object.entries(given) as [string, unknown][]) {
    const option = known.get(name);
    if (option === undefined) return `context.${name} is unknown: known: ${[...known.keys()].join(", ")}`;
    if (value !== undefined && !isRight(option, value))
      return `context.${name} must be ${expectationOf(option)}: current value is ${shown(value)}`;
  }
  return undefined;
}

function isRight(option: Option, value: unknown): boolean {
  if (option.kind === "leaf") return v.is(option.schema, value);
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function expectationOf(option: Option): string {
  if (option.kind !== "leaf") return "a list of names";
  const choices = choicesOf(option);
  return choices.length === 0 ? option.expected : `one of ${choices.join(", ")}`;
}

/** Also shows values that JSON cannot represent. */
function shown(value: unknown): string {
  const text = JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) as
    | string
    | undefined;
  return text ?? `a ${typeof value}`;
}
