import { describe, expect, it } from "vitest";
import { createEventBus } from "../../../src/events/index.ts";
import type { MemoryEntry } from "../../../src/memory/index.ts";
import type { Notice, NoticeVerdict } from "../../../src/notice.ts";
import {
  type PatternDetector,
  createFindings,
  createHookRegistry,
  createLookForPatterns,
  createPatternAnswers,
  createPatternPromises,
  createRecogniser,
  createTellFinding,
} from "../../../src/proactive/index.ts";
import { LOOK_AFTER_MS } from "../../../src/proactive/patterns/recogniser.ts";
import { type Store, memoryStore } from "../../../src/store/index.ts";
import { createMetrics } from "../../../src/telemetry/index.ts";
import { type FakeClock, fakeClock } from "../../../src/testing/fake-clock.ts";
import { beginLife } from "../../support/life.ts";

const ADA = "telegram:7";
const SESSION = "agent:main:telegram:direct:7";
const WAKE = `patterns:${ADA}`;
const DAY = 86_400_000;
const HOME = { user: ADA, channel: "telegram", account: "default", session: SESSION, chat: "7", roles: ["user"] };

/** Finds what the test wants to be found. */
const detectorOf = (found: () => readonly string[]): PatternDetector => ({
  name: "test",
  detect: () =>
    found().map((subject) => ({
      subject,
      confidence: 0.8,
      evidenceIds: [`e-${subject}`],
      frequency: 3,
      language: subject.startsWith("zh") ? "zh" : "en",
      data: null,
    })),
  suggest: ({ subject }) => ({
    text: `about ${subject}`,
    priority: 0.8,
    action: { kind: subject.startsWith("hint") ? "hint" : "job", schedule: "0 9 * * *", tz: "UTC", task: subject },
  }),
});

function setUp({
  store = memoryStore(),
  clock = fakeClock(),
  jobs = true,
  verdict,
}: { store?: Store; clock?: FakeClock; jobs?: boolean; verdict?: NoticeVerdict } = {}) {
  const metrics = createMetrics();
  const events = createEventBus({ clock, metrics, onFailure: ({ error }) => expect.fail(String(error)) });
  const hooks = createHookRegistry({ events });
  const notices: Notice[] = [];
  const wakes: { key: string; at: number }[] = [];
  const followed: string[] = [];
  const made: unknown[] = [];
  let found: readonly string[] = [];
  let remembered: readonly MemoryEntry[] = [];
  let isLocked = false;
  const findings = createFindings({ store, clock });
  const lock = {
    async shared<R>(work: () => Promise<R>): Promise<R> {
      isLocked = true;
      return work().finally(() => (isLocked = false));
    },
  };
  const notify = async (notice: Notice) => {
    // As the outbox does, by the id.
    if (notices.every(({ id }) => id !== notice.id)) notices.push(notice);
    await store.put(`notified/${notice.id}`, notice.text);
    return verdict;
  };
  const lookAt = createLookForPatterns(
    {
      evidence: {
        read: async () => {
          expect(isLocked).toBe(true);
          return {
            entries: found.map((subject) => ({ id: `e-${subject}`, content: "x", createdAt: clock.now() })),
            home: HOME,
          };
        },
      },
      findings,
      memory: {
        async *list() {
          yield* remembered;
        },
      },
      tell: createTellFinding({ notify, findings, events, metrics, clock }),
      withdraw: async () => {},
      timezoneOf: () => "UTC",
      clock,
    },
    { detectors: [detectorOf(() => found)], jobs, remembers: true },
  );
  const recogniser = createRecogniser({
    evidence: {
      follow: async (user, session) => {
        expect(isLocked).toBe(true);
        followed.push(`${user} ${session}`);
      },
    },
    users: {
      memoryUserOf: ({ user, peer }) => (peer.kind === "direct" ? user : `group:${peer.id}`),
      canonicalUser: (userId) => userId,
    },
    lookAt,
    engine: { wake: async (key, at) => void wakes.push({ key, at: at?.getTime() ?? 0 }) },
    lock,
    clock,
  });
  hooks.add(recogniser.hook);
  const answers = createPatternAnswers({
    findings,
    keepPromise: createPatternPromises({
      isOn: { job: true, skill: true, remember: true, hint: true },
      evidence: { home: async () => HOME },
      jobs: {
        create: async (input, place, viewer) => {
          if (input.task === "refused") throw new TypeError("a bug");
          made.push({ input, place, viewer });
          return { job: {} as never, next: [new Date(Date.UTC(2026, 0, 2, 9))] };
        },
      },
      memory: { save: () => expect.fail("nothing is kept") },
      acceptSkill: () => expect.fail("there is no skill"),
      rolesOf: () => ["user", "editor"],
    }),
    skills: {
      decline: () => expect.fail("there is no skill"),
      putOff: () => expect.fail("there is no skill"),
    },
    withdraw: async () => {},
    canonicalUser: (userId) => userId,
    lock,
    metrics,
  });
  const ends = (more: object = {}) =>
    events.publish({
      type: "task.completed",
      sessionId: SESSION,
      timestamp: clock.now(),
      payload: {
        ...{
          taskId: "t1",
          status: "completed",
          source: "message",
          toolCalls: 0,
          text: "done",
          usage: { inputTokens: 1, outputTokens: 1 },
        },
        ...{ user: ADA, channel: "telegram", peer: { kind: "direct", id: "7" }, roles: ["user"], account: "default" },
        ...more,
      },
    });
  return {
    ...{ store, clock, recogniser, findings, answers, notices, wakes, followed, made, metrics, events, ends },
    find: (...subjects: readonly string[]) => void (found = subjects),
    remember: (...entries: readonly MemoryEntry[]) => void (remembered = entries),
  };
}

