import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonError } from "../../src/http/json-error.ts";
import { runs } from "../support/thorough.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("findJsonError()", () => {
  it.each([
    { text: "", line: 1, column: 1 },
    { text: "{", line: 1, column: 2 },
    { text: '{"a": 1,}', line: 1, column: 9 },
    { text: '{"a": 1\n "b": 2}', line: 2, column: 2 },
    { text: "[1, 2", line: 1, column: 6 },
    { text: "[1,]", line: 1, column: 4 },
    { text: "{'a': 1}", line: 1, column: 2 },
    { text: '{"a" 1}', line: 1, column: 6 },
    { text: "nul", line: 1, column: 1 },
    { text: "01", line: 1, column: 2 },
    { text: '"a\\x"', line: 1, column: 3 },
    { text: '"\\u12g4"', line: 1, column: 2 },
    { text: '"line\nbreak"', line: 1, column: 6 },
    { text: "[1] [2]", line: 1, column: 5 },
    { text: "[}", line: 1, column: 2 },
  ])("finds line $line, column $column in $text", ({ text, line, column }) => {
    expect(isJson(text)).toBe(false);
    expect(findJsonError(text)).toMatchObject({ line, column });
  });

  it("agrees with JSON.parse on what is JSON", () => {
    const piece = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"\\n"',
      "1",
      "-0.5e3",
      "true",
      "null",
      " ",
      "\n",
      '"',
      "\\",
      "x",
      "0",
    );
    const text = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join("")),
    );
    fc.assert(
      fc.property(text, (text) => (findJsonError(text) === null) === isJson(text)),
      { numRuns: runs(3000) },
    );
  });

  it("points behind what can still be part of JSON", () => {
    const broken = fc.tuple(fc.json(), fc.nat()).map(([json, at]) => json.slice(0, at % json.length));
    fc.assert(
      fc.property(broken, (text) => {
        const found = findJsonError(text);
        // A cut-off text ends too early or, where the cut is inside a word or number, at that token.
        return found === null ? isJson(text) : found.offset <= text.length && !isJson(text);
      }),
    );
  });

  it("does not run out of stack in deep nesting", () => {
    expect(findJsonError("[".repeat(200_000))).toMatchObject({ offset: 200_000 });
  });
});
