/**
 * An assistant that says things unasked, made to be killed: what it says is a line of a file. Its clock runs fast, so that a night passes in seconds.
 * Its arguments are the store's folder, that file, and when the fast clock began, in milliseconds of the real one.
 */
import { appendFileSync } from "node:fs";
import process from "node:process";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { type Clock, createAssistant, systemClock } from "../../entry.host.ts";
import { scriptedModel } from "../../src/testing/index.ts";
import { ATTENTION, BEGINS_AT, NOTICES, SPEED } from "./unasked-script.ts";

const [, , root = "", told = "", begunText = ""] = process.argv;
const begun = Number(begunText);
process.stdin.on("end", () => process.exit(0)).resume();

const real = systemClock();
/** Times of day pass fast; spans, as those after which a call is given up, last as long as ever. */
const clock: Clock = {
  now: () => BEGINS_AT + (real.now() - begun) * SPEED,
  sleep: (ms, signal, options) => real.sleep(ms, signal, options),
  at: (timeMs, callback) => real.at(begun + (timeMs - BEGINS_AT) / SPEED, callback),
};

const assistant = await createAssistant({
  store: await fsStore({ root }),
  model: scriptedModel(() => "said"),
  memory: { enabled: false },
  attention: ATTENTION,
  clock,
  async deliver({ id, text }) {
    appendFileSync(told, `${JSON.stringify({ id, text })}\n`);
    return { id };
  },
});
await assistant.start({ listen: false });
process.stdout.write("ready\n");
// Whoever was killed does not know what was taken, and says all of it again.
for (const notice of NOTICES) if (clock.now() >= notice.atMs) await assistant.attention.notify(notice.given);
for (const notice of NOTICES.filter(({ atMs }) => atMs > clock.now())) {
  await new Promise<void>((resolve) => clock.at(notice.atMs, resolve));
  await assistant.attention.notify(notice.given);
}
