import type { MemoryApi } from "../../memory/index.ts";
import type { Sessions } from "../../session/index.ts";
import { type Store, storeKey } from "../../store/index.ts";
import type { MemoryPeople } from "../memory-people.ts";
import type { SavedRequest } from "./requests.ts";
import type { IsTheirs } from "./traces.ts";
import { NOBODY, type Words, wordsOf } from "./words.ts";

export interface DiscoveryParts {
  readonly store: Pick<Store, "get" | "list">;
  readonly sessions: Pick<Sessions, "list" | "scan">;
  readonly memory: Pick<MemoryApi, "users">;
  readonly people: MemoryPeople;
}

/** What is known of the person while it is done. */
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
  /** Ids of their messages, and of their requests for approval, whose texts were sent to others. */
  readonly requests: Set<string>;
  /** Everybody else who was met meanwhile, and their groups. */
  readonly others: Set<string>;
}

/** What else names them, or is of them alone. */
const SETS = ["ids", "sessions", "chats", "requests"] as const;
/** What is written down of them before anything goes. */
export type SavedPerson = { readonly userId: string; readonly given: string } & Readonly<
  Record<(typeof SETS)[number], readonly string[]>
>;

/** Who is it, and what in the store has to do with them? Nothing is changed here. */
export function createDiscovery({ store, sessions, memory, people }: DiscoveryParts) {
  /** @param saved What was found before a crash, of whomever it was. */
  function personOf(userId: string, given: string, saved: Partial<SavedPerson>): Person {
    const ids = new Set([userId, given, ...people.usersOf(userId)]);
    const isUser = (user: string) => {
      const isIt = people.canonicalUser(user) === userId;
      if (isIt) ids.add(user);
      return isIt;
    };
    const isTheirs: IsTheirs = (message) => {
      const isIt = people.memoryUserOf(message) === userId;
      if (isIt) ids.add(message.user);
      return isIt || isUser(message.user);
    };
    const person: Person = {
      userId,
      isUser,
      isTheirs,
      keepsCapitals: people.keepsCapitals,
      ids,
      sessions: new Set(),
      chats: new Set(),
      requests: new Set(),
      others: new Set(),
    };
    if (saved.userId === userId)
      for (const name of SETS) for (const known of saved[name] ?? []) person[name].add(known);
    return person;
  }

  /** Looks for everything that has to do with them before anything goes. */
  async function discover(person: Person) {
    const theirs: string[] = [];
    const shared: string[] = [];
    for await (const other of memory.users()) if (!person.isUser(other)) person.others.add(other);
    for (const { key } of await sessions.list({ limit: Infinity })) {
      const whose = await whoseIs(key, person);
      if (whose === "others") continue;
      (whose === "theirs" ? theirs : shared).push(key);
      if (whose === "theirs") person.sessions.add(key);
      for await (const record of sessions.scan(key)) {
        if (record.type !== "in" || !person.isTheirs(record)) continue;
        person.requests.add(record.id);
        if (whose === "theirs" && record.target) person.chats.add(chatOf(record.target));
      }
    }
    for await (const { key } of store.list("approvals/requests/")) {
      const { id, code, caller } = ((await store.get(key))?.value ?? {}) as SavedRequest;
      const { user = "", speakers = [], sessionKey = "" } = caller ?? {};
      if (!person.sessions.has(sessionKey) && ![user, ...speakers].some(person.isUser)) continue;
      for (const name of [id, code]) if (name !== undefined) person.requests.add(name);
    }
    return { theirs, shared };
  }

  /** A conversation is theirs when nobody else speaks in it. */
  async function whoseIs(
    key: string,
    { isTheirs, isUser, userId, others }: Person,
  ): Promise<"theirs" | "shared" | "others"> {
    let [own, foreign] = [0, 0];
    for await (const record of sessions.scan(key)) {
      if (record.type !== "in" && record.type !== "heard") continue;
      if (record.user === NOBODY) continue;
      const isOwn = record.type === "in" ? isTheirs(record) : isUser(record.user);
      // A group that is forgotten: all that was said in it.
      if (record.type === "in" && record.peer.kind !== "direct" && people.memoryUserOf(record) === userId)
        return "theirs";
      if (isOwn) own += 1;
      else foreign += 1;
      if (!isOwn) others.add(record.user);
      if (record.type === "in" && record.peer.kind !== "direct") others.add(people.memoryUserOf(record));
    }
    if (own === 0) return "others";
    return foreign === 0 && !/:(?:group|channel):/.test(key) ? "theirs" : "shared";
  }

  return { personOf, discover };
}

/** What names the person and nobody else. */
export function namesOf(ids: Iterable<string>, { others, keepsCapitals }: Person): Words {
  const shared = new Set([...others].map((other) => other.slice(other.lastIndexOf(":") + 1).toLowerCase()));
  return wordsOf(ids, shared, keepsCapitals);
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

/** The log of a chat's outbox. */
function chatOf({
  channel,
  account,
  chat,
}: {
  readonly channel: string;
  readonly account: string;
  readonly chat: string;
}): string {
  return storeKey("outbox", channel, account, `${chat}.jsonl`);
}
