import { type MemorySpeaker, type MemoryUsers, OWNER_MEMORY } from "./memory-users.ts";
import { parseUser } from "./session-key.ts";

export interface PersonsDeps {
  readonly users: Pick<MemoryUsers, "canonicalUser" | "personOf" | "usersOf">;
  /** The configuration of a user, given as `channel:id`. */
  configured(user: string): { readonly timezone?: string | undefined } | undefined;
  /** Time zone for users without one in the configuration. */
  readonly timezone: string;
  /** Names of connected channels. */
  readonly channels: readonly string[];
}

/** Maps accounts to the people behind them: the person whose attention a message takes, and their time zone. */
export function createPersons({ users, configured, timezone, channels }: PersonsDeps) {
  /** A user of the page without a name is the owner, as at the terminal. */
  function of(user: string): string {
    return users.canonicalUser(user === "web" ? "cli" : user);
  }

  /**
   * Ignores the account: limits hold across all accounts of a channel, even where the person's memories are separate.
   */
  function ofSpeaker(speaker: MemorySpeaker): string {
    return users.personOf({ ...speaker, account: undefined });
  }

  /** @param memoryUser A memory can have several accounts: the first one with a time zone decides. */
  function timezoneOfMemory(memoryUser: string): string {
    const zones = [memoryUser, ...users.usersOf(memoryUser)].flatMap((user) => configured(user)?.timezone ?? []);
    return zones[0] ?? timezone;
  }

  return {
    of,
    ofSpeaker,
    isOwner: (user: string) => of(user) === users.canonicalUser(OWNER_MEMORY),
    /**
     * The account on which to notify a person, as `channel:id`; one on a connected channel if possible.
     * @param name A name such as `@owner`.
     */
    accountOf(name: string): string | undefined {
      const accounts = users.usersOf(users.canonicalUser(name));
      return accounts.find((user) => channels.includes(parseUser(user).channel)) ?? accounts[0];
    },
    timezoneOf: (user: string) => configured(user)?.timezone ?? timezone,
    timezoneOfMemory,
    /** The same for all accounts of a person, unless the account has its own time zone. */
    timezoneOfSpeaker: (speaker: MemorySpeaker) =>
      configured(speaker.user)?.timezone ?? timezoneOfMemory(ofSpeaker(speaker)),
  };
}
