import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { describe, expect, it } from "vitest";
import { unstorageStore } from "../../entry.host.ts";
import { storeContract, type OpenedStore } from "../../src/testing/store-contract.ts";

const openAt = (base: string) => unstorageStore(createStorage({ driver: fsDriver({ base }) }));

storeContract(
  { describe, it, expect },
  {
    name: "unstorageStore() on unstorage's fs driver",
    async open() {
      const base = await mkdtemp(join(tmpdir(), "wakeful-unstorage-"));
      return { base, store: openAt(base), dispose: () => rm(base, { recursive: true, force: true }) };
    },
    reopen: async (opened: OpenedStore & { base: string }) => openAt(opened.base),
  },
);

describe("unstorageStore() on unstorage's fs driver", () => {
  it("throws what the driver answers as a value when a file cannot be read", async () => {
    const base = await mkdtemp(join(tmpdir(), "wakeful-unstorage-"));
    try {
      // The base is a file: every read fails with ENOTDIR.
      const store = openAt(join(base, "file"));
      await createStorage({ driver: fsDriver({ base }) }).setItem("file", "text");
      await expect(store.get("a")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    } finally {
      await rm(base, { recursive: true, force: true });
    }
  });
});
