import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { redisStore } from "../../adapters/storage/redis/index.ts";
import { systemClock } from "../../src/clock.ts";
import { createSharedRateCounter } from "../../src/guard/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { redisMissing, startRedis } from "../support/redis.ts";

const program = fileURLToPath(new URL("./rate-hits.ts", import.meta.url));
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--node-modules-dir=manual"] : [];

/** A process that waits for a word, counts its hits at once, and says how many were let in. */
async function startCounting(url: string, limit: number, hits: number) {
  const child: ChildProcess = spawn(
    process.execPath,
    [...runtimeArguments, program, url, String(limit), String(hits)],
    {
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  return {
    async go(): Promise<number> {
      child.stdin?.end("go\n");
      const { value } = await lines.next();
      if (child.exitCode === null) await once(child, "exit");
      return Number(value);
    },
  };
}

const missing = redisMissing();
if (missing !== undefined) {
  describe.skip(`createSharedRateCounter() on Redis — needs redis-server`, () => it("counts", () => {}));
} else {
  const server = await startRedis();
  afterAll(() => server.stop());

  describe("createSharedRateCounter() on Redis", () => {
    it("lets in exactly the limit of two processes' bursts", async () => {
      const processes = await Promise.all([startCounting(server.url, 30, 100), startCounting(server.url, 30, 100)]);
      const allowed = await Promise.all(processes.map((process) => process.go()));
      expect(allowed.reduce((sum, one) => sum + one, 0)).toBe(30);
    });

    it("counts alone while the server is away, and shuts nobody out", async () => {
      const own = await startRedis();
      const store = await redisStore({ url: own.url, prefix: "away:" });
      const lines: string[] = [];
      const logger = { ...silentLogger, warn: (message: string) => void lines.push(message) };
      const clock = systemClock();
      const counter = createSharedRateCounter({ clock, windowMs: 60_000, limit: 3, store, name: "test", logger });
      try {
        expect((await counter.hit("a")).hits).toBe(1);
        await own.stop();
        const hits = await Promise.all(Array.from({ length: 5 }, async () => counter.hit("a")));
        expect(hits.filter((count) => count.hits <= 3)).toHaveLength(2);
        expect(lines).toHaveLength(1);
      } finally {
        await store.close?.().catch(() => {});
      }
    });
  });
}
