import type { Peer } from "../message.ts";
import { type Policy, USER_ROLE } from "../policy/index.ts";
import { isAmong } from "../tool-lists.ts";
import type { ToolRegistry } from "./registry.ts";

export interface IsOfferedDeps {
  readonly registry: Pick<ToolRegistry, "find">;
  readonly policy: Pick<Policy, "decide">;
}

/** The place for which a prompt is made. */
interface Place {
  readonly channel: string;
  readonly sessionKey: string;
  readonly kind: Peer["kind"];
  readonly roles: readonly string[];
  /** Tools that the turn excludes. */
  readonly excludeTools?: readonly string[] | undefined;
}

/**
 * Creates a check of whether the model would see a tool in a place. In a group it uses the plain user role, so that
 * the prompt is the same for every speaker.
 */
export function createIsOffered({ registry, policy }: IsOfferedDeps) {
  return function isOffered(name: string, place: Place): boolean {
    const { channel, sessionKey, kind, roles: given, excludeTools = [] } = place;
    const tool = registry.find(name);
    const isExcluded = isAmong(excludeTools, name);
    const roles = kind === "direct" ? given : [USER_ROLE];
    return tool !== undefined && !isExcluded && policy.decide(tool, { channel, roles, sessionKey }).allowed;
  };
}
