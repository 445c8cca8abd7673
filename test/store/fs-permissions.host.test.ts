import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hostFileSystem } from "../../adapters/storage/fs/file-system.ts";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { withRoot } from "./fs-root.ts";

it("fsStore() makes a folder that only its owner can read", async () => {
  const parent = await mkdtemp(join(tmpdir(), "wakeful-permissions-"));
  try {
    const store = await fsStore({ root: join(parent, "data") });
    expect((await stat(join(parent, "data"))).mode & 0o777).toBe(0o700);
    await store.close?.();
  } finally {
    await rm(parent, { recursive: true });
  }
});

it.each([
  { title: "a folder of it may not be read", code: "EACCES", remedy: "give this user read and write access to it" },
  { title: "too many files are open", code: "EMFILE", remedy: "raise the limit" },
])("fsStore() names the path and what to do when $title", async ({ code, remedy }) => {
  await withRoot(async ({ open, path }) => {
    const host = hostFileSystem();
    const readDirectory = (folder: string) =>
      folder === path("wal")
        ? Promise.reject(Object.assign(new Error(`${code}: refused`), { code, path: folder }))
        : host.readDirectory(folder);
    await expect(open({}, { fs: { ...host, readDirectory } })).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      message: expect.stringMatching(new RegExp(`^Cannot use ${JSON.stringify(path("wal"))}: .*${remedy}`)),
    });
  });
});

it("fsStore() says that a file lies where its folder is to be", async () => {
  await withRoot(async ({ open, path }) => {
    await writeFile(path("data"), "a file");
    await expect(open({ root: path("data") })).rejects.toThrow(
      `Cannot open a store in ${JSON.stringify(path("data"))}: a file is where a folder is needed: move it away`,
    );
  });
});
