import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

describe("docs/events.md", () => {
  it("lists every event, and none that does not exist", async () => {
    const map = (await read("src/events/event-map.ts")).split("export interface EventMap {")[1]?.split("\n}")[0] ?? "";
    const types = [...map.matchAll(/^ {2}"([a-z_.]+)":/gm)].map(([, type]) => type);
    const listed = [...(await read("docs/events.md")).matchAll(/^\| `([a-z_]+(?:\.[a-z_]+)+)` \|/gm)].map(
      ([, type]) => type,
    );
    expect(types.length).toBeGreaterThan(10);
    expect(new Set(listed)).toEqual(new Set(types));
  });
});

describe("docs/hooks.md", () => {
  it("names every kind of injection and every function of a hook", async () => {
    const page = await read("docs/hooks.md");
    const kinds = /export type InjectionType = ([^;]+);/.exec(await read("src/events/injection.ts"))?.[1] ?? "";
    const functions = [...(await read("src/proactive/hook.ts")).matchAll(/^ {2}(on[A-Za-z]+)\?\(/gm)];
    expect(functions).toHaveLength(4);
    for (const [, kind] of kinds.matchAll(/"([a-z_]+)"/g)) expect(page).toContain(`\`${kind}\``);
    for (const [, name] of functions) expect(page).toContain(`| \`${name}(`);
  });
});
