import { describe, expect, it } from "vitest";
import { readMute } from "../../src/inbox/commands-attention.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { OWNER_TOKEN, testAssistant } from "../support/assistant.ts";

const NOON = Date.parse("2026-11-25T12:00:00Z");
const HOUR_MS = 3_600_000;

describe("readMute()", () => {
  it.each([
    ["3h", NOON + 3 * HOUR_MS],
    ["3 hours", NOON + 3 * HOUR_MS],
    ["3小时", NOON + 3 * HOUR_MS],
    ["45m", NOON + 0.75 * HOUR_MS],
    ["30 分钟", NOON + 0.5 * HOUR_MS],
    ["2d", NOON + 48 * HOUR_MS],
    ["30天", NOON + 30 * 24 * HOUR_MS],
    ["", Date.parse("2026-11-26T00:00:00Z")],
    ["tomorrow", Date.parse("2026-11-26T00:00:00Z")],
    ["OFF", null],
    ["取消", null],
    ["0h", undefined],
    ["31d", undefined],
    ["for a while", undefined],
    ["3h and a half", undefined],
    ["-3h", undefined],
  ])("reads %j", (text, expected) => expect(readMute(text, NOON, "UTC")).toBe(expected));

  it("ends a day by the person's own zone", () => {
    expect(readMute("tomorrow", NOON, "Asia/Shanghai")).toBe(Date.parse("2026-11-25T16:00:00Z"));
  });
});

describe("/mute", () => {
  it("is for the person who gives it, and ends when they say so", async () => {
    const t = await testAssistant({ users: { "memory:42": { timezone: "Asia/Shanghai" } } });
    expect(await t.say("/mute 3h")).toBe(
      "Muted: I send nothing unasked until 2026-01-05 19:00 (Asia/Shanghai). What you asked for still comes. /mute off ends it.",
    );
    expect((await t.store.get("attention/memory:42"))?.value).toMatchObject({ mutedUntil: Date.UTC(2026, 0, 5, 11) });
    expect(await t.say("/mute 取消")).toBe("我又可以主动告诉你事情了。");
    expect((await t.store.get("attention/memory:42"))?.value).not.toHaveProperty("mutedUntil");
    expect(await t.say("/mute for ever")).toContain("for ever is not a time");
    expect(t.model.callCount).toBe(0);
  });

  it("ends with the day of the person, from whichever of their accounts they write", async () => {
    const t = await testAssistant({
      owner: { ids: ["memory:42"] },
      users: { "memory:42": { timezone: "Asia/Shanghai" }, "app:ada": { timezone: "America/New_York" } },
      session: { identityLinks: { ada: ["memory:7", "app:ada"] } },
    });
    const { text } = await t.assistant.send({ text: "/mute", user: "cli", channel: "cli" });
    expect(text).toContain("until 2026-01-06 00:00 (Asia/Shanghai)");
    expect(await t.say("/mute", { from: "7" })).toContain("until 2026-01-06 00:00 (America/New_York)");
  });

  it("of the owner holds on the page and at the terminal what it holds in their chats", async () => {
    const t = await testAssistant({ owner: { ids: ["memory:42"] }, server: { token: OWNER_TOKEN } });
    await t.call("/messages", { body: { text: "/mute 3h" } });
    expect((await t.store.get("attention/@owner"))?.value).toMatchObject({ mutedUntil: Date.UTC(2026, 0, 5, 11) });
    for (const user of ["memory:42", "cli", "web"])
      expect(await t.assistant.attention.notify({ user, text: "Milk is cheap", id: user })).toMatchObject({
        decision: { verdict: "hold", rule: "muted" },
      });
    expect(await t.assistant.attention.people()).toEqual(["@owner"]);
  });

  it("and /held are about what is said to them, where accounts keep conversations apart", async () => {
    const channel = inMemoryChannel({ access: { dm: "open", account: "work" } });
    const t = await testAssistant({
      channel,
      channels: [inMemoryChannel(), channel],
      session: { dmScope: "per-account-channel-peer" },
    });
    const fromWork = { account: "work" };
    expect(await t.say("/mute 3h", fromWork)).toContain("Muted: I send nothing unasked until");
    expect(await t.assistant.attention.notify({ user: "memory:42", text: "Milk is cheap" })).toMatchObject({
      decision: { verdict: "hold", rule: "muted" },
    });
    expect(await t.say("/held", fromWork)).toContain("Milk is cheap (muted)");
  });
});
