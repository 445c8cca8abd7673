import { afterEach, describe, expect, it } from "vitest";
import { createPassOn } from "../../../src/notify/index.ts";
import { createButtons, readButton } from "../../../src/buttons/index.ts";
import type { Target } from "../../../src/channel.ts";
import { createEventBus } from "../../../src/events/index.ts";
import {
  activationRecorder,
  createFeedbackButtons,
  createHookRegistry,
  createSkillFeedback,
} from "../../../src/proactive/index.ts";
import type { OutboxMessage } from "../../../src/outbox/index.ts";
import { createMemoryUsers, createSessions } from "../../../src/session/index.ts";
import { createActivations } from "../../../src/skills/index.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { fakeClock } from "../../../src/testing/fake-clock.ts";
import { ADA, GROUP, HERS } from "../../skills/support.ts";
import { addTurn } from "../../skills/turns.ts";

/** What the skill `research` is a chain of, in tests about chains. */
const STEPS: string[] = [];
afterEach(() => void STEPS.splice(0));

function setUp({ store = memoryStore(), asks = false }: { store?: Store; asks?: boolean } = {}) {
  const clock = fakeClock();
  const events = createEventBus({
    clock,
    metrics: createMetrics(),
    onFailure: ({ error }) => expect.fail(String(error)),
  });
  const hooks = createHookRegistry({ events });
  const sessions = createSessions({ store, clock });
  const activations = createActivations({ store, clock });
  const buttons = createButtons({ store, clock });
  const sent: { target: Target; message: OutboxMessage }[] = [];
  const told: unknown[] = [];
  events.subscribe("proactive.skill.feedback", ({ payload }) => void told.push(payload), { name: "told" });
  const users = createMemoryUsers({
    session: { identityLinks: { lin: ["telegram:5"] } },
    ownerIds: () => ["telegram:1"],
    keepsCapitals: () => false,
  });
  const passOn = createPassOn({
    channels: { of: () => true },
    enqueue: async (target, { message }) => void sent.push({ target, message }),
    isOwner: () => false,
    keep: async () => {},
    tellHost: async () => {},
    offer: buttons.offer,
    addNote: async () => {},
  });
  hooks.add(
    activationRecorder({
      activations,
      personOf: users.personOf,
      sessions,
      lock: { shared: (work) => work() },
      stepsOf: (name) => (name === "research" ? STEPS : []),
      events,
      clock,
      ...(asks && {
        askFeedback: createFeedbackButtons({ notify: (notice) => passOn({ channel: "telegram", ...notice }) }),
      }),
    }),
  );
  const ends = (taskId: string, sessionId = HERS, status: "completed" | "failed" = "completed") =>
    events.publish({
      type: "task.completed",
      sessionId,
      timestamp: clock.now(),
      payload: {
        user: ADA,
        channel: "telegram",
        peer: { kind: "direct", id: "ada-7001" },
        roles: ["user"],
        account: "default",
        source: "message",
        taskId,
        status,
        toolCalls: 0,
        usage: { inputTokens: 1, outputTokens: 1 },
        text: "done",
      },
    });
  const give = createSkillFeedback({ activations, events, clock });
  return { store, clock, events, sessions, activations, buttons, sent, told, ends, give };
}

