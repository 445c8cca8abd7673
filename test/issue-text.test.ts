import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { issueText } from "../src/issue-text.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100));

describe("issueText()", () => {
  it.each<[string, v.GenericSchema, unknown, string]>([
    ["another type", v.string(), 5, "Expected a text"],
    ["one of several types", v.union([v.string(), v.number()]), null, "Expected a text or a number"],
    ["a field that is missing", v.object({ name: v.string() }), {}, "Expected this field, but it is missing"],
    ["a field too many", v.strictObject({}), { name: 1 }, "Expected no field of this name"],
    ["a text that is too short", v.pipe(v.string(), v.minLength(1)), "", "Expected a length of 1 or more"],
    ["a text that is too long", v.pipe(v.string(), v.maxLength(3)), "abcd", "Expected a length of 3 or less"],
    ["a list that is too long", v.pipe(v.array(v.any()), v.maxLength(1)), [1, 2], "Expected a length of 1 or less"],
    ["a number that is too small", Count, 0, "Expected 1 or more"],
    ["a number that is too large", Count, 1e300, "Expected 100 or less"],
    ["a number that is not whole", Count, 1.5, "Expected a whole number"],
    ["words of the schema's own", v.string("Expected a name"), 5, "Expected a name"],
  ])("says what was expected instead of %s", (_, schema, value, expected) => {
    const { issues = [] } = v.safeParse(schema, value);
    expect(issueText(issues[0]!)).toBe(expected);
  });
});
