import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ANSWERS, NOTICES } from "../support/ways-out.ts";

const page = readFileSync(new URL("../../docs/attention.md", import.meta.url), "utf8");
const rowsUnder = (heading: string) =>
  (page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "")
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("|---"))
    .slice(1)
    .map((line) => line.slice(2, -2).split(" | "));

describe("docs/attention.md", () => {
  it("names each way in which something is said, and as what", () => {
    const answers = [...new Set(Object.values(ANSWERS))].map((what) => [what, "answer"]);
    expect(rowsUnder("What is said, and as what")).toEqual([...answers, ...Object.values(NOTICES)]);
  });

  it("knows every type of a notice", () => {
    const source = readFileSync(new URL("../../src/notice.ts", import.meta.url), "utf8");
    const [, union = ""] = /export type NoticeType =([^;]+);/.exec(source) ?? [];
    const types = [...union.matchAll(/"([a-z]+)"/g)].map(([, type]) => type).filter((type) => type !== "digest");
    expect(new Set(types)).toEqual(new Set(Object.keys(NOTICES)));
  });

  it("lists the rules in the order in which they are asked", () => {
    const source = readFileSync(new URL("../../src/attention/decide-attention.ts", import.meta.url), "utf8");
    const [, union = ""] = /export type AttentionRule =([^;]+);/.exec(source) ?? [];
    const rules = [...union.matchAll(/"([a-z_]+)"/g)].map(([, rule]) => `\`${rule}\``);
    expect(rowsUnder("What decides").map(([rule]) => rule)).toEqual(rules);
  });
});
