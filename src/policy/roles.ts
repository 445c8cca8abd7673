/** Built-in roles: `owner` may do everything; `user` is every person who was let in. */
export const OWNER_ROLE = "owner";
export const USER_ROLE = "user";

export interface RoleOptions {
  readonly ownerIds: readonly string[];
  /** Users (`channel:id`) by role. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

/**
 * The owners and roles at this moment. A code makes a person the owner while the assistant runs, so callers ask each
 * time.
 */
export interface Owners {
  /** `channel:id` of the owners in `owner.ids` of the configuration, and of the person who sent the owner code. */
  ids(): readonly string[];
  /** The same, and all users with the role `owner`. */
  all(): readonly string[];
  /** Roles of a user (`channel:id`) who was let in. */
  rolesOf(user: string): readonly string[];
}

/** Returns the roles of a user who was let in. They come only from the configuration, never from a message. */
export function rolesOf(user: string, { ownerIds, roles }: RoleOptions): readonly string[] {
  if (user === "") return [];
  const given = Object.keys(roles).filter(
    (role) => role !== OWNER_ROLE && role !== USER_ROLE && roles[role]?.includes(user),
  );
  const isOwner = ownerIds.includes(user) || roles[OWNER_ROLE]?.includes(user) === true;
  return [...(isOwner ? [OWNER_ROLE] : []), USER_ROLE, ...given];
}

/**
 * Returns the roles that all speakers have: a turn that answers the owner and a stranger together has the stranger's
 * roles.
 */
export function sharedRoles(speakers: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = speakers;
  return first.filter((role) => rest.every((roles) => roles.includes(role)));
}
