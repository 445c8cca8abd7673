import { describe, expect, it } from "vitest";
import { issuesOf, withFields } from "./issues.ts";

describe("parseSkill()", () => {
  it("is no deeper than the stack", () => {
    expect(issuesOf(withFields(`deep: ${"[".repeat(30_000)}${"]".repeat(30_000)}`)).length).toBeGreaterThan(0);
  });
});
