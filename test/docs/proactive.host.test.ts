import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

/** What of these sections decides on what happens unasked; groups and other names of sections are no knobs. */
const SECTIONS = /^(?:attention|alerts|heartbeat|proactive\.(?:patterns|initiative|holdout)|scheduler\.budget)(?:\.|$)/;

describe("docs/proactive.md", () => {
  it("has every knob of what happens unasked", () => {
    const rows = [...read("config.md").matchAll(/^\| `([^`]+)` \| ([^|]+) \|/gm)];
    const knobs = rows.filter(([, key = "", type = ""]) => SECTIONS.test(key) && !/^(?:a group|by )/.test(type));
    expect(knobs.length).toBeGreaterThan(15);
    const page = read("proactive.md");
    expect(knobs.map(([, key]) => key).filter((key) => !page.includes(`\`${key}\``))).toEqual([]);
  });

  it("names no knob that there is not", () => {
    const config = read("config.md");
    const table = read("proactive.md").split("## Every knob")[1]?.split("\n## ")[0] ?? "";
    const named = [...table.matchAll(/`([a-z]+\.[a-z_.<>]+)`/g)].map(([, key = ""]) => key);
    expect(named.length).toBeGreaterThan(20);
    const isKnown = (key: string) => config.includes(`| \`${key}\` |`) || key.startsWith("assistant.");
    expect(named.filter((key) => !isKnown(key))).toEqual([]);
  });
});
