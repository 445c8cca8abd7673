import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };

/** Below it a mounted app and its host read some paths differently. Source: CVE-2026-47674, CVE-2026-47676. */
const SAFE = [4, 12, 21];

function isSafe(version: string): boolean {
  const numbers = version.split(".").map(Number);
  for (const [index, least] of SAFE.entries()) if (numbers[index] !== least) return (numbers[index] ?? 0) > least;
  return true;
}

describe("the router", () => {
  it("is one without known differences in how it reads paths, whichever the range of package.json picks", () => {
    const range = read("package.json").dependencies["hono"] ?? "";
    expect(range).toMatch(/^\^\d+\.\d+\.\d+$/);
    expect(isSafe(range.slice(1))).toBe(true);
    expect(isSafe(read("node_modules/hono/package.json").version)).toBe(true);
  });

  it.each([
    ["4.12.20", false],
    ["4.12.21", true],
    ["4.9.99", false],
    ["4.13.0", true],
    ["5.0.0", true],
  ])("is judged by numbers: %s", (version, safe) => {
    expect(isSafe(version)).toBe(safe);
  });
});
