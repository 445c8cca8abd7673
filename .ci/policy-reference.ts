import { SHIPPED_POLICY, TOOL_GROUPS, printPolicy } from "../src/policy/index.ts";

/** configs/tools/policy.yaml. */
export function shippedPolicyFile(): string {
  return `# The tool policy that holds when there is no policy file. Copy it, change it, and name it in the configuration:
#   policy: { file: configs/tools/policy.yaml }
# The first profile that matches a caller decides; default is for whom none matches. A deny rule wins over every allow rule,
# and an empty allow list allows whatever is not denied. wakeful config check reads the file and says what is wrong with it.
${printPolicy(SHIPPED_POLICY)}`;
}

/** The table of groups in docs/policy.md. */
export function groupTable(): string {
  const rows = Object.entries(TOOL_GROUPS).map(([group, tools]) => {
    const names = tools.map((tool) => `\`${tool}\``).join(", ");
    return `| \`${group}\` | ${names || "tools of the MCP servers that are put into it"} |`;
  });
  return ["| group | tools |", "|---|---|", ...rows].join("\n");
}
