import { describe, expect, it } from "vitest";
import { polled, within } from "./within.ts";

describe("polled()", () => {
  it("looks until it is so, and fails with what it saw last when it never is", async () => {
    let looks = 0;
    await polled(() => ++looks).toBe(3);
    expect(looks).toBe(3);
    await polled(() => ++looks).not.toBe(4);
    await expect(polled(() => "a", { timeout: 50 }).toBe("b")).rejects.toThrow("expected 'a' to be 'b'");
    await expect(polled(() => "a", { timeout: 50 }).not.toBe("a")).rejects.toThrow("not to be 'a'");
  });

  it("counts neither what others do on the machine nor less than its own time", async () => {
    const begun = performance.now();
    await expect(polled(() => 0, { timeout: 100 }).toBe(1)).rejects.toThrow();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(90);
    // As if the machine kept it waiting: a look that only waits is no time of its own.
    let looks = 0;
    const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(++looks), 60));
    await within(100, slow, (seen) => expect(seen).toBe(4));
  });
});
