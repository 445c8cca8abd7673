import type { JsonValue } from "../store/index.ts";
import type { Words } from "./words.ts";

/** A person who is being forgotten, as the rooms know them that keep something of theirs. */
export interface ForgottenPerson {
  /** Whose memory goes, as `telegram:42` or `@name`. */
  readonly userId: string;
  /** Their memory is the owner's: it goes, and who owns the assistant stays. */
  readonly isOwner: boolean;
  /** Is this user, as `channel:id`, the person? */
  isUser(user: string): boolean;
  /** Keys of the sessions that were theirs alone. */
  readonly sessions: ReadonlySet<string>;
  /** Logs of the outboxes of chats in which they alone were answered. */
  readonly chats: ReadonlySet<string>;
  /** Ids of their messages, ids and codes of their requests for approval, and names of what worked for them. */
  readonly requests: ReadonlySet<string>;
  /** What names them and no other person. */
  readonly words: Words;
  /** Does a segment of a store's key stand for them as a whole? `before`: the segments before it. */
  isNamedBy(segment: string, before: readonly string[]): boolean;
}

/** What keeps something of people. Each room removes its own keys; no room knows the keys of another. */
export interface Erasable {
  /** Removes what is theirs, and takes their names out of what stays. Contract: can be called again, also after a crash in the middle of it. */
  forget(person: ForgottenPerson): Promise<void>;
}

/** What says things where others read along, under ids of its own. */
export interface Named {
  /** What ids begin with, or are, under which something of the person was said. Contract: asked before anything of them goes. */
  namesOf(person: Pick<ForgottenPerson, "isUser" | "sessions">): Promise<readonly string[]>;
}

/** A person who is given all that is kept of them, as the rooms know them that keep it. */
export type ExportedPerson = Pick<ForgottenPerson, "userId" | "isOwner" | "isUser" | "sessions">;

/** One thing that is kept of a person, as plain JSON. */
export type Exported = Readonly<Record<string, JsonValue>>;

/** What keeps something of people and gives it out: the other side of `Erasable`. Each room reads its own keys. */
export interface Exportable {
  /** All that the room keeps of the person alone, as it stands. Contract: changes nothing. */
  exportPerson(person: ExportedPerson): AsyncIterable<Exported>;
}

/** What keeps something under a person's name of memory, and hands it on when the person has another name. */
export interface Movable {
  /**
   * Gives all that is kept under one name to another name of the same person, joined with what is kept there.
   * Contract: nothing of either is lost or doubled, and an original goes only once its copy was read back; it can be called again, also after a crash in the
   * middle of it, and does nothing when there is nothing.
   * @returns How many things moved. @throws {AssistantError} `CONFLICT` for what cannot be joined: it stays where it is, everything else has moved.
   */
  moveUser(from: string, to: string): Promise<number>;
}
