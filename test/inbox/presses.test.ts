import { describe, expect, it } from "vitest";
import { type NewOffer, createButtons } from "../../src/buttons/index.ts";
import type { Target } from "../../src/channel.ts";
import { AssistantError } from "../../src/errors.ts";
import { createPresses, skillPresses } from "../../src/inbox/index.ts";
import { createNotifications } from "../../src/notifications/index.ts";
import type { OutboxMessage } from "../../src/outbox/index.ts";
import { type Store, memoryStore } from "../../src/store/index.ts";
import { createMetrics } from "../../src/telemetry/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { ADA, BOB, HERS } from "../skills/support.ts";

const HERE: Target = { channel: "telegram", account: "default", chat: "ada-7001" };
const SUGGESTION: NewOffer = {
  source: "1",
  kind: "skill-suggestion",
  people: [ADA],
  session: HERS,
  choices: ["yes", "later", "never"].map((id) => ({ id, label: id })),
  data: { user: "@ada", suggestion: "s1" },
  shown: { target: HERE, messageId: "answer:1" },
};
const FEEDBACK: NewOffer = {
  ...SUGGESTION,
  source: "2",
  kind: "skill-feedback",
  choices: ["good", "bad"].map((id) => ({ id, label: id })),
  data: { user: "@ada", turn: "t1" },
};

function setUp({
  store = memoryStore(),
  edits = true,
  fails,
  names = {},
}: { store?: Store; edits?: boolean; fails?: AssistantError; names?: Readonly<Record<string, string>> } = {}) {
  const clock = fakeClock();
  const happened: unknown[] = [];
  const lines: string[] = [];
  const said: string[] = [];
  const audit: unknown[] = [];
  const less: string[] = [];
  const buttons = createButtons({ store, clock });
  const notifications = createNotifications({ store, clock });
  const answer = (verb: string) => async (user: string, id: string) => {
    if (fails) throw fails;
    happened.push([verb, user, id]);
    return "research";
  };
  const presses = createPresses({
    buttons,
    handlers: skillPresses({
      answers: { accept: answer("accept"), decline: answer("decline"), putOff: answer("put off") },
      giveFeedback: async ({ user, turn, helpful, via }) => (happened.push([user, turn, helpful, via]), ["research"]),
      canonicalUser: (userId) => names[userId] ?? userId,
    }),
    wantLess: async (user, type) => void less.push(`${user} ${type}`),
    takeButtons: async (_target, _id, line) => (edits && lines.push(line), edits),
    notifications,
    outbox: {
      enqueue: async (_target, entry) => void said.push((entry as { message: OutboxMessage }).message.text),
    },
    audit: { write: (line) => void audit.push(line) },
    metrics: createMetrics(),
    clock,
  });
  async function press(given: NewOffer, choice: string, how: Pressing = {}) {
    const { user = ADA, id = "p1", target = true, isWritten = false } = how;
    const { buttons: made } = await buttons.offer(given);
    const button = made.find((one) => one.id.endsWith(`:${choice}`));
    const source = { sessionKey: HERS, id, user, isWritten, ...(target && { target: HERE }) };
    return presses.obey(button?.id ?? "", source);
  }
  return { store, clock, buttons, presses, press, happened, lines, said, audit, less };
}

interface Pressing {
  readonly user?: string;
  readonly id?: string;
  readonly target?: boolean;
  readonly isWritten?: boolean;
}

