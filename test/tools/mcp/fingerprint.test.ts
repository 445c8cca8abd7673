import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type McpDefinition, changesBetween, fingerprintOf } from "../../../src/tools/mcp/fingerprint.ts";
import { decideDrift } from "../../../src/tools/mcp/pins.ts";

const base: McpDefinition = {
  name: "search",
  description: "Searches",
  inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } },
  annotations: null,
};

describe("fingerprintOf()", () => {
  it("is the same whatever the order of keys", async () => {
    const turned = {
      annotations: null,
      inputSchema: { properties: { b: { type: "number" }, a: { type: "string" } }, type: "object" },
      description: "Searches",
      name: "search",
    };
    expect(await fingerprintOf(turned)).toBe(await fingerprintOf(base));
    expect(await fingerprintOf(base)).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    { title: "the name", change: { name: "search2" } },
    { title: "a blank in the description", change: { description: "Searches " } },
    { title: "an invisible character", change: { description: "Searches\u200b" } },
    {
      title: "a default in the schema",
      change: { inputSchema: { type: "object", properties: { a: { type: "string", default: "x" } } } },
    },
    { title: "an annotation", change: { annotations: { readOnlyHint: true } } },
  ])("changes with $title", async ({ change }) => {
    expect(await fingerprintOf({ ...base, ...change })).not.toBe(await fingerprintOf(base));
  });

  it("is different for different descriptions", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        fc.pre(one !== other);
        expect(await fingerprintOf({ ...base, description: one })).not.toBe(
          await fingerprintOf({ ...base, description: other }),
        );
      }),
    );
  });
});

describe("changesBetween()", () => {
  it("shows a new tool whole", () => {
    expect(changesBetween(undefined, base)).toEqual([
      "This tool is new",
      "description: Searches",
      'inputSchema: {"properties":{"a":{"type":"string"},"b":{"type":"number"}},"type":"object"}',
      "annotations: null",
    ]);
  });

  it("shows what changed, with nothing hidden and nothing cut", () => {
    const description = `Searches\u202e\n\ufe0f\u00a0\\u{2e}${"x".repeat(10_000)}`;
    expect(changesBetween(base, { ...base, description })).toEqual([
      "description was: Searches",
      `description is: Searches\\u{202e}\\u{a}\\u{fe0f}\\u{a0}\\\\u{2e}${"x".repeat(10_000)}`,
    ]);
  });
});

describe("decideDrift()", () => {
  const tool = (name: string, fingerprint: string) => ({ definition: { ...base, name }, fingerprint });
  const known = [
    { name: "a", fingerprint: "1" },
    { name: "__proto__", fingerprint: "1" },
  ];

  it.each([
    {
      title: "takes everything at first sight",
      known: null,
      listed: [tool("a", "1")],
      trust: false,
      offered: ["a"],
      held: [],
    },
    {
      title: "takes what it knows",
      known,
      listed: [tool("a", "1"), tool("__proto__", "1")],
      trust: false,
      offered: ["a", "__proto__"],
      held: [],
    },
    { title: "holds back what changed", known, listed: [tool("a", "2")], trust: false, offered: [], held: ["changed"] },
    {
      title: "holds back what changed also where new tools are trusted",
      known,
      listed: [tool("a", "2")],
      trust: true,
      offered: [],
      held: ["changed"],
    },
    {
      title: "holds back what is new",
      known,
      listed: [tool("toString", "1")],
      trust: false,
      offered: [],
      held: ["new"],
    },
    {
      title: "takes what is new where that is trusted",
      known,
      listed: [tool("b", "1")],
      trust: true,
      offered: ["b"],
      held: [],
    },
    {
      title: "holds everything back when nothing was accepted",
      known: [],
      listed: [tool("a", "1")],
      trust: false,
      offered: [],
      held: ["new"],
    },
  ])("$title", ({ known: pins, listed, trust, offered, held }) => {
    const decision = decideDrift(pins, listed, trust);
    expect(decision.offered.map(({ definition }) => definition.name)).toEqual(offered);
    expect(decision.heldBack.map(({ kind }) => kind)).toEqual(held);
  });
});
