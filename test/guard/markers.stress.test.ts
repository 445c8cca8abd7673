import { describe, expect, it } from "vitest";
import { withoutMarkers } from "../../src/guard/index.ts";
import { WHOLE } from "../support/thorough.ts";
import { markersWithRuns } from "./unseen-runs.ts";

describe("withoutMarkers()", () => {
  it.each([WHOLE ? 50_000 : 10_000])("takes the bracket from a marker with runs of %i unseen characters", (length) => {
    for (const { unseen, hostile } of markersWithRuns(length))
      expect(withoutMarkers(hostile).startsWith("&lt;"), JSON.stringify(unseen)).toBe(true);
  });
});
