import { AssistantError } from "../errors.ts";
import { HOST_CHANNELS } from "../host-channels.ts";
import { parseUser } from "../session/index.ts";
import type { Token } from "./auth.ts";
import type { ServerToken } from "./options.ts";

/** The tokens of the HTTP door. @throws {AssistantError} `OPTION_INVALID` for a token whose holder would not be clear. */
export function readTokens(
  server: {
    readonly token?: string;
    readonly tokens?: readonly ServerToken[];
    readonly hooks?: { readonly token: string };
  } = {},
): readonly Token[] {
  const { hooks } = server;
  const tokens: readonly Token[] = [
    ...(server.token === undefined ? [] : [{ token: server.token, role: "owner" as const }]),
    ...(server.tokens ?? []),
    ...(hooks === undefined ? [] : [{ token: hooks.token, role: "hook" as const }]),
  ];
  if (hooks !== undefined && tokens.some(({ token, role }) => token === hooks.token && role !== "hook"))
    throw new AssistantError("OPTION_INVALID", "Invalid option server.hooks.token: another token is the same");
  const invalid = (index: number, what: string) =>
    new AssistantError("OPTION_INVALID", `Invalid option server.tokens[${index}]: ${what}`);
  server.tokens?.forEach(({ token, role, user }, index) => {
    if (tokens.filter((other) => other.token === token).length > 1) throw invalid(index, "another token is the same");
    if (role !== "user") return;
    if (user === undefined) throw invalid(index, 'a token of the role "user" needs user, as "http:ada"');
    if (HOST_CHANNELS.includes(parseUser(user).channel)) {
      throw invalid(
        index,
        `user must not be of the channels ${HOST_CHANNELS.join(", ")}, which are the host's own: current value is ${JSON.stringify(user)}`,
      );
    }
  });
  return tokens;
}
