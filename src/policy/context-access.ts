/** The actions of `acp_context`. */
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

/** An action on context files. */
export type ContextAction = (typeof CONTEXT_ACTIONS)[number];

export const CONTEXT_SCOPES = ["peer", "group", "identity"] as const;

/** Whose files: a person's, a group's, or the agent's own. */
export type ContextScopeName = (typeof CONTEXT_SCOPES)[number];

/** The conversation that asks, as the runtime knows it. */
export interface ContextSession {
  /** Several people read a chat that is not `direct`; it counts as a group. */
  readonly kind: "direct" | "group" | "channel";
  /** Whether all speakers are owners. Any value but `true` means no. */
  readonly owner: boolean;
  /** The agent's id, which must equal the `aid` of the files. Default: any `aid` is accepted. */
  readonly aid?: string | undefined;
  /** For a direct chat: the other person's bare id. */
  readonly peerId?: string | undefined;
  /** For a group: the group's bare id. */
  readonly groupId?: string | undefined;
}

/** A question to `decideContextAccess`. */
export interface ContextAccessQuestion {
  /** The conversation that asks. */
  readonly session: ContextSession;
  /** The action on the files. */
  readonly action: ContextAction;
  /** Whose files. */
  readonly scope: ContextScopeName;
  /** Id of the agent that the files belong to. An empty id is refused. */
  readonly aid: string;
  /** Person whose files are used. Default: the session's. */
  readonly peerId?: string | undefined;
  /** Group whose files are used. Default: the session's. */
  readonly groupId?: string | undefined;
}

/** Whether the action is allowed; a refusal has a reason. */
export type ContextAccess = { readonly ok: true; readonly error?: undefined } | ContextRefusal;

/** A refusal of `decideContextAccess`. */
export interface ContextRefusal {
  /** Always false. */
  readonly ok: false;
  /** The reason, for the model. */
  readonly error: string;
}

const OF_A_PEER: readonly string[] = ["read_peer", "read_peer_memory", "append_memory"];
const OF_A_GROUP: readonly string[] = ["read_group", "read_group_memory", "read_group_role", "append_memory"];
const OF_A_GROUP_BY_OWNER: readonly string[] = [...OF_A_GROUP, "update_group", "update_group_role"];

/**
 * Decides whether a conversation may do something with context files. Pure. An owner in a direct chat may do
 * everything. A group reaches only its own files, whoever speaks. Other people may read their own files and add to
 * them.
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
  // The session may come from a caller without types: the string "false" or an object must not make an owner.
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
