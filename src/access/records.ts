import type { Target } from "../channel.ts";
import { type Value, areObjects, readDocument } from "../store/index.ts";

/** Format version of the documents under `access/`. A newer one is refused. */
export const ACCESS_FORMAT = 1;

/** A person who asked to be let in, on one account. */
export interface AskedRecord {
  /** The code that the owner types. */
  readonly code: string;
  /** The platform's stable id of the person. */
  readonly id: string;
  /** The person's display name; only for people to read. */
  readonly name?: string;
  /** Address for the answer. */
  readonly target: Target;
  readonly language: "en" | "zh";
  readonly requestedAt: number;
  readonly expiresAt: number;
  /** Whether the messages about it are queued. */
  readonly shown?: true;
}

/** How a request ended. Kept for a day, so that a second answer is recognized and a denied person cannot ask again. */
export interface EndedRecord {
  readonly code: string;
  readonly id: string;
  readonly how: "approved" | "denied" | "expired";
  /** The person who answered, as `channel:id`. */
  readonly by?: string;
  readonly at: number;
}

/** A person whom the owner let in, on one account. */
export interface PersonRecord {
  readonly id: string;
  readonly name?: string;
  readonly by: string;
  readonly at: number;
}

/** A channel account. It is one document, so that its limits hold for every process. */
export interface AccountRecord {
  readonly v: typeof ACCESS_FORMAT;
  readonly channel: string;
  readonly account: string;
  /** Oldest first. */
  readonly asked: readonly AskedRecord[];
  readonly ended: readonly EndedRecord[];
  readonly people: readonly PersonRecord[];
}

/** Owners from a code, or the code that can still be used. */
export interface OwnerRecord {
  readonly v: typeof ACCESS_FORMAT;
  readonly owners: readonly { readonly user: string; readonly at: number }[];
  /** SHA-256 of the code, so that reading the store does not reveal it. */
  readonly code?: { readonly hash: string; readonly expiresAt: number };
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for an invalid document. */
export function parseAccount(value: Value, key: string): AccountRecord {
  return readDocument(
    value,
    key,
    ACCESS_FORMAT,
    ({ channel, account, asked, ended, people }) =>
      typeof channel === "string" &&
      typeof account === "string" &&
      [asked, ended, people].every((list) => areObjects(list, ({ id }) => typeof id === "string")),
  ) as unknown as AccountRecord; // only this room writes it
}

/** @throws {AssistantError} As `parseAccount`. */
export function parseOwner(value: Value, key: string): OwnerRecord {
  return readDocument(value, key, ACCESS_FORMAT, ({ owners }) =>
    areObjects(owners, ({ user }) => typeof user === "string"),
  ) as unknown as OwnerRecord; // only this room writes it
}
