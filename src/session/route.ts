import { DEFAULT_ACCOUNT, type InboundMessage, type Peer } from "../message.ts";
import { parseUser, sessionKeyPart } from "./session-key.ts";
import type { Binding, SessionOptions } from "./options.ts";

/** Agent id if there is only one agent and it has no name. */
export const DEFAULT_AGENT = "main";
export const DEFAULT_DIRECT_SCOPE = "per-channel-peer";
export const DEFAULT_THREADS = "apart";

/** The most specific field of the matching binding. `default`: no binding matched and the first agent answers. */
export type MatchedBy =
  | "binding.peer"
  | "binding.parent"
  | "binding.guild"
  | "binding.team"
  | "binding.account"
  | "binding.channel"
  | "default";

/** Configuration that decides where a message goes. */
export interface RouteOptions {
  /** The first is the default agent. Default: one agent, `main`. */
  readonly agents?: readonly { readonly id: string }[];
  /** Maps messages to agents. Default none. */
  readonly bindings?: readonly Binding[];
  /** How session keys are made. */
  readonly session?: SessionOptions;
  /** `ids` of the owner, as `channel:id`. Their direct chats are the main session, unless `ownerMain` is false. */
  readonly owner?: { readonly ids?: readonly string[] };
  /**
   * Channels whose ids are case-sensitive: those that declare it, and those that only the
   * host program names. Default none.
   */
  readonly caseSensitiveChannels?: readonly string[];
}

/** Destination of a message. */
export interface Route {
  /** The agent that answers. */
  readonly agentId: string;
  /** The session that the message belongs to. */
  readonly sessionKey: string;
  /** The agent's main session, even if the message belongs to another one. */
  readonly mainSessionKey: string;
  /** The kind of binding that chose the agent. */
  readonly matchedBy: MatchedBy;
}

/**
 * Chooses the agent and the session of a message; pure.
 * The most specific binding wins: peer, parent peer, guild, team, account, channel; among equals the first one listed.
 *
 * Source: docs/sessions.md, "How a message finds its session".
 */
export function resolveRoute(message: InboundMessage, options: RouteOptions = {}): Route {
  const { agents = [], bindings = [], session = {}, owner = {}, caseSensitiveChannels = [] } = options;
  const part = (id: string) => sessionKeyPart(id, { caseSensitive: caseSensitiveChannels.includes(message.channel) });
  const { agentId, matchedBy } = resolveAgent(message, agents[0]?.id ?? DEFAULT_AGENT, bindings, part);
  const prefix = `agent:${sessionKeyPart(agentId)}`;
  const mainSessionKey = `${prefix}:main`;
  const sessionKey =
    message.peer.kind === "direct"
      ? directKey(message, prefix, session, owner.ids ?? [], part)
      : groupKey(message, prefix, session, part);
  return { agentId, sessionKey, mainSessionKey, matchedBy };
}

/**
 * The key of a session that an `sdk` or `web` caller named. It is the same for all callers. The
 * host's names keep their capitals.
 */
export function namedSessionKey(agentId: string, channel: string, name: string): string {
  const part = (id: string) => sessionKeyPart(id, { caseSensitive: true });
  return `agent:${sessionKeyPart(agentId)}:${part(channel)}:direct:${part(name)}`;
}

function directKey(
  message: InboundMessage,
  prefix: string,
  session: SessionOptions,
  ownerIds: readonly string[],
  part: (id: string) => string,
): string {
  const { dmScope = DEFAULT_DIRECT_SCOPE, identityLinks = {}, ownerMain = true } = session;
  const isSender = (user: string) => {
    const { channel, id } = parseUser(user);
    return id.trim() !== "" && channel === message.channel && part(id) === part(message.peer.id);
  };
  // Compares exactly, as the check that grants the owner's rights does.
  const isOwner = ownerIds.includes(`${message.channel}:${message.peer.id}`);
  if (dmScope === "main" || (ownerMain && isOwner)) return `${prefix}:main`;

  const linked = Object.keys(identityLinks).find((name) => identityLinks[name]?.some(isSender));
  if (linked !== undefined) return `${prefix}:direct:@${sessionKeyPart(linked)}`;

  const peer = part(message.peer.id);
  const channel = part(message.channel);
  switch (dmScope) {
    case "per-peer":
      return `${prefix}:direct:${peer}`;
    case "per-channel-peer":
      return `${prefix}:${channel}:direct:${peer}`;
    case "per-account-channel-peer":
      return `${prefix}:${channel}:${sessionKeyPart(message.account ?? DEFAULT_ACCOUNT)}:direct:${peer}`;
  }
}

function groupKey(
  message: InboundMessage,
  prefix: string,
  session: SessionOptions,
  part: (id: string) => string,
): string {
  const key = `${prefix}:${sessionKeyPart(message.channel)}:${message.peer.kind}:${part(message.peer.id)}`;
  const apart = (session.threads ?? DEFAULT_THREADS) === "apart" && message.thread !== undefined;
  return apart ? `${key}:thread:${part(message.thread ?? "")}` : key;
}

function resolveAgent(
  message: InboundMessage,
  defaultAgent: string,
  bindings: readonly Binding[],
  part: (id: string) => string,
): { agentId: string; matchedBy: MatchedBy } {
  const isPeer = (wanted: Peer, given: Peer | undefined) =>
    given !== undefined && wanted.kind === given.kind && part(wanted.id) === part(given.id);
  const account = message.account ?? DEFAULT_ACCOUNT;
  const tiers = [
    "binding.peer",
    "binding.parent",
    "binding.guild",
    "binding.team",
    "binding.account",
    "binding.channel",
  ] as const;

  const tierOf = ({ match }: Binding): (typeof tiers)[number] | null => {
    if (match.channel !== message.channel) return null;
    if (match.account !== "*" && (match.account ?? DEFAULT_ACCOUNT) !== account) return null;
    if (match.guild !== undefined && match.guild !== message.guild) return null;
    if (match.team !== undefined && match.team !== message.team) return null;
    if (match.peer) {
      if (isPeer(match.peer, message.peer)) return "binding.peer";
      return isPeer(match.peer, message.parentPeer) ? "binding.parent" : null;
    }
    if (match.guild !== undefined) return "binding.guild";
    if (match.team !== undefined) return "binding.team";
    return match.account !== undefined && match.account !== "*" ? "binding.account" : "binding.channel";
  };

  let best: { agentId: string; matchedBy: MatchedBy; rank: number } | undefined;
  for (const binding of bindings) {
    const tier = tierOf(binding);
    if (tier === null) continue;
    const rank = tiers.indexOf(tier);
    if (best === undefined || rank < best.rank) best = { agentId: binding.agentId, matchedBy: tier, rank };
  }
  return best ?? { agentId: defaultAgent, matchedBy: "default" };
}
