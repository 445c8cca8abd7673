import { HOST_CHANNELS } from "../host-channels.ts";
import type { SendInput } from "../reply.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";

/** Who a call speaks as, and in which conversation. */
export type Speaker = Pick<SendInput, "user" | "session"> & { readonly asOwner?: boolean };

/**
 * Settles who speaks. Authority comes from the token alone: a `user` token only speaks as its own user, in conversations of its own; an owner's
 * token is the owner, until it names a user, who then has no more than that user's roles.
 *
 * @throws {ProblemError} `FORBIDDEN` for another user than the token's.
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
    throw new ProblemError("FORBIDDEN", "This token names no user to speak as: give it one in server.tokens");
  }
  if (wanted.user !== undefined && wanted.user !== caller.user) {
    throw new ProblemError("FORBIDDEN", `user: This token speaks as ${caller.user} only: leave user out`);
  }
  return { user: caller.user, ...session };
}

/** As whom a caller reads and answers what is said unasked: an owner who names nobody is whoever sits at the program itself. */
export function usersOf(caller: Caller): (user: string) => boolean {
  const { user } = speakerOf(caller, {});
  return user === undefined ? (one) => HOST_CHANNELS.includes(one) : (one) => one === user;
}

/** Two users' tokens never meet in one conversation, whatever they call it; an owner's token reaches them all. */
function conversationOf(caller: Caller, name: string | undefined): { session?: string } {
  if (name === undefined) return {};
  return { session: caller.role === "owner" ? name : `${plain(caller.user ?? "")}/${name}` };
}

/** One to one, also where capitals are not told apart, and without a slash. */
function plain(user: string): string {
  return user.replace(/[^a-z0-9:._-]/gu, (character) =>
    Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join(""),
  );
}