describe("activationRecorder()", () => {
  it("records what the first step journaled", async () => {
    const t = setUp();
    await addTurn(t.sessions, HERS, "t1", { tools: ["web_search", "web_fetch", "web_search"] });
    await t.ends("t1");
    expect(await t.activations.recent(ADA)).toMatchObject([
      {
        id: "t1 research",
        session: HERS,
        user: ADA,
        activatedBy: "auto",
        score: 0.75,
        signals: [{ kind: "intent", weight: 0.5 }],
        outcome: "success",
        toolsUsed: ["web_search", "web_fetch"],
      },
    ]);
  });

  it("records the steps of a chain with it, and says that it ended", async () => {
    const t = setUp();
    STEPS.push("search", "write");
    const ended: unknown[] = [];
    t.events.subscribe("proactive.skill.chain_completed", ({ payload }) => void ended.push(payload), { name: "ended" });
    await addTurn(t.sessions, HERS, "t1");
    await t.ends("t1");
    expect((await t.activations.recent(ADA)).map(({ skill, activatedBy }) => `${skill} ${activatedBy}`).sort()).toEqual(
      ["research auto", "search chain", "write chain"],
    );
    await t.clock.advance(0);
    expect(ended).toEqual([{ taskId: "t1", user: ADA, skill: "research", outcome: "success" }]);
  });

  it.each([
    { title: "failed", code: "MODEL_UNAVAILABLE", outcome: "failure" },
    { title: "was stopped", code: "ABORTED", outcome: "aborted" },
  ])("says that the turn $title", async ({ code, outcome }) => {
    const t = setUp();
    await addTurn(t.sessions, HERS, "t1", { error: code });
    await t.ends("t1", HERS, "failed");
    expect(await t.activations.recent(ADA)).toMatchObject([{ outcome }]);
  });

  it.each([
    { title: "a person in a group", session: GROUP, given: { group: "-100" }, user: ADA },
    { title: "a person of several accounts", session: HERS, given: { user: "telegram:5" }, user: "@lin" },
    { title: "the owner", session: HERS, given: { user: "telegram:1", roles: ["owner"] }, user: "@owner" },
  ])("keeps activations of $title as theirs alone", async ({ session, given, user }) => {
    const t = setUp();
    await addTurn(t.sessions, session, "t1", given);
    await t.ends("t1", session);
    expect(await t.activations.recent(user)).toHaveLength(1);
    expect(await t.activations.recent("group:telegram:-100")).toEqual([]);
  });

  it("records what an earlier process left, and nothing twice", async () => {
    const before = setUp();
    await addTurn(before.sessions, HERS, "t1");
    await addTurn(before.sessions, HERS, "t2");
    await before.ends("t1");
    const after = setUp({ store: before.store });
    await addTurn(after.sessions, HERS, "t3", { skills: [] });
    await after.ends("t3");
    expect(after.activations.stats()).toMatchObject({ research: { activations: 2 } });
  });

  it("records nothing of whoever was forgotten", async () => {
    const t = setUp();
    await addTurn(t.sessions, GROUP, "t1", { user: "forgotten", group: "-100" });
    await t.ends("t1", GROUP);
    expect(await t.activations.recent("forgotten")).toEqual([]);
    await t.activations.load();
    expect(t.activations.stats()).toEqual({});
  });
});

describe("createSkillFeedback()", () => {
  it("keeps a verdict, and publishes it when it is new", async () => {
    const t = setUp();
    await addTurn(t.sessions, HERS, "t1");
    await t.ends("t1");
    expect(await t.give({ user: ADA, turn: "t1", helpful: true, via: "command" })).toEqual(["research"]);
    expect(await t.give({ user: ADA, turn: "t1", helpful: true, via: "reaction" })).toEqual(["research"]);
    await t.give({ user: ADA, turn: "t1", helpful: null, via: "reaction" });
    await t.clock.advance(0);
    expect(t.told).toEqual([
      { userId: ADA, skill: "research", helpful: true, taskId: "t1", via: "command" },
      { userId: ADA, skill: "research", helpful: null, taskId: "t1", via: "reaction" },
    ]);
    await expect(t.give({ user: ADA, skill: "none", helpful: true, via: "command" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("buttons under a reply", () => {
  it("ask the person whom it answered, once for a turn", async () => {
    const t = setUp({ asks: true });
    await addTurn(t.sessions, HERS, "t1");
    await t.ends("t1");
    const [{ target, message } = expect.fail("nothing was sent")] = t.sent;
    expect(target).toMatchObject({ channel: "telegram", chat: "ada-7001" });
    expect(message.id).toBe("skill-feedback:t1");
    expect(message.text).toContain("research");
    const { offerId = "", choice = "" } = readButton(message.buttons?.[1]?.id ?? "") ?? {};
    expect(await t.buttons.press({ offerId, choice, user: "telegram:bob-8002", id: "p" })).toMatchObject({
      why: "not-yours",
    });
    expect(await t.buttons.press({ offerId, choice, user: ADA, id: "p" })).toMatchObject({
      outcome: "taken",
      offer: { kind: "skill-feedback", data: { user: ADA, turn: "t1" } },
    });
  });

  it.each([
    { title: "no skill was at work", given: { skills: [] } },
    { title: "nobody asked", given: { origin: "job" as const } },
    { title: "no channel brought the message", given: { target: false } },
    { title: "the turn failed", given: { error: "MODEL_UNAVAILABLE" } },
  ])("are not there when $title", async ({ given }) => {
    const t = setUp({ asks: true });
    await addTurn(t.sessions, HERS, "t1", given);
    await t.ends("t1", HERS, "error" in given ? "failed" : "completed");
    expect(t.sent).toEqual([]);
  });
});
