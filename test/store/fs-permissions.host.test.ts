import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";

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
