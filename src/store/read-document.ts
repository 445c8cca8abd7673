import { AssistantError } from "../errors.ts";
import type { JsonValue, Store } from "./port.ts";

/** A JSON object whose fields have not been checked. */
export type UnknownObject = Readonly<Record<string, unknown>>;

/**
 * Checks a document that a room stored.
 *
 * @param isRight Whether the document has all that the room reads.
 * @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` if the document was damaged or changed by hand.
 */
export function readDocument(
  value: unknown,
  key: string,
  format: number,
  isRight: (document: UnknownObject) => boolean,
): UnknownObject {
  const document = isObject(value) ? value : {};
  refuseNewer(document["v"], format, key);
  if (isRight(document)) return document;
  throw unreadable(key);
}

export function unreadable(key: string): AssistantError {
  return new AssistantError(
    "STORE_UNSUITABLE",
    `Cannot read ${key}: it was damaged or changed by hand. Repair it, or remove it to start over`,
  );
}

/**
 * Refuses a format newer than `format`. @param what Name of the data in the message. @throws {AssistantError}
 * `FORMAT_TOO_NEW`.
 */
export function refuseNewer(v: unknown, format: number, what: string): void {
  if (typeof v === "number" && v > format)
    throw new AssistantError(
      "FORMAT_TOO_NEW",
      `Cannot read ${what} as its format ${v} is newer than ${format}: run the newer version of wakeful that wrote it`,
    );
}

/** Reads a document that can be rebuilt from others. A document that cannot be read is removed. */
export async function getIndex(store: Pick<Store, "get" | "remove">, key: string): ReturnType<Store["get"]> {
  try {
    return await store.get(key);
  } catch (error) {
    if (!AssistantError.is(error, "STORE_UNSUITABLE")) throw error;
    await store.remove(key);
    return null;
  }
}

export function isObject(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue | undefined };
export function isObject(value: unknown): value is UnknownObject;
export function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the value is a list of objects that all pass `isRight`. */
export function areObjects(value: unknown, isRight: (one: UnknownObject) => boolean = () => true): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && isRight(one));
}

/** Returns all strings in a value, at any depth. */
export function allTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(allTexts) : [];
}

/** Returns the strings in a list; none if the value is not a list. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
