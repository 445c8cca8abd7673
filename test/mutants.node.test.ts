import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { MUTANTS } from "./mutants/mutants.ts";

describe("planted defects", () => {
  it("know the line that they change: each text stands once in its file", async () => {
    const texts = new Map<string, string>();
    const lost: string[] = [];
    for (const { file, search } of MUTANTS) {
      if (!texts.has(file)) texts.set(file, await readFile(new URL(`../${file}`, import.meta.url), "utf8"));
      if (texts.get(file)!.split(search).length !== 2) lost.push(`${file}: ${search}`);
    }
    expect(lost).toEqual([]);
  });
});
