/** Jobs on a clock of their own, made to be killed. Its arguments are the store's folder, the file that says where the clock stands, and when it ends. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { keepJobs } from "../support/keep-jobs.ts";

const [, , root = "", timeFile = "", endText = ""] = process.argv;
const end = Number(endText);
process.stdin.on("end", () => process.exit(0)).resume();

const clock = fakeClock(Number(readFileSync(timeFile, "utf8")));
const kept = await keepJobs({ store: await fsStore({ root }), clock });
process.stdout.write("ready\n");
for (;;) {
  do {
    await clock.advance(0);
    await setImmediate();
  } while (kept.isBusy());
  writeFileSync(`${timeFile}.new`, String(clock.now()));
  renameSync(`${timeFile}.new`, timeFile);
  if (clock.now() >= end) break;
  await clock.advance(Math.min(end, kept.nextDue()) - clock.now());
}
process.exit(0);
