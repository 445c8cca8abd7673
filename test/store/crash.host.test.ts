import { describe, expect, it } from "vitest";
import { crashRounds } from "./crash.ts";
import { THOROUGH } from "../support/thorough.ts";

describe.concurrent.each(["fs", "sqlite"] as const)("the %s store under kill -9", (kind) => {
  it("loses, doubles and tears nothing that was acknowledged, and opens again quickly", async () => {
    const { acknowledged, slowestOpenMs, faults } = await crashRounds(kind, THOROUGH ? 6 : 3, 150);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThan(8);
    expect(slowestOpenMs).toBeLessThan(5_000);
  }, 60_000);
});
