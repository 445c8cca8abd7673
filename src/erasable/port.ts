import type { JsonValue } from "../store/index.ts";
import type { Words } from "./words.ts";

/** A person who is being erased, in the terms that rooms use. */
export interface ForgottenPerson {
  /** The name of their memory, such as `telegram:42` or `@name`. */
  readonly userId: string;
  /** Whether their memory is the owner's. It is erased; the ownership of the assistant stays. */
  readonly isOwner: boolean;
  /** Whether this user, as `channel:id`, is the person. */
  isUser(user: string): boolean;
  /** Keys of the sessions of the person alone. */
  readonly sessions: ReadonlySet<string>;
  /** Outbox logs of chats in which only the person was answered. */
  readonly chats: ReadonlySet<string>;
  /** Ids of their messages, ids and codes of their approval requests, and names of work for them. */
  readonly requests: ReadonlySet<string>;
  /** Words that name the person and nobody else. */
  readonly words: Words;
  /** Whether a segment of a store's key is the person. `before`: the segments before it. */
  isNamedBy(segment: string, before: readonly string[]): boolean;
}

/** A room that stores something about people. Each room removes its own keys and knows no other room's keys. */
export interface Erasable {
  /**
   * Removes the person's data, and redacts their names in what stays. Contract: can be called again, also after a crash
   * in between.
   */
  forget(person: ForgottenPerson): Promise<void>;
}

/** A room that says things in shared places under its own ids. */
export interface Named {
  /**
   * Ids, or prefixes of ids, under which something of the person was said. Contract: called before anything of theirs
   * is removed.
   */
  namesOf(person: Pick<ForgottenPerson, "isUser" | "sessions">): Promise<readonly string[]>;
}

/** A person whose data is exported, in the terms that rooms use. */
export type ExportedPerson = Pick<ForgottenPerson, "userId" | "isOwner" | "isUser" | "sessions">;

/** One stored item of a person, as plain JSON. */
export type Exported = Readonly<Record<string, JsonValue>>;

/** A room that exports what it stores about a person: the counterpart of `Erasable`. Each room reads its own keys. */
export interface Exportable {
  /** Exports all that the room stores about the person alone, unchanged. Contract: changes nothing. */
  exportPerson(person: ExportedPerson): AsyncIterable<Exported>;
}

/** A room that stores something under the name of a person's memory and can move it to another name. */
export interface Movable {
  /**
   * Moves all data of one name to another name of the same person, joined with the data there.
   * Contract: nothing of either is lost or duplicated, and an original is removed only after its copy was read back. It
   * can be called again, also after a crash in between, and does nothing when there is no data.
   * @returns Number of moved items.
   * @throws {AssistantError} `CONFLICT` for data that cannot be joined: it stays where it is, and all else has moved.
   */
  moveUser(from: string, to: string): Promise<number>;
}
