import QuickLRU from "quick-lru";
import { HOST_CHANNELS } from "../host-channels.ts";
import { DEFAULT_ACCOUNT, type Peer } from "../message.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { SessionOptions } from "./options.ts";
import { parseUser, userOf } from "./session-key.ts";

/** A speaker and where they speak, as the runtime knows them. */
export interface MemorySpeaker {
  /** `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  /** The channel's account. Default `default`. */
  readonly account?: string | undefined;
}

export interface MemoryUsersDeps {
  readonly session: Pick<SessionOptions, "identityLinks" | "dmScope">;
  /** Current owners of the assistant, as `channel:id`. */
  ownerIds(): readonly string[];
  /** Whether ids of this channel are case-sensitive. */
  keepsCapitals(channel: string): boolean;
}

export const OWNER_MEMORY = "@owner";
const GROUP_PREFIX = "group:";
/** Users whose plain form is cached, at least. */
const MAX_KEPT = 1000;
/** `cli` is reserved, because the role decides who is at the terminal. */
const RESERVED = /^(?:@|group:|cli$)/;

export type MemoryUsers = ReturnType<typeof createMemoryUsers>;

/**
 * The only place that decides which user a memory belongs to. A linked person has one memory on all channels, under
 * their name. The owner has one under the name that links the owner's ids, or else `@owner`. Each group has its own,
 * and so has each session that the host program names without a user. With the scope `per-account-channel-peer`,
 * accounts keep separate memories as well.
 *
 * Source: docs/memory.md, "Whose memory".
 */
export function createMemoryUsers({ session, ownerIds, keepsCapitals }: MemoryUsersDeps) {
  /** A cache, because a turn asks for a memory's user about twenty times. */
  const plainUsers = new QuickLRU<string, string>({ maxSize: MAX_KEPT });
  const names = new Map<string, string>();
  for (const [name, users] of Object.entries(session.identityLinks ?? {}))
    for (const user of users) names.set(plain(user), namedMemory(name));

  /** The form in which ids compare. Contract: idempotent, so that a memory's id is accepted wherever a person's is. */
  function plain(user: string): string {
    let made = plainUsers.get(user);
    if (made === undefined) {
      const { channel, id } = parseUser(user);
      const [platform = ""] = channel.split("@");
      made = userOf(channel, keepsCapitals(platform) ? id.trim() : id.trim().toLowerCase());
      plainUsers.set(user, made);
    }
    return made;
  }

  function ownersMemory(): string {
    for (const id of ownerIds()) {
      const name = names.get(plain(id));
      if (name !== undefined) return name;
    }
    return OWNER_MEMORY;
  }

  /** The memory that an id means. Names and groups mean themselves. */
  function canonicalUser(userId: string): string {
    if (userId === OWNER_MEMORY) return ownersMemory();
    if (userId.startsWith("@")) return namedMemory(userId.slice(1));
    if (userId.startsWith(GROUP_PREFIX)) return GROUP_PREFIX + plain(userId.slice(GROUP_PREFIX.length));
    const user = plain(userId);
    return names.get(user) ?? (user === "cli" || isOwners(user) ? ownersMemory() : user);
  }

  /** Compares as memories do: in lower case where ids are not case-sensitive. */
  function isOwners(user: string): boolean {
    return ownerIds().some((id) => plain(id) === user);
  }

  /** The memory that a session writes and recalls. */
  function memoryUserOf({ user, channel, peer, roles, account = DEFAULT_ACCOUNT }: MemorySpeaker): string {
    const isApart = session.dmScope === "per-account-channel-peer" && account !== DEFAULT_ACCOUNT;
    if (peer.kind !== "direct") return GROUP_PREFIX + plain(userOf(channel, peer.id));
    const known = names.get(plain(user)) ?? (roles.includes(OWNER_ROLE) ? ownersMemory() : undefined);
    if (known !== undefined) return known;
    const speaker = parseUser(user);
    // The host program names a session but no person in it, so each session counts as a person.
    const person = speaker.id === user && peer.id !== user ? `${user}:${peer.id}` : user;
    const whole = isApart ? `${speaker.channel}@${encodeURIComponent(account)}:${parseUser(person).id}` : person;
    // An id must not read as another kind of memory.
    return RESERVED.test(whole) ? `%${plain(whole)}` : canonicalUser(whole);
  }

  /** The speaker's own memory, also in a group, where it is not the group's. */
  function personOf(speaker: MemorySpeaker): string {
    const peer = { kind: "direct", id: parseUser(speaker.user).id } as const;
    return memoryUserOf(speaker.peer.kind === "direct" ? speaker : { ...speaker, peer });
  }

  /** All users of a memory, as `channel:id`, as far as the configuration knows them. */
  function usersOf(memoryUser: string): readonly string[] {
    const linked = Object.values(session.identityLinks ?? {}).flat();
    return [...new Set([...linked, ...ownerIds()])].filter((user) => canonicalUser(user) === memoryUser);
  }

  /**
   * Whether something is the speaker's own. What the owner's program, terminal or token began has the program as its
   * user and belongs to the owner. The exception is what another person made in a session that the program names.
   */
  function isTheirs(
    speaker: MemorySpeaker,
    { user, roles, session: key }: { user: string; roles: readonly string[]; session?: string | undefined },
  ): boolean {
    if (user === speaker.user) return true;
    const person = personOf(speaker);
    if (canonicalUser(user) === person) return true;
    const isProgram = HOST_CHANNELS.includes(user) && (key === undefined || roles.includes(OWNER_ROLE));
    return isProgram && person === ownersMemory();
  }

  /**
   * Former names of memories, each with its current name: the ids of linked people and of owners, and
   * `@owner` if a name links the owner.
   */
  function renamed(): ReadonlyMap<string, string> {
    const now = new Map<string, string>();
    for (const user of [...names.keys(), ...ownerIds().map(plain), OWNER_MEMORY]) {
      const name = user === OWNER_MEMORY ? ownersMemory() : (names.get(user) ?? ownersMemory());
      if (name !== user && (user === OWNER_MEMORY || !RESERVED.test(user))) now.set(user, name);
    }
    return now;
  }

  return { canonicalUser, memoryUserOf, personOf, usersOf, isTheirs, renamed, keepsCapitals };
}

function namedMemory(name: string): string {
  return `@${name.trim().toLowerCase()}`;
}
