import process from "node:process";
import { setImmediate as idle } from "node:timers/promises";
import { createAssistant } from "../../../entry.host.ts";
import { bareModel } from "./bare-model.ts";

// CPU time of the turns of one conversation early and late in its life, compactions included. Argument: rounds.

const EARLY = 20;
const LATE = 2000;
/** Turns that are measured in one go, around those. */
const SPAN = 20;
/** Late turns of one conversation that are measured: over two compactions. */
const LATE_SPAN = 200;
const WARM_UP_TURNS = 1500;

/** Some 100 characters, with identifiers that a summary has to keep. */
const messageOf = (turn: number) =>
  `The parcel ORD-${48_213 + turn} for Marta comes on Tuesday at ${turn % 24}:30, it costs ${turn % 1000}.50 EUR, right?`;

const assistant = await createAssistant({ model: bareModel(), context: { contextWindow: 16_000 } });
await assistant.start();
let compactions = 0;
assistant.events.subscribe("context.compact", () => void (compactions += 1), { name: "bench" });

interface Measured {
  /** Microseconds of CPU of each turn. */
  readonly turns: number[];
  /** The mean of each go. */
  readonly means: number[];
}

async function say(session: string, from: number, to: number): Promise<void> {
  for (let turn = from; turn < to; turn += 1) await assistant.send({ session, text: messageOf(turn) });
}

/** What a turn leaves to be done behind its reply falls on the next one, and on the go. */
async function measure(session: string, from: number, { turns, means }: Measured): Promise<void> {
  await idle();
  const begin = process.cpuUsage();
  let before = begin;
  for (let turn = from; turn < from + SPAN; turn += 1) {
    await assistant.send({ session, text: messageOf(turn) });
    const now = process.cpuUsage();
    turns.push(now.user - before.user + (now.system - before.system));
    before = now;
  }
  await idle();
  const { user, system } = process.cpuUsage(begin);
  means.push((user + system) / SPAN);
}

const early: Measured = { turns: [], means: [] };
const late: Measured = { turns: [], means: [] };
const rounds = Number(process.argv[2] ?? "3");
await say("warm-up", 0, WARM_UP_TURNS);
for (let round = 0; round < WARM_UP_TURNS / 50; round += 1) await say(`warm-up-${round}`, 0, EARLY + SPAN / 2);
compactions = 0;
let lateCompactions = 0;
for (let round = 0; round < rounds; round += 1) {
  const session = `long-${round}`;
  await say(session, 0, LATE - LATE_SPAN / 2);
  const before = compactions;
  // In turns, so that what else the machine does falls on both.
  for (let from = LATE - LATE_SPAN / 2; from < LATE + LATE_SPAN / 2; from += SPAN) {
    const fresh = `early-${round}-${from}`;
    await say(fresh, 0, EARLY - SPAN / 2);
    await measure(fresh, EARLY - SPAN / 2, early);
    await measure(session, from, late);
  }
  lateCompactions += compactions - before;
}
console.log(JSON.stringify({ early, late, compactions, lateCompactions }));
process.exit(0);
