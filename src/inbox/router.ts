import type { InboundMessage } from "../message.ts";
import type { Owners } from "../policy/index.ts";
import { type Route, type RouteOptions, resolveRoute } from "../session/index.ts";

export interface RouterDeps {
  /** Agents, bindings and session options. */
  readonly configured: Pick<RouteOptions, "agents" | "bindings" | "session">;
  readonly owners: Pick<Owners, "ids">;
  /** Whether ids of this channel are case-sensitive. */
  keepsCapitals(channel: string): boolean;
  /** The key of a session that the host names. */
  sessionKeyOf(agentId: string, channel: string, name: string): string;
}

/** Decides which agent and session a message belongs to. */
export type Router = ReturnType<typeof createRouter>;

export function createRouter({ configured, owners, keepsCapitals, sessionKeyOf }: RouterDeps) {
  return {
    route(message: InboundMessage): Route {
      const caseSensitiveChannels = keepsCapitals(message.channel) ? [message.channel] : [];
      return resolveRoute(message, { ...configured, owner: { ids: owners.ids() }, caseSensitiveChannels });
    },
    sessionKeyOf,
    /** Whether all direct chats of the owner share the agent's main session. */
    ownerMain: configured.session?.ownerMain ?? true,
  };
}