describe("createRecogniser()", () => {
  it("only asks for a wake when a task ends", async () => {
    const t = setUp();
    t.find("a");
    await t.ends();
    expect(t.followed).toEqual([`${ADA} ${SESSION}`]);
    expect(t.wakes).toEqual([{ key: WAKE, at: t.clock.now() + LOOK_AFTER_MS }]);
    expect(t.notices).toEqual([]);
  });

  it("does nothing after a task of a group", async () => {
    const t = setUp();
    await t.ends({ peer: { kind: "group", id: "g" } });
    expect([t.followed, t.wakes]).toEqual([[], []]);
  });

  it("tells of a finding once, with three answers", async () => {
    const t = setUp();
    const events: unknown[] = [];
    t.events.subscribe("proactive.pattern.detected", ({ payload }) => void events.push(payload), { name: "test" });
    t.find("a");
    await t.recogniser.handle(WAKE);
    await t.recogniser.handle(WAKE);
    const [{ id } = { id: "" }] = await t.findings.list(ADA);
    expect(t.notices).toEqual([
      {
        id: `pattern:${id}:1`,
        type: "pattern",
        user: ADA,
        channel: "telegram",
        account: "default",
        chat: "7",
        sessionKey: SESSION,
        text: "about a",
        priority: 0.8,
        dedupeKey: `pattern:${id}`,
        offer: {
          kind: "pattern",
          choices: [
            { id: "yes", label: "Yes" },
            { id: "later", label: "Not now" },
            { id: "no", label: "No" },
          ],
          data: { user: ADA, finding: id },
          language: "en",
        },
      },
    ]);
    await t.clock.advance(0);
    expect(events).toEqual([
      { userId: ADA, id, detector: "test", text: "about a", confidence: 0.8, frequency: 3, evidenceIds: ["e-a"] },
    ]);
    expect(t.metrics.text()).toContain('proactive_pattern_found_total{detector="test"} 1');
  });

  it.each(["hold", "digest", "drop"] as const)(
    "counts what it found also where attention decides %s",
    async (verdict) => {
      const t = setUp({ verdict });
      const events: unknown[] = [];
      t.events.subscribe("proactive.pattern.detected", ({ payload }) => void events.push(payload), { name: "test" });
      t.find("a");
      await t.recogniser.handle(WAKE);
      await t.recogniser.handle(WAKE);
      await t.clock.advance(0);
      expect(events).toMatchObject([{ userId: ADA, detector: "test", text: "about a" }]);
      expect(t.metrics.text()).toContain('proactive_pattern_found_total{detector="test"} 1');
    },
  );

  it("speaks the person's language", async () => {
    const t = setUp();
    t.find("zh");
    await t.recogniser.handle(WAKE);
    expect(t.notices[0]?.offer).toMatchObject({ language: "zh", choices: [{ label: "好" }, {}, { label: "不用" }] });
    const [found] = await t.findings.list(ADA);
    expect(await t.answers.answer(ADA, found!.id, "no")).toBe("好的，不再提了。");
  });

  it("loses nothing that is cut off, and tells nothing twice", async () => {
    for (let writes = 0; writes < 5; writes += 1) {
      const { store, clock } = setUp();
      const life = beginLife(store, clock, writes);
      const first = setUp({ store: life.store, clock });
      const second = setUp({ store, clock });
      for (const one of [first, second]) one.find("a");
      void first.recogniser.handle(WAKE);
      for (let step = 0; step < 20 && !life.killed; step += 1) await clock.advance(1);
      await second.recogniser.handle(WAKE);
      const notified = [];
      for await (const { key } of store.list("notified/")) notified.push(key);
      expect(notified, `after ${writes} writes`).toHaveLength(1);
      expect(await second.findings.list(ADA)).toMatchObject([{ state: "open", told: true, raised: 1 }]);
    }
  });

  it("offers nothing that nobody could do", async () => {
    const t = setUp({ jobs: false });
    t.find("a", "hint");
    await t.recogniser.handle(WAKE);
    expect(t.notices.map(({ text }) => text)).toEqual(["about hint"]);
  });

  it("wakes when the next commitment turns stale", async () => {
    const t = setUp();
    const promise = (id: string, daysAgo: number, slots = {}) => {
      const createdAt = new Date(t.clock.now() - daysAgo * DAY);
      const all = { type: "statement", kind: "commitment", ...slots };
      const content = `review the ${id} thesis`;
      return { id, userId: ADA, content, keywords: [], slots: all, createdAt, updatedAt: createdAt };
    };
    t.remember(promise("a", 2), promise("b", 3), promise("c", 30), promise("d", 1, { due: t.clock.now() + 10 * DAY }));
    await t.recogniser.handle(WAKE);
    expect(t.wakes).toEqual([{ key: WAKE, at: t.clock.now() + 4 * DAY }]);
  });

  it("does not bring up what is not so any more", async () => {
    const t = setUp();
    t.find("a", "b");
    await t.recogniser.handle(WAKE);
    expect((await t.findings.standing(ADA)).open).toHaveLength(2);
    t.find("b");
    await t.recogniser.handle(WAKE);
    expect((await t.findings.standing(ADA)).open.map(({ key }) => key)).toEqual(["test:b"]);
  });
});

