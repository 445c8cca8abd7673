import { AssistantError } from "../errors.ts";
import { checkOptions } from "../settings/index.ts";
import type { Schema } from "../settings/index.ts";
import { channelAccess } from "./schema/channels.ts";
import { sdkOptions } from "./schema/sdk.ts";

interface Checked {
  readonly warnings: readonly string[];
  readonly secrets: readonly string[];
}

/**
 * Checks all data options of `createAssistant` at once. `checkMadeByCode` checks the options that are objects or
 * functions.
 *
 * @returns `warnings`: one line for each option that is known but has no effect in this version. `secrets`: the
 * values of all secret options; not enumerable, so that they are not printed with the rest.
 * @throws {AssistantError} `OPTION_INVALID`, with every wrong option, what was expected and what was given.
 */
export function validateOptions(options: object): Checked {
  return check(sdkOptions, options, "options of createAssistant");
}

/**
 * Checks a channel's values of the options that all channels share.
 *
 * @throws {AssistantError} As `validateOptions`.
 */
export function validateChannelAccess(name: string, access: object): Checked {
  return check(channelAccess, access, `options of the channel ${name}`);
}

function check(schema: Schema, options: object, what: string): Checked {
  const issues: string[] = [];
  const warnings: string[] = [];
  const secrets: string[] = [];
  checkOptions(schema, options, {
    style: "sdk",
    issue: (_, message) => void issues.push(message),
    warning: (_, message) => void warnings.push(message),
    secretGiven: (value) => void secrets.push(value),
  });
  if (issues.length > 0) throw new AssistantError("OPTION_INVALID", `Invalid ${what}: ${issues.join("; ")}`);
  return Object.defineProperty({ warnings, secrets }, "secrets", { enumerable: false });
}
