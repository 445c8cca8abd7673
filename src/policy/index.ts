export { createAuditedPolicy } from "./audited-policy.ts";
export { DEFAULT_DIRECT_ACCESS, DEFAULT_GROUP_ACCESS, decideAccess } from "./access.ts";
export type { AccessDecision } from "./access.ts";
export { CONTEXT_ACTIONS, CONTEXT_SCOPES, decideContextAccess } from "./context-access.ts";
export type {
  ContextAccess,
  ContextAccessQuestion,
  ContextAction,
  ContextRefusal,
  ContextScopeName,
  ContextSession,
} from "./context-access.ts";
export { OWNER_ROLE, USER_ROLE, rolesOf, sharedRoles } from "./roles.ts";
export type { Owners } from "./roles.ts";
export { decideTool } from "./decide-tool.ts";
export type { PolicyDecision, PolicySubject } from "./decide-tool.ts";
export type { KnownNames } from "./known-names.ts";
export { parsePolicy, parsePolicyObject } from "./parse-policy.ts";
export type { ParsePolicyOptions } from "./parse-policy.ts";
export { createPolicy } from "./policy.ts";
export type { Policy, PolicyChange } from "./policy.ts";
export { DEFAULT_PROFILE } from "./policy-file.ts";
export type {
  PolicyFile,
  PolicyInput,
  PolicyProfile,
  PolicyRule,
  PolicySource,
  ProfileMatch,
  ToolRules,
} from "./policy-file.ts";
export { printPolicy } from "./print-policy.ts";
export { SHIPPED_POLICY } from "./shipped-policy.ts";
export { TOOL_GROUPS, groupName, groupsOf } from "./tool-groups.ts";
