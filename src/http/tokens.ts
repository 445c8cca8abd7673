import { AssistantError } from "../errors.ts";
import { HOST_CHANNELS } from "../host-channels.ts";
import { parseUser } from "../session/index.ts";
import { type OptionPath, pathText } from "../settings/index.ts";
import type { Token } from "./auth.ts";
import type { ServerToken } from "./options.ts";

interface Given {
  readonly token?: string | undefined;
  readonly tokens?: readonly ServerToken[] | undefined;
  readonly hooks?: { readonly token: string } | undefined;
}

/**
 * Returns the configured tokens.
 * @throws {AssistantError} `OPTION_INVALID` for a token whose holder would be unclear.
 */
export function readTokens(server: Given = {}): readonly Token[] {
  const [problem] = tokenProblems(server);
  if (problem)
    throw new AssistantError("OPTION_INVALID", `Invalid option ${pathText(problem.path)}: ${problem.message}`);
  return tokensOf(server);
}

/** Returns the problems of tokens whose holder would be unclear. */
export function tokenProblems(server: Given): readonly { readonly path: OptionPath; readonly message: string }[] {
  const { hooks, tokens: more = [] } = server;
  const tokens = tokensOf(server);
  const isTwice = hooks !== undefined && tokens.some(({ token, role }) => token === hooks.token && role !== "hook");
  return [
    ...(isTwice ? [{ path: ["server", "hooks", "token"], message: "another token has the same value" }] : []),
    ...more.flatMap(({ token, role, user }, index) => {
      const path = ["server", "tokens", index];
      if (tokens.filter((other) => other.token === token).length > 1)
        return [{ path, message: "another token has the same value" }];
      if (role !== "user") return [];
      if (user === undefined)
        return [{ path, message: 'a token with the role "user" needs a user, such as "http:ada"' }];
      if (!HOST_CHANNELS.includes(parseUser(user).channel)) return [];
      return [
        {
          path,
          message: `user must not belong to the host's reserved channels ${HOST_CHANNELS.join(", ")}: current value is ${JSON.stringify(user)}`,
        },
      ];
    }),
  ];
}

function tokensOf({ token, tokens = [], hooks }: Given): readonly Token[] {
  return [
    ...(token === undefined ? [] : [{ token, role: "owner" as const }]),
    ...tokens,
    ...(hooks === undefined ? [] : [{ token: hooks.token, role: "hook" as const }]),
  ];
}
