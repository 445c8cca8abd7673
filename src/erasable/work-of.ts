import { HOST_CHANNELS } from "../host-channels.ts";
import type { ForgottenPerson } from "./port.ts";

/** What somebody began, as far as it says whose it is. */
export interface BegunWork {
  /** As `channel:id`. */
  readonly user: string;
  /** It has the owner's rights. */
  readonly isOwners: boolean;
  /** The conversation that it belongs to. */
  readonly session?: string | undefined;
}

/** @returns Whether work is that of a person. What an owner began with a token names the program as its user: its rights tell it from the program's own. */
export function isWorkOf(
  { isUser, isOwner, sessions }: Pick<ForgottenPerson, "isUser" | "isOwner" | "sessions">,
  { user, isOwners, session }: BegunWork,
): boolean {
  const isByToken = HOST_CHANNELS.includes(user) && isOwners;
  return isUser(user) || (isOwner && isByToken) || (session !== undefined && sessions.has(session));
}
