import { describe, expect, it } from "vitest";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { testAssistant } from "../support/assistant.ts";

const NIGHT = Date.parse("2026-11-25T15:00:00Z");

describe("/held", () => {
  it("lists what waits for the one who asks, until when and why, and what was dropped", async () => {
    const t = await testAssistant({ clock: fakeClock(NIGHT), users: { "memory:42": { timezone: "Asia/Shanghai" } } });
    const { notify } = t.assistant.attention;
    expect(await t.say("/held")).toBe("I am not holding anything back.");
    await notify({ user: "memory:42", text: "The parcel\n\nis there", type: "parcel" });
    await t.assistant.attention.mute({ user: "memory:42", until: new Date(NIGHT + 3_600_000) });
    await notify({ user: "memory:42", text: "long ".repeat(100), type: "news" });
    await notify({ user: "memory:42", text: "A secret", expiresAt: new Date(NIGHT - 1) });
    await notify({ user: "memory:7", text: "For another one" });
    expect(await t.say("/held")).toBe(
      [
        "Held for later (Asia/Shanghai):",
        `2026-11-26 00:00  ${"long ".repeat(24)}… (muted)`,
        "2026-11-26 08:00  The parcel is there (quiet hours)",
        "Not said:",
        "2026-11-25 23:00  A secret (expired)",
      ].join("\n"),
    );
    expect(t.model.callCount).toBe(0);
  });

  it("speaks Chinese, and says how many more there are", async () => {
    const t = await testAssistant({ clock: fakeClock(NIGHT), timezone: "Asia/Shanghai" });
    await t.say("你好");
    for (let count = 1; count <= 12; count += 1)
      await t.assistant.attention.notify({ user: "memory:42", text: `第${count}件事` });
    const said = (await t.say("/held")).split("\n");
    expect(said.slice(0, 2)).toEqual(["留到以后再说（Asia/Shanghai）：", "2026-11-26 08:00  第1件事 (安静时段)"]);
    expect(said.slice(-2)).toEqual(["2026-11-26 08:00  第10件事 (安静时段)", "还有 2 条"]);
  });

  it("leaves out what was said another time, and names what has no text of the person's own", async () => {
    const t = await testAssistant({ clock: fakeClock(NIGHT), timezone: "Asia/Shanghai" });
    for (const text of ["Rain is near", "Rain is here"])
      await t.assistant.attention.notify({ user: "memory:42", text, dedupeKey: "rain" });
    expect(await t.say("/held")).toBe("Held for later (Asia/Shanghai):\n2026-11-26 08:00  Rain is here (quiet hours)");
    const unread = {
      id: "n",
      type: "approval",
      channel: "memory",
      sessionKey: "s",
      text: "",
      priority: 0.7,
      at: NIGHT,
    };
    const decisions = [{ ...unread, verdict: "drop", rule: "channel_disabled" }];
    await t.store.put("attention/memory:42", { v: 1, sent: [], held: [], leaving: [], decisions, less: {} });
    expect(await t.say("/held")).toBe("Not said:\n2026-11-25 23:00  approval (channel disabled)");
  });

  it("tells nothing of it in a group", async () => {
    const t = await testAssistant({
      clock: fakeClock(NIGHT),
      owner: { ids: ["memory:42"] },
      timezone: "Asia/Shanghai",
    });
    await t.assistant.attention.notify({ user: "memory:42", text: "The parcel is there" });
    expect(await t.say("/held", { group: "g" })).toBe("Ask me that in our direct chat.");
  });
});
