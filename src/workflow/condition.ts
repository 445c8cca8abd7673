import type { JsonValue } from "../store/index.ts";
import { type Lookup, type Reference, asText, parseReference } from "./references.ts";

const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">"] as const;
type Comparison = (typeof COMPARISONS)[number];

/** A parsed `if`. Without a comparison: the value exists and is not empty, `false` or 0. */
export interface Condition {
  readonly reference: Reference;
  readonly comparison?: Comparison;
  readonly literal?: JsonValue;
}

const CONDITION = /^\s*(?:\$\{([^{}]*)\}|([^\s<>=!]+))\s*(?:(==|!=|<=|>=|<|>)\s*(.*?))?\s*$/s;

/**
 * Parses an `if`: a reference, compared with a JSON literal, a text in single quotes, or a word.
 *
 * @returns The problem as a sentence, if the text is no condition.
 * @example
 * ```ts
 * parseCondition("${steps.check.output.state} == 'open'");
 * ```
 */
export function parseCondition(text: string): Condition | string {
  const match = CONDITION.exec(text);
  if (!match) return `expected <reference> == <literal>, got ${JSON.stringify(text)}`;
  const [, inBraces, bare = "", comparison, literal] = match;
  const reference = parseReference(inBraces ?? bare);
  if (typeof reference === "string") return reference;
  if (comparison === undefined) return { reference };
  const read = readLiteral(literal ?? "");
  if (read === undefined)
    return `expected a literal after ${comparison}, such as 3, true, null or 'text', got ${JSON.stringify(literal ?? "")}`;
  return { reference, comparison: comparison as Comparison, literal: read };
}

export async function isMet({ reference, comparison, literal = null }: Condition, lookup: Lookup): Promise<boolean> {
  const value = (await lookup(reference)) ?? null;
  if (comparison === undefined) return !isEmpty(value);
  if (comparison === "==") return isSame(value, literal);
  if (comparison === "!=") return !isSame(value, literal);
  const [one, other] =
    typeof literal === "number" ? [Number(asText(value)), literal] : [asText(value), asText(literal)];
  if (comparison === "<") return one < other;
  if (comparison === ">") return one > other;
  return comparison === "<=" ? one <= other : one >= other;
}

function readLiteral(text: string): JsonValue | undefined {
  if (text === "" || text.includes("${")) return undefined;
  const quoted = /^'([^']*)'$/s.exec(text);
  if (quoted) return quoted[1];
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    // A single word needs no quotes. Text that looks like several literals is an error.
    return /^[^\s'"<>=!&|]+$/.test(text) ? text : undefined;
  }
}

/** Compares numbers and booleans by their text, since inputs of a form are texts. */
function isSame(value: JsonValue, literal: JsonValue): boolean {
  if (typeof value === "object" || typeof literal === "object")
    return JSON.stringify(value) === JSON.stringify(literal);
  return String(value) === String(literal);
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === false || value === 0 || value === "";
}
