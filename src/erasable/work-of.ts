import { HOST_CHANNELS } from "../host-channels.ts";
import { OWNER_ROLE } from "../policy/index.ts";
import type { ForgottenPerson } from "./port.ts";

/** What somebody began, as far as it says whose it is. */
export interface BegunWork {
  /** As `channel:id`. */
  readonly user: string;
  readonly roles: readonly string[];
  /** The conversation that it belongs to. */
  readonly session?: string | undefined;
}

/** @returns Whether work is that of a person. What an owner began with a token names the program as its user: the roles tell it from the program's own. */
export function isWorkOf(
  { isUser, isOwner, sessions }: Pick<ForgottenPerson, "isUser" | "isOwner" | "sessions">,
  { user, roles, session }: BegunWork,
): boolean {
  const isOwners = HOST_CHANNELS.includes(user) && roles.includes(OWNER_ROLE);
  return isUser(user) || (isOwner && isOwners) || (session !== undefined && sessions.has(session));
}
