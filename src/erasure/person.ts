import type { ForgottenPerson, Words } from "../erasable/index.ts";
import type { IsTheirs, MemoryUsers } from "../session/index.ts";
import { keyPartsOf, wordsOf } from "./person-words.ts";

/** What is known of the person while they are being forgotten. */
export interface Person {
  readonly userId: string;
  readonly isUser: (user: string) => boolean;
  /** Do ids of this channel differ by letter case? */
  readonly keepsCapitals: (channel: string) => boolean;
  readonly isTheirs: IsTheirs;
  /** `channel:id`s, as they were written. */
  readonly ids: Set<string>;
  /** Keys of conversations that went, and what is kept under them elsewhere. */
  readonly sessions: Set<string>;
  /** Logs of the chats in which they alone were answered. */
  readonly chats: Set<string>;
  /** Ids of their messages and requests for approval, and names of what worked for them, whose texts were sent to others. */
  readonly requests: Set<string>;
  /** Everyone else who was met meanwhile, and their groups. */
  readonly others: Set<string>;
}

/** What else names them, or is of them alone. */
const SETS = ["ids", "sessions", "chats", "requests"] as const;
/** What is written down of them before anything goes. */
export type SavedPerson = { readonly userId: string; readonly given: string } & Readonly<
  Record<(typeof SETS)[number], readonly string[]>
>;

/** @param saved What was found before a crash, of whichever person that was about. */
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

/** What names the person and no other. */
export function namesOf(ids: Iterable<string>, { others, keepsCapitals }: Person): Words {
  const shared = new Set([...others].map((other) => other.slice(other.lastIndexOf(":") + 1).toLowerCase()));
  return wordsOf(ids, shared, keepsCapitals);
}

/** The person as the rooms know them. Keys are compared with the ids that were met until the first key is looked at. */
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

/** So that a crash does not leave it half done. */
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
