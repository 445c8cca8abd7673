import type { SessionsApi } from "../session/index.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";
import { speakerOf } from "./speaker.ts";

/**
 * Returns the key of a conversation that a caller of `channel` names: `agent:<default agent>:<channel>:direct:<name>`.
 * Pure.
 */
export type SessionKeyOf = (channel: "sdk" | "web", name: string) => string;

/** Description of the path parameter, for the OpenAPI document. */
export const SESSION_KEY =
  "A session key, percent-encoded, or `web:<id>` or `sdk:<session>` for the caller's own conversation with that name";

/**
 * Returns the full key of the session in a path. A user's token reaches only its own conversations, by name.
 *
 * @throws {ProblemError} `FORBIDDEN` if a user's token gives a key.
 */
export function sessionKeyFor(sessionKeyOf: SessionKeyOf, given: string, caller: Caller): string {
  const [, channel, name] = /^(web|sdk):(.+)$/s.exec(given) ?? [];
  if (channel === undefined || name === undefined) {
    if (caller.role === "owner") return given;
    throw new ProblemError(
      "FORBIDDEN",
      "Session keys need an owner's token: name your own conversation as web:<id> or sdk:<session>",
    );
  }
  return sessionKeyOf(channel === "web" ? "web" : "sdk", speakerOf(caller, { session: name }).session ?? name);
}

/** Returns the key of a terminal conversation. An owner's token names it `cli`, or `cli:<session>` for a named one. */
export function terminalKeyFor(
  keyOf: SessionsApi["keyOf"],
  given: string,
  { role }: Pick<Caller, "role">,
): string | undefined {
  const [isTerminal, session] = /^cli(?::(.+))?$/s.exec(given) ?? [];
  if (isTerminal === undefined || role !== "owner") return undefined;
  return keyOf?.({ user: "cli", channel: "cli", ...(session !== undefined && { session }) });
}
