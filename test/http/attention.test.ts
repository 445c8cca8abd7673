import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { testAssistant } from "../support/assistant.ts";
import { ADA, HOOKS, METRICS, OWNER, bodyOf } from "./support.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const HOUR = 60 * 60_000;
const LATER = "2026-01-05T15:00:00.000Z";
type Person = Record<string, unknown> & { readonly user: string };

async function made() {
  const t = await testAssistant({
    clock: fakeClock(NOON),
    timezone: "UTC",
    owner: { ids: ["memory:42"] },
    session: { identityLinks: { ada: ["http:ada", "memory:7"] } },
    server: {
      token: OWNER,
      tokens: [
        { token: ADA, role: "user", user: "http:ada" },
        { token: METRICS, role: "metrics" },
      ],
      hooks: { token: HOOKS },
    },
  });
  const ask = (path: string, { token = OWNER, body }: { token?: string; body?: unknown } = {}) =>
    t.call(`/attention${path}`, { token, ...(body !== undefined && { body }) });
  const people = async (path: string, token = OWNER) =>
    (await bodyOf(await ask(path, { token })))["people"] as readonly Person[];
  return { t, ask, people };
}

describe("/api/v1/attention", () => {
  it("shows an owner everybody, the owner first, in snake_case", async () => {
    const { t, ask, people } = await made();
    expect(await people("")).toEqual([
      { user: "@owner", muted_until: null, less: {}, held: [], decisions: [], sent: [] },
    ]);
    const { attention } = t.assistant;
    await attention.notify({ user: "memory:7", text: "For Ada", id: "a" });
    await attention.notify({ user: "memory:42", text: "One", id: "one" });
    await attention.notify({ user: "memory:42", text: "Two", id: "two" });
    await attention.less({ type: "weather", times: 2 });
    const [owner, ada, ...more] = await people("");
    expect(more).toEqual([]);
    expect(ada).toMatchObject({ user: "@ada", decisions: [{ text: "For Ada" }] });
    const at = new Date(NOON).toISOString();
    const until = new Date(NOON + HOUR / 2).toISOString();
    const notice = { type: "note", channel: "memory", session_key: "agent:main:main", priority: 0.7, at };
    expect(owner).toEqual({
      user: "@owner",
      muted_until: null,
      less: { weather: 2 },
      held: [{ ...notice, id: "two", text: "Two", verdict: "hold", rule: "min_interval", until }],
      decisions: [
        { ...notice, id: "two", text: "Two", verdict: "hold", rule: "min_interval", until },
        { ...notice, id: "one", text: "One", verdict: "send", rule: "ok" },
      ],
      sent: [{ id: "one", type: "note", at }],
    });
    for (const user of ["http:ada", "@ada", "memory%3A7"])
      expect(await people(`?user=${user}`)).toMatchObject([{ user: "@ada", decisions: [{ id: "a" }] }]);
    for (const user of ["", ":", "a:", ":b"]) {
      expect((await ask(`?user=${user}`)).status, user).toBe(400);
      expect((await ask("/less", { body: { user, type: "weather" } })).status, user).toBe(400);
    }
  });

  it("shows a user their own, and nobody else's", async () => {
    const { t, ask, people } = await made();
    await t.assistant.attention.notify({ user: "memory:42", text: "Secret of the owner" });
    await t.assistant.attention.notify({ user: "memory:7", text: "For Ada" });
    for (const path of ["", "?user=http:ada"])
      expect(await people(path, ADA)).toMatchObject([{ user: "@ada", decisions: [{ text: "For Ada" }] }]);
    for (const user of ["memory:42", "@owner", "http:bob"]) {
      const refused = await ask(`?user=${user}`, { token: ADA });
      expect(refused.status).toBe(403);
      expect(await refused.text()).not.toContain("Secret");
    }
  });

  it("mutes and lets have less: an owner anybody, a user themselves", async () => {
    const { t, ask } = await made();
    const { attention } = t.assistant;
    const own = await ask("/mute", { token: ADA, body: { until: LATER } });
    expect([own.status, await bodyOf(own)]).toEqual([200, { user: "@ada", muted_until: LATER }]);
    expect((await attention.view({ user: "@ada" })).mutedUntil).toEqual(new Date(LATER));
    expect((await attention.view()).mutedUntil).toBe(null);
    expect(await bodyOf(await ask("/mute", { body: { user: "http:ada", until: null } }))).toEqual({
      user: "@ada",
      muted_until: null,
    });
    expect((await attention.view({ user: "@ada" })).mutedUntil).toBe(null);
    expect(await bodyOf(await ask("/mute", { body: { until: LATER } }))).toMatchObject({ user: "@owner" });
    const less = { type: "weather" };
    expect(await bodyOf(await ask("/less", { token: ADA, body: less }))).toEqual({ user: "@ada", ...less, times: 1 });
    expect(await bodyOf(await ask("/less", { body: { ...less, times: 4 } }))).toMatchObject({
      user: "@owner",
      times: 4,
    });

    for (const user of ["memory:42", "@owner", "http:bob"]) {
      expect((await ask("/mute", { token: ADA, body: { user, until: null } })).status).toBe(403);
      expect((await ask("/less", { token: ADA, body: { user, ...less, times: 0 } })).status).toBe(403);
    }
    expect(await attention.view()).toMatchObject({ mutedUntil: new Date(LATER), less: { weather: 4 } });
    const lines = (await bodyOf(await t.call("/audit?what=attention&day=2026-01-05")))["lines"];
    expect(lines).toMatchObject([
      { who: "http:ada", what: "attention.mute", target: "@ada", verdict: "ok" },
      { who: "owner", what: "attention.unmute", target: "@ada" },
      { what: "attention.mute", target: "@owner" },
      { who: "http:ada", what: "attention.less" },
      { what: "attention.less" },
    ]);
  });

  it("says something for an owner's token alone", async () => {
    const { t, ask } = await made();
    const body = { user: "memory:7", text: "The parcel is there", type: "parcel", dedupe_key: "p7", id: "p" };
    expect(await bodyOf(await ask("/notify", { body }))).toEqual({ id: "p", verdict: "send", rule: "ok" });
    await t.sent(1, "7");
    expect(t.channel.textsTo("7")).toEqual(["The parcel is there"]);
    const again = { ...body, id: "again", type: "other", expires_at: LATER, priority: 0.9 };
    expect(await bodyOf(await ask("/notify", { body: again }))).toEqual({
      id: "again",
      verdict: "drop",
      rule: "duplicate",
    });
    const refused = await ask("/notify", { token: ADA, body: { ...body, user: "http:ada", id: "own" } });
    expect(refused.status).toBe(403);
    expect((await t.assistant.attention.view({ user: "@ada" })).decisions.map(({ id }) => id)).toEqual(["again", "p"]);
  });

  it.each([METRICS, HOOKS])("is closed to other tokens: %s", async (token) => {
    const { ask } = await made();
    expect((await ask("", { token })).status).toBe(403);
    expect((await ask("/mute", { token, body: { until: null } })).status).toBe(403);
    expect((await ask("/less", { token, body: { type: "note" } })).status).toBe(403);
    expect((await ask("/notify", { token, body: { user: "memory:42", text: "x" } })).status).toBe(403);
  });

  it.each([
    { path: "/mute", body: {}, detail: "until: Expected this field" },
    { path: "/mute", body: { until: "tomorrow" }, detail: "until: Expected a time such as 2026-01-31T12:00:00Z" },
    {
      path: "/mute",
      body: { until: "2030-02-30T00:00:00Z" },
      detail: "until: Expected a time such as 2026-01-31T12:00:00Z",
    },
    { path: "/mute", body: { until: "2025-01-01T00:00:00Z" }, detail: "until: Expected a time to come, or null" },
    { path: "/mute", body: { until: null, User: "x" }, detail: "User: Expected no field" },
    { path: "/less", body: { type: "" }, detail: "type: Expected" },
    { path: "/less", body: { type: "Two words" }, detail: "type: Expected a word of small letters" },
    { path: "/less", body: { type: "note", times: 1.5 }, detail: "times: Expected a whole number" },
    { path: "/notify", body: { user: "memory:42" }, detail: "text: Expected this field" },
    { path: "/notify", body: { user: "@nobody", text: "x" }, detail: "user: Expected who it is for" },
    { path: "/notify", body: { user: "memory:42", text: " " }, detail: "text: Expected the text of the notice" },
    { path: "/notify", body: { user: "memory:42", text: "x", priority: 2 }, detail: "priority: Expected a number" },
    {
      path: "/notify",
      body: { user: "memory:42", text: "x", expiresAt: LATER },
      detail: "expiresAt: Expected no field",
    },
  ])("says what is wrong with $body", async ({ path, body, detail }) => {
    const { t, ask } = await made();
    const refused = await ask(path, { body });
    expect(refused.status).toBe(400);
    expect(await bodyOf(refused)).toMatchObject({
      code: "OPTION_INVALID",
      detail: expect.stringContaining(detail) as string,
    });
    expect(await t.assistant.attention.people()).toEqual([]);
  });
});
