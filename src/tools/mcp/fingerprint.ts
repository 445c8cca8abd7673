import { visibleLine } from "../../call-text.ts";
import { sha256 } from "../../hash.ts";
import { canonicalJson } from "../../store/index.ts";
import type { JsonValue } from "../../store/index.ts";

/** The parts of a tool's definition that the model or a person acts on. */
export interface McpDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonValue;
  readonly annotations: JsonValue;
}

/**
 * SHA-256 of a definition in canonical JSON, as 64 hex digits: changes with any word, but not with the order of keys.
 */
export function fingerprintOf({ name, description, inputSchema, annotations }: McpDefinition): Promise<string> {
  return sha256(canonicalJson({ name, description, inputSchema, annotations }));
}

/**
 * Lists the differences between two definitions of one tool, one line each, uncut: the approver must see everything
 * that they approve. Invisible characters are written as escapes.
 */
export function changesBetween(before: McpDefinition | undefined, after: McpDefinition): readonly string[] {
  if (before === undefined) {
    return [
      "This tool is new",
      `description: ${visibleLine(after.description)}`,
      `inputSchema: ${visibleLine(canonicalJson(after.inputSchema))}`,
      `annotations: ${visibleLine(canonicalJson(after.annotations))}`,
    ];
  }
  const changes: string[] = [];
  const compare = (what: string, was: string, is: string) => {
    if (was !== is) changes.push(`${what} was: ${visibleLine(was)}`, `${what} is: ${visibleLine(is)}`);
  };
  compare("description", before.description, after.description);
  compare("inputSchema", canonicalJson(before.inputSchema), canonicalJson(after.inputSchema));
  compare("annotations", canonicalJson(before.annotations), canonicalJson(after.annotations));
  return changes;
}
