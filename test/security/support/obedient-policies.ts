import type { PolicyInput } from "../../../src/policy/index.ts";

/** Who calls, as far as the policies below ask. */
export interface Subject {
  readonly channel: string;
  readonly isOwner: boolean;
  readonly isGroup?: boolean;
}

/** A policy, and beside it what it means, written by hand: nothing of the runtime decides what is expected of it. */
export interface TestedPolicy {
  readonly name: "shipped" | "strict" | "open";
  readonly policy?: PolicyInput;
  mayRun(subject: Subject, tool: string): boolean;
}

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  fs: ["file_read", "file_write", "file_edit", "list_files"],
  exec: ["bash", "code_execute"],
  web: ["web_fetch"],
  ui: [
    "plan",
    "clarify",
    "message",
    "notify",
    "time",
    "channel_history",
    "artifact_read",
    "artifact_write",
    "artifact_list",
    "artifact_delete",
  ],
  host: ["note_down", "wipe", "relay", "risky_relay", "tell", "fail", "wait"],
};
const isIn = (group: string, tool: string) => GROUPS[group]?.includes(tool) === true;

export const POLICIES: Readonly<Record<TestedPolicy["name"], TestedPolicy>> = {
  shipped: {
    name: "shipped",
    mayRun({ channel, isOwner }, tool) {
      if (isOwner || channel === "sdk" || channel === "cli") return true;
      if (channel === "web") return tool !== "bash";
      return !isIn("exec", tool) && !tool.startsWith("node:") && tool !== "file_write" && tool !== "file_edit";
    },
  },
  strict: {
    name: "strict",
    policy: {
      version: 1,
      profiles: [
        { name: "owner", match: { roles: ["owner"] }, policy: { deny: [{ tool: "mcp__*" }, { tool: "bash" }] } },
        {
          name: "friends",
          match: { channels: ["telegram"], sessions: ["agent:main:telegram:direct:"] },
          policy: {
            deny: [{ group: "web" }],
            allow: [
              { group: "ui" },
              { group: "group:host" },
              { group: "web" },
              { tool: "file_read" },
              { tool: "mcp__evil__f*" },
            ],
          },
        },
        {
          name: "program",
          match: { channels: ["sdk"] },
          policy: {
            deny: [{ tool: "file_edit" }],
            allow: [
              { group: "fs" },
              { group: "exec" },
              { group: "web" },
              { tool: "node:*" },
              { tool: "wipe" },
              { tool: "note_down" },
            ],
          },
        },
      ],
    },
    mayRun({ channel, isOwner, isGroup = false }, tool) {
      if (isOwner) return !tool.startsWith("mcp__") && tool !== "bash";
      if (channel === "telegram" && !isGroup)
        return isIn("ui", tool) || isIn("host", tool) || tool === "file_read" || tool.startsWith("mcp__evil__f");
      if (channel !== "sdk" || tool === "file_edit") return false;
      return (
        ["fs", "exec", "web"].some((group) => isIn(group, tool)) || ["wipe", "note_down", "node:shell"].includes(tool)
      );
    },
  },
  open: {
    name: "open",
    policy: { version: 1, profiles: [{ name: "default", policy: { deny: [], allow: [] } }] },
    mayRun: () => true,
  },
};
