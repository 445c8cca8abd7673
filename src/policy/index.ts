export { decideAccess } from "./access.ts";
export type { AccessDecision } from "./access.ts";
export { OWNER_ROLE, USER_ROLE, rolesOf, sharedRoles } from "./roles.ts";
export type { RoleOptions } from "./roles.ts";
export { decideBuiltInRules } from "./tool-rules.ts";
export type { ToolDecision } from "./tool-rules.ts";
