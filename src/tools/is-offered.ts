import type { ContextOptions } from "../channel-options.ts";
import type { Channels } from "../channels.ts";
import type { Peer } from "../message.ts";
import { type Policy, USER_ROLE } from "../policy/index.ts";
import { isAmong } from "../tool-lists.ts";
import type { ToolRegistry } from "./registry.ts";

export interface IsOfferedDeps {
  readonly registry: Pick<ToolRegistry, "find">;
  readonly policy: Pick<Policy, "decide">;
  readonly channels: Pick<Channels, "all">;
  /** Of the assistant; a channel may have its own. */
  readonly context: ContextOptions | undefined;
}

/** Where a prompt is made. */
interface Place {
  readonly channel: string;
  readonly sessionKey: string;
  readonly kind: Peer["kind"];
  readonly roles: readonly string[];
}

/** Would the model be shown a tool there? In a group as anybody in it is, so that its prompt is the same whoever speaks. */
export function createIsOffered({ registry, policy, channels, context }: IsOfferedDeps) {
  return function isOffered(name: string, { channel, sessionKey, kind, roles: given }: Place): boolean {
    const tool = registry.find(name);
    const ofChannel = channels.all.flatMap((one) => (one.name === channel ? one.access.context : []));
    const isExcluded = [context, ...ofChannel].some((one) => isAmong(one?.excludeTools ?? [], name));
    const roles = kind === "direct" ? given : [USER_ROLE];
    return tool !== undefined && !isExcluded && policy.decide(tool, { channel, roles, sessionKey }).allowed;
  };
}
