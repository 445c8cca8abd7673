import { describe, expect, it } from "vitest";
import { createReactions } from "../../src/inbox/index.ts";
import type { InboundMessage } from "../../src/message.ts";
import { createSkillFeedback } from "../../src/proactive/index.ts";
import { createEventBus } from "../../src/events/index.ts";
import { createMemoryUsers, createSessions } from "../../src/session/index.ts";
import { createActivations } from "../../src/skills/index.ts";
import { memoryStore } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, BOB, GROUP, HERS, activation } from "../skills/support.ts";
import { addTurn } from "../skills/turns.ts";

async function setUp({ group = false } = {}) {
  const store = memoryStore();
  const clock = fakeClock();
  const sessions = createSessions({ store, clock });
  const activations = createActivations({ store, clock });
  const users = createMemoryUsers({ session: {}, ownerIds: () => ["telegram:1"], keepsCapitals: () => false });
  const giveFeedback = createSkillFeedback({ activations, events: createEventBus({ clock }), clock });
  const reactions = createReactions({
    activations,
    sessions,
    users,
    owners: { rolesOf: (user) => (user === "telegram:1" ? ["owner", "user"] : ["user"]) },
    giveFeedback,
  });
  const session = group ? GROUP : HERS;
  /** A turn whose two parts were sent. */
  const reply = async (turn: string, given: { skills?: readonly string[]; user?: string } = {}) => {
    const { skills = ["research"], user = ADA } = given;
    const seq = await addTurn(sessions, session, turn, { skills, user, ...(group && { group: "-100" }) });
    for (const part of [0, 1])
      await sessions.mark(session, { of: seq, part, delivery: "sent", platformId: `${turn}.${part}`, attempt: 1 });
    for (const skill of skills) await activations.record(activation(turn, skill, { session, user }));
  };
  const react = (
    to: string,
    verdict: "positive" | "negative" | "none" = "positive",
    more: Partial<InboundMessage> = {},
  ) =>
    reactions.take({
      channel: "telegram",
      id: "1",
      peer: group ? { kind: "group", id: "-100" } : { kind: "direct", id: "ada-7001" },
      sender: { id: "ada-7001" },
      text: "👍",
      mentioned: true,
      kind: "reaction",
      reaction: { to, verdict },
      ...more,
    });
  const verdicts = async (user = ADA) => (await activations.recent(user)).map(({ id, feedback }) => [id, feedback]);
  return { reply, react, verdicts, activations };
}

describe("createReactions()", () => {
  it("takes a reaction as a verdict on every skill of the reply, under any part of it", async () => {
    const t = await setUp();
    await t.reply("t1", { skills: ["research", "briefing"] });
    await t.reply("t2");
    expect(await t.react("t1.1")).toEqual({ outcome: "kept", sessionKey: HERS });
    expect(await t.verdicts()).toEqual([
      ["t2 research", undefined],
      ["t1 briefing", true],
      ["t1 research", true],
    ]);
  });

  it("follows a person who changes their mind, and takes back what they took away", async () => {
    const t = await setUp();
    await t.reply("t1");
    for (const verdict of ["positive", "negative", "negative"] as const) await t.react("t1.0", verdict);
    expect(await t.verdicts()).toEqual([["t1 research", false]]);
    expect(t.activations.stats()).toMatchObject({ research: { helpful: 0, notHelpful: 1 } });
    await t.react("t1.0", "none");
    expect(await t.verdicts()).toEqual([["t1 research", undefined]]);
  });

  it.each([
    { title: "another message", to: "other", more: {} },
    { title: "a reply without skills", to: "t2.0", more: {} },
    { title: "another chat", to: "t1.0", more: { peer: { kind: "direct", id: "other" } as const } },
    { title: "another account", to: "t1.0", more: { account: "second" } },
    { title: "another channel", to: "t1.0", more: { channel: "other" } },
  ])("does nothing for a reaction under $title", async ({ to, more }) => {
    const t = await setUp();
    await t.reply("t1");
    await t.reply("t2", { skills: [] });
    expect(await t.react(to, "positive", more)).toMatchObject({ outcome: "refused" });
    expect(await t.verdicts()).toEqual([["t1 research", undefined]]);
  });

  it("counts a member of a group for themselves alone", async () => {
    const t = await setUp({ group: true });
    await t.reply("t1");
    await t.reply("t2", { user: BOB });
    expect(await t.react("t1.0", "negative", { sender: { id: "bob-8002" } })).toMatchObject({ outcome: "refused" });
    await t.react("t2.0", "negative", { sender: { id: "bob-8002" } });
    await t.react("t1.0", "positive");
    expect([await t.verdicts(), await t.verdicts(BOB)]).toEqual([[["t1 research", true]], [["t2 research", false]]]);
  });
});
