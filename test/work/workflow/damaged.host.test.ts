import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { testAssistant } from "../../support/assistant.ts";
import { until } from "../../support/until.ts";

const WAITS = { name: "wait", steps: [{ id: "a", run: "wait", with: { days: 1 } }] } as const;

it("a run whose file was cut off stands in no other's way, and is named until it is mended", async () => {
  const root = await mkdtemp(join(tmpdir(), "wakeful-damaged-"));
  try {
    const store = await fsStore({ root });
    const t = await testAssistant({ store });
    const { workflows, memory } = t.assistant;
    const { runId: cut } = await workflows.run(WAITS, { user: "test:7" });
    const { runId: hers } = await workflows.run(WAITS, { user: "test:42" });
    for (const id of [cut, hers]) await until(t.clock, async () => (await workflows.get(id)).status === "waiting");
    const file = join(root, "workflows", `${cut}.json`);
    const whole = await readFile(file, "utf8");
    await writeFile(file, whole.slice(0, 200));

    const { runId } = await workflows.run(WAITS, { user: "test:8" });
    expect((await workflows.list()).map(({ id }) => id)).toEqual([runId, hers]);
    expect(await workflows.problems()).toMatchObject([
      { file: `workflows/${cut}.json`, line: 1, message: expect.stringContaining("restore the file") as string },
    ]);

    // Everything else of hers goes; whether the file names her, nobody knows.
    await expect(memory.forget({ userId: "test:42" })).rejects.toThrow(`${cut}.json`);
    expect((await workflows.list()).map(({ id }) => id)).toEqual([runId]);

    await writeFile(file, whole);
    expect(await workflows.problems()).toEqual([]);
    await memory.forget({ userId: "test:42" });
    expect((await workflows.list()).map(({ id }) => id)).toEqual([runId, cut]);
    await t.assistant.stop({ graceMs: 0 });
    await store.close();
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
