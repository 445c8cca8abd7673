import { OWNER_ROLE } from "../../policy/index.ts";
import type { JobPlace } from "../../schedule/index.ts";
import { type MemoryUsers, OWNER_MEMORY, parseUser, userOf } from "../../session/index.ts";

export interface HomesDeps {
  readonly users: Pick<MemoryUsers, "usersOf" | "canonicalUser">;
  rolesOf(user: string): readonly string[];
  /** The time zone of a memory user. */
  timezoneOf(userId: string): string;
}

/**
 * Finds the chat for reviews of goals that came from a file or a program: the direct chat of the person's first
 * configured account.
 */
export function createHomes({ users, rolesOf, timezoneOf }: HomesDeps) {
  function placeOf(userId: string): JobPlace | undefined {
    const [known] = users.usersOf(userId);
    if (known !== undefined) return at(known, rolesOf(known));
    // An owner without a configured account uses the terminal.
    if (userId === users.canonicalUser(OWNER_MEMORY)) return at("cli", [OWNER_ROLE]);
    if (/^(?:[@%]|group:)/.test(userId)) return undefined;
    const { channel, id } = parseUser(userId);
    const [name = "", account] = channel.split("@");
    const user = userOf(name, id);
    return { ...at(user, rolesOf(user)), ...(account !== undefined && { account: decodeURIComponent(account) }) };
  }

  return { placeOf, timezoneOf };
}

function at(user: string, roles: readonly string[]): JobPlace {
  return { user, channel: parseUser(user).channel, startedBy: user, roles };
}
