import { mkdir, symlink, writeFile } from "node:fs/promises";
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
        message: expect.stringContaining("a file is where a folder is needed"),
      });
  });
});

it("a log that cannot be read is listed with the others, and reading it is an error that names it", async () => {
  await withRoot(async ({ open, path }) => {
    const store = await open();
    await store.append("days/1.jsonl", { n: 1 });
    await mkdir(path("days"), { recursive: true });
    await symlink("2.jsonl", path("days", "2.jsonl"));
    await store.append("days/3.jsonl", { n: 3 });
    const keys: string[] = [];
    for await (const { key } of store.list("days/")) keys.push(key);
    expect(keys).toEqual(["days/1.jsonl", "days/2.jsonl", "days/3.jsonl"]);
    const reading = async () => {
      for await (const _ of store.read("days/2.jsonl"));
    };
    expect(await rejection(reading())).toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringContaining("2.jsonl"),
    });
  });
});
