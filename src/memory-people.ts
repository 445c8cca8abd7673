import type { Peer } from "./message.ts";
import { OWNER_ROLE } from "./policy/index.ts";
import { type SessionOptions, parseUser, sessionKeyPart, userOf } from "./session/index.ts";

/** Who speaks where, as the runtime knows it. */
export interface MemorySpeaker {
  /** As `channel:id`. */
  readonly user: string;
  readonly channel: string;
  readonly peer: Peer;
  readonly roles: readonly string[];
}

export interface MemoryPeopleParts {
  readonly session: Pick<SessionOptions, "identityLinks">;
  /** Who owns the assistant now, as `channel:id`. */
  ownerIds(): readonly string[];
  /** Of channels whose ids differ by letter case. */
  readonly caseSensitiveChannels: readonly string[];
}

export const OWNER_MEMORY = "@owner";
const GROUP_PREFIX = "group:";

export type MemoryPeople = ReturnType<typeof createMemoryPeople>;

/**
 * Whose memory it is. A linked person has one memory on all channels, under their name; so has the owner, under the name that links the owner's ids, else
 * `@owner`. A group has one of its own.
 *
 * Source: docs/memory.md, "Whose memory".
 */
export function createMemoryPeople({ session, ownerIds, caseSensitiveChannels }: MemoryPeopleParts) {
  const names = new Map<string, string>();
  for (const [name, users] of Object.entries(session.identityLinks ?? {}))
    for (const user of users) names.set(plain(user), `@${sessionKeyPart(name)}`);

  function plain(user: string): string {
    const { channel, id } = parseUser(user);
    return userOf(channel, sessionKeyPart(id, { caseSensitive: caseSensitiveChannels.includes(channel) }));
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
    if (userId.startsWith("@")) return `@${sessionKeyPart(userId.slice(1))}`;
    if (userId.startsWith(GROUP_PREFIX)) return userId;
    return (
      names.get(plain(userId)) ?? (userId === "cli" || ownerIds().includes(userId) ? ownersMemory() : plain(userId))
    );
  }

  /** The memory that a conversation writes and recalls. */
  function memoryUserOf({ user, channel, peer, roles }: MemorySpeaker): string {
    if (peer.kind !== "direct") {
      const caseSensitive = caseSensitiveChannels.includes(channel);
      return `${GROUP_PREFIX}${channel}:${sessionKeyPart(peer.id, { caseSensitive })}`;
    }
    return names.get(plain(user)) ?? (roles.includes(OWNER_ROLE) ? ownersMemory() : canonicalUser(user));
  }

  /** Everybody whose memory it is, as `channel:id`, as far as the configuration says. */
  function usersOf(memoryUser: string): readonly string[] {
    const linked = Object.values(session.identityLinks ?? {}).flat();
    return [...new Set([...linked, ...ownerIds()])].filter((user) => canonicalUser(user) === memoryUser);
  }

  return { canonicalUser, memoryUserOf, usersOf };
}
