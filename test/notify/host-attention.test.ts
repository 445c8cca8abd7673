import { describe, expect, it } from "vitest";
import { decideAttention } from "../../entry.host.ts";
import { storeKey } from "../../src/store/index.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const NIGHT = Date.UTC(2026, 0, 5, 23);
const MORNING = new Date(Date.UTC(2026, 0, 6, 8));
const HOUR = 60 * 60_000;
const OWNER = "memory:42";

const made = (options: TestAssistantOptions = {}, now = NOON) =>
  testAssistant({ clock: fakeClock(now), owner: { ids: [OWNER] }, timezone: "UTC", ...options });

describe("assistant.attention", () => {
  it("says what a program has to say in the person's chat, once for an id, and counts it", async () => {
    const t = await made();
    const { attention } = t.assistant;
    const told = { user: OWNER, text: " The parcel is there ", id: "parcel-7" };
    expect(await attention.notify(told)).toEqual({ id: "parcel-7", decision: { verdict: "send", rule: "ok" } });
    expect(await attention.notify(told)).toEqual({ id: "parcel-7", decision: { verdict: "send", rule: "ok" } });
    await t.sent(1);
    await t.clock.advance(1000);
    expect(t.channel.textsTo("42")).toEqual(["The parcel is there"]);
    const { user, sent, decisions } = await attention.view();
    expect(user).toBe("@owner");
    expect(sent).toEqual([{ id: "parcel-7", type: "note", at: new Date(NOON) }]);
    expect(decisions).toMatchObject([
      { id: "parcel-7", text: "The parcel is there", channel: "memory", priority: 0.7, at: new Date(NOON) },
    ]);
    expect((await attention.notify({ user: OWNER, text: "Without an id" })).id).toMatch(/^[0-9A-Z]{26}$/);
  });

  it.each([undefined, "parcel", "message", "job"])(
    "stands in the person's conversation as a note (type %s)",
    async (type) => {
      const t = await made();
      await t.assistant.attention.notify({ user: OWNER, text: "The parcel is there", ...(type && { type }) });
      await t.sent(1);
      await t.say("Where is it?");
      const { prompt } = t.model.requests.at(-1) ?? {};
      expect(JSON.stringify(prompt).split("The parcel is there")).toHaveLength(2);
    },
  );

  it("says what is for a name to the first of its accounts that a channel reaches", async () => {
    const t = await made({
      owner: { ids: ["sms:42", OWNER] },
      session: { identityLinks: { lin: ["sms:5", "memory:5"] } },
    });
    const { attention } = t.assistant;
    await attention.notify({ user: "@owner", text: "For the owner" });
    await attention.notify({ user: "@lin", text: "For Lin" });
    await t.sent(1, "42");
    await t.sent(1, "5");
    expect(t.channel.textsTo("42")).toEqual(["For the owner"]);
    expect(t.channel.textsTo("5")).toEqual(["For Lin"]);
    expect(await attention.people()).toEqual(["@lin", "@owner"]);
  });

  it.each(["constructor", "valueof"])("counts what is of a type that is called %s", async (type) => {
    const { attention } = (await made()).assistant;
    expect(await attention.less({ type })).toBe(1);
    expect(await attention.less({ type })).toBe(2);
    expect((await attention.view()).less).toEqual({ [type]: 2 });
    expect(await attention.explain({ type, channel: "memory" })).toEqual({ verdict: "drop", rule: "threshold" });
    const other = type === "constructor" ? "valueOf" : "__proto__";
    expect(decideAttention({ type: other, channel: "c" }, { sent: [], less: {} }, {}, NOON)).toMatchObject({
      rule: "ok",
    });
    expect(decideAttention({ type: other, channel: "c", priority: 0 }, { sent: [], less: {} }, {}, NOON)).toMatchObject(
      {
        rule: "threshold",
      },
    );
  });

  it("shows the newest decision and the soonest of what is held first", async () => {
    const t = await made({ attention: { minInterval: "1h" } });
    const { attention } = t.assistant;
    const say = (id: string, type = "note") => attention.notify({ user: OWNER, text: id, id, type });
    await say("first");
    await t.clock.advance(HOUR / 2);
    await say("other", "weather");
    await t.clock.advance(60_000);
    expect((await say("later", "weather")).decision).toMatchObject({ verdict: "hold", rule: "min_interval" });
    expect((await say("sooner")).decision).toMatchObject({ until: new Date(NOON + HOUR) });
    const { held, decisions, sent } = await attention.view({ user: OWNER });
    expect(held.map(({ id }) => id)).toEqual(["sooner", "later"]);
    expect(decisions.map(({ id }) => id)).toEqual(["sooner", "later", "other", "first"]);
    expect(sent.map(({ id }) => id)).toEqual(["other", "first"]);
    expect(await attention.people()).toEqual(["@owner"]);
  });

  it("lets an interval of a week lie between two of one type, whatever is said meanwhile", async () => {
    const t = await made({ attention: { minInterval: "7d" } });
    const { attention } = t.assistant;
    await attention.notify({ user: OWNER, text: "Drink", type: "tip" });
    for (let day = 1; day < 7; day += 1) {
      await t.clock.advance(24 * HOUR);
      await attention.notify({ user: OWNER, text: "News", type: `news-${day}` });
    }
    expect((await attention.notify({ user: OWNER, text: "Drink more", type: "tip" })).decision).toEqual({
      verdict: "hold",
      rule: "min_interval",
      until: new Date(NOON + 7 * 24 * HOUR),
    });
    expect((await attention.view({ user: OWNER })).sent.map(({ type }) => type)).toEqual(["news-6", "news-5"]);
  });

  it("has other limits from the next decision on, and keeps the old ones where the new are wrong", async () => {
    const t = await made({ attention: { maxDailyNotifications: 1 } });
    const { attention } = t.assistant;
    const verdict = async (type: string, priority?: number) =>
      (await attention.notify({ user: OWNER, text: type, type, ...(priority !== undefined && { priority }) })).decision;
    expect(await verdict("a")).toMatchObject({ verdict: "send" });
    expect(await verdict("b")).toMatchObject({ rule: "daily_cap" });
    attention.replace({ maxDailyNotifications: 3, quietHours: [11, 13] });
    expect(await verdict("c")).toEqual({ verdict: "hold", rule: "quiet_hours", until: new Date(NOON + HOUR) });
    expect(await attention.explain({ type: "c", channel: "memory" })).toMatchObject({ rule: "quiet_hours" });
    expect(() => attention.replace({ quietHours: [11] })).toThrow(/attention\.quietHours/);
    expect(await verdict("d")).toMatchObject({ rule: "quiet_hours" });
    attention.replace({});
    expect(await verdict("e")).toMatchObject({ verdict: "send" });
    expect(await verdict("f", 0.1)).toMatchObject({ rule: "threshold" });
    attention.replace({ enabled: false });
    expect(await verdict("g", 0.1)).toEqual({ verdict: "send", rule: "ok" });
    await t.sent(3);
    expect(t.channel.textsTo("42")).toEqual(["a", "e", "g"]);
    const audited = await t.records("audit/");
    expect(audited.filter((line) => JSON.stringify(line).includes('"config.change"'))).toHaveLength(3);
  });

  it.each([
    { who: "the owner", links: {} },
    { who: "an owner whose accounts have a name", links: { ada: [OWNER] } },
  ])("says a night of long notices to $who in one message, and keeps the whole of it", async ({ links }) => {
    const t = await made({ server: { token: "owner" }, session: { identityLinks: links } }, NIGHT);
    const texts = Array.from({ length: 30 }, (_, at) => `Notice ${at}. ${"All of it. ".repeat(450)}End of ${at}.`);
    for (const text of texts) await t.assistant.attention.notify({ user: OWNER, text });
    await t.clock.advance(9 * HOUR);
    await t.sent(1);
    await t.clock.advance(HOUR);
    const said = t.channel.textsTo("42");
    expect(said).toHaveLength(1);
    expect(said[0]?.length).toBeLessThanOrEqual(3500);
    expect(said[0]).toContain("30. Notice 29.");
    const { notifications } = (await (await t.call("/notifications", { token: "owner" })).json()) as {
      notifications: readonly { user: string; kind: string; text: string }[];
    };
    expect(notifications).toMatchObject([{ user: "web", kind: "notice" }]);
    for (const text of texts) expect(notifications[0]?.text).toContain(text);
  });

  it("says all of a night of long notices to a person who has no page", async () => {
    const t = await made({ server: { token: "owner" } }, NIGHT);
    const texts = Array.from({ length: 3 }, (_, at) => `Notice ${at}. ${"All of it. ".repeat(450)}End of ${at}.`);
    for (const text of texts) await t.assistant.attention.notify({ user: "memory:5", text });
    await t.clock.advance(9 * HOUR);
    await t.sent(4, "5");
    await t.clock.advance(HOUR);
    const said = t.channel.textsTo("5").join(" ");
    for (const text of texts) expect(said).toContain(text);
    expect(said).not.toContain("/api/v1");
    expect(await (await t.call("/notifications", { token: "owner" })).json()).toEqual({ notifications: [] });
  });

  it("gives a person whom no channel reaches the whole of a digest, once", async () => {
    const t = await made({ server: { token: "owner" } }, NIGHT);
    const text = "All of it. ".repeat(450).trim();
    for (const id of ["a", "b"]) await t.assistant.attention.notify({ user: "app:ada", text: `${id} ${text}` });
    await t.clock.advance(9 * HOUR);
    const { notifications } = (await (await t.call("/notifications", { token: "owner" })).json()) as {
      notifications: readonly { text: string }[];
    };
    expect(notifications.map((one) => one.text)).toEqual([`2 things that could wait:\n\n1. a ${text}\n\n2. b ${text}`]);
  });

  it("holds what comes at night until the morning, unless it is urgent or asked for", async () => {
    const t = await made({}, NIGHT);
    const { attention } = t.assistant;
    const night = { verdict: "hold", rule: "quiet_hours", until: MORNING };
    expect((await attention.notify({ user: OWNER, text: "News" })).decision).toEqual(night);
    for (const how of [{ urgent: true }, { requested: true }])
      expect((await attention.notify({ user: OWNER, text: "Fire", ...how })).decision).toEqual({
        verdict: "send",
        rule: "asked",
      });
    const soon = new Date(NIGHT + HOUR);
    await attention.notify({ user: OWNER, text: "Until midnight", type: "short", expiresAt: soon, id: "short" });
    expect((await attention.view()).held.map(({ until: time }) => time)).toEqual([MORNING, MORNING]);
    await t.clock.advance(MORNING.getTime() - NIGHT);
    await until(t.clock, async () => (await attention.view()).held.length === 0);
    expect((await attention.view()).decisions.find(({ id }) => id === "short")).toMatchObject({ rule: "expired" });
  });

  it("says what was held when its time comes, though limits would hold it on, once they are switched off", async () => {
    const t = await made({}, NIGHT);
    const { attention } = t.assistant;
    for (const id of ["a", "b"]) await attention.notify({ user: OWNER, text: id, type: id });
    await attention.notify({ user: OWNER, text: "c", type: "c", expiresAt: MORNING });
    await attention.mute({ until: new Date(MORNING.getTime() + HOUR) });
    attention.replace({ enabled: false, channels: { memory: { enabled: false } } });
    await t.clock.advance(9 * HOUR);
    await t.sent(1);
    expect(t.channel.textsTo("42")).toEqual(["2 things that could wait:\n\n1. a\n\n2. b"]);
    const { held, decisions } = await attention.view();
    expect(held).toEqual([]);
    expect(decisions.slice(0, 3).map(({ text, verdict }) => `${text} ${verdict}`)).toEqual([
      "c drop",
      "b send",
      "a send",
    ]);
  });

  it("mutes until a time and lets what was held go when the mute is taken back", async () => {
    const t = await made();
    const { attention } = t.assistant;
    const end = new Date(NOON + 3 * HOUR);
    await attention.mute({ until: end });
    expect((await attention.view()).mutedUntil).toEqual(end);
    expect((await attention.notify({ user: OWNER, text: "News" })).decision).toEqual({
      verdict: "hold",
      rule: "muted",
      until: end,
    });
    // Nobody else is.
    expect((await attention.notify({ user: "memory:9", text: "News" })).decision).toMatchObject({ verdict: "send" });
    await attention.mute({ user: OWNER, until: null });
    await t.sent(1);
    expect(await attention.view()).toMatchObject({ mutedUntil: null, held: [] });
    await attention.mute({ until: end });
    await t.clock.advance(3 * HOUR);
    expect((await attention.view()).mutedUntil).toBe(null);
  });

  it("lets a person have less of a type, and as much as before", async () => {
    const { assistant } = await made();
    const { attention } = assistant;
    const weather = { type: "weather", channel: "memory", priority: 0.7 };
    expect(await attention.less({ type: "weather" })).toBe(1);
    expect((await attention.view()).less).toEqual({ weather: 1 });
    expect(await attention.explain(weather)).toEqual({ verdict: "drop", rule: "threshold" });
    expect(await attention.explain({ ...weather, type: "news" })).toEqual({ verdict: "send", rule: "ok" });
    expect(await attention.explain(weather, { user: "memory:9" })).toEqual({ verdict: "send", rule: "ok" });
    expect(await attention.less({ type: "weather" })).toBe(2);
    expect(await attention.less({ user: OWNER, type: "weather", times: 0 })).toBe(0);
    expect((await attention.view()).less).toEqual({});
    expect(await attention.explain(weather)).toEqual({ verdict: "send", rule: "ok" });
  });

  it("explains by what was said and by the person's zone, and writes nothing", async () => {
    const t = await made({ users: { [OWNER]: { name: "Ada", timezone: "Asia/Shanghai" } } }, Date.UTC(2026, 0, 5, 10));
    const { attention } = t.assistant;
    await attention.notify({ user: OWNER, text: "News" });
    const kept = async () => (await t.store.get(storeKey("attention", "@owner")))?.version;
    const before = await kept();
    expect(before).toBeDefined();
    const note = { type: "note", channel: "memory" };
    expect(await attention.explain(note)).toMatchObject({ rule: "min_interval" });
    await t.clock.advance(5 * HOUR);
    // 23:00 there.
    const decision = await attention.explain(note);
    expect(decision).toEqual({ verdict: "hold", rule: "quiet_hours", until: new Date(Date.UTC(2026, 0, 6, 0)) });
    expect(await kept()).toEqual(before);
  });

  it("says everything at once where limits are off", async () => {
    const t = await made({ attention: { enabled: false } }, NIGHT);
    const { attention } = t.assistant;
    expect(await attention.notify({ user: OWNER, text: "News", id: "a" })).toEqual({
      id: "a",
      decision: { verdict: "send", rule: "ok" },
    });
    await t.sent(1);
    expect(await attention.explain({ type: "note", channel: "memory" })).toEqual({ verdict: "send", rule: "ok" });
  });

  it.each([
    { given: { user: "", text: "x" }, message: "user: Expected who it is for" },
    { given: { user: "@ada", text: "x" }, message: "user: Expected who it is for" },
    { given: { user: "group:memory:-1", text: "x" }, message: "user: Expected who it is for" },
    { given: { user: "memory:", text: "x" }, message: "user: Expected who it is for" },
    { given: { user: "runtime:x", text: "x" }, message: "runtime is reserved for the runtime" },
    { given: { user: OWNER, text: "  " }, message: "text: Expected the text of the notice" },
    { given: { user: OWNER, text: "x".repeat(20_001) }, message: "text: Expected at most 20000 characters" },
    { given: { user: OWNER, text: "x", priority: 1.1 }, message: "priority: Expected a number from 0 to 1" },
    { given: { user: OWNER, text: "x", priority: Number.NaN }, message: "priority: Expected a number from 0 to 1" },
    { given: { user: OWNER, text: "x", type: "approval" }, message: "type: Expected another one" },
    { given: { user: OWNER, text: "x", type: "Two words" }, message: "type: Expected a word of small letters" },
    { given: { user: OWNER, text: "x", id: "" }, message: "id: Expected a text" },
    { given: { user: OWNER, text: "x", expiresAt: new Date(Number.NaN) }, message: "expiresAt: Expected a date" },
    { given: { text: "", user: 7 as never }, message: /user: .*; text: / },
  ])("refuses $given.user and says what was expected: $message", async ({ given, message }) => {
    const t = await made();
    const refused = t.assistant.attention.notify(given);
    await expect(refused).rejects.toMatchObject({ name: "AssistantError", code: "OPTION_INVALID" });
    await expect(refused).rejects.toThrow(message);
    expect(await t.assistant.attention.people()).toEqual([]);
  });

  it("refuses a mute that is over and counts that are none", async () => {
    const { attention } = (await made()).assistant;
    const invalid = (message: string) => ({
      code: "OPTION_INVALID",
      message: expect.stringContaining(message) as string,
    });
    await expect(attention.mute({ until: new Date(NOON) })).rejects.toMatchObject(invalid("until: Expected a time"));
    await expect(attention.mute({ until: "soon" as never })).rejects.toMatchObject(invalid("until: Expected a date"));
    for (const times of [-1, 1.5, 11])
      await expect(attention.less({ type: "news", times })).rejects.toMatchObject(invalid("times: Expected"));
    await expect(attention.less({ type: "" })).rejects.toMatchObject(invalid("type: Expected"));
  });
});

describe("decideAttention", () => {
  it("is exported for hosts", () => {
    expect(decideAttention({ type: "note", channel: "x" }, { sent: [] }, {}, NOON)).toEqual({
      verdict: "send",
      rule: "ok",
    });
  });
});
