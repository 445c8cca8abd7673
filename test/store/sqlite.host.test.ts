import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { storeContract } from "../../src/testing/store-contract.ts";

storeContract(
  { describe, it, expect },
  {
    name: "sqliteStore",
    caps: { replace: "atomic", append: "native", cas: "host", durable: "fsync" },
    async open() {
      const root = await mkdtemp(join(tmpdir(), "wakeful-sqlite-"));
      const path = join(root, "store.db");
      return { path, store: await sqliteStore({ path }), dispose: () => rm(root, { recursive: true }) };
    },
    reopen: ({ path }) => sqliteStore({ path }),
  },
);