describe("createPresses()", () => {
  it("says less of what a notice was about, whatever room made the question", async () => {
    const t = setUp();
    const asked = {
      ...SUGGESTION,
      noticeType: "pattern",
      choices: [...SUGGESTION.choices, { id: "less", label: "Less" }],
    };
    expect(await t.press(asked, "less")).toMatchObject({ outcome: "accepted" });
    expect(t.less).toEqual([`${ADA} pattern`]);
    expect(t.happened).toEqual([]);
    expect(t.lines).toEqual(["I will say less of this."]);
  });

  it("leaves a choice of that name to the room whose question is under no notice", async () => {
    const t = setUp();
    await t.press({ ...SUGGESTION, choices: [{ id: "less", label: "Less" }] }, "less");
    expect(t.less).toEqual([]);
  });

  it("answers what was written with a message, and takes the buttons away", async () => {
    const t = setUp();
    await t.press(SUGGESTION, "yes", { isWritten: true });
    expect(t.lines).toEqual(["✓ Saved as the skill research."]);
    expect(t.said).toEqual(["✓ Saved as the skill research."]);
  });

  it.each([
    { offer: SUGGESTION, choice: "yes", does: ["accept", "@ada", "s1"], line: "✓ Saved as the skill research." },
    {
      offer: SUGGESTION,
      choice: "later",
      does: ["put off", "@ada", "s1"],
      line: "research: I may ask again in a week.",
    },
    {
      offer: SUGGESTION,
      choice: "never",
      does: ["decline", "@ada", "s1"],
      line: "✗ Declined: research will not be suggested again.",
    },
    { offer: FEEDBACK, choice: "good", does: ["@ada", "t1", true, "button"], line: "👍 Thank you, noted." },
    { offer: FEEDBACK, choice: "bad", does: ["@ada", "t1", false, "button"], line: "👎 Thank you, noted." },
  ])("obeys $choice under $offer.kind, and says so under the buttons", async ({ offer, choice, does, line }) => {
    const t = setUp();
    expect(await t.press(offer, choice)).toMatchObject({ outcome: "accepted", sessionKey: HERS });
    expect([t.happened, t.lines, t.said]).toEqual([[does], [line], []]);
  });

  it("knows who was linked since by the name that they have now", async () => {
    const t = setUp({ names: { "@ada": "@owner" } });
    await t.press(SUGGESTION, "yes");
    await t.press(FEEDBACK, "good");
    expect(t.happened).toEqual([
      ["accept", "@owner", "s1"],
      ["@owner", "t1", true, "button"],
    ]);
  });

  it("says it in a message where nothing can be changed, and to a caller alone", async () => {
    const t = setUp({ edits: false });
    await t.press(FEEDBACK, "good");
    expect([t.lines, t.said]).toEqual([[], ["👍 Thank you, noted."]]);
    const alone = setUp();
    const arrived = await alone.press(FEEDBACK, "good", { target: false });
    expect((await arrived?.reply())?.text).toBe("👍 Thank you, noted.");
    expect([alone.lines, alone.said]).toEqual([[], []]);
  });

  it("says it in the language of the offer", async () => {
    const t = setUp();
    await t.press({ ...FEEDBACK, language: "zh" }, "good");
    expect(t.lines).toEqual(["👍 谢谢，已记下。"]);
  });

  it("obeys the first of two presses, and tells the second", async () => {
    const t = setUp();
    await t.press(SUGGESTION, "yes");
    await t.press(SUGGESTION, "never", { id: "p2" });
    expect([t.happened, t.said]).toEqual([[["accept", "@ada", "s1"]], ["That was already answered."]]);
  });

  it("obeys a press that is delivered again once, and says nothing more", async () => {
    const t = setUp();
    await t.press(SUGGESTION, "yes");
    expect(await t.press(SUGGESTION, "yes")).toMatchObject({ outcome: "accepted" });
    expect([t.happened.length, t.lines.length, t.said]).toEqual([1, 1, []]);
  });

  it("says nothing to another person, and leaves the offer to whom it is for", async () => {
    const t = setUp();
    const refused = await t.press(SUGGESTION, "yes", { user: BOB });
    expect((await refused?.reply())?.error?.code).toBe("FORBIDDEN");
    expect([t.happened, t.lines, t.said]).toEqual([[], [], []]);
    expect(t.audit).toMatchObject([{ who: BOB, verdict: "refused", reason: "not-yours" }]);
    await t.press(SUGGESTION, "yes", { id: "p2" });
    expect(t.happened).toHaveLength(1);
  });

  it("tells whoever comes too late", async () => {
    const t = setUp();
    await t.buttons.offer({ ...SUGGESTION, lifetimeMs: 1000 });
    t.clock.step(1000);
    await t.press(SUGGESTION, "yes");
    expect([t.happened, t.said]).toEqual([[], ["This button is no longer valid."]]);
  });

  it("says nothing of an offer that is not there, and leaves other buttons to others", async () => {
    const t = setUp();
    const source = { sessionKey: HERS, id: "p1", user: ADA, target: HERE };
    expect(await t.presses.obey("b:0123456789AB:yes", source)).toMatchObject({ outcome: "accepted" });
    expect(await t.presses.obey("/approve K7QD2M", source)).toBeNull();
    expect(await t.presses.obey("anything", source)).toBeNull();
    expect(t.said).toEqual([]);
  });

  it("says that nobody obeys a kind that this program does not know", async () => {
    const t = setUp();
    await t.press({ ...SUGGESTION, kind: "other" }, "yes");
    expect([t.happened, t.lines]).toEqual([[], ["This button is no longer valid."]]);
  });

  it.each([
    { code: "NOT_FOUND", line: "This suggestion no longer exists." },
    { code: "CONFLICT", line: "That was already answered." },
  ] as const)("says what $code means", async ({ code, line }) => {
    const t = setUp({ fails: new AssistantError(code, "no") });
    await t.press(SUGGESTION, "yes");
    expect(t.lines).toEqual([line]);
  });

  it("obeys a press that was cut off when it is delivered again", async () => {
    for (let writes = 0; writes < 3; writes += 1) {
      const t = setUp();
      await t.buttons.offer(SUGGESTION);
      const life = beginLife(t.store, t.clock, writes);
      const dying = setUp({ store: life.store });
      const { buttons: made } = await t.buttons.offer(SUGGESTION);
      const source = { sessionKey: HERS, id: "p1", user: ADA, target: HERE };
      void dying.presses.obey(made[0]?.id ?? "", source);
      for (let step = 0; step < 20 && !life.killed; step += 1) await t.clock.advance(1);
      await t.presses.obey(made[0]?.id ?? "", source);
      const effects = dying.happened.length + t.happened.length;
      expect(effects, `after ${writes} writes`).toBeGreaterThanOrEqual(1);
      expect(t.said).toEqual([]);
    }
  });
});
