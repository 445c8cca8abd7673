import { HOST_CHANNELS } from "../host-channels.ts";
import type { Owners } from "../policy/index.ts";
import type { SavedCaller } from "./records.ts";

/** The caller with at most today's rights: a former owner must not act as an owner through an old request. */
export function withRightsNow(caller: SavedCaller, owners: Pick<Owners, "rolesOf">): SavedCaller {
  if (HOST_CHANNELS.includes(caller.channel)) return caller;
  const now = owners.rolesOf(caller.user);
  return { ...caller, userRoles: caller.userRoles.filter((role) => now.includes(role)) };
}
