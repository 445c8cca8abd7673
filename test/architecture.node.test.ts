import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeViolations, findViolations } from "./support/architecture.ts";

const root = join(import.meta.dirname, "..");

/** The sources that are published, by their path from the root. */
function readTree(): Map<string, string> {
  const doors = readdirSync(root).filter((file) => /^(?:mod|kit|entry\.[a-z]+)\.ts$/.test(file));
  const sources = new Map(doors.map((file) => [file, readFileSync(join(root, file), "utf8")]));
  for (const folder of ["src", "adapters"]) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      const file = `${folder}/${entry.replaceAll("\\", "/")}`;
      if (file.endsWith(".ts") && !file.endsWith(".d.ts")) sources.set(file, readFileSync(join(root, file), "utf8"));
    }
  }
  return sources;
}

describe("the tree", () => {
  it("keeps the rules of ARCHITECTURE.md", () => {
    const sources = readTree();
    expect(sources.size).toBeGreaterThan(50);
    expect(describeViolations(findViolations(sources))).toBe("");
  });
});

describe("findViolations()", () => {
  it.each([
    ["src/session/a.ts", 'import { b } from "../outbox/index.ts";', "keepers do not import keepers"],
    ["src/store/a.ts", 'import { b } from "../session/index.ts";', "ground do not import keepers"],
    ["src/tools/a.ts", 'import type { B } from "../agent/index.ts";', "makers do not import makers"],
    ["src/turn/a.ts", 'import { b } from "../delivery/index.ts";', "flows do not import flows"],
    ["src/delivery/a.ts", 'import { b } from "../http/index.ts";', "flows do not import doors"],
    ["src/ids.ts", 'import { b } from "./tools/index.ts";', "ground do not import makers"],
    ["src/memory/a.ts", 'export { b } from "../turn/index.ts";', "keepers do not import flows"],
    ["src/turn/a.ts", 'import { b } from "../session/journal.ts";', "other rooms are imported through their index.ts"],
    [
      "src/http/a.ts",
      'const b = await import("../session/journal.ts");',
      "other rooms are imported through their index.ts",
    ],
    ["src/http/a.ts", 'import { b } from "../../adapters/storage/fs/index.ts";', "src never imports adapters"],
    ["src/testing/a.ts", 'import { b } from "../../mod.ts";', "src imports nothing outside of src"],
    ["src/http/a.ts", 'import { b } from "../session/index";', "imports end in .ts"],
    ["src/shed/a.ts", "export const a = 1;", "every room of src has a storey"],
    ["src/turn/a.ts", 'import { generateText } from "ai";', "only src/agent imports ai"],
    ["src/http/a.ts", 'import type { UIMessage } from "ai/types";', "only src/agent imports ai"],
    ["adapters/cli/a.ts", 'import { tool } from "ai";', "only src/agent imports ai"],
    ["src/store/a.ts", 'import { readFile } from "node:fs";', "src names no runtime"],
    ["src/store/a.ts", "const key = process.env.KEY;", "src names no runtime"],
    ["src/store/a.ts", "const a = Buffer.from(b);", "src names no runtime"],
    ["src/store/a.ts", "if (typeof Deno !== 'undefined') Deno.exit();", "src names no runtime"],
    ["src/store/a.ts", "const a = `${Bun.version}`;", "src names no runtime"],
    ["src/turn/a.ts", "setTimeout(a, 10);", "src sets no timer outside of clock.ts and engine/"],
    ["src/turn/a.ts", "globalThis.setInterval(a, 10);", "src sets no timer outside of clock.ts and engine/"],
    ["src/turn/a.ts", "const a = AbortSignal.timeout(5);", "src sets no timer outside of clock.ts and engine/"],
    ["src/turn/a.ts", "clock.at(clock.now() + 5, go);", "src waits for a span of time with after() of clock.ts"],
    ["src/work/a.ts", "await outbox.enqueue(to, entry);", "what is no answer is said through notify()"],
    ["src/work/a.ts", "const { enqueue, find } = outbox;", "what is no answer is said through notify()"],
    ["src/turn/a.ts", "const a = Date.now();", "src reads no wall clock outside of clock.ts and engine/"],
    ["src/turn/a.ts", "const a = new Date();", "src reads no wall clock outside of clock.ts and engine/"],
    ["src/turn/a.ts", "const a = performance.now();", "src reads no wall clock outside of clock.ts and engine/"],
    [
      "src/assistant.ts",
      'await store.put("health/ready", {});',
      "the composition root calls no method of a store but close",
    ],
    [
      "src/assembly/a.ts",
      "for await (const a of store.list('b')) {}",
      "the composition root calls no method of a store but close",
    ],
    [
      "src/assistant-calls.ts",
      "const version = await store!.put('a', 1);",
      "the composition root calls no method of a store but close",
    ],
    ["src/assistant.ts", "const { put } = kept.store;", "the composition root calls no method of a store but close"],
    [
      "src/assembly/a.ts",
      "export const a = (kept: Store) => b(kept);",
      "the composition root calls no method of a store but close",
    ],
    ["src/turn/index.ts", 'export * from "./turn.ts";', "everything is exported by name"],
    ["src/turn/a.ts", "export default function a() {}", "nothing is exported by default"],
    ["adapters/channels/x/index.ts", "export { a as default };", "nothing is exported by default"],
    [
      "adapters/channels/x/index.ts",
      'import { b } from "../../../src/channel.ts";',
      "adapters import mod.ts, kit.ts, published entry points and their vendor only",
    ],
    [
      "adapters/channels/x/index.ts",
      'import { b } from "../telegram/api.ts";',
      "adapters import mod.ts, kit.ts, published entry points and their vendor only",
    ],
    ["mod.ts", 'export { b } from "./adapters/storage/fs/index.ts";', "mod.ts exports names of src"],
    ["mod.ts", 'export * from "./src/store/index.ts";', "everything is exported by name"],
    ["src/store/a.ts", 'import { load } from "#optional";', "no name is mapped: # imports"],
    ["src/store/a.ts", 'const b = await import("#late/store/unstorage");', "no name is mapped: # imports"],
    ["src/store/a.ts", 'export type Late = typeof import("#late/store/unstorage");', "no name is mapped: # imports"],
    ["adapters/storage/x/index.ts", 'import "#optional";', "no name is mapped: # imports"],
    ["mod.ts", 'export type { B } from "#types";', "no name is mapped: # imports"],
    ["src/guard/a.ts", 'export type { B } from "../../adapters/platform/host/index.ts";', "src never imports adapters"],
    ["src/guard/a.ts", 'type B = import("../turn/index.ts").Turn;', "ground do not import flows"],
    ["src/guard/a.ts", 'import type { B } from "../assistant.ts";', "ground do not import doors"],
    ["src/http/a.ts", 'const b = await import("../../entry.host.ts");', "src imports nothing outside of src"],
    [
      "adapters/channels/x/index.ts",
      'const b = await import("../../../entry.host.ts");',
      "adapters import mod.ts, kit.ts, published entry points and their vendor only",
    ],
    [
      "entry.host.ts",
      'import { fsStore } from "./adapters/storage/fs/index.ts";',
      "an entry binds functions of src to a platform, and nothing else",
    ],
    ["src/turn/a.ts", "export interface ADeps extends BDeps { c: D; }", "no interface of dependencies extends another"],
    ["src/turn/a.ts", "export type ADeps = BDeps & { c: D };", "no interface of dependencies extends another"],
    [
      "src/turn/a.ts",
      "interface ADeps { a: B; b: BDeps; } interface BDeps { c: D; e: F; g: H; i: J; k: L; m: N; o: P; q: R; s: T; }",
      "nobody is handed more than nine things",
    ],
    [
      "src/turn/a.ts",
      "interface AParts { a: B; b(c: { d: E; f: G }): H; c: I; d: J; e: K; f: L; g: M; h: N; i: O; j: P; }",
      "nobody is handed more than nine things",
    ],
  ])("finds in %s: %s", (file, line, rule) => {
    const violations = findViolations(new Map([[file, `// one\nconst two = 2;\n${line}\n`]]));
    expect(describeViolations(violations)).toContain(rule);
    expect(violations.map((violation) => violation.rule)).toContain(rule);
    if (rule !== "every room of src has a storey") expect(violations[0]?.line).toBe(3);
  });

  it.each([
    [
      "src/turn/a.ts",
      'import { a } from "../session/index.ts";\nimport { b } from "../clock.ts";\nimport { c } from "./b.ts";',
    ],
    ["src/http/a.ts", 'import { a } from "../config/index.ts";\nimport { b } from "../assistant.ts";'],
    ["src/agent/a.ts", 'import { generateText } from "ai";'],
    ["src/engine/a.ts", "setTimeout(a, Date.now());"],
    [
      "src/store/a.ts",
      "// setTimeout(a)\n/* Date.now() */ const a = 'process.env.KEY' + `Deno.exit() ${b} new Date()`;",
    ],
    ["src/store/a.ts", 'const a = new Date(5); const b = clock.now(); state.process.run(); const re = /setTimeout("/;'],
    ["src/store/a.ts", "const text = 'import { b } from \"../turn/index.ts\"';"],
    [
      "adapters/storage/x/index.ts",
      'import { a } from "../../../mod.ts";\nimport { b } from "node:fs";\nimport { c } from "./c.ts";',
    ],
    ["adapters/runtimes/x/index.ts", 'import { a } from "../server.ts";'],
    ["adapters/cli/x.ts", 'import { createAssistant } from "../../entry.host.ts";'],
    [
      "entry.host.ts",
      'import { a } from "./src/assistant.ts";\nimport { b } from "./adapters/platform/host/index.ts";\nexport * from "./mod.ts";',
    ],
    ["adapters/runtimes/x/index.ts", 'import { a } from "../../storage/fs/index.ts";'],
    [
      "src/turn/a.ts",
      "interface ADeps { a: B; b(c: { d: E; f: G }): H; c: I; d: J; e: K; f: L; g: M; h: N; i: O; }\ninterface B { a: C; }",
    ],
  ])("finds nothing in %s: %s", (file, text) => {
    expect(describeViolations(findViolations(new Map([[file, text]])))).toBe("");
  });
});
