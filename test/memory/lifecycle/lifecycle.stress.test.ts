import { describe, expect, it } from "vitest";
import { clustersOf } from "../../../src/memory/lifecycle/clusters.ts";
import { THOROUGH } from "../../support/thorough.ts";

describe("clustersOf()", () => {
  it("compares few of many texts", async () => {
    const word = (number: number) =>
      String(number % 3001).replace(/\d/g, (digit) => "bcdfghklmn".charAt(Number(digit)));
    const texts = Array.from({ length: THOROUGH ? 5000 : 2000 }, (_, index) =>
      Array.from({ length: 12 }, (__, place) => word(index * 7919 + place * 104_729)).join(" "),
    );
    let compared = 0;
    const clusters = await clustersOf([...texts, ...texts.slice(0, 50)], {
      threshold: 0.85,
      mayJoin: () => (compared += 1) > 0,
    });
    expect(clusters.length).toBeGreaterThanOrEqual(50);
    expect(compared).toBeLessThan(texts.length);
  });
});
