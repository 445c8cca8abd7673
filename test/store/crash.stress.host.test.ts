import { describe, expect, it } from "vitest";
import { crashRounds } from "./crash.ts";

// Many more rounds, and other moments in each run: `npm run faults -- --only stores`.
describe.concurrent.each(["fs", "sqlite"] as const)("the %s store under kill -9", (kind) => {
  it("loses, doubles and tears nothing that was acknowledged", async () => {
    const { acknowledged, faults } = await crashRounds(kind, [4, 60]);
    expect(faults).toEqual([]);
    expect(acknowledged).toBeGreaterThanOrEqual(64);
  });
});
