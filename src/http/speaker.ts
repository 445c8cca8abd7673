import { HOST_CHANNELS } from "../host-channels.ts";
import type { SendInput } from "../reply.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";

/** The user that a call speaks as, and its conversation. */
export type Speaker = Pick<SendInput, "user" | "session"> & { readonly asOwner?: boolean };

/**
 * Determines who speaks. Authority comes only from the token: a `user` token speaks as its own user in its own
 * conversations. An owner's token is the owner. If it names a user, the call has only that user's roles.
 *
 * @throws {ProblemError} `FORBIDDEN` for a user other than the token's.
 */
export function speakerOf(
  caller: Caller,
  wanted: { user?: string | undefined; session?: string | undefined },
): Speaker {
  const session = conversationOf(caller, wanted.session);
  if (caller.role === "owner") {
    if (wanted.user !== undefined) return { user: wanted.user, ...session };
    return { ...(caller.user === undefined ? {} : { user: caller.user }), ...session, asOwner: true };
  }
  if (caller.user === undefined) {
    throw new ProblemError("FORBIDDEN", "This token has no user: give it one in server.tokens");
  }
  if (wanted.user !== undefined && wanted.user !== caller.user) {
    throw new ProblemError("FORBIDDEN", `user: This token acts as ${caller.user} only: omit user`);
  }
  return { user: caller.user, ...session };
}

/**
 * Returns the filter for the users whose unsolicited messages a caller reads and answers. An owner without a user is
 * the user of the program itself.
 */
export function usersOf(caller: Caller): (user: string) => boolean {
  const { user } = speakerOf(caller, {});
  return user === undefined ? (one) => HOST_CHANNELS.includes(one) : (one) => one === user;
}

/**
 * Conversations of different users' tokens never share a key, even with equal names. An owner's token reaches all of
 * them.
 */
function conversationOf(caller: Caller, name: string | undefined): { session?: string } {
  if (name === undefined) return {};
  return { session: caller.role === "owner" ? name : `${plain(caller.user ?? "")}/${name}` };
}

/** Encodes a user without collisions, also on case-insensitive stores, and without a slash. */
function plain(user: string): string {
  return user.replace(/[^a-z0-9:._-]/gu, (character) =>
    Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}
