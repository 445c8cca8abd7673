import { seeded } from "../support/seeded.ts";
import { startChats } from "./load.ts";
import type { HostRuntime } from "./host-target.ts";
import type { Checks } from "./report.ts";
import { PATIENCE_MS, type Scene, few, inScene, until } from "./scene.ts";
import type { Kind } from "./script.ts";

const MAX_SECONDS = 4;
/** Beyond its time a turn may take so long on a machine that is busy with other work; without bounds it takes minutes. */
const SLACK_SECONDS = 30;
const CHATS = 4;
/** The first of the conversations whose models misbehave. */
const BAD_CHAT = 3001;
const BAD: readonly { kind: Kind; what: string }[] = [
  { kind: "h", what: "hangs" },
  { kind: "e", what: "answers with errors" },
  { kind: "g", what: "streams rubbish" },
  { kind: "k", what: "calls a tool that does not exist" },
  { kind: "m", what: "sends malformed arguments" },
  { kind: "o", what: "calls for ever" },
];
/** Of ordinary messages while every model behaves, before each that does not. */
const ANSWERS = 25;
/** Other work on the machine slows down now this spell, now that; conversations that wait for one another do so each time. */
const MAX_TRIES = 4;
/** Answers that come so quickly were not kept waiting. */
const QUICK_MS = 600;

/** A model that misbehaves in one conversation: that one ends within its bounds and goes on afterwards, the others do not notice. */
export async function model(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const options = { runtime, maxTurnSeconds: MAX_SECONDS, maxSteps: 5, errorsExpected: true };
  await inScene(options, async (scene) => {
    const { bot, sender } = scene;
    await scene.start();
    const load = startChats({ sender, answered: () => bot.answered, chats: CHATS, chance: seeded(seed) });
    const problems: string[] = [];
    const figures: string[] = [];
    let isFast = false;
    for (let again = 0; again < MAX_TRIES && !isFast; again += 1) {
      const waits = await misbehave(scene, BAD_CHAT + again * BAD.length, (name, holds, detail) => {
        // Only how fast the others are is a matter of the machine.
        if (again === 0) checks.check(name, holds, detail);
        if (!holds) problems.push(name);
      });
      const bar = Math.max(2 * percentile(waits.quiet), QUICK_MS);
      isFast = percentile(waits.hanging) < bar && percentile(waits.otherwise) < bar;
      const [quiet, hanging, otherwise] = [waits.quiet, waits.hanging, waits.otherwise].map(shown);
      figures.push(`${quiet}, ${hanging} while it hangs, ${otherwise} otherwise`);
    }
    await load.stop();
    const good = sender.acknowledged.filter(({ kind }) => !BAD.some((bad) => bad.kind === kind));
    const open = await scene.settle(good.map(({ id }) => id));
    const verdict = await scene.judge({ acknowledged: good, failuresExpected: true });
    const faults = [...open, ...verdict.violations];
    checks.check("model: no other conversation lost or doubled anything", faults.length === 0, few(faults));
    checks.check(`model: other conversations are answered as fast as before (p90 ${figures.join("; then ")})`, isFast);
    return { keep: problems.length + faults.length > 0 || !isFast };
  });
}

interface Waits {
  /** While every model behaves, in milliseconds. */
  readonly quiet: readonly number[];
  readonly hanging: readonly number[];
  /** While it misbehaves in another way. */
  readonly otherwise: readonly number[];
}

/** Each kind of trouble once, one after another: a model that hangs holds one of the four places. */
async function misbehave(scene: Scene, firstChat: number, check: Checks["check"]): Promise<Waits> {
  const { bot, sender } = scene;
  const waits = { quiet: [] as number[], hanging: [] as number[], otherwise: [] as number[] };
  for (const [index, { kind, what }] of BAD.entries()) {
    waits.quiet.push(...(await waitsDuring(scene, () => scene.answers(ANSWERS))));
    const chat = String(firstChat + index);
    const arrivals = () => bot.arrivals.filter((arrival) => arrival.chat === chat);
    let isAcknowledgedFirst = false;
    const begun = performance.now();
    const during = await waitsDuring(scene, async () => {
      await sender.deliver(chat, sender.newId(), kind);
      isAcknowledgedFirst = arrivals().length === 0;
      await until(() => arrivals().length > 0, (MAX_SECONDS + SLACK_SECONDS) * 1000);
    });
    (kind === "h" ? waits.hanging : waits.otherwise).push(...during);
    const tookMs = performance.now() - begun;
    const answers = arrivals().length;
    check(
      `model ${what}: acknowledged before it is answered, one answer within the turn's time (${Math.round(tookMs)} ms)`,
      // What is answered at once may arrive before the acknowledgement is heard of.
      answers === 1 && (kind !== "h" || isAcknowledgedFirst),
      `${answers} answers${isAcknowledgedFirst ? "" : ", acknowledged afterwards"}`,
    );
    const id = sender.newId();
    void sender.deliver(chat, id, "b");
    const goesOn = await until(() => bot.answered.has(id), PATIENCE_MS);
    const isBroken = arrivals().some(({ text }) => text.includes("BROKEN HISTORY"));
    check(
      `model ${what}: the conversation goes on with a valid history`,
      goesOn && !isBroken && arrivals().length === 2,
      `${arrivals().length} answers`,
    );
  }
  return waits;
}

/** From the acknowledgement to the answer, in milliseconds, of each ordinary message that waited meanwhile; of those that wait still, until now. */
async function waitsDuring({ bot, sender }: Scene, act: () => Promise<void>): Promise<readonly number[]> {
  const begunMs = performance.now();
  await act();
  const nowMs = performance.now();
  const arrivedAt = new Map<number, number>();
  for (const { ids, atMs } of bot.arrivals) for (const id of ids) if (!arrivedAt.has(id)) arrivedAt.set(id, atMs);
  return sender.acknowledged
    .filter(({ id, chat }) => Number(chat) < BAD_CHAT && (arrivedAt.get(id) ?? nowMs) > begunMs)
    .map(({ id, atMs }) => (arrivedAt.get(id) ?? nowMs) - atMs);
}

function shown(waitsMs: readonly number[]): string {
  return `${Math.round(percentile(waitsMs))} ms`;
}

/** What nine of ten are below. */
function percentile(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.9)] ?? 0;
}
