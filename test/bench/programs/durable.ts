import { closeSync, fdatasync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { fsStore } from "../../../adapters/storage/fs/index.ts";
import { createAssistant, memoryStore } from "../../../entry.host.ts";
import type { Store } from "../../../kit.ts";
import { bareModel } from "./bare-model.ts";

// Turns on the fs store beside the memory store and beside raw fdatasyncs. Argument: rounds.

const QUESTION = "Where did I put the blue folder with the papers of the house?";
const ALONE = 300;
const SIDE_BY_SIDE = 2000;
/** What two appends of a turn weigh, about. */
const LINE = new TextEncoder().encode(`${"x".repeat(599)}\n`);

const sync = promisify(fdatasync);
const folder = mkdtempSync(join(tmpdir(), "wakeful-bench-"));
let opened = 0;

async function open() {
  opened += 1;
  const store = await fsStore({ root: join(folder, String(opened)) });
  return { store, ...(await awake(store)) };
}

/** Plain turns: what a compaction costs is the row `long`. */
async function awake(store: Store) {
  const assistant = await createAssistant({
    model: bareModel(),
    store,
    context: { historyTokens: 1000 },
    compaction: { enabled: false },
  });
  await assistant.start();
  return { assistant };
}

/** `count` turns over so many sessions, each sending its next message when it has the reply. @returns Seconds. */
async function turns({ assistant }: Awaited<ReturnType<typeof awake>>, sessions: number, count: number) {
  const startedAt = performance.now();
  let left = count;
  await Promise.all(
    Array.from({ length: sessions }, async (_, index) => {
      while (left-- > 0) await assistant.send({ text: QUESTION, session: `s${sessions}-${index}` });
    }),
  );
  return (performance.now() - startedAt) / 1000;
}

/** Appends and makes durable twice, as a turn has to. @returns Seconds. */
async function rawSyncs(count: number): Promise<number> {
  const descriptor = openSync(join(folder, "raw"), "a");
  const startedAt = performance.now();
  for (let pair = 0; pair < 2 * count; pair += 1) {
    writeSync(descriptor, LINE);
    await sync(descriptor);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  closeSync(descriptor);
  return seconds;
}

const rounds = Number(process.argv[2] ?? 5);
const measured: Record<string, number[]> = {};
const note = (name: string, value: number) => (measured[name] ??= []).push(value);

try {
  const durable = await open();
  const volatile = await awake(memoryStore());
  for (const one of [durable, volatile]) await turns(one, 16, SIDE_BY_SIDE);
  for (let round = 0; round < rounds; round += 1) {
    note("raw ms", (1000 * (await rawSyncs(ALONE))) / ALONE);
    const before = durable.store.stats();
    note("turn ms", (1000 * (await turns(durable, 1, ALONE))) / ALONE);
    const between = durable.store.stats();
    note("syncs at 1", (between.walSyncs - before.walSyncs) / ALONE);
    note("all syncs at 1", (between.fsyncs - before.fsyncs) / ALONE);
    for (const sessions of [16, 64]) {
      const start = durable.store.stats();
      note(`turns/s at ${sessions}`, SIDE_BY_SIDE / (await turns(durable, sessions, SIDE_BY_SIDE)));
      const end = durable.store.stats();
      note(`syncs at ${sessions}`, (end.walSyncs - start.walSyncs) / SIDE_BY_SIDE);
      note(`all syncs at ${sessions}`, (end.fsyncs - start.fsyncs) / SIDE_BY_SIDE);
      note(`in memory turns/s at ${sessions}`, SIDE_BY_SIDE / (await turns(volatile, sessions, SIDE_BY_SIDE)));
    }
  }
  await durable.assistant.stop();
  await volatile.assistant.stop();
  console.log(JSON.stringify(measured));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
