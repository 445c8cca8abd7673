/** What `acp_context` can do. */
export const CONTEXT_ACTIONS = [
  "read_peer",
  "read_peer_memory",
  "read_group",
  "read_group_memory",
  "read_group_role",
  "read_identity_memory",
  "append_memory",
  "update_peer",
  "update_group",
  "update_group_role",
  "update_identity",
  "promote_memory",
] as const;

/** What a conversation wants to do with context files. */
export type ContextAction = (typeof CONTEXT_ACTIONS)[number];

export const CONTEXT_SCOPES = ["peer", "group", "identity"] as const;

/** Whose files: those of a person, of a group, or the agent's own. */
export type ContextScopeName = (typeof CONTEXT_SCOPES)[number];

/** The conversation that asks, as the runtime knows it. */
export interface ContextSession {
  /** Whatever is not `direct` is read by several people, and counts as a group. */
  readonly kind: "direct" | "group" | "channel";
  /** Only an owner asks. Whatever is not `true` is no owner. */
  readonly owner: boolean;
  /** Whose files they are: the id of the agent. Default: any is taken. */
  readonly aid?: string | undefined;
  /** Of a direct chat: with whom, the bare id. */
  readonly peerId?: string | undefined;
  /** Of a group: the bare id. */
  readonly groupId?: string | undefined;
}

/** Which conversation wants to do what with whose files. */
export interface ContextAccessQuestion {
  /** The conversation that asks. */
  readonly session: ContextSession;
  /** What it wants to do. */
  readonly action: ContextAction;
  /** Whose files it wants to do it with. */
  readonly scope: ContextScopeName;
  /** The id of the agent whose files they are. An empty one is refused. */
  readonly aid: string;
  /** Default: the session's. */
  readonly peerId?: string | undefined;
  /** Default: the session's. */
  readonly groupId?: string | undefined;
}

/** Whether it may; a refusal says why. */
export type ContextAccess = { readonly ok: true; readonly error?: undefined } | ContextRefusal;

/** A refusal of `decideContextAccess`. */
export interface ContextRefusal {
  /** False, as in every refusal. */
  readonly ok: false;
  /** Why, for the model. */
  readonly error: string;
}

const OF_A_PEER: readonly string[] = ["read_peer", "read_peer_memory", "append_memory"];
const OF_A_GROUP: readonly string[] = ["read_group", "read_group_memory", "read_group_role", "append_memory"];
const OF_A_GROUP_BY_OWNER: readonly string[] = [...OF_A_GROUP, "update_group", "update_group_role"];

/**
 * May this conversation do this with context files? Pure. Everything is for the owner in a direct chat; a group reaches its own files alone, whoever
 * speaks; anybody else reads about themselves and adds to it.
 *
 * Source: docs/context-tool.md, "Who may what".
 */
export function decideContextAccess(question: ContextAccessQuestion): ContextAccess {
  const { session, action, scope, aid } = question;
  if (!isGiven(aid)) return refuse("aid is required");
  const peerId = isGiven(question.peerId) ? question.peerId : session.peerId;
  const groupId = isGiven(question.groupId) ? question.groupId : session.groupId;
  if (scope === "peer" && !isGiven(peerId)) return refuse("peer_id required for scope=peer");
  if (scope === "group" && !isGiven(groupId)) return refuse("group_id required for scope=group");
  // The session may come from a caller without types: a text "false" or an object must make no owner.
  const isOwner = (session.owner as unknown) === true;
  const isOwn = session.aid === undefined || session.aid === aid;
  return isOwn && isAllowed() ? { ok: true } : refuse("permission denied");

  function isAllowed(): boolean {
    if (session.kind !== "direct")
      return (
        scope === "group" &&
        groupId === session.groupId &&
        (isOwner ? OF_A_GROUP_BY_OWNER : OF_A_GROUP).includes(action)
      );
    if (isOwner) return CONTEXT_ACTIONS.includes(action) && CONTEXT_SCOPES.includes(scope);
    return scope === "peer" && peerId === session.peerId && OF_A_PEER.includes(action);
  }
}

function isGiven(text: string | undefined): text is string {
  return typeof text === "string" && text.trim() !== "";
}

function refuse(error: string): ContextRefusal {
  return { ok: false, error };
}
