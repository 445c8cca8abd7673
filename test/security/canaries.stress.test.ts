import { describe, expect, it } from "vitest";
import { ADA } from "./support.ts";
import { type Place, canaryWorld } from "./support/canary-world.ts";
import { THOROUGH, WHOLE } from "../support/thorough.ts";

type World = ReturnType<typeof canaryWorld>;

const AT_ONCE = 24;

/** Something that happens at a place; each of its texts has a canary of its own. */
async function happen({ canaries, dice }: World, place: Place): Promise<void> {
  const { conversation, kind } = place;
  const canary = (of: Parameters<typeof canaries.make>[1]) => canaries.make(conversation, of);
  const text = () => `My ticket is ${canary("text")}, please keep it: I prefer ${canary("text")} from now on.`;
  /** The second comes while the first is worked on. */
  const lookAndGoOn = async () => {
    const looks = place.say(`look it up: ${canary("text")}`);
    looks.catch(() => {}); // awaited below
    await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([looks, place.say(text())]);
  };
  const isChat = kind === "direct" || kind === "group";
  switch (dice.below(12)) {
    case 0:
      return void (await Promise.all([1, 2, 3].map(() => place.say(text()))));
    case 1:
    case 2:
      return lookAndGoOn();
    case 3:
      return void (await place.say(text(), { file: `${canary("file")}.txt` }));
    case 4:
      if (!isChat) return void (await place.say(`quickly: ${canary("lite")}`, { lite: true }));
      await place.say(`I meant ${canary("note")}`, { note: true });
      return void (await place.say(text()));
    case 5:
    case 6:
      if (kind === "group")
        for (let count = 0; count < 3; count += 1) await place.say(`between us: ${canary("heard")}`, { heard: true });
      return void (await place.say(text()));
    case 7:
      return void (await place.say(["/compact", "/retry", "/new"][dice.below(3)]!, { asOwner: true }));
    case 8:
      await place.say(`/queue ${["steer", "interrupt", "followup"][dice.below(3)]}`, { asOwner: true });
      return lookAndGoOn();
    default:
      return void (await place.say(text()));
  }
}

/** Every place once, in an order that chance says, many at once. */
async function everywhere(world: World, isOver: () => boolean = () => false): Promise<void> {
  const order = [...world.places];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = world.dice.below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  let next = 0;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < order.length && !isOver())
        await happen(world, order[next++]!).catch((error: unknown) => {
          if (!isOver()) throw error;
        });
    }),
  );
}

/** What an owner can read of a session besides its prompts. */
async function readAll(world: World): Promise<number> {
  const { assistant, check, placeOf } = world;
  const sessions = await assistant.sessions.list({ limit: 10_000 });
  for (const { key } of sessions) {
    const conversation = placeOf.get(key);
    const exported = await Promise.all(
      (["jsonl", "markdown"] as const).map(async (format) => {
        let text = "";
        for await (const piece of (await assistant.sessions.export(key, { format })) ?? []) text += piece;
        return text;
      }),
    );
    const rest = await Promise.all([
      assistant.sessions.show(key),
      assistant.sessions.summaries(key),
      assistant.explainContext({ session: key, text: "?" }),
      assistant.artifacts.list({ session: key }),
    ]);
    for (const text of [...exported, ...rest.map((one) => JSON.stringify(one))])
      check(`what ${key} holds`, text, conversation);
  }
  return sessions.length;
}

describe("no prompt holds what was said in another conversation, but for what one person or group remembers", () => {
  const worlds = [
    {
      dmScope: "per-channel-peer",
      ids: THOROUGH ? 8 : WHOLE ? 5 : 3,
      sessions: THOROUGH ? 30 : WHOLE ? 15 : 6,
      chatsOnly: true,
      memory: true,
    },
    { dmScope: "per-peer", ids: 8, sessions: 15, chatsOnly: true },
    { dmScope: "per-account-channel-peer", ids: 24, sessions: 200 },
    { dmScope: "per-account-channel-peer", ids: 4, sessions: 40, memory: true },
  ] as const;
  it.each(worlds.slice(0, THOROUGH ? 4 : 1))(
    "with $dmScope, memory: $memory",
    { timeout: THOROUGH ? 600_000 : 60_000 },
    async ({ dmScope, sessions, ...of }) => {
      const world = canaryWorld(dmScope, of);
      const { counts, leaks } = world;
      await world.start();
      await everywhere(world);
      await world.assistant.stop();
      await world.start();
      await everywhere(world);
      // In the middle of what it does.
      const before = counts.turns;
      let isOver = false;
      const cut = everywhere(world, () => isOver);
      while (counts.turns < before + 20) await new Promise((resolve) => setTimeout(resolve, 0));
      isOver = true;
      await Promise.all([world.assistant.stop({ graceMs: 0 }), cut]);
      await world.start();
      await everywhere(world);

      const read = await readAll(world);
      world.checkSent();
      const headers = { authorization: `Bearer ${ADA}` };
      const listed = await world.assistant.fetch(new Request("http://localhost/api/v1/conversations", { headers }));
      for (const { title } of ((await listed.json()) as { conversations: { title: string }[] }).conversations)
        for (const { conversation } of world.canaries.find(title)) expect(conversation).toMatch(/^web ada /);
      await world.assistant.stop();

      expect(leaks.slice(0, 5)).toEqual([]);
      // What would make all of this easy: little said, nothing shown again.
      expect(read).toBeGreaterThan(sessions);
      expect(counts.turns).toBeGreaterThan(3 * sessions);
      expect(counts.summaries).toBeGreaterThan(sessions / 4);
      expect(counts.canaries).toBeGreaterThan(10 * counts.turns);
      const besides = "chatsOnly" in of ? [] : ["heard", "lite"];
      expect([...world.kinds].sort()).toEqual(
        ["file", "name", "note", "reply", "summary", "text", "tool", ...besides].sort(),
      );
      if ("memory" in of) expect(counts.recalled).toBeGreaterThan(sessions);
      if (!("chatsOnly" in of)) expect(counts.joined).toBeGreaterThan(5);
    },
  );
});
