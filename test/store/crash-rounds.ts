/**
 * Many rounds by hand, on the runtime that runs it: `node test/store/crash-rounds.ts fs 100`.
 * Starts from an empty store every 10 rounds; prints a line each time, and ends with code 1 after a fault.
 */
import { crashRounds } from "./crash.ts";

const [kind = "fs", wanted = "100", longestMs = "400"] = process.argv.slice(2);
if (kind !== "fs" && kind !== "sqlite") throw new RangeError(`Expected fs or sqlite: current value is ${kind}`);
const total = { rounds: 0, acknowledged: 0, slowestOpenMs: 0, faults: 0 };
for (let done = 0; done < Number(wanted); done += 10) {
  const { rounds, acknowledged, slowestOpenMs, faults } = await crashRounds(
    kind,
    Math.min(10, Number(wanted) - done),
    Number(longestMs),
  );
  for (const fault of faults) console.log(fault);
  total.rounds += rounds;
  total.acknowledged += acknowledged;
  total.slowestOpenMs = Math.round(Math.max(total.slowestOpenMs, slowestOpenMs));
  total.faults += faults.length;
  console.log(kind, JSON.stringify(total));
}
process.exitCode = total.faults === 0 ? 0 : 1;
