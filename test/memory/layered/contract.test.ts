import { createStorage, prefixStorage } from "unstorage";
import { describe, expect, it } from "vitest";
import { createLayeredStore, unstorageStore } from "../../../entry.host.ts";
import { memoryStore, type Store } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { memoryStoreContract } from "../../../src/testing/memory-store-contract.ts";

const clock = fakeClock();

function layeredOn(name: string, make: () => Store): void {
  memoryStoreContract(
    { describe, it, expect },
    {
      name: `the layered store on ${name}`,
      nowMs: () => clock.now(),
      async open() {
        const store = make();
        const memory = createLayeredStore({ store, clock });
        return { store, memory, dispose: () => memory.close() };
      },
      reopen: async ({ store }) => createLayeredStore({ store, clock }),
    },
  );
}

layeredOn("memoryStore()", memoryStore);
layeredOn("unstorageStore()", () => unstorageStore(prefixStorage(createStorage(), "ours"), { createStorage }));
