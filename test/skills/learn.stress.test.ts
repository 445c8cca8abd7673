import { describe, expect, it } from "vitest";
import { trace } from "./a-trace.ts";
import { learnSkills } from "./door.ts";

describe("learnSkills()", () => {
  it("looks at a bounded part of long and many traces", () => {
    const long = Array.from({ length: 600 }, (_, index) =>
      trace(
        `${index}`,
        Array.from({ length: 300 }, () => "a"),
      ),
    );
    const [suggestion, ...others] = learnSkills(long);
    expect(suggestion).toMatchObject({ occurrences: 500 });
    expect(suggestion?.toolSequence).toHaveLength(50);
    expect(others).toEqual([]);
  });
});
