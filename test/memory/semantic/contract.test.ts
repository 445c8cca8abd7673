import { describe, expect, it } from "vitest";
import { createLayeredStore } from "../../../entry.host.ts";
import { hybridMemoryStore } from "../../../src/memory/semantic/hybrid-store.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { memoryStoreContract } from "../../../src/testing/memory-store-contract.ts";
import { randomEmbedder } from "./stub-store.ts";

const clock = fakeClock();

function open(store: Store) {
  const entries = createLayeredStore({ store, clock });
  const memory = hybridMemoryStore({ entries, store, clock, embedder: randomEmbedder() });
  return {
    store,
    memory,
    async dispose() {
      await memory.close();
      await entries.close();
    },
  };
}

memoryStoreContract(
  { describe, it, expect },
  {
    name: "the hybrid store over the layered store",
    nowMs: () => clock.now(),
    open: async () => open(memoryStore()),
    reopen: async ({ store }) => open(store).memory,
  },
);
