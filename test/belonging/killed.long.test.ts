import { describe, expect, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { Store } from "../../kit.ts";
import { type FakeClock, fakeClock } from "../../src/testing/fake-clock.ts";
import { type TestAssistant, type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { beginLife } from "../support/life.ts";
import { until } from "../support/until.ts";
import { copyOf, fill, keptOf, keysIn } from "./support.ts";

const LINKED: TestAssistantOptions = { session: { identityLinks: { anna: ["memory:42", "other:7"] } } };

/** Two names of one person and a stranger, with everything that is kept by name. */
async function filled(clock: FakeClock, names: Readonly<Record<string, string>>): Promise<Store> {
  const store = memoryStore();
  const t = await testAssistant({ store, clock });
  for (const [userId, word] of Object.entries(names)) await fill(t.assistant, store, userId, word);
  await t.assistant.memory.save({ userId: "memory:4", id: "shared-id", content: "a stranger's" });
  await t.during(t.assistant.stop());
  return store;
}

/** What there is in the end of a life that ends after so many writes, and of another one. `run` brings about the move. */
async function livedTwice(
  store: Store,
  clock: FakeClock,
  { writes, userId, options, run }: { writes: number; userId: string; options: TestAssistantOptions; run: Run },
) {
  const life = beginLife(store, clock, writes);
  let isDone = false;
  const dying = await testAssistant({ ...options, life, start: false });
  void run(dying).then(() => (isDone = true));
  await until(clock, () => isDone || life.killed, { stepMs: 0 });
  const survived = !life.killed;
  life.kill();
  const t = await testAssistant({ ...options, store, clock });
  const kept = await keptOf(t.assistant, store, userId);
  await t.during(t.assistant.stop());
  return { survived, kept, keys: await keysIn(store) };
}

type Run = (t: TestAssistant) => Promise<unknown>;

/** Each part takes every twelfth write. */
const PARTS = 12;
const parts = Array.from({ length: PARTS }, (_, part) => part);

/** What is made for the first part, and for all of them. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => (made ??= make());
}

describe("a move that is killed at each of its writes, when identities are linked", () => {
  let deaths = 0;
  const run: Run = ({ assistant }) => assistant.start();
  const given = { userId: "@anna", options: LINKED, run };
  const unharmed = once(async () => {
    const clock = fakeClock();
    const before = await filled(clock, { "memory:42": "telegram", "@anna": "anna", "other:7": "slack" });
    return { clock, before, whole: await livedTwice(await copyOf(before), clock, { ...given, writes: Infinity }) };
  });

  it("loses and doubles nothing when nothing kills it", async () => {
    const { whole } = await unharmed();
    expect(whole.kept.entries).toHaveLength(18);
    expect(whole.kept.users).toEqual(["@anna", "memory:4"]);
    for (const word of ["telegram", "anna", "slack"])
      expect(whole.kept.recalled).toContain(`${word}: likes a green bike`);
    expect(whole.kept.stats).toMatchObject([{ name: "tea", activations: 6, helpful: 3 }]);
    expect(whole.keys.filter((key) => /memory:42|other:7/.test(key))).toEqual([]);
  });

  it.each(parts)("loses and doubles nothing, part %i of twelve", async (part) => {
    const { clock, before, whole } = await unharmed();
    for (let writes = part; ; writes += PARTS) {
      const lived = await livedTwice(await copyOf(before), clock, { ...given, writes });
      expect(lived.kept, `after ${writes} writes`).toEqual(whole.kept);
      expect(
        lived.keys.filter((key) => /memory:42|other:7/.test(key)),
        `after ${writes} writes`,
      ).toEqual([]);
      if (lived.survived) break;
      deaths += 1;
    }
  });

  it("died more than twenty times", () => {
    expect(deaths).toBeGreaterThan(20);
  });
});

describe("a move that is killed at each of its writes, when the owner is claimed", () => {
  let deaths = 0;
  const run: Run = async ({ assistant, receive }) => {
    await assistant.start();
    await receive(`/owner ${await assistant.access.ownerCode()}`);
    await assistant.memory.counts("@owner");
  };
  const given = { userId: "@owner", options: {}, run };
  const unharmed = once(async () => {
    const clock = fakeClock();
    const before = await filled(clock, { "memory:42": "telegram", "@owner": "terminal" });
    return { clock, before, whole: await livedTwice(await copyOf(before), clock, { ...given, writes: Infinity }) };
  });

  it("loses nothing when nothing kills it", async () => {
    expect((await unharmed()).whole.kept.entries).toHaveLength(12);
  });

  it.each(parts)("loses and doubles nothing, part %i of twelve", async (part) => {
    const { clock, before, whole } = await unharmed();
    for (let writes = part; ; writes += PARTS) {
      const lived = await livedTwice(await copyOf(before), clock, { ...given, writes });
      const isClaimed = lived.kept.users.length === 2;
      if (isClaimed) expect(lived.kept, `after ${writes} writes`).toEqual(whole.kept);
      else expect(lived.kept.users, `after ${writes} writes`).toEqual(["@owner", "memory:4", "memory:42"]);
      if (isClaimed && !lived.survived) deaths += 1;
      if (lived.survived) break;
    }
  });

  it("died more than fifteen times", () => {
    expect(deaths).toBeGreaterThan(15);
  });
});
