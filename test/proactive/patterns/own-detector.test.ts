import { describe, expect, it } from "vitest";
import { type Detection, type PatternDetector, detectPatterns, ownDetector } from "../../../src/proactive/index.ts";

const found = { subject: "nights", confidence: 0.6, evidenceIds: ["e1"], frequency: 5, language: "en", data: null };
const suggested = { text: "You often write at night.", priority: 0.6, action: { kind: "hint" } };
const entries = [{ id: "e1", content: "x", createdAt: 0 }];

/** What is found by a detector that may be wrong and by one behind it, and what the log says. */
function look(wrong: object): { detections: Detection[]; errors: unknown[] } {
  const errors: unknown[] = [];
  const logger = { error: (_message: string, fields?: unknown) => void errors.push(fields) };
  const behind = { name: "behind", detect: () => ({ ...found, evidenceIds: ["e2"] }), suggest: () => suggested };
  const detectors = [{ name: "wrong", detect: () => found, suggest: () => suggested, ...wrong }, behind].map((one) =>
    ownDetector(one as PatternDetector, logger),
  );
  return { detections: detectPatterns(entries, detectors), errors };
}

describe("a detector of the host's own", () => {
  it("finds what it finds", () => {
    const { detections, errors } = look({});
    expect(detections.map(({ key }) => key)).toEqual(["wrong:nights", "behind:nights"]);
    expect(errors).toEqual([]);
  });

  const fails = () => {
    throw new Error("boom");
  };
  it.each<[string, object]>([
    ["throws", { detect: fails }],
    ["promises", { detect: async () => found }],
    ["gives no finding", { detect: () => 5 }],
    ["names no subject", { detect: () => ({ ...found, subject: undefined }) }],
    ["is surer than sure", { detect: () => [found, { ...found, confidence: Number.NaN }] }],
    ["has no evidence", { detect: () => ({ ...found, evidenceIds: undefined }) }],
    ["throws when it suggests", { suggest: fails }],
    ["suggests nothing", { suggest: () => null }],
    ["suggests without a text", { suggest: () => ({ ...suggested, text: "" }) }],
    ["offers what nobody can do", { suggest: () => ({ ...suggested, action: { kind: "sing" } }) }],
  ])("that %s finds nothing, is named in the log, and stops no other", (_what, wrong) => {
    const { detections, errors } = look(wrong);
    expect(detections.map(({ key }) => key)).toEqual(["behind:nights"]);
    expect(errors).toEqual([{ detector: "wrong", error: expect.any(String) }]);
  });
});
