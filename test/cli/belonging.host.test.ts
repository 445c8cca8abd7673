import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { run, temporaryFolder } from "./fake-terminal.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => (folder = temporaryFolder()));
afterEach(() => folder.remove());

const here = (...line: string[]) => run(line, { cwd: folder.path });

/** What doctor says of what could not follow its person. */
async function rows() {
  const { checks } = JSON.parse((await here("doctor", "--json")).stdout) as { checks: readonly { check: string }[] };
  return checks.filter(({ check }) => check === "links");
}

it("wakeful memory shows what a linked person had before, and doctor what could not follow them", async () => {
  const store = await fsStore({ root: join(folder.path, ".wakeful") });
  await store.put("memory/telegram:42/entries/tea.md", "likes tea\n");
  await store.put("goals/telegram:42.yaml", "goals: 7\n");
  await store.put("goals/@anna.yaml", "goals:\n  - objective: Read\n");
  await store.close?.();
  writeFileSync(join(folder.path, "wakeful.yaml"), 'session: { identity_links: { anna: ["telegram:42"] } }\n');
  for (const user of ["@anna", "telegram:42"])
    expect((await here("memory", "list", "--user", user)).stdout).toContain("likes tea");
  expect(await rows()).toMatchObject([
    { state: "warn", what: expect.stringContaining("telegram:42 could not be moved to @anna: goals/") as string },
  ]);
});
