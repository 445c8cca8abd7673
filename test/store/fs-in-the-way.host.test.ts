import { writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { storeKey } from "../../kit.ts";
import { rejection, withRoot } from "./fs-root.ts";

it("a file where a folder is needed is an error, however deep, and never an empty answer", async () => {
  await withRoot(async ({ open, path }) => {
    const store = await open();
    await store.put(storeKey("memory", "ada", "note"), "kept");
    await writeFile(path("memory", "bob"), "not a folder");

    expect(await store.get(storeKey("memory", "carol", "daily", "2026-02-01.md"))).toBeNull();
    expect((await store.get(storeKey("memory", "ada", "note")))?.value).toBe("kept");
    for (const key of [storeKey("memory", "bob", "note"), storeKey("memory", "bob", "daily", "2026-02-01.md")])
      expect(await rejection(store.get(key))).toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("a file lies where a folder is needed"),
      });
  });
});
