import { describe, expect, it } from "vitest";
import { newId } from "../src/ids.ts";

describe("newId()", () => {
  it("sorts in the order of making, also within one millisecond and when the clock steps back", () => {
    const times = [5, 5, 5, 9, 9, 7, 7, 12];
    const ids = Array.from({ length: 400 }, (_, index) =>
      newId({ now: () => 1_800_000_000_000 + (times[index % times.length] ?? 0) + index }),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(newId({ now: () => 1_900_000_000_000 }) < newId({ now: () => 1_900_000_000_000 })).toBe(true);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});
