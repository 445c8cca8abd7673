import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { durableObjectStore } from "../../../adapters/storage/durable-object/index.ts";
import { createLayeredStore } from "../../../entry.host.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { memoryStoreContract } from "../../../src/testing/memory-store-contract.ts";

let boxes = 0;
let current: WorkerdState | undefined;
const clock = fakeClock();

function currentState(): WorkerdState {
  if (current === undefined) throw new Error("No object is running");
  return current;
}

memoryStoreContract(
  {
    describe,
    expect,
    it: (title, body) =>
      it(title, () =>
        runInDurableObject(env.BOX.getByName(`memory-${boxes++}`), async (_, state) => {
          current = state;
          await body();
        }),
      ),
  },
  {
    name: "the layered store on durableObjectStore()",
    nowMs: () => clock.now(),
    async open() {
      await currentState().storage.deleteAll();
      const memory = createLayeredStore({ store: durableObjectStore(currentState()), clock });
      return { memory, dispose: () => memory.close() };
    },
    reopen: async () => createLayeredStore({ store: durableObjectStore(currentState()), clock }),
  },
);
