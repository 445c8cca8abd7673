import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { writePersonaSamples } from "../../adapters/cli/persona-samples.ts";
import { createPersona } from "../../src/persona/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";

let root: string;
beforeEach(() => void (root = mkdtempSync(join(tmpdir(), "wakeful-persona-"))));
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("persona files lie under their own names, are edited while it runs, and the samples of init say nothing", async () => {
  writePersonaSamples(root);
  const store = await fsStore({ root });
  try {
    const clock = fakeClock();
    const persona = createPersona({ store, clock, redact: (value) => value });
    const listed = await persona.list();
    expect(listed.map(({ name, isEmpty }) => [name, isEmpty])).toEqual([
      ["SOUL.md", true],
      ["IDENTITY.md", true],
      ["USER.md", true],
      ["AGENTS.md", true],
      ["TOOLS.md", true],
      ["HEARTBEAT.md", true],
    ]);
    const soul = join(root, "persona", "SOUL.md");
    writeFileSync(soul, "You are patient.\n");
    await persona.refresh("main");
    expect(persona.said("main", "SOUL.md")).toMatchObject({ text: "You are patient.", source: "persona/SOUL.md" });
    writeFileSync(soul, "You are quick.\n");
    await clock.advance(2000);
    await persona.refresh("main");
    expect(persona.said("main", "SOUL.md")?.text).toBe("You are quick.");
    await persona.write("SOUL.md", "Own.\n", { expect: null, agentId: "main" });
    expect(readFileSync(join(root, "agents", "main", "persona", "SOUL.md"), "utf8")).toBe("Own.\n");
    // Never over what is there.
    writePersonaSamples(root);
    expect(readFileSync(soul, "utf8")).toBe("You are quick.\n");
  } finally {
    await store.close?.();
  }
  expect(existsSync(join(root, "persona", "USER.md"))).toBe(true);
});
