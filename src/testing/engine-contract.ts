import type { Engine } from "../engine/index.ts";
import type { TestApi } from "./test-api.ts";

/** An engine created for one test, with its time. */
export interface OpenedEngine {
  /** Not started. */
  readonly engine: Engine;
  /** Milliseconds since the epoch, as the engine sees it. */
  now(): number;
  /**
   * Lets `ms` milliseconds pass (with a fake clock, or really), and starts what is then due. `advance(0)` starts what
   * is due now.
   */
  advance(ms: number): Promise<void>;
  /**
   * Drops the engine like a killed process, without `stop`, and opens one on the durable data. May be called more than
   * once.
   */
  crash(): Promise<Engine>;
  /** Stops timers and removes what the engine left. Called after each test. */
  dispose(): Promise<void>;
}

/** Options of `engineContract`. */
export interface EngineContractOptions {
  /** The engine's name in the titles of the tests. */
  readonly name: string;
  /** Creates an engine without data. Called once for each test. */
  open(): Promise<OpenedEngine>;
}

/** A handler run that the test ends. */
interface Run {
  readonly key: string;
  readonly signal: AbortSignal;
  end(): void;
  fail(error: Error): void;
}

/**
 * Registers the contract of the `Engine` port as tests: every engine passes the same ones.
 *
 * Source: the Contract lines of `Engine`; docs/decisions/0002-engine-only-wakes-keys.md.
 *
 * @example
 * ```ts
 * import { describe, expect, it } from "vitest";
 * engineContract({ describe, it, expect }, { name: "embedded", open });
 * ```
 */
