import { DEFAULT_PROFILE } from "./policy-file.ts";
import type { PolicyFile, PolicyRule } from "./policy-file.ts";
import { OWNER_ROLE } from "./roles.ts";

/** Channels of people who are not at this machine. */
const CHAT_CHANNELS: readonly string[] = [
  "telegram",
  "slack",
  "discord",
  "lark",
  "wecom",
  "wechat",
  "line",
  "whatsapp",
  "github",
  "webhook",
  "email",
  "moltbook",
  "acp",
];

/**
 * Running commands, reaching a person's own machine, background work at the owner's cost, installing code, changing
 * files.
 */
const NOT_FOR_STRANGERS: readonly PolicyRule[] = [
  { group: "exec" },
  { group: "node" },
  { group: "orchestration" },
  { tool: "install_skill" },
  { tool: "file_write" },
  { tool: "file_edit" },
];

/** The policy without a policy file. .ci/docs.ts prints configs/tools/policy.yaml from it. */
export const SHIPPED_POLICY: PolicyFile = {
  version: 1,
  profiles: [
    { name: "owner", match: { roles: [OWNER_ROLE] }, policy: { deny: [], allow: [] } },
    { name: "local", match: { channels: ["cli", "sdk"] }, policy: { deny: [], allow: [] } },
    { name: "web", match: { channels: ["web"] }, policy: { deny: [{ tool: "bash" }], allow: [] } },
    { name: "chat", match: { channels: CHAT_CHANNELS }, policy: { deny: NOT_FOR_STRANGERS, allow: [] } },
    { name: DEFAULT_PROFILE, match: {}, policy: { deny: NOT_FOR_STRANGERS, allow: [] } },
  ],
  fallback: "deny",
  warnings: [],
};
