/** Built-in roles: `owner` may do everything; `user` is whoever was let in. */
export const OWNER_ROLE = "owner";
export const USER_ROLE = "user";

export interface RoleOptions {
  readonly ownerIds: readonly string[];
  /** A role's name to the users (`channel:id`) that hold it. */
  readonly roles: Readonly<Record<string, readonly string[]>>;
}

/** Who the owner is, and who has which role, now: a code makes somebody the owner while the assistant runs, so it is asked each time. */
export interface Owners {
  /** `channel:id` of the owners whom the configuration names in `owner.ids`, and of whoever sent the owner code. */
  ids(): readonly string[];
  /** Those, and everybody who has the role `owner`. */
  all(): readonly string[];
  /** The roles of a user (`channel:id`) who was let in. */
  rolesOf(user: string): readonly string[];
}

/** The roles of a user who was let in. They come from the configuration alone, never from a message. */
export function rolesOf(user: string, { ownerIds, roles }: RoleOptions): readonly string[] {
  if (user === "") return [];
  const given = Object.keys(roles).filter(
    (role) => role !== OWNER_ROLE && role !== USER_ROLE && roles[role]?.includes(user),
  );
  const isOwner = ownerIds.includes(user) || roles[OWNER_ROLE]?.includes(user) === true;
  return [...(isOwner ? [OWNER_ROLE] : []), USER_ROLE, ...given];
}

/** What all of several speakers may do: a turn that answers the owner and a stranger together has the stranger's roles. */
export function sharedRoles(speakers: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = speakers;
  return first.filter((role) => rest.every((roles) => roles.includes(role)));
}