export function engineContract(api: TestApi, options: EngineContractOptions): void {
  const { name, open } = options;
  const { expect } = api;

  function test(title: string, body: (opened: OpenedEngine) => Promise<void>): void {
    api.it(title, async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.dispose();
      }
    });
  }

  api.describe(`${name} keeps the Engine contract`, () => {
    test("handles a key that is woken", async ({ engine, advance }) => {
      const keys: string[] = [];
      await engine.start(async (key) => void keys.push(key));
      await engine.wake("session:a");
      await engine.wake("outbox:b");
      await advance(0);
      expect(keys.toSorted()).toEqual(["outbox:b", "session:a"]);
      await advance(600_000);
      expect(keys.length).toBe(2);
    });

    test("handles what was woken before the start", async ({ engine, advance }) => {
      const keys: string[] = [];
      await engine.wake("session:a");
      await advance(0);
      await engine.start(async (key) => void keys.push(key));
      await advance(0);
      expect(keys).toEqual(["session:a"]);
    });

    test("handles a key at or after the time that was asked for, never before", async ({ engine, advance, now }) => {
      const times: number[] = [];
      await engine.start(async () => void times.push(now()));
      const atMs = now() + 5000;
      await engine.wake("job:a", new Date(atMs));
      await advance(4000);
      expect(times).toEqual([]);
      await advance(2000);
      expect(times.length).toBe(1);
      expect((times[0] ?? 0) >= atMs).toBe(true);
    });

    test("handles a key at once when its time has passed", async ({ engine, advance, now }) => {
      let runs = 0;
      await engine.start(async () => void runs++);
      await engine.wake("job:a", new Date(now() - 86_400_000));
      await advance(0);
      expect(runs).toBe(1);
    });

    test("keeps a time that is years away", async ({ engine, advance, now, crash }) => {
      let runs = 0;
      const count = async () => void runs++;
      await engine.start(count);
      await engine.wake("job:a", new Date(now() + 10 * 365 * 86_400_000));
      await advance(1000);
      expect(runs).toBe(0);
      await (await crash()).start(count);
      await advance(1000);
      expect(runs).toBe(0);
    });

    test("refuses a time that is none, and keeps nothing of it", async ({ engine, advance }) => {
      let runs = 0;
      await engine.start(async () => void runs++);
      const refused = await engine.wake("job:a", new Date(Number.NaN)).then(
        () => false,
        () => true,
      );
      expect(refused).toBe(true);
      await advance(1000);
      expect(runs).toBe(0);
    });

    test("merges wakes of one key: the earliest time holds, and one run answers them", async (opened) => {
      const { engine, advance, now } = opened;
      let runs = 0;
      await engine.start(async () => void runs++);
      const atMs = now() + 1000;
      await engine.wake("session:a", new Date(atMs));
      await Promise.all([engine.wake("session:a", new Date(atMs)), engine.wake("session:a", new Date(atMs + 500))]);
      await advance(1000);
      expect(runs).toBe(1);
      await advance(600_000);
      expect(runs).toBe(1);
    });

    test("brings a key forward when an earlier time is asked for", async ({ engine, advance, now }) => {
      let runs = 0;
      await engine.start(async () => void runs++);
      await engine.wake("session:a", new Date(now() + 60_000));
      await engine.wake("session:a", new Date(now() + 1000));
      await advance(1000);
      expect(runs).toBe(1);
    });

    test("handles a burst of wakes of one key, asked for in one tick, in one or two runs", async (opened) => {
      const { engine, advance } = opened;
      let runs = 0;
      await engine.start(async () => void runs++);
      await Promise.all(Array.from({ length: 50 }, () => engine.wake("session:a")));
      await advance(1000);
      expect(runs >= 1 && runs <= 2).toBe(true);
    });

    test("runs a key once more when it was woken while its handler ran", async ({ engine, advance }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await engine.wake("session:a");
      await advance(0);
      await engine.wake("session:a");
      await engine.wake("session:a");
      await advance(1000);
      expect(runs.started.length).toBe(1);
      runs.started[0]?.end();
      await advance(1000);
      expect(runs.started.length).toBe(2);
      runs.started[1]?.end();
      await advance(600_000);
      expect(runs.started.length).toBe(2);
    });

    test("lets a handler wake its own key for later", async ({ engine, advance, now }) => {
      let runs = 0;
      await engine.start(async (key) => {
        runs++;
        if (runs < 3) await engine.wake(key, new Date(now() + 2000));
      });
      await engine.wake("job:a");
      await advance(1000);
      expect(runs).toBe(1);
      await advance(6000);
      expect(runs).toBe(3);
    });

    test("runs different keys side by side", async ({ engine, advance }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await Promise.all(["a", "b", "c"].map((key) => engine.wake(key)));
      await advance(0);
      expect(runs.started.map(({ key }) => key).toSorted()).toEqual(["a", "b", "c"]);
      for (const run of runs.started) run.end();
      await advance(0);
    });

    test("runs a key again after its handler threw, and waits before it does", async ({ engine, advance }) => {
      let runs = 0;
      await engine.start(async () => {
        runs++;
        if (runs <= 2) throw new Error("not yet");
      });
      await engine.wake("session:a");
      await advance(500);
      expect(runs).toBe(1);
      await advance(600_000);
      expect(runs).toBe(3);
      await advance(600_000);
      expect(runs).toBe(3);
    });

    test("waits longer the more often a handler throws", async ({ engine, advance }) => {
      let runs = 0;
      await engine.start(() => {
        runs++;
        throw new Error("never");
      });
      await engine.wake("session:a");
      for (let minute = 0; minute < 10; minute++) await advance(60_000);
      expect(runs >= 3 && runs <= 20).toBe(true);
    });

    test("waits no longer for wakes that came while a key waited after a throw", async ({ engine, advance }) => {
      let isBroken = true;
      let answered = 0;
      await engine.start(async () => {
        if (isBroken) throw new Error("full");
        answered++;
      });
      await engine.wake("session:a");
      await advance(0);
      for (let wake = 0; wake < 8; wake++) {
        await engine.wake("session:a");
        await advance(10);
      }
      isBroken = false;
      await advance(6000);
      expect(answered >= 1).toBe(true);
    });

    test("does not hold other keys up when one throws", async ({ engine, advance }) => {
      const keys: string[] = [];
      await engine.start(async (key) => {
        if (key === "bad") throw new Error("bad");
        keys.push(key);
      });
      await Promise.all([engine.wake("bad"), engine.wake("good")]);
      await advance(0);
      expect(keys).toEqual(["good"]);
    });

    test("runs a key again when the process died in its handler", async ({ engine, advance, crash }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await engine.wake("session:a");
      await advance(0);
      expect(runs.started.length).toBe(1);
      const keys: string[] = [];
      await (await crash()).start(async (key) => void keys.push(key));
      await advance(60_000);
      expect(keys).toEqual(["session:a"]);
    });

    test("finds times after a crash, also those that passed meanwhile", async (opened) => {
      const { engine, advance, now, crash } = opened;
      await engine.start(async () => {});
      await engine.wake("soon", new Date(now() + 1000));
      await engine.wake("later", new Date(now() + 60_000));
      const next = await crash();
      await advance(2000);
      const keys: string[] = [];
      await next.start(async (key) => void keys.push(key));
      await advance(1000);
      expect(keys).toEqual(["soon"]);
      await advance(60_000);
      expect(keys).toEqual(["soon", "later"]);
    });

    test("does not run again after a crash what was answered", async ({ engine, advance, crash }) => {
      let runs = 0;
      await engine.start(async () => void runs++);
      await engine.wake("session:a");
      await advance(1000);
      expect(runs).toBe(1);
      await (await crash()).start(async () => void runs++);
      await advance(600_000);
      expect(runs).toBe(1);
    });

    test("keeps a wake that arrived during a run over a crash after it", async ({ engine, advance, crash }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await engine.wake("session:a");
      await advance(0);
      await engine.wake("session:a");
      const keys: string[] = [];
      await (await crash()).start(async (key) => void keys.push(key));
      await advance(60_000);
      expect(keys).toEqual(["session:a"]);
    });

    test("runs a key that waits after a throw at the next start", async ({ engine, advance, crash }) => {
      let runs = 0;
      const fail = async () => {
        runs++;
        throw new Error("not yet");
      };
      await engine.start(fail);
      await engine.wake("session:a");
      await advance(0);
      expect(runs).toBe(1);
      await (await crash()).start(async () => void runs++);
      await advance(400);
      expect(runs).toBe(2);
    });

    test("aborts the handler of a key that is nudged, and of no other", async ({ engine, advance }) => {
      const { nudge } = engine;
      if (nudge === undefined) return; // the handler then looks by itself
      const runs = handlers();
      await engine.start(runs.handle);
      nudge("nobody");
      await Promise.all([engine.wake("a"), engine.wake("b")]);
      await advance(0);
      nudge("a");
      expect(runs.of("a").signal.aborted).toBe(true);
      expect(runs.of("b").signal.aborted).toBe(false);
      for (const run of runs.started) run.end();
      await advance(0);
    });

    test("runs a nudged key again at once when it was woken as well", async ({ engine, advance }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await engine.wake("a");
      await advance(0);
      await engine.wake("a");
      engine.nudge?.("a");
      runs.of("a").fail(new Error("aborted"));
      await advance(engine.nudge === undefined ? 600_000 : 400);
      expect(runs.started.length).toBe(2);
      runs.started[1]?.end();
      await advance(0);
    });

    test("aborts what runs when it stops, and waits for it", async ({ engine, advance }) => {
      const runs = handlers();
      await engine.start(runs.handle);
      await engine.wake("session:a");
      await advance(0);
      let stopped = false;
      const stopping = engine.stop().then(() => (stopped = true));
      await advance(0);
      expect(runs.of("session:a").signal.aborted).toBe(true);
      expect(stopped).toBe(false);
      runs.of("session:a").end();
      await stopping;
    });

    test("handles nothing after it stopped, and the next start finds what is owed", async (opened) => {
      const { engine, advance, now, crash } = opened;
      const keys: string[] = [];
      await engine.start(async (key) => void keys.push(key));
      await engine.wake("later", new Date(now() + 1000));
      await engine.stop();
      await engine.wake("after the stop").catch(() => {});
      await advance(2000);
      expect(keys).toEqual([]);
      await (await crash()).start(async (key) => void keys.push(key));
      await advance(1000);
      expect(keys.includes("later")).toBe(true);
    });

    test("stops twice, and without a start", async ({ engine }) => {
      await engine.stop();
      await engine.stop();
      expect(true).toBe(true);
    });

    for (const seed of [1, 2, 3]) {
      test(`never runs one key twice at a time and starts a run after every wake (random wakes, seed ${seed})`, async (opened) => {
        const { engine, advance, now } = opened;
        const random = randomFrom(seed);
        const running = new Set<string>();
        const startedAt = new Map<string, number>();
        const asked: { key: string; step: number }[] = [];
        let step = 0;
        let overlaps = 0;
        const ends: (() => void)[] = [];
        await engine.start(async (key) => {
          if (running.has(key)) overlaps++;
          running.add(key);
          startedAt.set(key, ++step);
          if (random() < 0.7) await new Promise<void>((resolve) => ends.push(resolve));
          running.delete(key);
          if (random() < 0.1) throw new Error("now and then");
        });
        for (let round = 0; round < 60; round++) {
          const key = `key:${Math.floor(random() * 4)}`;
          const at = random() < 0.5 ? undefined : new Date(now() + Math.floor(random() * 300));
          asked.push({ key, step: ++step });
          const woken = engine.wake(key, at);
          if (random() < 0.5) await woken;
          if (random() < 0.4) await advance(Math.floor(random() * 100));
          if (random() < 0.4) ends.splice(Math.floor(random() * ends.length), 1)[0]?.();
        }
        for (let round = 0; round < 100 && (round < 5 || ends.length > 0); round++) {
          for (const end of ends.splice(0)) end();
          await advance(7000);
        }
        expect(overlaps).toBe(0);
        expect(running.size).toBe(0);
        expect(asked.filter((wake) => (startedAt.get(wake.key) ?? -1) < wake.step)).toEqual([]);
      });
    }
  });
}

function handlers() {
  const started: Run[] = [];
  return {
    started,
    handle: (key: string, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => started.push({ key, signal, end: resolve, fail: reject })),
    of(key: string): Run {
      const run = started.findLast((each) => each.key === key);
      if (run === undefined) throw new Error(`The handler of ${key} was not started`);
      return run;
    },
  };
}

/**
 * A small repeatable generator (a linear congruence with the constants of Numerical Recipes), so that the suite needs
 * no library.
 */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
