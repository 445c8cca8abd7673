import { messageOf } from "../errors.ts";
import type { JsonValue } from "../store/index.ts";
import { ToolError } from "./tool.ts";

/**
 * Returns a tool's value as JSON. A value that is not JSON fails here instead of in a log later. @throws {ToolError}
 * `BAD_OUTPUT`.
 */
export function asJson(value: unknown, name: string): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    throw new ToolError("BAD_OUTPUT", `${name} returned what is not JSON: ${messageOf(error)}`);
  }
  if (text === undefined) throw new ToolError("BAD_OUTPUT", `${name} returned a ${typeof value}, which is not JSON`);
  return JSON.parse(text) as JsonValue;
}
