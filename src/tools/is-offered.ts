import type { Peer } from "../message.ts";
import { type Policy, USER_ROLE } from "../policy/index.ts";
import { isAmong } from "../tool-lists.ts";
import type { ToolRegistry } from "./registry.ts";

export interface IsOfferedDeps {
  readonly registry: Pick<ToolRegistry, "find">;
  readonly policy: Pick<Policy, "decide">;
}

/** Where a prompt is made. */
interface Place {
  readonly channel: string;
  readonly sessionKey: string;
  readonly kind: Peer["kind"];
  readonly roles: readonly string[];
  /** Tools that the turn does without. */
  readonly excludeTools?: readonly string[] | undefined;
}

/** Would the model be shown a tool there? In a group as anybody in it is, so that its prompt is the same whoever speaks. */
export function createIsOffered({ registry, policy }: IsOfferedDeps) {
  return function isOffered(name: string, place: Place): boolean {
    const { channel, sessionKey, kind, roles: given, excludeTools = [] } = place;
    const tool = registry.find(name);
    const isExcluded = isAmong(excludeTools, name);
    const roles = kind === "direct" ? given : [USER_ROLE];
    return tool !== undefined && !isExcluded && policy.decide(tool, { channel, roles, sessionKey }).allowed;
  };
}
