import { mkdir, utimes, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { testAssistant } from "../support/assistant.ts";
import { withRoot } from "../store/fs-root.ts";
import { all } from "./support.ts";

it("gives a file that a person wrote to their new name as it is called, and with its time", async () => {
  await withRoot(async ({ open, path, names }) => {
    const entries = ["memory", "telegram=42", "entries"] as const;
    await mkdir(path(...entries), { recursive: true });
    await writeFile(path(...entries, "Kitchen.md"), "The kettle is blue\n");
    const written = new Date("2025-11-03T08:00:00Z");
    await utimes(path(...entries, "Kitchen.md"), written, written);
    const store = await open();
    const { assistant } = await testAssistant({ store, session: { identityLinks: { ada: ["telegram:42"] } } });
    const [entry, ...others] = await all(assistant.memory.list("telegram:42"));
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ id: "Kitchen", userId: "@ada", content: "The kettle is blue", createdAt: written });
    expect(await names("memory", "@ada", "entries")).toEqual(["Kitchen.md"]);
    await assistant.stop();
    await store.close();
  });
});
