import { OWNER_ROLE } from "./roles.ts";

/** Channels of the machine's own owner and of the host program, as opposed to people who write from elsewhere. */
const LOCAL_CHANNELS: readonly string[] = ["cli", "sdk"];
/** Tools that change files: from elsewhere only the owner's turns see them. */
const FILE_CHANGING_TOOLS: readonly string[] = ["file_write", "file_edit"];

export type ToolDecision = { readonly allowed: true } | { readonly allowed: false; readonly reason: string };

/** The built-in rules for who may run a tool; pure. Source: docs/policy.md. */
export function decideBuiltInRules(
  tool: { readonly name: string; readonly dangerous: boolean },
  caller: { readonly channel: string; readonly roles: readonly string[] },
): ToolDecision {
  if (tool.dangerous)
    return { allowed: false, reason: "it is marked dangerous, and this version cannot ask for an approval" };
  const fromElsewhere = !LOCAL_CHANNELS.includes(caller.channel);
  if (fromElsewhere && FILE_CHANGING_TOOLS.includes(tool.name) && !caller.roles.includes(OWNER_ROLE)) {
    return { allowed: false, reason: "only the owner may change files from there" };
  }
  return { allowed: true };
}
