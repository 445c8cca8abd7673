import { describe, expect, it } from "vitest";
import { type SpokenText, mergeLedger, readFacts } from "../../../src/context/compaction/index.ts";

const user = (text: string): SpokenText => ({ role: "user", text });

describe("mergeLedger()", () => {
  it("keeps a part of it when thousands of things are said at once", () => {
    const texts = Array.from({ length: 1000 }, (_, index) =>
      user(
        `TODO: order part number ${index} for the ${index % 7} th machine as PART-${10_000 + index}. Done: sent part ${index}.`,
      ),
    );
    const { facts } = mergeLedger([], readFacts(texts));
    expect(facts.length).toBeLessThan(400);
  });
});
