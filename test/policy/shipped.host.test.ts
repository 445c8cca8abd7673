import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "../../entry.host.ts";
import { withGroups } from "../../.ci/docs.ts";
import { shippedPolicyFile } from "../../.ci/policy-reference.ts";
import { SHIPPED_POLICY } from "../../src/policy/index.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("configs/tools/policy.yaml", () => {
  it("is what the shipped profiles say (mend: node .ci/docs.ts)", () => {
    expect(read("configs/tools/policy.yaml")).toBe(shippedPolicyFile());
  });

  it("is read as the shipped profiles, without a warning", () => {
    const { profiles, fallback, warnings } = parsePolicy(read("configs/tools/policy.yaml"));
    expect({ profiles, fallback, warnings }).toEqual({
      profiles: SHIPPED_POLICY.profiles,
      fallback: "deny",
      warnings: [],
    });
  });

  it("goes into the package", () => {
    const { files } = JSON.parse(read("package.json")) as { files: readonly string[] };
    expect(files).toContain("configs");
  });
});

describe("docs/policy.md", () => {
  it("has the table of groups (mend: node .ci/docs.ts)", () => {
    expect(withGroups(read("docs/policy.md"))).toBe(read("docs/policy.md"));
  });

  const examples = [...read("docs/policy.md").matchAll(/^```yaml\n(.*?)^```/gms)]
    .map((match) => match[1] ?? "")
    .filter((text) => text.includes("profiles:"));

  it("has examples of policy files", () => {
    expect(examples.length).toBeGreaterThan(3);
  });

  it.each(examples)("has an example that is in order: %j", (text) => {
    expect(parsePolicy(text).warnings).toEqual([]);
  });
});
