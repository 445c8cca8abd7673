import type { JsonValue } from "../store/index.ts";

type PathPart = string | number;

/** Location of a value of a run. */
export interface Reference {
  readonly root: "inputs" | "steps" | "item" | "index" | "run";
  /** Id of the step, for the root `steps`. */
  readonly step?: string;
  /** Path from the root; for `steps`, from the step. */
  readonly path: readonly PathPart[];
}

/** Resolves references. Asynchronous, since long outputs are read on demand. */
export type Lookup = (reference: Reference) => Promise<JsonValue | undefined>;

/** Fields of a step that references may use. */
const STEP_FIELDS: readonly PathPart[] = ["output", "error", "status"];

const ROOTS: readonly string[] = ["inputs", "steps", "item", "index", "run"];
/** `$${` stands for `${`; a single `${` is an error. */
const TEMPLATE = /\$\$\{|\$\{([^{}]*)\}|\$\{/g;
const UNCLOSED = 'a reference is not closed; "$${" stands for "${"';
const WHOLE = /^\$\{([^{}]*)\}$/;
const PART = /^(?:\.?([\p{L}_][\p{L}\p{M}\p{N}_-]*|\d+)|\[(\d+)\]|\["([^"\\]*)"\])/u;

/**
 * Parses a reference: names and numbers after dots, or in brackets.
 *
 * @returns The problem as a sentence, if the text is no reference.
 * @example
 * ```ts
 * parseReference("steps.fetch.output.items[0].name");
 * ```
 */
export function parseReference(text: string): Reference | string {
  const parts: PathPart[] = [];
  let rest = text.trim();
  while (rest !== "") {
    const match = PART.exec(rest);
    if (!match)
      return `${JSON.stringify(text)} is not a reference: expected one such as steps.fetch.output.title or inputs.topic`;
    const [whole, name, index, quoted] = match;
    parts.push(
      index !== undefined ? Number(index) : (quoted ?? (/^\d+$/.test(name ?? "") ? Number(name) : (name ?? ""))),
    );
    rest = rest.slice(whole.length);
  }
  const [root, ...path] = parts;
  if (typeof root !== "string" || !ROOTS.includes(root))
    return `${JSON.stringify(text)} does not begin with one of ${ROOTS.join(", ")}`;
  if (root !== "steps") return { root: root as Reference["root"], path };
  const [step, field = "output", ...inside] = path;
  if (typeof step !== "string") return `${JSON.stringify(text)} does not name a step: expected steps.<id>.output`;
  if (!STEP_FIELDS.includes(field))
    return `${JSON.stringify(text)}: a step has ${STEP_FIELDS.join(", ")}, not ${JSON.stringify(field)}`;
  return { root, step, path: [field, ...inside] };
}

/** All references in a value, or their problems, with their paths. */
export function referencesIn(
  value: JsonValue | undefined,
  at: readonly PathPart[] = [],
): { readonly at: readonly PathPart[]; readonly reference: Reference | string }[] {
  if (typeof value === "string")
    return [...value.matchAll(TEMPLATE)].flatMap(([whole, text]) =>
      whole === "$${" ? [] : [{ at, reference: text === undefined ? UNCLOSED : parseReference(text) }],
    );
  if (Array.isArray(value)) return value.flatMap((one, index) => referencesIn(one, [...at, index]));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => referencesIn(one, [...at, name]));
}

/**
 * Fills in the references of a value. A text that is a single reference becomes the value itself. Within a longer text,
 * other values than texts are written as JSON, and missing values as nothing.
 *
 * @param shown Formats a value within a text. Default: as above.
 */
export async function fillIn(
  value: JsonValue,
  lookup: Lookup,
  shown: (value: JsonValue, reference: Reference) => string = asText,
): Promise<JsonValue> {
  if (typeof value === "string") {
    const whole = WHOLE.exec(value);
    if (whole && shown === asText) return (await lookup(known(whole[1] ?? ""))) ?? null;
    return fillText(value, lookup, shown);
  }
  if (Array.isArray(value)) return Promise.all(value.map((one) => fillIn(one, lookup, shown)));
  if (typeof value !== "object" || value === null) return value;
  const filled = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [name, await fillIn(one ?? null, lookup, shown)] as const),
  );
  return Object.fromEntries(filled);
}

/** Fills in the references of a text. */
export async function fillText(
  text: string,
  lookup: Lookup,
  shown: (value: JsonValue, reference: Reference) => string = asText,
): Promise<string> {
  let filled = "";
  let end = 0;
  for (const match of text.matchAll(TEMPLATE)) {
    const [whole, inside = ""] = match;
    filled += text.slice(end, match.index);
    end = match.index + whole.length;
    if (whole.endsWith("${")) filled += "${";
    else {
      const reference = known(inside);
      const value = await lookup(reference);
      filled += value === undefined || value === null ? "" : shown(value, reference);
    }
  }
  return filled + text.slice(end);
}

/** Fills in the known values of a text for people. References without a value yet stay as they are written. */
export function fillKnown(text: string, known: (reference: Reference) => JsonValue | undefined): string {
  return text.replace(TEMPLATE, (whole, inside = "") => {
    if (whole.endsWith("${")) return "${";
    const reference = parseReference(inside);
    const value = typeof reference === "string" ? undefined : known(reference);
    return value === undefined ? whole : value === null ? "" : asText(value);
  });
}

/** Reads a value at a path. Only own properties are found. */
export function valueAt(value: JsonValue | undefined, path: readonly PathPart[]): JsonValue | undefined {
  let found = value;
  for (const part of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<PathPart, JsonValue>>)[part];
  }
  return found;
}

export function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Throws on an invalid reference: definitions were checked before. */
function known(text: string): Reference {
  const reference = parseReference(text);
  if (typeof reference === "string") throw new TypeError(reference);
  return reference;
}
