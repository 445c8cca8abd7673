import type { SessionsApi } from "../session/index.ts";
import type { Caller } from "./auth.ts";
import { ProblemError } from "./problem.ts";
import { speakerOf } from "./speaker.ts";

/** The key of the conversation that a caller of `channel` named: `agent:<default agent>:<channel>:direct:<name>`. Pure. */
export type SessionKeyOf = (channel: "sdk" | "web", name: string) => string;

/** How a path names a session, for the OpenAPI document. */
export const SESSION_KEY =
  "A session's key, percent-encoded; or `web:<id>`, `sdk:<session>`: the caller's own conversation of that name";

/**
 * The full key of the session that a path names. A user's token reaches only conversations of its own, by their names.
 *
 * @throws {ProblemError} `FORBIDDEN` for a user's token that gives a key.
 */
export function sessionKeyFor(sessionKeyOf: SessionKeyOf, given: string, caller: Caller): string {
  const [, channel, name] = /^(web|sdk):(.+)$/s.exec(given) ?? [];
  if (channel === undefined || name === undefined) {
    if (caller.role === "owner") return given;
    throw new ProblemError(
      "FORBIDDEN",
      "Session keys are for the owner: name your own conversation as web:<id> or sdk:<session>",
    );
  }
  return sessionKeyOf(channel === "web" ? "web" : "sdk", speakerOf(caller, { session: name }).session ?? name);
}

/** The conversation of the person at the terminal, which an owner's token names `cli`, and its named ones `cli:<session>`. */
export function terminalKeyFor(
  keyOf: SessionsApi["keyOf"],
  given: string,
  { role }: Pick<Caller, "role">,
): string | undefined {
  const [isTerminal, session] = /^cli(?::(.+))?$/s.exec(given) ?? [];
  if (isTerminal === undefined || role !== "owner") return undefined;
  return keyOf?.({ user: "cli", channel: "cli", ...(session !== undefined && { session }) });
}
