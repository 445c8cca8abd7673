import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fsStore } from "../../adapters/storage/fs/index.ts";
import { seeded } from "../support/seeded.ts";
import { startBotApi } from "./bot-api.ts";
import type { HostRuntime } from "./host-target.ts";
import { bornOf } from "./life.ts";
import type { Checks } from "./report.ts";
import { PATIENCE_MS, few, quiet, until } from "./scene.ts";

const UPDATES = 400;
const KILLS = 24;
const CHATS = 8;
/** An update comes so often, on average. */
const EVERY_MS = 90;
const CHILD = join(import.meta.dirname, "poll-child.ts");

/** A bot without a public address is killed while it asks for its messages: every update becomes one message, answered once. */
export async function poll(checks: Checks, seed: number, runtime: HostRuntime): Promise<void> {
  const chance = seeded(seed);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-poll-"));
  const root = join(folder, "data");
  const bot = await startBotApi();
  let [pushed, kills] = [0, 0];
  const push = () => {
    pushed += 1;
    bot.push(update(pushed));
  };
  const pushing = (async () => {
    while (pushed < UPDATES) {
      await sleep(chance() * 2 * EVERY_MS);
      // Some come together, as after the network was away.
      for (let more = chance() < 0.1 ? 8 : 1; more > 0 && pushed < UPDATES; more -= 1) push();
    }
  })();

  for (; kills < KILLS; kills += 1) {
    const life = bornOf(runtime, CHILD, [root, bot.urlOf(kills)]);
    await Promise.race([life.ready, life.gone]);
    // Half of them in the moment after a message was handed out, when it is stored and not confirmed yet.
    if (chance() < 0.5) await Promise.race([bot.nextHandedOut(), sleep(2000)]);
    await sleep(chance() * (chance() < 0.5 ? 20 : 800));
    life.kill();
    await life.gone;
  }
  await pushing;
  const last = bornOf(runtime, CHILD, [root, bot.urlOf(kills)]);
  await until(() => bot.answered.size === UPDATES && bot.waiting() === 0, PATIENCE_MS);
  await quiet(bot);
  last.kill();
  await last.gone;

  const faults: string[] = [];
  const stored = await storedIds(root);
  const keys = new Map<number, Set<string>>();
  for (const { ids, key } of bot.arrivals) for (const id of ids) keys.set(id, (keys.get(id) ?? new Set()).add(key));
  for (let id = 1; id <= UPDATES; id += 1) {
    const messages = stored.filter((one) => one === `telegram:default:${id}`).length;
    if (messages !== 1) faults.push(`the update ${id} became ${messages} messages`);
    // A reply that was under way when the process died is sent again, under the same key.
    const answers = keys.get(id)?.size ?? 0;
    if (answers !== 1) faults.push(`the update ${id} was answered ${answers} times`);
  }
  if (stored.length !== UPDATES) faults.push(`${stored.length} messages are stored`);
  if (bot.waiting() > 0) faults.push(`${bot.waiting()} updates were not confirmed`);
  const again = bot.handedOutAgain();
  if (again === 0) faults.push("no kill came between a message and its confirmation, so nothing was tried");
  checks.check(
    `poll: ${UPDATES} updates over ${kills} kills become one message each, answered once`,
    faults.length === 0,
    few(faults),
  );
  const resent = bot.arrivals.length - new Set(bot.arrivals.map(({ key }) => key)).size;
  console.log(`  ${again} updates handed out again, ${resent} replies sent again under their key`);
  await bot.stop();
  if (faults.length === 0) rmSync(folder, { recursive: true, force: true });
  else console.log(`  look at ${folder}`);
}

/** A message of one of some people, in the shape of the Bot API. */
function update(id: number) {
  const from = 100 + (id % CHATS);
  return {
    update_id: id,
    message: {
      message_id: id,
      from: { id: from, is_bot: false, first_name: `Person ${from}` },
      chat: { id: from, type: "private" },
      date: Math.floor(Date.now() / 1000),
      text: `u${id} please`,
    },
  };
}

/** The ids of the messages in all sessions. */
async function storedIds(root: string): Promise<readonly unknown[]> {
  const store = await fsStore({ root });
  const ids: unknown[] = [];
  for await (const { key } of store.list("sessions/")) {
    if (!key.endsWith("/log.jsonl")) continue;
    for await (const { record } of store.read(key)) if (record["type"] === "in") ids.push(record["id"]);
  }
  await store.close?.();
  return ids;
}
