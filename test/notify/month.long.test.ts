import { describe, expect, inject, it } from "vitest";
import { memoryStore } from "../../entry.host.ts";
import type { DecisionRecord } from "../../src/attention/index.ts";
import { calendarOf } from "../../src/calendar.ts";
import type { Notice, NoticeType } from "../../src/notice.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { beginLife } from "../support/life.ts";
import { seeded } from "../support/seeded.ts";
import { until } from "../support/until.ts";
import { flow, notice } from "./support.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse("2026-03-16T00:00:00Z");
const DAYS = 30;
const CAP = 5;
const INTERVAL_MS = 30 * 60_000;
const USERS = 20;
/** With two changes of clocks within the month, and zones of half hours and quarters. */
const ZONES = [
  "UTC",
  "Europe/Stockholm",
  "America/New_York",
  "Asia/Shanghai",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Auckland",
];
const TYPES: readonly NoticeType[] = ["job", "pattern", "alert", "note", "late"];
const zoneOf = (user: string) => ZONES[Number(user.split(":")[1]) % ZONES.length] ?? "UTC";

interface Candidate {
  readonly at: number;
  readonly notice: Notice;
}

function candidates(count: number, seed: number): readonly Candidate[] {
  const random = seeded(seed);
  const made = Array.from({ length: count }, (_, index): Candidate => {
    const at = START + Math.floor(random() * DAYS * DAY_MS);
    const kind = random();
    return {
      at,
      notice: notice(`n${index}`, {
        user: `telegram:${Math.floor(random() * USERS)}`,
        type: TYPES[Math.floor(random() * TYPES.length)] ?? "note",
        priority: Math.round(random() * 100) / 100,
        ...(kind < 0.1 && { requested: true }),
        ...(kind > 0.97 && { urgent: true }),
        ...(random() < 0.2 && { expiresAtMs: at + Math.floor(random() * 20 * HOUR_MS) }),
        ...(random() < 0.2 && { dedupeKey: `k${Math.floor(random() * 5)}` }),
      }),
    };
  });
  return made.toSorted((one, other) => one.at - other.at);
}

/** What left, as single notices: those of a digest share its time. */
interface Left {
  readonly messageId: string;
  readonly notice: Notice;
  readonly at: number;
}

/** What the month has to show, of any month. */
function check(
  all: readonly Candidate[],
  said: readonly { id: string; at: number; text: string; user: string }[],
  decided: ReadonlyMap<string, readonly DecisionRecord[]>,
) {
  const byText = new Map(all.map((one) => [`about ${one.notice.id}`, one.notice]));
  const left: Left[] = said.flatMap(({ id, at, text }) =>
    text
      .split("\n\n")
      .map((line) => byText.get(line.replace(/^\d+\. /, "")))
      .filter((one) => one !== undefined)
      .map((one) => ({ messageId: id, notice: one, at })),
  );
  const isAsked = ({ requested, urgent }: Notice) => requested === true || urgent === true;

  // Nothing is said twice, and nothing that was not decided to be.
  const ids = left.map((one) => one.notice.id);
  expect(new Set(ids).size).toBe(ids.length);

  for (let index = 0; index < USERS; index += 1) {
    const user = `telegram:${index}`;
    const { dayOf, show } = calendarOf(zoneOf(user));
    const messages = said.filter((one) => one.user === user).toSorted((one, other) => one.at - other.at);
    const theirs = left.filter((one) => one.notice.user === user);
    for (const [place, message] of messages.entries()) {
      const inside = theirs.filter((one) => one.messageId === message.id);
      if (inside.some((one) => isAsked(one.notice))) continue;
      const hour = Number(show(message.at).slice(11, 13));
      expect(hour >= 8 && hour < 22, `${message.id} at ${show(message.at)} of ${user}`).toBe(true);
      const today = messages.slice(0, place).filter((one) => dayOf(one.at) === dayOf(message.at));
      expect(today.length, `${message.id} on ${dayOf(message.at)} of ${user}`).toBeLessThan(CAP);
      for (const { notice: one } of inside) {
        const before = theirs.filter(
          (other) => other.messageId !== message.id && other.notice.type === one.type && other.at <= message.at,
        );
        const last = Math.max(...before.map(({ at }) => at), -Infinity);
        // Of two at one moment the order of the log counts.
        const isLater = said.findIndex(({ id }) => id === message.id);
        const same = before.filter(
          ({ at, messageId }) => at === last && said.findIndex(({ id }) => id === messageId) < isLater,
        );
        if (last < message.at || same.length > 0)
          expect(message.at - last, `${one.id} after another ${one.type} of ${user}`).toBeGreaterThanOrEqual(
            INTERVAL_MS,
          );
      }
    }
  }

  // Whatever was not said has a reason, and nothing that had not expired is lost.
  const saidIds = new Set(ids);
  for (const { notice: one } of all) {
    const reasons = decided.get(one.id) ?? [];
    const last = reasons.at(-1);
    expect(last, `a decision on ${one.id}`).toBeDefined();
    if (saidIds.has(one.id)) continue;
    expect(last?.verdict, `${one.id}: ${last?.rule}`).toBe("drop");
    expect(["expired", "threshold", "duplicate"]).toContain(last?.rule);
    const until = one.expiresAtMs ?? (reasons[0]?.at ?? 0) + 7 * DAY_MS;
    if (last?.rule === "expired") expect(until).toBeLessThanOrEqual(last.at);
    if (last?.rule === "threshold") expect(one.priority).toBeLessThan(0.6);
    if (last?.rule === "duplicate") expect(one.dedupeKey).toBeDefined();
  }
  return { said: said.length, notices: left.length };
}

