import { describe, expect, it } from "vitest";
import { parsePolicy, parsePolicySource } from "../../src/policy/index.ts";
import { ConfigError } from "../../src/settings/index.ts";

describe("parsePolicySource() where YAML can be loaded", () => {
  it("is parsePolicy()", () => {
    const text = "profiles: [{ name: default, policy: { deny: [{ group: exek }] } }]";
    expect(parsePolicySource(text, { file: "p.yaml" })).toEqual(parsePolicy(text, { file: "p.yaml" }));
    expect(parsePolicySource({ profiles: [] })).toEqual(parsePolicy({ profiles: [] }));
    expect(() => parsePolicySource("profiles: [")).toThrow(ConfigError);
  });
});
