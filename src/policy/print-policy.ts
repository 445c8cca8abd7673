import type { PolicyFile, PolicyRule, ProfileMatch } from "./policy-file.ts";

/** Prints a policy as the text of a policy file; `parsePolicy` returns the same policy. */
export function printPolicy({ profiles, fallback }: Pick<PolicyFile, "profiles" | "fallback">): string {
  const lines = ["version: 1", ...(fallback === "allow" ? ["fallback: allow"] : [])];
  lines.push(profiles.length === 0 ? "profiles: []" : "profiles:");
  for (const { name, match, policy } of profiles) {
    lines.push(
      `  - name: ${word(name)}`,
      ...matchText(match),
      "    policy:",
      ...rulesText("deny", policy.deny),
      ...rulesText("allow", policy.allow),
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Longest line; a longer list is printed one item per line. */
const MAX_LINE = 100;

function matchText(match: ProfileMatch): string[] {
  const fields = Object.entries(match) as [string, readonly string[]][];
  const lists = fields.map(([field, values]) => `${field}: [${values.map(word).join(", ")}]`);
  const line = `    match: ${lists.length === 0 ? "{}" : `{ ${lists.join(", ")} }`}`;
  if (line.length <= MAX_LINE) return [line];
  const blocks = fields.flatMap(([field, values], index) =>
    values.length === 0
      ? [`      ${lists[index]}`]
      : [`      ${field}:`, ...values.map((value) => `        - ${word(value)}`)],
  );
  return ["    match:", ...blocks];
}

function rulesText(verb: string, rules: readonly PolicyRule[]): string[] {
  if (rules.length === 0) return [`      ${verb}: []`];
  return [
    `      ${verb}:`,
    ...rules.map((rule) => `        - ${"group" in rule ? `group: ${word(rule.group)}` : `tool: ${word(rule.tool)}`}`),
  ];
}

/** Words that YAML parsers read as something other than a string. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function word(text: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(text) && !NOT_TEXT.test(text) ? text : JSON.stringify(text);
}
