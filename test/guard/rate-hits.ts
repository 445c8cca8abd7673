/** Counts so many hits of one key at once and prints how many were within the limit. Started by rate-counter-redis.machine.test.ts. */
import { redisStore } from "../../adapters/storage/redis/index.ts";
import { systemClock } from "../../src/clock.ts";
import { createSharedRateCounter } from "../../src/guard/index.ts";
import { silentLogger } from "../../src/telemetry/index.ts";

const [url = "", limit = "10", hits = "100"] = process.argv.slice(2);
const store = await redisStore({ url });
const counter = createSharedRateCounter({
  clock: systemClock(),
  windowMs: 60_000,
  limit: Number(limit),
  store,
  name: "test",
  logger: silentLogger,
});
process.stdout.write("ready\n");
await new Promise((resolve) => process.stdin.once("data", resolve));
const counts = await Promise.all(Array.from({ length: Number(hits) }, async () => counter.hit("a")));
process.stdout.write(`${counts.filter((count) => count.hits <= Number(limit)).length}\n`);
await store.close?.();
process.exit(0);
