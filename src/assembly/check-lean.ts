import { AssistantError } from "../errors.ts";
import type { Extra } from "../extras.ts";
import type { AssistantOptions } from "../options.ts";
import { isUnstorage } from "../store/index.ts";

/** An option that nothing here would heed is a mistake: silence would hide it. */
export function checkLean(options: AssistantOptions, extras: readonly Extra[]): void {
  for (const name of ["store", "engine"] as const) {
    if (options[name] === undefined || isUnstorage(options[name]))
      throw new AssistantError(
        "OPTION_INVALID",
        `Missing option ${name}: a lean assistant has nothing that stands in for it`,
      );
  }
  const agents = options.agents ?? [options.agent ?? {}];
  const needs = [
    ["workspace", options.workspace || agents.some(({ workspace }) => workspace), "workspaceExtra"],
    ["search", options.search, "webExtra"],
    ["pageReader", options.pageReader, "webExtra"],
    ["mcp.endpoint", options.mcp?.endpoint, "apiExtra"],
    ["server.page", options.server?.page, "apiExtra"],
  ] as const;
  for (const [option, given, name] of needs) {
    if (given && !extras.some((extra) => extra.name === name))
      throw new AssistantError(
        "OPTION_INVALID",
        `Invalid option ${option}: it needs the extra ${name}, which this bundle was not given`,
      );
  }
}
