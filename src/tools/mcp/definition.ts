import { type JsonValue, isObject } from "../../store/index.ts";
import type { McpDefinition } from "./fingerprint.ts";
import type { McpListedTool } from "../../libraries.ts";

/** Longest description and schema in characters: a longer one could not be shown whole to the approver. */
const MAX_DESCRIPTION = 16_384;
const MAX_SCHEMA = 65_536;
const MAX_NAME = 256;

export type ReadDefinition =
  | { readonly ok: true; readonly definition: McpDefinition }
  | { readonly ok: false; readonly name: string; readonly reason: string };

/** Reads a listed tool, or says why it cannot be offered. Never throws. */
export function readDefinition(listed: McpListedTool): ReadDefinition {
  const { name, description = "", inputSchema, annotations = null } = listed;
  const refuse = (reason: string): ReadDefinition => ({
    ok: false,
    name: typeof name === "string" ? name.slice(0, 64) : "a tool without a name",
    reason,
  });
  if (typeof name !== "string" || name === "" || name.length > MAX_NAME)
    return refuse(`its name must be 1 to ${MAX_NAME} characters`);
  if (typeof description !== "string" || description.length > MAX_DESCRIPTION)
    return refuse(`its description is longer than ${MAX_DESCRIPTION} characters`);
  const text = JSON.stringify({ inputSchema, annotations });
  if (text.length > MAX_SCHEMA) return refuse(`its input schema is longer than ${MAX_SCHEMA} characters`);
  const copy = JSON.parse(text) as { inputSchema?: JsonValue; annotations: JsonValue };
  if (!isObject(copy.inputSchema) || (copy.inputSchema["type"] ?? "object") !== "object")
    return refuse("its input schema is not that of an object");
  return {
    ok: true,
    definition: { name, description, inputSchema: copy.inputSchema, annotations: copy.annotations },
  };
}
