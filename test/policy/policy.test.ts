import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../entry.host.ts";
import { type PolicyChange, SHIPPED_POLICY, createPolicy } from "../../src/policy/index.ts";
import { ConfigError } from "../../src/settings/index.ts";

const bash = { name: "bash", groups: ["exec"] };
const grep = { name: "grep", groups: ["search"] };
const lark = { channel: "lark", roles: ["user"] };
const denying = (group: string) => `profiles: [{ name: default, policy: { deny: [{ group: ${group} }] } }]`;

function policyOf(text?: string) {
  const changes: PolicyChange[] = [];
  const policy = createPolicy({
    file: text === undefined ? undefined : parsePolicy(text),
    parse: parsePolicy,
    known: () => ({ groups: ["shop"] }),
    onChange: (change) => void changes.push(change),
  });
  return { policy, changes };
}

describe("createPolicy()", () => {
  it("begins with the shipped profiles", () => {
    const { policy } = policyOf();
    expect(policy.current).toBe(SHIPPED_POLICY);
    expect(policy.decide(bash, lark)).toMatchObject({ allowed: false, profile: "chat" });
    expect(policy.decide(bash, { channel: "cli" })).toMatchObject({ allowed: true, profile: "local" });
  });

  it("names the profile that holds for a caller", () => {
    const { policy } = policyOf("profiles: [{ name: staff, match: { roles: [staff] }, policy: {} }]");
    expect(policy.profileFor({ roles: ["staff"] })).toBe("staff");
    expect(policy.profileFor(lark)).toBeNull();
  });

  it("remembers a decision, and tells tools of one name apart", () => {
    const { policy } = policyOf(denying("exec"));
    expect(policy.decide(bash, lark)).toBe(policy.decide(bash, lark));
    expect(policy.decide({ name: "bash", groups: [] }, lark).allowed).toBe(true);
    expect(policy.decide(bash, lark).allowed).toBe(false);
  });

  it("decides by a new policy from the next call on", () => {
    const { policy, changes } = policyOf(denying("exec"));
    expect([policy.decide(bash, lark).allowed, policy.decide(grep, lark).allowed]).toEqual([false, true]);
    const next = policy.replace(denying("search"), { file: "p.yaml" });
    expect(policy.current).toBe(next);
    expect([policy.decide(bash, lark).allowed, policy.decide(grep, lark).allowed]).toEqual([true, false]);
    expect(changes).toEqual([{ file: "p.yaml", verdict: "ok", profiles: ["default"] }]);
  });

  it("takes an object, too", () => {
    const { policy } = policyOf();
    policy.replace({ profiles: [] });
    expect(policy.decide(grep, { roles: ["owner"] }).allowed).toBe(false);
  });

  it("gives the warnings of a new policy, without those for names that are known here", () => {
    const { policy } = policyOf();
    expect(policy.replace(denying("shop")).warnings).toEqual([]);
    expect(policy.replace(denying("shoe")).warnings).toHaveLength(1);
  });

  it.each(["profiles: [", "profiles:\n  - name: default\n    polcy: {}", ""])(
    "keeps the old policy when the new one is %j",
    (text) => {
      const { policy, changes } = policyOf(denying("exec"));
      const before = policy.current;
      expect(() => policy.replace(text, { file: "p.yaml" })).toThrow(ConfigError);
      expect(policy.current).toBe(before);
      expect(policy.decide(bash, lark).allowed).toBe(false);
      expect(changes).toEqual([
        { file: "p.yaml", verdict: "failed", reason: expect.stringMatching(/^p\.yaml:\d+:\d+ /) },
      ]);
    },
  );
});
