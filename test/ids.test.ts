import { describe, expect, it } from "vitest";
import { newId } from "../src/ids.ts";

describe("newId()", () => {
  it("sorts in the order of making, also within one millisecond and when the clock steps back", () => {
    const times = [5, 5, 5, 9, 9, 7, 7, 12];
    const ids = Array.from({ length: 400 }, (_, index) =>
      newId({ now: () => 1_800_000_000_000 + (times[index % times.length] ?? 0) }),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("begins with the time, in base 32", () => {
    const time = 1_900_000_000_000;
    const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    const id = newId({ now: () => time });
    expect(Array.from(id.slice(0, 10)).reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0)).toBe(time);
  });

  it("makes different ids in different milliseconds", () => {
    const random = Array.from({ length: 50 }, (_, index) => newId({ now: () => 2_000_000_000_000 + index }).slice(10));
    expect(new Set(random).size).toBe(50);
  });
});
