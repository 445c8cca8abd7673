import { describe, expect, it } from "vitest";
import { embeddedEngine } from "../../src/engine/index.ts";
import { memoryStore } from "../../src/store/memory.ts";
import { engineContract } from "../../src/testing/engine-contract.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";

engineContract(
  { describe, it, expect },
  {
    name: "embeddedEngine()",
    async open() {
      const store = memoryStore();
      const clock = fakeClock();
      let life = beginLife(store, clock);
      return {
        engine: embeddedEngine(life),
        now: clock.now,
        advance: clock.advance,
        async crash() {
          life.kill();
          life = beginLife(store, clock);
          return embeddedEngine(life);
        },
        dispose: async () => life.kill(),
      };
    },
  },
);
