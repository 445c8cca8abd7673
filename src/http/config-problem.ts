import { ConfigError } from "../settings/index.ts";
import { ProblemError } from "./problem.ts";
import { issueJson } from "./wire-skills.ts";

/**
 * Converts an error in a caller's text into `OPTION_INVALID` with its lines.
 * @param field Field name for the text as a whole.
 */
export function refuseText(error: unknown, field: string): never {
  if (!(error instanceof ConfigError)) throw error;
  throw new ProblemError("OPTION_INVALID", error.message, {
    errors: error.issues.map(({ path, message }) => ({ field: path || field, message })),
    members: { issues: error.issues.map(issueJson) },
  });
}
