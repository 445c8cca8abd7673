/**
 * The groups of the built-in tools: the names that a policy file may use without a warning, and the table in
 * docs/policy.md. Tools of later versions are listed already, so that a policy written for a later version gets no
 * warnings.
 */
export const TOOL_GROUPS: Readonly<Record<string, readonly string[]>> = {
  fs: ["file_read", "file_write", "file_edit", "list_files"],
  exec: ["bash", "code_execute"],
  search: ["grep", "find", "web_search"],
  web: ["web_fetch"],
  memory: ["memory_recall", "memory_write", "memory_forget", "acp_context"],
  okr: ["okr_read", "okr_write"],
  orchestration: [
    "subagent",
    "bg_dispatch",
    "bg_status",
    "bg_collect",
    "workflow_run",
    "workflow_status",
    "workflow_save",
  ],
  scheduler: ["scheduler_create", "scheduler_list", "scheduler_delete", "scheduler_pause", "schedule_task"],
  skills: ["skills", "find_skills", "install_skill"],
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
  media: ["vision_analyze", "text_to_image"],
  node: ["node:*"],
  mcp: ["mcp__*"],
  browser: [],
};

const GROUP_PREFIX = "group:";

/** Removes the prefix: `group:fs` and `fs` are the same group. */
export function groupName(written: string): string {
  return written.startsWith(GROUP_PREFIX) ? written.slice(GROUP_PREFIX.length) : written;
}

/** Returns a tool's groups: its tags that start with `group:`, and its category. */
export function groupsOf(tool: {
  readonly tags?: readonly string[] | undefined;
  readonly category?: string | undefined;
}): readonly string[] {
  const groups: string[] = [];
  const add = (written: string) => {
    const group = groupName(written);
    if (group !== "" && !groups.includes(group)) groups.push(group);
  };
  for (const tag of tool.tags ?? []) if (tag.startsWith(GROUP_PREFIX)) add(tag);
  if (tool.category !== undefined) add(tool.category);
  return groups;
}
