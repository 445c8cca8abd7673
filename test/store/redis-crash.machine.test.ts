import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { redisStore } from "../../adapters/storage/redis/index.ts";
import type { Store } from "../../src/store/index.ts";
import { programFile } from "../support/programs.ts";
import { redisMissing, startRedis } from "../support/redis.ts";
import { WHOLE } from "../support/thorough.ts";

interface Acknowledged {
  readonly log: string;
  readonly id: string;
  readonly seq: number;
}

const writer = programFile("test/store/redis-writer.ts");
const runtimeArguments = "Deno" in globalThis ? ["run", "-A", "--node-modules-dir=manual"] : [];

/** Starts a writer, kills it after so many acknowledged appends, and returns all of them. */
async function writeUntilKilled(url: string, round: number, appends: number): Promise<Acknowledged[]> {
  const child = spawn(process.execPath, [...runtimeArguments, writer, url, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const acknowledged: Acknowledged[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const [log = "", id = "", seq = ""] = line.split(" ");
    acknowledged.push({ log, id, seq: Number(seq) });
    if (acknowledged.length === appends) child.kill("SIGKILL");
  }
  return acknowledged;
}

/** Expects each acknowledged append to be where it was said to be, and nothing to be there twice or in part. */
async function expectExactlyOnce(store: Store, acknowledged: readonly Acknowledged[]): Promise<void> {
  const logs = new Map<string, string[]>();
  for (const log of new Set(acknowledged.map(({ log }) => log))) {
    const ids: string[] = [];
    for await (const { seq, record } of store.read(log)) {
      expect(record["part"]).toBe((seq - 1) % 2);
      ids.push(record["id"] as string);
    }
    logs.set(log, ids);
    const wholes = ids.filter((_, index) => index % 2 === 1);
    expect(new Set(wholes).size).toBe(wholes.length);
    expect(ids.length).toBe(wholes.length * 2);
  }
  for (const { log, id, seq } of acknowledged) expect(logs.get(log)?.[seq - 1]).toBe(id);
  for (const { log, id, seq } of acknowledged.slice(-20)) {
    expect(await store.append(log, { id: "again" }, { id })).toEqual({ seq, duplicate: true });
  }
}

const missing = redisMissing();

describe.skipIf(missing !== undefined)("redisStore() under kill -9 — needs redis-server", () => {
  it("keeps every acknowledged append of a process that was killed, once", async () => {
    const server = await startRedis();
    try {
      const acknowledged: Acknowledged[] = [];
      for (const [round, appends] of [3, 190].entries())
        acknowledged.push(...(await writeUntilKilled(server.url, round, appends)));
      const store = await redisStore({ url: server.url });
      expect(acknowledged.length).toBeGreaterThanOrEqual(193);
      await expectExactlyOnce(store, acknowledged);
      await store.close?.();
    } finally {
      await server.stop();
    }
  });

  // Who is killed here is not the program.
  if (WHOLE)
    it("keeps every acknowledged append when a server that syncs each write is killed, once", async () => {
      const server = await startRedis({ durable: true });
      try {
        const store = await redisStore({ url: server.url });
        const acknowledged: Acknowledged[] = [];
        let failed = 0;
        const stop = new AbortController();

        async function write(log: string): Promise<void> {
          for (let n = 0; !stop.signal.aborted; n++) {
            const id = `id-${n}`;
            let result: { seq: number } | undefined;
            while (result === undefined) {
              result = await store
                .append(
                  log,
                  [
                    { id, part: 0 },
                    { id, part: 1 },
                  ],
                  { id },
                )
                .catch(() => undefined);
              if (result === undefined) {
                failed++;
                await new Promise((resolve) => setTimeout(resolve, 5));
              }
            }
            acknowledged.push({ log, id, seq: result.seq });
          }
        }

        const writers = ["a", "b", "c"].map(write);
        for (let round = 1; round <= 2; round++) {
          await polled(() => acknowledged.length, { timeout: 5000, interval: 5 }).toBeGreaterThan(round * 60);
          await server.crash();
        }
        await polled(() => acknowledged.length, { timeout: 5000, interval: 5 }).toBeGreaterThan(300);
        stop.abort();
        await Promise.all(writers);
        expect(failed).toBeGreaterThan(0);
        await expectExactlyOnce(store, acknowledged);
        await store.close?.();
      } finally {
        await server.stop();
      }
    });
});
