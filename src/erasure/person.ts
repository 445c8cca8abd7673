import type { ForgottenPerson, Words } from "../erasable/index.ts";
import type { IsTheirs, MemoryUsers } from "../session/index.ts";
import { keyPartsOf, wordsOf } from "./person-words.ts";

/** Facts about the person that are collected during the erasure. */
export interface Person {
  readonly userId: string;
  readonly isUser: (user: string) => boolean;
  /** Whether ids of this channel differ by letter case. */
  readonly keepsCapitals: (channel: string) => boolean;
  readonly isTheirs: IsTheirs;
  /** `channel:id`s as written. */
  readonly ids: Set<string>;
  /** Keys of removed conversations, under which other rooms store data. */
  readonly sessions: Set<string>;
  /** Logs of the chats in which only the person was answered. */
  readonly chats: Set<string>;
  /** Ids of their messages and approval requests, and names of work for them, whose texts were sent to others. */
  readonly requests: Set<string>;
  /** All other people found, and their groups. */
  readonly others: Set<string>;
}

/** The sets that are saved. */
const SETS = ["ids", "sessions", "chats", "requests"] as const;
/** State that is written before anything is removed. */
export type SavedPerson = { readonly userId: string; readonly given: string } & Readonly<
  Record<(typeof SETS)[number], readonly string[]>
>;

/** @param saved State from before a crash, possibly about another person. */
export function personOf(users: MemoryUsers, userId: string, given: string, saved: Partial<SavedPerson>): Person {
  const ids = new Set([userId, given, ...users.usersOf(userId)]);
  const isUser = (user: string) => {
    const isIt = users.canonicalUser(user) === userId;
    if (isIt) ids.add(user);
    return isIt;
  };
  const isTheirs: IsTheirs = (message) => {
    const isIt = users.memoryUserOf(message) === userId;
    if (isIt) ids.add(message.user);
    return isIt || isUser(message.user);
  };
  const person: Person = {
    userId,
    isUser,
    isTheirs,
    keepsCapitals: users.keepsCapitals,
    ids,
    sessions: new Set(),
    chats: new Set(),
    requests: new Set(),
    others: new Set(),
  };
  if (saved.userId === userId) for (const name of SETS) for (const known of saved[name] ?? []) person[name].add(known);
  return person;
}

/** Words that name the person and nobody else. */
export function namesOf(ids: Iterable<string>, { others, keepsCapitals }: Person): Words {
  const shared = new Set([...others].map((other) => other.slice(other.lastIndexOf(":") + 1).toLowerCase()));
  return wordsOf(ids, shared, keepsCapitals);
}

/**
 * The person in the terms that rooms use. The matcher of keys is built at its first use, from the ids found until then.
 */
export function forgottenPerson(person: Person, words: Words, isOwner: boolean): ForgottenPerson {
  const { userId, isUser, sessions, chats, requests } = person;
  let isNamedBy: ForgottenPerson["isNamedBy"] | undefined;
  return {
    userId,
    isOwner,
    isUser,
    sessions,
    chats,
    requests,
    words,
    isNamedBy(segment, before) {
      isNamedBy ??= keyPartsOf(person.ids, person.keepsCapitals);
      return isNamedBy(segment, before);
    },
  };
}

/** The state to write, so that a crash does not leave the erasure half done. */
export function savedOf(person: Person, given: string): SavedPerson {
  const { ids, sessions, chats, requests } = person;
  return {
    userId: person.userId,
    given,
    ids: [...ids],
    sessions: [...sessions],
    chats: [...chats],
    requests: [...requests],
  };
}
