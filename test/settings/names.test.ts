import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileOptions } from "../../src/config/schema/file.ts";
import { sdkOptions } from "../../src/config/schema/sdk.ts";
import { type Schema, optionOf } from "../../src/settings/index.ts";
import { camelCase, editDistance, nearestName, snakeCase } from "../../src/settings/names.ts";

function namesIn(schema: Schema): string[] {
  const option = optionOf(schema);
  if (option.kind === "leaf") return [];
  if (option.kind !== "section") return namesIn(option.item);
  return Object.entries(option.keys).flatMap(([name, inner]) => [name, ...namesIn(inner)]);
}

describe("names of options", () => {
  it("are the same in the file and in code but for their case", () => {
    const all = [...namesIn(fileOptions), ...namesIn(sdkOptions)];
    expect(all.filter((name) => camelCase(snakeCase(name)) !== name)).toEqual([]);
    expect(all.length).toBeGreaterThan(100);
  });
});

describe("editDistance()", () => {
  it.each([
    ["", "abc", 3],
    ["model", "model", 0],
    ["modle", "model", 1],
    ["debounce", "debouncems", 2],
    ["kitten", "sitting", 3],
  ])("of %j and %j is %d", (from, to, distance) => {
    expect(editDistance(from, to)).toBe(distance);
  });

  it("is the same both ways, and at most the longer length", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(editDistance(a, a)).toBe(0);
      }),
    );
  });
});

describe("nearestName()", () => {
  it.each([
    ["debounceMS", "debounce_ms"],
    ["max-concurrent", "max_concurrent"],
    ["capp", "cap"],
    ["completelyelse", undefined],
  ])("of %j is %j", (name, nearest) => {
    expect(nearestName(name, ["mode", "debounce_ms", "cap", "max_concurrent"])).toBe(nearest);
  });
});
