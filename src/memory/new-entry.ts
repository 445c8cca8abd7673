import type { Clock } from "../clock.ts";
import { AssistantError } from "../errors.ts";
import { newId } from "../ids.ts";
import type { MemoryEntry, NewMemory, Slots, TimeInput } from "./entry.ts";
import { TIME_FORMS, parseTime } from "./time-input.ts";

export const MAX_CONTENT_BYTES = 32_768;
export const MAX_KEYWORDS = 64;
const MAX_KEYWORD_CHARS = 128;
const MAX_SLOTS_BYTES = 8192;
export const MAX_ID_CHARS = 200;
/** Names of conversations and people on a platform have up to 512 characters. */
const MAX_USER_CHARS = 600;

/**
 * Makes an entry from a caller's input, with defaults for missing fields.
 * @throws {AssistantError} `OPTION_INVALID` naming the field.
 */
export function newEntry(input: NewMemory, clock: Pick<Clock, "now">): MemoryEntry {
  if (typeof input !== "object" || input === null) throw invalid("entry", "an object", input);
  const userId = checkId("userId", input.userId);
  const content = checkContent(input.content);
  const keywords = checkKeywords(input.keywords ?? []);
  const slots = checkSlots(input.slots ?? {});
  const createdAt = checkTime("createdAt", input.createdAt) ?? new Date(clock.now());
  const updatedAt = checkTime("updatedAt", input.updatedAt) ?? createdAt;
  const expiresAt = checkTime("expiresAt", input.expiresAt);
  return {
    id: input.id === undefined ? newId(clock) : checkId("id", input.id),
    userId,
    content,
    keywords,
    slots,
    createdAt,
    updatedAt,
    ...(expiresAt && { expiresAt }),
  };
}

export function checkId(field: string, value: unknown): string {
  const max = field === "userId" ? MAX_USER_CHARS : MAX_ID_CHARS;
  if (typeof value === "string" && value !== "" && value.length <= max) return value;
  throw invalid(field, `a text of 1 to ${max} characters`, value);
}

export function checkContent(value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") throw invalid("content", "a text that is not blank", value);
  refuseLong("content", value, MAX_CONTENT_BYTES);
  return value;
}

export function checkKeywords(value: unknown): readonly string[] {
  const fits = (word: unknown) => typeof word === "string" && word.length <= MAX_KEYWORD_CHARS;
  if (Array.isArray(value) && value.length <= MAX_KEYWORDS && value.every(fits)) return [...(value as string[])];
  throw invalid("keywords", `at most ${MAX_KEYWORDS} texts of at most ${MAX_KEYWORD_CHARS} characters`, value);
}

export function checkSlots(value: unknown): Slots {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid("slots", "an object of JSON values", value);
  let json: string;
  try {
    json = JSON.stringify(value);
  } catch {
    throw new AssistantError(
      "OPTION_INVALID",
      "Invalid slots: expected JSON values, but they contain themselves or a bigint",
    );
  }
  refuseLong("slots", json, MAX_SLOTS_BYTES);
  return JSON.parse(json) as Slots;
}

export function checkTime(field: string, value: TimeInput | undefined): Date | undefined {
  if (value === undefined) return undefined;
  const time = parseTime(value);
  if (time === undefined) throw invalid(field, TIME_FORMS, value);
  return time;
}

function refuseLong(field: string, text: string, mostBytes: number): void {
  if (text.length * 3 <= mostBytes) return;
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > mostBytes)
    throw new AssistantError("OPTION_INVALID", `Invalid ${field}: expected at most ${mostBytes} bytes, got ${bytes}`);
}

function invalid(field: string, expected: string, value: unknown): AssistantError {
  const shown =
    typeof value === "string" || typeof value === "number" ? JSON.stringify(value).slice(0, 80) : typeName(value);
  return new AssistantError("OPTION_INVALID", `Invalid ${field}: expected ${expected}, got ${shown}`);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value instanceof Date) return "an invalid date";
  return typeof value;
}
