import QuickLRU from "quick-lru";
import { HOST_CHANNELS } from "../host-channels.ts";
import { DEFAULT_ACCOUNT, type Peer } from "../message.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { SessionOptions } from "./options.ts";
import { parseUser, userOf } from "./session-key.ts";

/** Who speaks where, as the runtime knows it. */
export interface MemorySpeaker {
  /** As `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
  /** Which of a channel's accounts. Default `default`. */
  readonly account?: string | undefined;
}

export interface MemoryUsersDeps {
  readonly session: Pick<SessionOptions, "identityLinks" | "dmScope">;
  /** Who owns the assistant now, as `channel:id`. */
  ownerIds(): readonly string[];
  /** Do ids of this channel differ by letter case? */
  keepsCapitals(channel: string): boolean;
}

export const OWNER_MEMORY = "@owner";
const GROUP_PREFIX = "group:";
/** Users whose plain form is kept, at least. */
const MAX_KEPT = 1000;
/** Who is at the terminal is known by their role. */
const RESERVED = /^(?:@|group:|cli$)/;

export type MemoryUsers = ReturnType<typeof createMemoryUsers>;

/**
 * Whose memory it is. A linked person has one memory on all channels, under their name; so has the owner, under the name that links the owner's ids, else
 * `@owner`. A group has one of its own, and so has each conversation that the host program names without a user. Where accounts keep conversations apart
 * (`per-account-channel-peer`) they keep memories apart.
 *
 * Source: docs/memory.md, "Whose memory".
 */
export function createMemoryUsers({ session, ownerIds, keepsCapitals }: MemoryUsersDeps) {
  /** A turn asks some twenty times whose memory it is. */
  const plainUsers = new QuickLRU<string, string>({ maxSize: MAX_KEPT });
  const names = new Map<string, string>();
  for (const [name, users] of Object.entries(session.identityLinks ?? {}))
    for (const user of users) names.set(plain(user), namedMemory(name));

  /** As ids compare. Contract: what it gives it gives again, so that a memory's id can be handed in wherever a person's can. */
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

  /** The memory that an id means; names and groups mean themselves. */
  function canonicalUser(userId: string): string {
    if (userId === OWNER_MEMORY) return ownersMemory();
    if (userId.startsWith("@")) return namedMemory(userId.slice(1));
    if (userId.startsWith(GROUP_PREFIX)) return GROUP_PREFIX + plain(userId.slice(GROUP_PREFIX.length));
    const user = plain(userId);
    return names.get(user) ?? (user === "cli" || isOwners(user) ? ownersMemory() : user);
  }

  /** As memories compare, whose names are small where ids do not differ by letter case. */
  function isOwners(user: string): boolean {
    return ownerIds().some((id) => plain(id) === user);
  }

  /** The memory that a conversation writes and recalls. */
  function memoryUserOf({ user, channel, peer, roles, account = DEFAULT_ACCOUNT }: MemorySpeaker): string {
    const isApart = session.dmScope === "per-account-channel-peer" && account !== DEFAULT_ACCOUNT;
    if (peer.kind !== "direct") return GROUP_PREFIX + plain(userOf(channel, peer.id));
    const known = names.get(plain(user)) ?? (roles.includes(OWNER_ROLE) ? ownersMemory() : undefined);
    if (known !== undefined) return known;
    const speaker = parseUser(user);
    // The host program names a conversation but no person in it: each conversation counts as a person.
    const person = speaker.id === user && peer.id !== user ? `${user}:${peer.id}` : user;
    const whole = isApart ? `${speaker.channel}@${encodeURIComponent(account)}:${parseUser(person).id}` : person;
    // Nobody has an id that reads as another kind of memory.
    return RESERVED.test(whole) ? `%${plain(whole)}` : canonicalUser(whole);
  }

  /** The memory that a person has for themselves, wherever they speak: in a group too it is not the group's. */
  function personOf(speaker: MemorySpeaker): string {
    const peer = { kind: "direct", id: parseUser(speaker.user).id } as const;
    return memoryUserOf(speaker.peer.kind === "direct" ? speaker : { ...speaker, peer });
  }

  /** Everybody whose memory it is, as `channel:id`, as far as the configuration says. */
  function usersOf(memoryUser: string): readonly string[] {
    const linked = Object.values(session.identityLinks ?? {}).flat();
    return [...new Set([...linked, ...ownerIds()])].filter((user) => canonicalUser(user) === memoryUser);
  }

  /**
   * Is it the speaker's own? What the owner's program, terminal or token began names the program: it is the owner's, but for what somebody else made in a
   * conversation that the program names.
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

  /** The names under which memories may lie that have another name now: a linked person's ids, an owner's, and `@owner` where a name links the owner. */
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
