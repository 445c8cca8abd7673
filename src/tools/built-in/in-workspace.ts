import { ToolError } from "../tool.ts";
import { shortened } from "../../short-text.ts";

/**
 * A path prefix that means a place outside of the workspace: the home folder, an environment variable, a drive or
 * another machine.
 */
const ELSEWHERE =
  /^(?:~(?:\/|$)|(?:\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*\}|%[A-Z_][A-Z0-9_]*%)(?:\/|$)|[A-Za-z]:(?:[/\\]|$)|\\\\)/u;

/** Returns the path, and throws if it means a place outside, which the workspace itself would take for a name. */
export function checkMeant(path: string): string {
  if (!ELSEWHERE.test(path)) return path;
  throw new ToolError(
    "WORKSPACE_REFUSED",
    `Cannot use path ${JSON.stringify(shortened(path, 80))}: it starts with the home folder, a variable, a drive or another machine, which are not in the workspace: write a path relative to the workspace, with ./ in front for a name that looks like that`,
  );
}

/** Writes a path of the workspace so that `checkMeant` accepts it. */
export function asWritten(path: string): string {
  return ELSEWHERE.test(path) ? `./${path}` : path;
}
