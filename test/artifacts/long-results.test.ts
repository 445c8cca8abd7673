import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createArtifacts, createLongResults } from "../../src/artifacts/index.ts";
import { type JsonValue, memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { artifactTools } from "../../src/tools/index.ts";
import { callTool, contextOf } from "../tools/call-tool.ts";
import { runs } from "../support/thorough.ts";

const CALL = { name: "web_fetch", callId: "t.0.0", sessionKey: contextOf().sessionKey, user: "memory:ada" };

function setUp(maxTotalBytes?: number) {
  const failures: unknown[] = [];
  const artifacts = createArtifacts({
    store: memoryStore(),
    clock: fakeClock(),
    ...(maxTotalBytes !== undefined && { maxTotalBytes }),
  });
  const keepLongResult = createLongResults({ artifacts, onFailure: (error) => failures.push(error) });
  const readAll = async (id: string) => {
    let all = "";
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page = (await callTool(artifactTools({ artifacts }), "artifact_read", { id, offset })) as {
        text: string;
        next_offset?: number;
      };
      all += page.text;
      offset = page.next_offset;
    }
    return all;
  };
  return { artifacts, keepLongResult, readAll, failures };
}
const asText = (shown: JsonValue) => (typeof shown === "string" ? shown : JSON.stringify(shown));
const idIn = (shown: string) => /artifact_read \{"id":"(\w+)","offset":(\d+)\}/.exec(shown)?.slice(1) ?? [];

describe("a long result", () => {
  it.each([
    ["a short text", "hello"],
    ["nothing", null],
    ["a short object", { a: [1, 2] }],
    ["just the limit", "x".repeat(16_384)],
    ["just the limit in JSON", ["x".repeat(16_380)]],
  ])("is not %s", async (_name, output) => {
    const { artifacts, keepLongResult } = setUp();
    expect(await keepLongResult(output, CALL)).toBe(output);
    expect(await artifacts.list(CALL.sessionKey)).toEqual([]);
  });

  it.each<[string, JsonValue, string]>([
    ["a text", `begin ${"häst 😀 ".repeat(5000)}end`, `begin ${"häst 😀 ".repeat(5000)}end`],
    [
      "an object",
      { rows: Array.from({ length: 5000 }, (_, n) => n) },
      JSON.stringify({ rows: Array.from({ length: 5000 }, (_, n) => n) }, null, 1),
    ],
    ["a text with half a character", `\ud800${"x".repeat(20_000)}`, JSON.stringify(`\ud800${"x".repeat(20_000)}`)],
    ["a text with NUL", "\0x".repeat(20_000), "\0x".repeat(20_000)],
  ])("is kept whole, and its beginning and end are shown: %s", async (_name, output, text) => {
    const { keepLongResult, readAll, artifacts } = setUp();
    const shown = asText(await keepLongResult(output, CALL));
    const [id = "", offset = ""] = idIn(shown);
    expect(new TextEncoder().encode(shown).byteLength).toBeLessThanOrEqual(16_384);
    expect(shown.startsWith(text.slice(0, Number(offset)))).toBe(true);
    expect(Number(offset)).toBeGreaterThan(3000);
    expect(shown.slice(-20)).toBe(text.slice(-20));
    if (typeof (await artifacts.read(CALL.sessionKey, id))?.content === "string")
      expect((await artifacts.read(CALL.sessionKey, id))?.content).toBe(text);
    if (!text.includes("\0")) expect(await readAll(id)).toBe(text);
  });

  it("is kept once when an interrupted call runs again", async () => {
    const { artifacts, keepLongResult } = setUp();
    const shown = await keepLongResult("x".repeat(20_000), CALL);
    expect(await keepLongResult("x".repeat(20_000), CALL)).toBe(shown);
    expect(await artifacts.list(CALL.sessionKey)).toHaveLength(1);
  });

  it("of a tool that shows parts by itself is left alone", async () => {
    const { keepLongResult } = setUp();
    const output = { text: "字".repeat(12_000) };
    expect(await keepLongResult(output, { ...CALL, name: "artifact_read" })).toBe(output);
  });

  it("that cannot be kept is cut and says so, and whoever watches is told", async () => {
    const { keepLongResult, failures } = setUp(1000);
    const shown = asText(await keepLongResult("x".repeat(20_000), CALL));
    expect(shown).toContain("could not be kept: ask for less");
    expect(shown.length).toBeLessThanOrEqual(16_384);
    expect(failures).toHaveLength(1);
  });

  it("never passes the limit and never cuts a character in two (property)", async () => {
    const { keepLongResult } = setUp();
    const unit = fc.constantFrom("a", "é", "字", "😀", "\n", '"');
    await fc.assert(
      fc.asyncProperty(
        fc.array(unit, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 400, max: 2000 }),
        async (units, times) => {
          const shown = asText(await keepLongResult(units.join("").repeat(times), { ...CALL, callId: `${times}` }));
          expect(new TextEncoder().encode(shown).byteLength).toBeLessThanOrEqual(Math.max(16_384, 0));
          expect(shown).not.toMatch(/\p{Surrogate}/u);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
