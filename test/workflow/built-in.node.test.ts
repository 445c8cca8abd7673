import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildWorkflows } from "../../.ci/workflows.ts";
import { shippedIntents } from "../../adapters/models/offline/index.ts";
import { createMatcher } from "../../adapters/models/offline/matcher.ts";
import { BUILT_IN_WORKFLOWS } from "../../src/workflow/index.ts";

describe("the workflows that come with Wakeful", () => {
  it("are built from the folder workflows: run node .ci/workflows.ts when this fails", async () => {
    expect(BUILT_IN_WORKFLOWS).toEqual(await buildWorkflows());
    expect(Object.keys(BUILT_IN_WORKFLOWS)).toContain("weekly-report");
  });

  it.each(Object.keys(BUILT_IN_WORKFLOWS))("can be asked for by the name alone: %s", (name) => {
    const match = createMatcher(shippedIntents);
    for (const said of [`run ${name}`, `运行 ${name}`, `run the ${name.replaceAll("-", " ")}`])
      expect(match(said)?.intent.name, said).toBe("run-workflow");
  });
});

describe("buildWorkflows()", () => {
  const build = async (files: Readonly<Record<string, string>>) => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-built-in-"));
    try {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
      return await buildWorkflows(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const steps = "steps:\n  - { id: now, run: tool, tool: time }\n";

  it("takes each file that ends in .yaml, with the line ends of Unix", async () => {
    const built = await build({ "b.yaml": steps, "a.yaml": `name: a\r\n${steps}`, "notes.md": "no" });
    expect(Object.entries(built)).toEqual([
      ["a", `name: a\n${steps}`],
      ["b", steps],
    ]);
  });

  it("refuses one that cannot be read, or has another name than its file", async () => {
    await expect(build({ "a.yaml": "steps: []\n" })).rejects.toThrow("a.yaml:1:1 steps: expected at least one step");
    await expect(build({ "a.yaml": `name: b\n${steps}` })).rejects.toThrow("expected a, as the file is called");
  });
});
