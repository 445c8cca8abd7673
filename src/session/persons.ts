import { type MemorySpeaker, type MemoryUsers, OWNER_MEMORY } from "./memory-users.ts";
import { parseUser } from "./session-key.ts";

export interface PersonsDeps {
  readonly users: Pick<MemoryUsers, "canonicalUser" | "personOf" | "usersOf">;
  /** What the configuration says of a user, as `channel:id`. */
  configured(user: string): { readonly timezone?: string | undefined } | undefined;
  /** Where the configuration says nothing of a user. */
  readonly timezone: string;
  /** Names of the channels that are connected. */
  readonly channels: readonly string[];
}

/** The people behind accounts: whose attention something takes, and what time it is for them. */
export function createPersons({ users, configured, timezone, channels }: PersonsDeps) {
  /** A user of the page without a name is the owner, as at the terminal. */
  function of(user: string): string {
    return users.canonicalUser(user === "web" ? "cli" : user);
  }

  /** Limits are the same in all accounts that a channel has, also where a person's memories are apart. */
  function ofSpeaker(speaker: MemorySpeaker): string {
    return users.personOf({ ...speaker, account: undefined });
  }

  /** @param memoryUser May be several accounts: the first that has a time zone says it. */
  function timezoneOfMemory(memoryUser: string): string {
    const zones = [memoryUser, ...users.usersOf(memoryUser)].flatMap((user) => configured(user)?.timezone ?? []);
    return zones[0] ?? timezone;
  }

  return {
    of,
    ofSpeaker,
    isOwner: (user: string) => of(user) === users.canonicalUser(OWNER_MEMORY),
    /** Where a person is told, as `channel:id`: on a channel that is connected, if there is one. @param name As `@owner`. */
    accountOf(name: string): string | undefined {
      const accounts = users.usersOf(users.canonicalUser(name));
      return accounts.find((user) => channels.includes(parseUser(user).channel)) ?? accounts[0];
    },
    timezoneOf: (user: string) => configured(user)?.timezone ?? timezone,
    timezoneOfMemory,
    /** Whichever of their accounts they write from. */
    timezoneOfSpeaker: (speaker: MemorySpeaker) =>
      configured(speaker.user)?.timezone ?? timezoneOfMemory(ofSpeaker(speaker)),
  };
}
