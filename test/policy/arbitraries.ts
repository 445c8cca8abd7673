import * as fc from "fast-check";
import type { PolicyInput, PolicyRule, PolicySubject } from "../../src/policy/index.ts";

// Few names, so that rules and callers often meet.

const channel = fc.constantFrom("cli", "sdk", "lark", "slack", "web");
const role = fc.constantFrom("owner", "user", "staff");
const session = fc.constantFrom("agent:main:", "agent:main:lark:", "agent:main:lark:group:7", "agent:other:");
const toolName = fc.constantFrom("bash", "grep", "file_read", "file_write", "node:shell", "node:files", "mcp__a__b");
const group = fc.constantFrom("exec", "fs", "search", "node", "mcp");

export const anyTool = fc.record(
  {
    name: toolName,
    tags: fc.array(
      fc.oneof(
        group.map((name) => `group:${name}`),
        group,
      ),
      { maxLength: 3 },
    ),
    category: group,
  },
  { requiredKeys: ["name"] },
);

export const anySubject: fc.Arbitrary<PolicySubject> = fc.record(
  {
    channel: fc.oneof(channel, fc.constant("")),
    roles: fc.array(fc.oneof(role, fc.constant("")), { maxLength: 3 }),
    sessionKey: fc.oneof(session, fc.constant("")),
  },
  { requiredKeys: [] },
);

const rule: fc.Arbitrary<PolicyRule> = fc.oneof(
  fc.record({ group }),
  fc.record({ tool: fc.oneof(toolName, fc.constantFrom("node:*", "file_*", "*")) }),
);
const rules = fc.record(
  { deny: fc.array(rule, { maxLength: 4 }), allow: fc.array(rule, { maxLength: 4 }) },
  { requiredKeys: [] },
);
const match = fc.record(
  {
    channels: fc.array(channel, { maxLength: 3 }),
    roles: fc.array(role, { maxLength: 3 }),
    sessions: fc.array(session, { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

export const anyPolicy: fc.Arbitrary<PolicyInput> = fc.record(
  {
    profiles: fc.uniqueArray(
      fc.record(
        { name: fc.oneof(fc.constant("default"), fc.string({ minLength: 1, maxLength: 6 })), match, policy: rules },
        { requiredKeys: ["name", "policy"] },
      ),
      { selector: ({ name }) => name, maxLength: 5 },
    ),
    fallback: fc.constantFrom("deny" as const, "allow" as const),
  },
  { requiredKeys: ["profiles"] },
);
