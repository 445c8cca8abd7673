import { HOST_CHANNELS } from "../host-channels.ts";
import type { ForgottenPerson } from "./port.ts";

/** Work that a person started, with what tells whose it is. */
export interface BegunWork {
  /** As `channel:id`. */
  readonly user: string;
  /** Whether it has the owner's rights. */
  readonly isOwners: boolean;
  /** The conversation that it belongs to. */
  readonly session?: string | undefined;
}

/**
 * @returns Whether work belongs to a person. Work that an owner started with a token has the program as its user; its
 * rights distinguish it from the program's own.
 */
export function isWorkOf(
  { isUser, isOwner, sessions }: Pick<ForgottenPerson, "isUser" | "isOwner" | "sessions">,
  { user, isOwners, session }: BegunWork,
): boolean {
  const isByToken = HOST_CHANNELS.includes(user) && isOwners;
  return isUser(user) || (isOwner && isByToken) || (session !== undefined && sessions.has(session));
}
