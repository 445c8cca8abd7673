import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { durableObjectsEngine } from "../../../adapters/engines/durable-objects/index.ts";
import type { DurableObjectEngineState } from "../../../adapters/engines/durable-objects/index.ts";
import { engineContract } from "../../../src/testing/engine-contract.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import type { FakeClock } from "../../../src/testing/fake-clock.ts";
import type { Box } from "../../support/worker.ts";

type BoxState = DurableObjectEngineState;

let boxes = 0;
const newBox = () => env.BOX.get(env.BOX.idFromName(`engine-${boxes++}`));

/** The object's real SQL beside an alarm that the fake clock rings, as long as this life of the object lasts. */
function beginLife(state: BoxState, clock: FakeClock) {
  let killed = false;
  let cancel: () => void = () => {};
  const life = { ring: async () => {}, kill };

  function kill(): void {
    killed = true;
  }

  return {
    life,
    state: {
      storage: {
        sql: {
          exec(query: string, ...bindings: (string | number)[]) {
            if (killed) throw new Error("This life of the object is over");
            return state.storage.sql.exec(query, ...bindings);
          },
        },
        getAlarm: async () => null,
        async setAlarm(timeMs: number) {
          if (killed) return;
          cancel();
          cancel = clock.at(timeMs, () => void (killed || life.ring()));
        },
        sync: async () => {},
      },
    },
  };
}

/** The object in whose own context the running test may use SQL. */
let current: BoxState | undefined;

engineContract(
  {
    describe,
    expect,
    it: (title, body) => {
      it(title, () =>
        runInDurableObject(newBox(), async (_box: Box, state) => {
          current = state;
          await body();
        }),
      );
    },
  },
  {
    name: "durableObjectsEngine()",
    async open() {
      if (current === undefined) throw new Error("The test runs in no object");
      const state = current;
      const clock = fakeClock();
      let life = { kill: () => {} };
      function begin() {
        life.kill();
        const next = beginLife(state, clock);
        life = next.life;
        const engine = durableObjectsEngine(next.state, { clock });
        next.life.ring = engine.alarm;
        return engine;
      }
      return {
        engine: begin(),
        now: clock.now,
        advance: clock.advance,
        crash: async () => begin(),
        dispose: async () => life.kill(),
      };
    },
  },
);

describe("durableObjectsEngine() on the object's own alarm", () => {
  it("is woken by the alarm for a later time", async () => {
    const stub = newBox();
    const handled = Promise.withResolvers<string>();
    await runInDurableObject(stub, async (box: Box, state) => {
      const engine = durableObjectsEngine(state);
      box.onAlarm = engine.alarm;
      await engine.start(async (key) => handled.resolve(key));
      await engine.wake("job:a", new Date(Date.now() + 3_600_000));
      const alarm = (await state.storage.getAlarm()) ?? 0;
      expect(alarm > Date.now() + 3_590_000).toBe(true);
      await engine.wake("job:b", new Date(Date.now() + 20));
      expect(await handled.promise).toBe("job:b");
    });
    await runInDurableObject(stub, async (box: Box, state) => {
      await box.alarm(); // the one that guarded job:b
      expect(((await state.storage.getAlarm()) ?? 0) > Date.now() + 3_590_000).toBe(true);
      await state.storage.deleteAlarm();
    });
  });

  it("handles a wake that is due in the same request, and keeps an alarm for the case that the object dies", async () => {
    const id = env.BOX.idFromName("engine-dies");
    await runInDurableObject(env.BOX.get(id), async (_box: Box, state) => {
      const engine = durableObjectsEngine(state);
      let started = 0;
      await engine.start(() => {
        started++;
        return new Promise(() => {});
      });
      await engine.wake("session:a");
      expect(started).toBe(1);
      const alarm = (await state.storage.getAlarm()) ?? Infinity;
      expect(alarm <= Date.now() + 5000).toBe(true);
    });
    await abortAllDurableObjects();
    const stub = env.BOX.get(id);
    const keys: string[] = [];
    await runInDurableObject(stub, async (box: Box, state) => {
      const engine = durableObjectsEngine(state);
      box.onAlarm = engine.alarm;
      await engine.start(async (key) => void keys.push(key));
      await engine.stop();
      await state.storage.deleteAlarm();
    });
    expect(keys).toEqual(["session:a"]);
  });

  it("drops what is asked of keys that are gone, but for one that runs", async () => {
    await runInDurableObject(newBox(), async (_box: Box, state) => {
      const engine = durableObjectsEngine(state);
      const keys = () => [...state.storage.sql.exec("SELECT DISTINCT key FROM wakeful_due ORDER BY key")];
      const work = Promise.withResolvers<void>();
      await engine.start(() => work.promise);
      const tomorrow = new Date(Date.now() + 86_400_000);
      await engine.wake("session:ada");
      for (const key of ["attention:ada", "session:ada", "attention:bob"]) await engine.wake(key, tomorrow);
      await engine.compact?.((key) => key.endsWith(":ada"));
      expect(keys()).toEqual([{ key: "attention:bob" }, { key: "session:ada" }]);
      work.resolve();
      await engine.stop();
      await state.storage.deleteAlarm();
    });
  });

  it("never throws out of alarm(), and rings again when the storage fails", async () => {
    const alarms: number[] = [];
    const errors: unknown[] = [];
    const engine = durableObjectsEngine(
      {
        storage: {
          sql: {
            exec() {
              throw new Error("storage is away");
            },
          },
          getAlarm: async () => null,
          setAlarm: async (timeMs) => void alarms.push(timeMs),
          sync: async () => {},
        },
      },
      { clock: { now: () => 1000 }, onError: (error) => errors.push(error) },
    );
    await engine.alarm();
    expect(alarms).toEqual([6000]);
    expect(errors.length).toBe(1);
  });
});
