import type { Target } from "../channel.ts";
import { type Value, areObjects, readDocument } from "../store/index.ts";

/** Format version of the documents under `access/`. A newer one is refused. */
export const ACCESS_FORMAT = 1;

/** Somebody who asked to be let in, on one account. */
export interface AskedRecord {
  /** What the owner types. */
  readonly code: string;
  /** The platform's stable id of who asks. */
  readonly id: string;
  /** What they call themselves; for people's eyes only. */
  readonly name?: string;
  /** Where they are told. */
  readonly target: Target;
  readonly language: "en" | "zh";
  readonly requestedAt: number;
  readonly expiresAt: number;
  /** The messages about it are queued. */
  readonly shown?: true;
}

/** How a request ended, kept for a day: a second answer hears that it is one, and who was denied does not ask again. */
export interface EndedRecord {
  readonly code: string;
  readonly id: string;
  readonly how: "approved" | "denied" | "expired";
  /** `channel:id` of who answered. */
  readonly by?: string;
  readonly at: number;
}

/** Somebody whom the owner let in, on one account. */
export interface PersonRecord {
  readonly id: string;
  readonly name?: string;
  readonly by: string;
  readonly at: number;
}

/** One channel account: a document, so that what is bounded in number is bounded for every process. */
export interface AccountRecord {
  readonly v: typeof ACCESS_FORMAT;
  readonly channel: string;
  readonly account: string;
  /** Oldest first. */
  readonly asked: readonly AskedRecord[];
  readonly ended: readonly EndedRecord[];
  readonly people: readonly PersonRecord[];
}

/** Who became the owner by a code, or the code that is waiting for somebody to. */
export interface OwnerRecord {
  readonly v: typeof ACCESS_FORMAT;
  readonly owners: readonly { readonly user: string; readonly at: number }[];
  /** SHA-256 of the code: whoever reads the store does not have it. */
  readonly code?: { readonly hash: string; readonly expiresAt: number };
}

/** @throws {AssistantError} `FORMAT_TOO_NEW`; `STORE_UNSUITABLE` for what is no such document. */
export function parseAccount(value: Value, key: string): AccountRecord {
  return readDocument(
    value,
    key,
    ACCESS_FORMAT,
    ({ channel, account, asked, ended, people }) =>
      typeof channel === "string" &&
      typeof account === "string" &&
      [asked, ended, people].every((list) => areObjects(list, ({ id }) => typeof id === "string")),
  ) as unknown as AccountRecord; // written by this room alone
}

/** @throws {AssistantError} As `parseAccount`. */
export function parseOwner(value: Value, key: string): OwnerRecord {
  return readDocument(value, key, ACCESS_FORMAT, ({ owners }) =>
    areObjects(owners, ({ user }) => typeof user === "string"),
  ) as unknown as OwnerRecord; // written by this room alone
}
