import process from "node:process";
import { HOSTILE_TEXTS } from "../../support/hostile-texts.ts";

// How the time to read a hostile text grows with its length: the worst text of each reader, at one length and at eight times that. Argument: rounds.

const rounds = Number(process.argv[2] ?? 3);
/** Characters, unless the reader refuses so long a text. */
const LONG = 160_000;
const TIMES = 8;

async function leastMs(read: (text: string) => unknown, text: string): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    await read(text);
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

const rows: { reader: string; growth: number; ms: number }[] = [];
for (const { reader, read, texts, maxLength = LONG } of HOSTILE_TEXTS) {
  const long = Math.min(LONG, maxLength);
  let worst = { growth: 0, ms: 0 };
  for (const text of texts) {
    await read(text(Math.ceil(long / TIMES))); // compiled by now
    const short = await leastMs(read, text(Math.ceil(long / TIMES)));
    const ms = await leastMs(read, text(long));
    // Below a millisecond it is the clock that is measured.
    const growth = ms < 1 ? 1 : ms / Math.max(short, 0.02);
    if (growth > worst.growth) worst = { growth, ms };
  }
  rows.push({ reader, ...worst });
}
console.log(JSON.stringify({ rows }));
process.exit(0);
