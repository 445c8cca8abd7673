/**
 * Appends, puts and removes until it is killed, and prints each write once it is acknowledged. Started by crash.ts.
 * Arguments: `fs` or `sqlite`, the root or path, a number that no other run has.
 */
import { writeSync } from "node:fs";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { sqliteStore } from "../../adapters/storage/sqlite/index.ts";
import { systemClock } from "../../mod.ts";

const [kind = "", path = "", run = "0"] = process.argv.slice(2);
const system = systemClock();
/** Twenty times as many checkpoints as usual, so that kills fall into them. */
const hurried = {
  ...system,
  at: (timeMs: number, callback: () => void) => system.at(system.now() + (timeMs - system.now()) / 20, callback),
};
const store =
  kind === "fs" ? await fsStore({ root: path, clock: hurried, onReport: () => {} }) : await sqliteStore({ path });

/** Ends with a dot, so that a line cut short is known. Waits for the reader when the pipe is full. */
function say(...words: readonly (string | number)[]): void {
  for (let text = `${words.join(" ")} .\n`; text !== "";) {
    try {
      text = text.slice(writeSync(1, text));
    } catch (error) {
      if ((error as { code?: string }).code !== "EAGAIN") throw error;
    }
  }
}

// Whoever is killed writes no cache of compiled files (Node): the next writer starts in a third of the time.
process.getBuiltinModule("node:module").flushCompileCache?.();
say("ready");

/** Several records with one id, sometimes with one that nobody waits for to be durable. */
async function appendForever(log: string): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${run}-${n}`;
    const count = 1 + (n % 3);
    const records = Array.from({ length: count }, (_, part) => ({ id, part, count, text: "x".repeat((n * 37) % 900) }));
    const { seq } = await store.append(log, records, { id });
    say("appended", log, id, seq, count);
    if (n % 4 === 0) {
      const mark = await store.append(log, { id: `${id}-mark`, part: 0, count: 1 }, { id: `${id}-mark`, flush: false });
      say("appended", log, `${id}-mark`, mark.seq, 1);
    }
  }
}

/** Two logs whose appends belong to one tick. */
async function appendPairsForever(): Promise<never> {
  for (let n = 0; ; n++) {
    const id = `${run}-${n}`;
    const logs = [`pairs/${n % 7}`, "pairs/wakes"];
    const results = await Promise.all(logs.map((log) => store.append(log, { id, part: 0, count: 1 }, { id })));
    for (const [index, { seq }] of results.entries()) say("appended", logs[index] ?? "", id, seq, 1);
  }
}

async function putForever(key: string, length: number): Promise<never> {
  const found = await store.get(key);
  let n = (found?.value as { n: number } | undefined)?.n ?? 0;
  let version = found?.version ?? null;
  for (;;) {
    n++;
    version = await store.put(key, { n, text: "y".repeat(length + (n % 50)), end: n }, { expect: version });
    say("put", key, n);
  }
}

async function createAndRemoveForever(prefix: string): Promise<never> {
  for (let n = 0; ; n++) {
    const key = `${prefix}/${run}-${n}.md`;
    await store.put(key, `text ${key}`);
    say("created", key);
    await store.remove(key);
    say("removed", key);
  }
}

/** A log that starts again and again; `generation` tells which life a record is of. */
async function restartForever(log: string): Promise<never> {
  let generation = 0;
  for await (const { record } of store.read(log, { last: 1 })) generation = record["generation"] as number;
  for (;;) {
    await store.remove(log);
    say("restarted", log, generation);
    generation++;
    for (let n = 1; n <= 5; n++) {
      const { seq } = await store.append(log, { generation, n });
      say("generation", log, generation, seq);
    }
  }
}

await Promise.all([
  ...Array.from({ length: 12 }, (_, index) => appendForever(`sessions/main/s${index}/log.jsonl`)),
  appendPairsForever(),
  putForever("documents/small.json", 10),
  putForever("documents/large.json", 150_000),
  createAndRemoveForever("documents/passing"),
  restartForever("restarted/log.jsonl"),
]);
