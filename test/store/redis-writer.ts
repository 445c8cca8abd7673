/** Appends to four logs at once until it is killed, and prints each append once it is acknowledged. Started by redis-crash.machine.test.ts. */
import { writeSync } from "node:fs";
import { redisStore } from "../../adapters/storage/redis/index.ts";

const [url = "", round = "0"] = process.argv.slice(2);
const store = await redisStore({ url });

async function write(log: string): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${round}-${n}`;
    const { seq } = await store.append(
      log,
      [
        { id, part: 0 },
        { id, part: 1 },
      ],
      { id },
    );
    writeSync(1, `${log} ${id} ${seq}\n`);
  }
}
await Promise.all(["logs/0", "logs/1", "logs/2", "logs/3"].map(write));
