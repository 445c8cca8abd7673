import { describe, expect, it } from "vitest";
import { parsePolicy, parsePolicySource } from "../../src/policy/index.ts";

describe("parsePolicySource() in a bundle for Workers", () => {
  it("asks for a text to be parsed by whoever gives it", () => {
    expect(() => parsePolicySource("profiles: []")).toThrow(/give parsePolicy\(text\) or an object$/);
    expect(parsePolicySource(parsePolicy("profiles: []")).profiles).toEqual([]);
    expect(parsePolicySource({ profiles: [] }).profiles).toEqual([]);
  });
});