describe("createPatternAnswers()", () => {
  async function told(subject = "a") {
    const t = setUp();
    t.find(subject);
    await t.recogniser.handle(WAKE);
    const [found] = await t.findings.list(ADA);
    return { ...t, id: found!.id };
  }

  it("does what was promised, with the rights that the person had then and has now", async () => {
    const t = await told();
    expect(await t.answers.press({ offer: { data: { user: ADA, finding: t.id } }, choice: "yes" })).toBe(
      "Done. Next time: 2026-01-02 09:00.",
    );
    expect(t.made).toEqual([
      {
        input: { task: "a", schedule: "0 9 * * *", timezone: "UTC", dedupeKey: `pattern:${t.id}` },
        place: {
          user: ADA,
          channel: "telegram",
          account: "default",
          chat: "7",
          session: SESSION,
          startedBy: ADA,
          roles: ["user"],
        },
        viewer: { user: ADA, isOwner: false, roles: ["user"] },
      },
    ]);
    expect(t.metrics.text()).toContain('proactive_pattern_answer_total{detector="test",answer="yes"} 1');
  });

  it("keeps a finding open whose yes could not be done", async () => {
    const t = await told("refused");
    await expect(t.answers.answer(ADA, t.id, "yes")).rejects.toThrow("a bug");
    expect(await t.findings.list(ADA)).toMatchObject([{ state: "open" }]);
  });

  it("keeps no words of what was answered", async () => {
    const t = await told("hint about rain");
    await t.answers.answer(ADA, t.id, "no");
    t.clock.step(15 * DAY);
    await t.recogniser.handle(WAKE);
    const [kept] = await t.findings.list(ADA);
    expect(kept).toMatchObject({ state: "declined", raised: 1 });
    expect(kept?.suggestion).toBeUndefined();
  });

  it("makes a type weigh less with each no, and what it tells matter less", async () => {
    const t = setUp();
    for (const subject of ["hint a", "hint b", "hint c", "hint d"]) {
      t.find(subject);
      await t.recogniser.handle(WAKE);
      const open = (await t.findings.list(ADA)).at(-1)!;
      await t.answers.answer(ADA, open.id, "no");
    }
    expect(t.notices.map(({ priority }) => Math.round(priority! * 100) / 100)).toEqual([0.8, 0.64, 0.53, 0.46]);
    await t.findings.weigh(ADA, "goal_alignment", true);
    const { weights } = await t.findings.standing(ADA);
    expect(weights.goal_alignment).toBeGreaterThan(1);
    expect(weights.pattern_suggestion).toBeLessThan(0.6);
  });

  it("refuses a finding that is another person's", async () => {
    const t = await told();
    await expect(t.answers.answer("telegram:8", t.id, "yes")).rejects.toThrow("There is no finding");
    expect(t.made).toEqual([]);
  });
});
