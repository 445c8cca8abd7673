import type { LogRecord } from "../../store/index.ts";
import { FORGOTTEN, type Words } from "./words.ts";

/** Keeps the number of a record that cannot be read, and changes nothing. */
export const FILLER: LogRecord = { v: 1, type: "setting", at: 0, settings: {}, by: "runtime" };

/** The ids with which records are appended, by room. */
export function idOf(record: LogRecord): string | undefined {
  const { id, type, part, attempts } = record;
  if (typeof id !== "string") return undefined;
  // A dead letter.
  if (type === undefined && typeof part === "number" && attempts !== undefined) return `${id}.${part}`;
  return id;
}

/** A message that answers them, or shows one of their requests, says nothing any more. */
export function scrubbed(record: LogRecord, words: Words, gone: ReadonlySet<string>, requests?: Words): LogRecord {
  const bare = words.scrub(record);
  const { text } = bare;
  const { thread = "" } = (record["target"] ?? {}) as { readonly thread?: string };
  const shows =
    (typeof record["id"] === "string" && requests?.isNamed(record["id"]) === true) ||
    (requests !== undefined && gone.has(thread));
  return shows && text !== undefined && text !== FORGOTTEN ? { ...bare, text: FORGOTTEN } : bare;
}
