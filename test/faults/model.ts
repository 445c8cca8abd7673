import { setTimeout as sleep } from "node:timers/promises";
import { seeded, startChats } from "./load.ts";
import type { Checks } from "./report.ts";
import { few, inScene, until } from "./scene.ts";
import type { Kind } from "./script.ts";

const MOST_SECONDS = 4;
const BAD: readonly { kind: Kind; what: string }[] = [
  { kind: "h", what: "hangs" },
  { kind: "e", what: "answers with errors" },
  { kind: "g", what: "streams rubbish" },
  { kind: "k", what: "calls a tool that does not exist" },
  { kind: "m", what: "sends malformed arguments" },
  { kind: "o", what: "calls for ever" },
];

/** A model that misbehaves in one conversation: that one ends within its bounds and goes on afterwards, the others do not notice. */
export async function model(checks: Checks, seed: number): Promise<void> {
  await inScene({ maxTurnSeconds: MOST_SECONDS, maxSteps: 5, errorsExpected: true }, async (scene) => {
    const { bot, sender } = scene;
    await scene.start();
    const load = startChats({ sender, answered: () => bot.answered, chats: 4, chance: seeded(seed) });
    await sleep(1500);
    const untouchedMs = answerTimes(scene);
    const from = sender.acknowledged.length;

    const problems: string[] = [];
    // One after another: a model that hangs holds one of the four places.
    for (const [index, { kind, what }] of BAD.entries()) {
      const chat = String(3001 + index);
      const arrivals = () => bot.arrivals.filter((arrival) => arrival.chat === chat);
      const begun = performance.now();
      await sender.deliver(chat, sender.newId(), kind);
      const ackMs = performance.now() - begun;
      await until(() => arrivals().length > 0, (MOST_SECONDS + 4) * 1000);
      const answers = arrivals().length;
      checks.check(
        `model ${what}: acknowledged in ${Math.round(ackMs)} ms, one answer within the turn's time`,
        ackMs < 3000 && answers === 1,
        `${answers} answers`,
      );
      const id = sender.newId();
      await sender.deliver(chat, id, "b");
      const goesOn = await until(() => bot.answered.has(id), 8000);
      const broken = arrivals().some(({ text }) => text.includes("BROKEN HISTORY"));
      checks.check(
        `model ${what}: the conversation goes on with a valid history`,
        goesOn && !broken && arrivals().length === 2,
      );
      if (!goesOn || broken) problems.push(what);
    }
    const disturbedMs = answerTimes(scene, from);
    await load.stop();
    const good = sender.acknowledged.filter(({ kind }) => !BAD.some((bad) => bad.kind === kind));
    await until(() => good.every(({ id }) => bot.answered.has(id)), 20_000);
    const verdict = await scene.judge({ acknowledged: good, failuresExpected: true });
    checks.check(
      "model: no other conversation lost or doubled anything",
      verdict.violations.length === 0,
      few(verdict.violations),
    );
    const [before, during] = [percentile(untouchedMs, 0.9), percentile(disturbedMs, 0.9)];
    checks.check(
      `model: other conversations are answered as fast as before (p90 ${Math.round(before)} ms, then ${Math.round(during)} ms)`,
      during < Math.max(2 * before, 600),
    );
    return { keep: problems.length + verdict.violations.length > 0 };
  });
}

/** From the acknowledgement to the answer, of ordinary messages. */
function answerTimes({ bot, sender }: Parameters<Parameters<typeof inScene>[1]>[0], from = 0): number[] {
  const arrivedAt = new Map<number, number>();
  for (const { ids, atMs } of bot.arrivals) for (const id of ids) if (!arrivedAt.has(id)) arrivedAt.set(id, atMs);
  return sender.acknowledged
    .slice(from)
    .filter(({ chat }) => Number(chat) < 3001)
    .flatMap(({ id, atMs }) => (arrivedAt.has(id) ? [(arrivedAt.get(id) ?? 0) - atMs] : []));
}

function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}
