import { describe, expect, it } from "vitest";
import { dayAfter } from "../../../src/calendar.ts";
import { createDays } from "../../../src/memory/days/days.ts";
import { createMemory } from "../../../src/memory/index.ts";
import { idOf } from "../../../src/ids.ts";
import { ConflictError } from "../../../src/errors.ts";
import { memoryStore, storeKey } from "../../../src/store/index.ts";
import { ADA, DAY_MS, entry, mapMemory, parts, textOf, watchedStore } from "./support.ts";
import { platform } from "../../support/this-platform.ts";

const LONG_TERM = storeKey("memory", ADA, "MEMORY.md");
const dayFile = (day: string) => storeKey("memory", ADA, "daily", `${day}.md`);

describe("digest()", () => {
  it("takes the day of the person's zone", async () => {
    const given = parts({ timezone: "Asia/Tokyo" });
    const days = createDays(given);
    await given.memory.save([
      entry("late", "Still the first", { createdAt: new Date("2026-02-01T14:59:59.999Z") }),
      entry("early", "Already the second", { createdAt: new Date("2026-02-01T15:00:00Z") }),
    ]);
    const first = await days.digest({ userId: ADA, day: "2026-02-01" });
    expect(first).toMatchObject({ day: "2026-02-01", entryCount: 1 });
    expect(first.text).toContain("Still the first");
    const today = await days.digest({ userId: ADA });
    expect(today).toMatchObject({ day: "2026-02-02", entryCount: 1 });
    expect(await textOf(given.store, dayFile("2026-02-02"))).toBe(today.text);
  });

  it("writes nothing when nothing changed, and no file for a day of nothing", async () => {
    const { store, ...given } = parts();
    let writes = 0;
    const days = createDays({ ...given, store: watchedStore(() => (writes += 1), store) });
    expect(await days.digest({ userId: ADA })).toEqual({ day: "2026-02-01", entryCount: 0 });
    expect(writes).toBe(0);
    await given.memory.save([entry("A", "One")]);
    await days.digest({ userId: ADA });
    const before = writes;
    await days.digest({ userId: ADA });
    expect(writes).toBe(before);
  });

  it("tells what went to the archive, and what was removed no longer", async () => {
    const given = parts();
    const days = createDays(given);
    await given.memory.save([entry("A", "One"), entry("B", "Two")]);
    await days.digest({ userId: ADA });
    await given.memory.archive(ADA, ["A"]);
    expect((await days.digest({ userId: ADA })).text).toContain("One");
    await given.memory.remove(ADA, ["A"]);
    expect((await days.digest({ userId: ADA })).text).not.toContain("One");
  });

  it("goes with the last entry of its day, unless a person wrote into it", async () => {
    const given = parts();
    const days = createDays(given);
    const emptied = async (id: string) => {
      await given.memory.save([entry(id, "One")]);
      const { day, text = "" } = await days.digest({ userId: ADA });
      await given.memory.remove(ADA, [id]);
      return { file: dayFile(day), text };
    };
    const { file } = await emptied("A");
    expect(await days.digest({ userId: ADA })).toEqual({ day: "2026-02-01", entryCount: 0 });
    expect(await given.store.get(file)).toBeNull();
    const { text } = await emptied("B");
    expect(text).toContain("One");
    await given.store.put(file, `${text}\n## Notes\n\n- Mine\n`);
    await days.digest({ userId: ADA });
    expect(await textOf(given.store, file)).toContain("- Mine");
  });

  it("tells on each day what was said again and joined to what was known", async () => {
    const given = parts();
    const days = createDays(given);
    const ids = await Promise.all([1, 2, 3].map((day) => idOf(Date.UTC(2026, 1, day, 12), "tea")));
    given.clock.step(2 * DAY_MS);
    await given.memory.save([entry(ids[0] ?? "", "Prefers tea with milk", { slots: { merged_ids: ids } })]);
    await days.extract({ userId: ADA });
    for (const day of ["2026-02-01", "2026-02-02", "2026-02-03"])
      expect(await textOf(given.store, dayFile(day))).toContain("Prefers tea with milk");
    expect(await textOf(given.store, LONG_TERM)).toContain("- Prefers tea with milk (2026-02-03)");
  });

  it("refuses what is no day", async () => {
    await expect(createDays(parts()).digest({ userId: ADA, day: "2026-02-30" })).rejects.toMatchObject({
      code: "OPTION_INVALID",
    });
  });

  it("writes over no edit that comes between its reading and its writing", async () => {
    const { store, ...given } = parts();
    let edits = 2;
    const edited = {
      ...store,
      put: async (...call: Parameters<typeof store.put>) => {
        if (edits > 0 && call[0].endsWith("2026-02-01.md")) {
          edits -= 1;
          await store.put(call[0], `## Notes\n\nBy hand ${edits}\n`);
        }
        return store.put(...call);
      },
    };
    await given.memory.save([entry("A", "One")]);
    const { text } = await createDays({ ...given, store: edited }).digest({ userId: ADA });
    expect(text).toContain("- One <!-- A -->");
    expect(text).toMatch(/## Notes\n\nBy hand 0\n$/);
    edits = 100;
    await given.memory.save([entry("B", "Two")]);
    await expect(createDays({ ...given, store: edited }).digest({ userId: ADA })).rejects.toSatisfy(ConflictError.is);
  });
});

describe("extract()", () => {
  const say = (id: string, daysAgo: number, content: string, slots = {}) =>
    entry(id, content, {
      createdAt: new Date(Date.UTC(2026, 1, 1, 12) - daysAgo * DAY_MS),
      slots: { type: "statement", ...slots },
    });

  it("keeps for good what three days say, or what was stated as lasting", async () => {
    const given = parts();
    const days = createDays(given);
    await given.memory.save([
      say("A", 0, "Prefers aisle seats on long flights"),
      say("B", 1, "On long flights, prefers aisle seats"),
      say("C", 5, "Prefers aisle seats on long flights!"),
      say("D", 0, "Has a dentist appointment"),
      say("E", 1, "Has a dentist appointment"),
      say("F", 0, "Wakes at 6"), say("G", 1, "Wakes at 7"), say("H", 2, "Wakes at 8"),
      say("I", 40, "Is allergic to nuts", { lasting: true, kind: "fact" }),
      say("J", 3, "We decided on SQLite for storage", { lasting: true, kind: "decision" }),
    ]); // prettier-ignore
    const { added, facts } = await days.extract({ userId: ADA });
    expect(await textOf(given.store, LONG_TERM)).toBe(
      "## User Preferences\n\n- Prefers aisle seats on long flights (2026-02-01)\n- Is allergic to nuts (2025-12-23)\n\n" +
        "## Architecture Decisions\n\n- We decided on SQLite for storage (2026-01-29)\n",
    );
    expect([added.length, facts]).toEqual([3, 3]);
    expect((await days.extract({ userId: ADA })).added).toEqual([]);
  });

  it("takes of a flushed message what lasts of it, and of a group's statement all", async () => {
    const given = parts();
    const days = createDays(given);
    await given.memory.save([
      entry("A", "Find me a hotel in Lund. I'm allergic to nuts.", {
        keywords: ["preference"],
        slots: { type: "auto_flush", lasting: true },
      }),
      say("B", 0, "Ada: I live in Oslo.", { lasting: true, kind: "fact" }),
    ]);
    expect((await days.extract({ userId: ADA })).added.toSorted()).toEqual([
      "Ada: I live in Oslo.",
      "I'm allergic to nuts.",
    ]);
  });

  it("reads what people wrote into digests, of the newest thirty", async () => {
    const given = parts();
    const digest = "## Facts and decisions\n\n- 用户喜欢靠过道的座位\n";
    for (let ago = 0; ago < 33; ago += 1) {
      const text = ago < 2 || ago > 30 ? digest : "";
      await given.store.put(dayFile(dayAfter("2026-02-01", -ago)), text);
    }
    const days = createDays(given);
    expect((await days.extract({ userId: ADA })).added).toEqual([]);
    await given.store.put(dayFile("2026-01-20"), digest);
    expect((await days.extract({ userId: ADA })).added).toEqual(["用户喜欢靠过道的座位"]);
  });

  it("adds lines that recall shows instead of their entries, with the day", async () => {
    const { store, clock } = parts();
    const memory = createMemory({ yaml: platform.yaml, store, clock });
    const days = createDays({ store, clock, memory: memory.entries, timezoneOf: () => "UTC" });
    await memory.save({
      userId: ADA,
      content: "Prefers aisle seats on long flights",
      createdAt: clock.now() - DAY_MS,
      slots: { lasting: true },
    });
    await days.extract({ userId: ADA });
    const [first, ...rest] = await memory.recall({ userId: ADA, text: "which seats on flights?" });
    expect(first?.entry.content).toBe("Prefers aisle seats on long flights");
    expect(first?.entry.createdAt.toISOString().slice(0, 10)).toBe("2026-01-31");
    expect(rest).toEqual([]);
    await memory.close();
  });

  it("gives a deleted line up for good, and a deleted digest too", async () => {
    const given = parts();
    const days = createDays(given);
    await given.memory.save([0, 1, 2].map((ago) => say(`A${ago}`, ago, "Prefers aisle seats on long flights")));
    await days.extract({ userId: ADA });
    await given.store.put(LONG_TERM, "# Mine\n");
    await given.store.remove(dayFile("2026-01-31"));
    await given.memory.save([say("B", 3, "Prefers aisle seats on long flights")]);
    await days.extract({ userId: ADA });
    expect(await textOf(given.store, LONG_TERM)).toBe("# Mine\n");
    expect(await given.store.get(dayFile("2026-01-31"))).toBeNull();
    expect(await given.store.get(dayFile("2026-01-29"))).not.toBeNull();
  });

  it("comes to the same end after a crash at any write", async () => {
    async function run(crashAt: number) {
      let writes = 0;
      const given = parts();
      const { memory } = given;
      const store = watchedStore(() => {
        writes += 1;
        if (writes === crashAt) throw new Error("crash");
      }, memoryStore());
      await memory.save([0, 1, 2].map((ago) => say(`A${ago}`, ago, "Prefers aisle seats on long flights")));
      await memory.save([say("L", 9, "Is called Ada", { lasting: true })]);
      const days = createDays({ ...given, store });
      const attempt = () => days.extract({ userId: ADA });
      await attempt().catch(() => {});
      await attempt();
      const documents: Record<string, unknown> = {};
      for await (const { key } of store.list("")) documents[key] = (await store.get(key))?.value;
      return { documents, writes };
    }
    const whole = await run(-1);
    expect(whole.writes).toBeGreaterThan(4);
    for (let crashAt = 1; crashAt <= whole.writes; crashAt += 1)
      expect((await run(crashAt)).documents).toEqual(whole.documents);
  });

  it("counts what it writes", async () => {
    const counted: unknown[] = [];
    const metrics = {
      increment: (name: string) => counted.push(name),
      set: (name: string, value: number) => counted.push([name, value]),
    };
    const given = parts();
    const { memory } = mapMemory();
    await memory.save([say("L", 0, "Is called Ada", { lasting: true })]);
    await createDays({ ...given, memory, metrics }).extract({ userId: ADA });
    expect(counted).toEqual(["memory.daily_summary.generated", ["memory.longterm.facts_count", 1]]);
  });
});
