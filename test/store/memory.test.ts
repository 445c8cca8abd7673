import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { storeContract } from "../../src/testing/store-contract.ts";
import { storeModel } from "./store-model.ts";

const memory = {
  name: "memoryStore()",
  caps: { replace: "atomic", append: "native", cas: "process", durable: "none" },
  open: async () => ({ store: memoryStore(), dispose: async () => {} }),
} as const;

storeContract({ describe, it, expect }, memory);
storeModel({ describe, it, expect }, memory);
