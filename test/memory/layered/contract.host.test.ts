import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createLayeredStore } from "../../../entry.host.ts";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { sqliteStore } from "../../../adapters/storage/sqlite/index.ts";
import type { LayeredStore } from "../../../src/memory/index.ts";
import type { Store } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { memoryStoreContract } from "../../../src/testing/memory-store-contract.ts";

const clock = fakeClock();

function layeredOn(name: string, make: (root: string) => Promise<Store>): void {
  memoryStoreContract(
    { describe, it, expect },
    {
      name: `the layered store on ${name}`,
      nowMs: () => clock.now(),
      async open() {
        const root = await mkdtemp(join(tmpdir(), "wakeful-memory-"));
        const store = await make(root);
        const memory = createLayeredStore({ store, clock });
        const opened: { root: string; store: Store; last: LayeredStore } = { root, store, last: memory };
        return {
          opened,
          memory,
          async dispose() {
            await opened.last.close();
            await opened.store.close?.();
            await rm(root, { recursive: true });
          },
        };
      },
      async reopen({ opened }) {
        await opened.last.close();
        await opened.store.close?.();
        opened.store = await make(opened.root);
        return (opened.last = createLayeredStore({ store: opened.store, clock }));
      },
    },
  );
}

layeredOn("fsStore()", (root) => fsStore({ root }));
layeredOn("sqliteStore()", (root) => sqliteStore({ path: join(root, "store.db") }));