describe("a month of twenty people", () => {
  it("keeps every limit and loses nothing, of 2,000 notices", { timeout: 60_000 }, async () => {
    const clock = fakeClock(START);
    const t = await flow({ clock, timezoneOf: zoneOf });
    const all = candidates(2000, inject("seed"));
    for (const one of all) {
      await clock.advance(one.at - clock.now());
      await t.notify(one.notice);
    }
    await clock.advance(10 * DAY_MS);
    const decided = Map.groupBy(t.decided, ({ id }) => id);
    const { said, notices } = check(all, await t.said(), decided);
    expect(notices).toBeGreaterThan(said);
    for (const user of await t.attention.users()) expect((await t.attention.view(user)).held).toEqual([]);
    await t.stop();
  });

  it("does so when it is killed again and again", { timeout: 60_000 }, async () => {
    const clock = fakeClock(START);
    const store = memoryStore();
    const seed = inject("seed") + 1;
    const random = seeded(seed);
    const all = candidates(2000, seed);
    const decided = new Map<string, DecisionRecord[]>();
    let kills = 0;
    let next = 0;
    /** What the documents say of decisions: what was told of them may be lost with a process. */
    const gather = async (attention: Awaited<ReturnType<typeof flow>>["attention"]) => {
      for (const user of await attention.users())
        for (const one of (await attention.view(user)).decisions) {
          const known = decided.get(one.id) ?? [];
          if (!known.some(({ at, verdict }) => at === one.at && verdict === one.verdict))
            decided.set(one.id, [...known, one]);
        }
    };
    while (next < all.length) {
      const life = beginLife(store, clock, 4 + Math.floor(random() * 60));
      let isDone = false;
      const live = async () => {
        const t = await flow({ store: life.store, clock: life.clock, timezoneOf: zoneOf });
        for (let one = all[next]; one !== undefined; one = all[next]) {
          await clock.advance(Math.max(0, one.at - clock.now()));
          // Whoever says something says it again until it is known to be durable.
          await t.notify(one.notice);
          next += 1;
        }
        isDone = true;
      };
      void live();
      await until(clock, () => isDone || life.killed, { stepMs: 0 }).catch(() => {});
      if (life.killed) kills += 1;
      life.kill();
      const look = await flow({ store, clock: fakeClock(START) });
      await gather(look.attention);
      await look.stop();
    }
    const last = await flow({ store, clock, timezoneOf: zoneOf });
    for (let day = 0; day < 10; day += 1) {
      await clock.advance(DAY_MS);
      await gather(last.attention);
    }
    check(all, await last.said(), decided);
    for (const user of await last.attention.users()) expect((await last.attention.view(user)).held).toEqual([]);
    expect(kills).toBeGreaterThan(5);
    await last.stop();
  });
});
