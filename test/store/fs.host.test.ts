import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { storeContract } from "../../src/testing/store-contract.ts";

storeContract(
  { describe, it, expect },
  {
    name: "fsStore",
    caps: { replace: "atomic", append: "native", cas: "host", durable: "fsync", exclusive: true },
    async open() {
      const root = await mkdtemp(join(tmpdir(), "wakeful-fs-"));
      return { root, store: await fsStore({ root }), dispose: () => rm(root, { recursive: true }) };
    },
    reopen: ({ root }) => fsStore({ root }),
  },
);
