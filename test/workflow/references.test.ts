import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMet, parseCondition } from "../../src/workflow/condition.ts";
import { type Lookup, fillIn, parseReference, referencesIn, valueAt } from "../../src/workflow/references.ts";
import type { JsonValue } from "../../src/store/index.ts";
import { runs } from "../support/thorough.ts";

const scope: Readonly<Record<string, JsonValue>> = {
  inputs: { topic: "tea", count: 3, yes: true, nothing: null, empty: "" },
  steps: { a: { output: { items: [{ name: "ada" }, { name: "bob" }], "odd key": 1 }, status: "done" } },
};
const lookup: Lookup = ({ root, step, path }) =>
  Promise.resolve(valueAt(scope, [root, ...(step === undefined ? [] : [step]), ...path]));

describe("parseReference()", () => {
  it.each([
    ["inputs.topic", { root: "inputs", path: ["topic"] }],
    ["steps.a.output.items[0].name", { root: "steps", step: "a", path: ["output", "items", 0, "name"] }],
    ["steps.a.output.items.0.name", { root: "steps", step: "a", path: ["output", "items", 0, "name"] }],
    ['steps.a.output["odd key"]', { root: "steps", step: "a", path: ["output", "odd key"] }],
    ["steps.a", { root: "steps", step: "a", path: ["output"] }],
    [" item ", { root: "item", path: [] }],
    ["inputs.主题.名称", { root: "inputs", path: ["主题", "名称"] }],
    ["steps.follow-up.status", { root: "steps", step: "follow-up", path: ["status"] }],
  ])("reads %s", (text, expected) => {
    expect(parseReference(text)).toEqual(expected);
  });

  it.each([
    ["", "does not begin with one of"],
    ["env.KEY", "does not begin with one of"],
    ["steps", "does not name a step"],
    ["steps.a.secret", "a step has output, error, status"],
    ["inputs.topic + 1", "is not a reference"],
    ["inputs.topic()", "is not a reference"],
    ["inputs[topic]", "is not a reference"],
  ])("refuses %j", (text, expected) => {
    expect(parseReference(text)).toContain(expected);
  });

  it("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = parseReference(text);
        expect(typeof read === "string" ? read.length : read.root.length).toBeGreaterThan(0);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("fillIn()", () => {
  it.each<[JsonValue, JsonValue]>([
    ["${inputs.count}", 3],
    ["${steps.a.output.items}", [{ name: "ada" }, { name: "bob" }]],
    ["${inputs.missing}", null],
    ["of ${inputs.topic}, ${inputs.count}", "of tea, 3"],
    ["of ${inputs.missing}.", "of ."],
    ["first: ${steps.a.output.items[0]}", 'first: {"name":"ada"}'],
    ["$${inputs.topic}", "${inputs.topic}"],
    ["costs $5", "costs $5"],
    [
      { a: ["${inputs.topic}", 1], b: true },
      { a: ["tea", 1], b: true },
    ],
  ])("makes of %j %j", async (value, expected) => {
    expect(await fillIn(value, lookup)).toEqual(expected);
  });

  it("finds nothing that every object has", () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty"])
      expect(valueAt(scope, ["inputs", name])).toBeUndefined();
    expect(valueAt(["a"], ["push"])).toBeUndefined();
    expect(valueAt("text", ["length"])).toBeUndefined();
  });

  it("leaves a value without references as it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const plain = JSON.parse(JSON.stringify(value).replaceAll("${", "{")) as JsonValue;
        expect(referencesIn(plain)).toEqual([]);
        expect(await fillIn(plain, lookup)).toEqual(plain);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("a condition", () => {
  it.each([
    ["${inputs.topic} == 'tea'", true],
    ["inputs.topic == tea", true],
    ['inputs.topic == "tea"', true],
    ["inputs.topic != tea", false],
    ["inputs.count == 3", true],
    ["inputs.count == '3'", true],
    ["inputs.count > 2", true],
    ["inputs.count <= 2", false],
    ["inputs.count >= 10", false],
    ["inputs.yes == true", true],
    ["inputs.yes", true],
    ["inputs.empty", false],
    ["inputs.nothing == null", true],
    ["inputs.missing == null", true],
    ["steps.a.status == done", true],
    ['steps.a.output.items[0] == {"name":"ada"}', true],
  ])("%s is %s", async (text, expected) => {
    const condition = parseCondition(text);
    if (typeof condition === "string") throw new Error(condition);
    expect(await isMet(condition, lookup)).toBe(expected);
  });

  it.each([
    ["inputs.topic ==", "expected a literal after =="],
    ["inputs.topic == ${inputs.other}", "expected a literal after =="],
    ["inputs.topic == a && b", "expected a literal after =="],
    ["1 == 1", "does not begin with one of"],
    ["", "expected <reference> == <literal>"],
  ])("%j is none", (text, expected) => {
    expect(parseCondition(text)).toContain(expected);
  });
});
