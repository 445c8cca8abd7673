import { ToolError } from "../tool.ts";
import { shortened } from "../../short-text.ts";

/** The home folder, an environment variable, a drive or another machine: a model that writes one of them in front means that place, not a name in the workspace. */
const ELSEWHERE =
  /^(?:~(?:\/|$)|(?:\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*\}|%[A-Z_][A-Z0-9_]*%)(?:\/|$)|[A-Za-z]:(?:[/\\]|$)|\\\\)/u;

/** The path, unless it means a place outside: the workspace itself would take it as a name. */
export function checkMeant(path: string): string {
  if (!ELSEWHERE.test(path)) return path;
  throw new ToolError(
    "WORKSPACE_REFUSED",
    `Cannot use path ${JSON.stringify(shortened(path, 80))}: it starts with the home folder, a variable, a drive or another machine, which are not in the workspace: write a path relative to the workspace, with ./ in front for a name that looks like that`,
  );
}

/** A path of the workspace as `checkMeant` takes it. */
export function asWritten(path: string): string {
  return ELSEWHERE.test(path) ? `./${path}` : path;
}
