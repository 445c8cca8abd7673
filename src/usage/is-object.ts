import type { JsonValue } from "../store/index.ts";

export function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue | undefined } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
