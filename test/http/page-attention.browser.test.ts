import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { isBrowserMissing, lowContrast, pagesInBrowser } from "./browser-pages.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { askUnasked } from "../support/asked.ts";
import { ADA, OWNER } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];
const NOON = Date.UTC(2026, 0, 5, 12);
const NIGHT = Date.UTC(2026, 0, 5, 23);
const HOUR = 60 * 60_000;

describe.skipIf(isBrowserMissing)("attention on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openAssistant(
    { now = NOON, ...opening }: { token?: string; language?: string; now?: number } = {},
    options: TestAssistantOptions = {},
  ) {
    const t = await testAssistant({
      clock: fakeClock(now),
      channels: [],
      timezone: "UTC",
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
      ...options,
    });
    const opened = await open((request) => t.assistant.fetch(request), opening);
    const { page } = opened;
    // The browser has the server's time.
    await page.clock.setFixedTime(t.clock.now());
    const { attention } = t.assistant;
    return {
      ...opened,
      t,
      attention,
      held: page.locator("#attention-held li"),
      decided: page.locator("#attention-decided li"),
      types: page.locator("#attention-types li"),
      status: () => page.locator("#attention-status").textContent(),
      say: (text: string, type = "note", more: object = {}) =>
        attention.notify({ user: "cli", text, type, id: text, ...more }),
      async look(name = "Attention") {
        await page.getByRole("button", { name }).press("Enter");
        await polled(() => page.locator("#attention-decided li").count()).toBeGreaterThan(0);
      },
    };
  }

  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);

  it("shows what waits and until when, and what was said and dropped, each with its reason", async () => {
    const { page, say, look, held, decided, complaints } = await openAssistant({ now: NIGHT });
    await say("Fire <b>alarm</b>", "alarm", { urgent: true });
    await say("The parcel is there", "parcel");
    await say("Milk was cheap", "offer", { expiresAt: new Date(NIGHT) });
    await look();
    await expect
      .poll(() => held.allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /^parcel held until Jan \d, 2026, \d+:\d\d [AP]M \(in 9 hr\)\s+The parcel is there\s+It came during quiet hours\.$/,
        ),
      ]);
    expect(await decided.locator("strong").allTextContents()).toEqual(["offer", "parcel", "alarm"]);
    expect(await decided.locator(".state").allTextContents()).toEqual(["dropped", "held", "sent"]);
    expect(await decided.locator(".why").allTextContents()).toEqual([
      "It had expired.",
      "It came during quiet hours.",
      "It was asked for, or urgent.",
    ]);
    expect(await decided.last().locator("p").first().textContent()).toBe("Fire <b>alarm</b>");
    expect(await page.locator("#attention-muted").textContent()).toContain("Not muted");
    await shoot(page, "attention");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot(page, "attention-dark");
    expect(complaints).toEqual([]);
  });

  it("mutes and unmutes by keyboard, and says so", async () => {
    const { page, attention, say, look, held, status, complaints } = await openAssistant();
    await look();
    expect(await page.locator("#attention-decided").textContent()).toBe("No unsolicited messages yet.");
    const button = (name: string) => page.locator("#attention-view").getByRole("button", { name });
    expect(await button("Unmute").isVisible()).toBe(false);
    await button("Mute for 3 hours").press("Enter");
    await polled(status).toBe("Unsolicited messages are muted.");
    await polled(() => page.locator("#attention-muted").textContent()).toContain("Muted until Jan 5, 2026");
    expect((await attention.view()).mutedUntil).toEqual(new Date(NOON + 3 * HOUR));
    await say("News");
    await page.keyboard.press("Escape");
    await polled(() => page.evaluate(() => document.activeElement?.id)).toBe("attention");
    await look();
    await polled(() => held.locator(".why").allTextContents()).toEqual(["Unsolicited messages were muted."]);
    await button("Unmute").press("Enter");
    await polled(status).toBe("Unsolicited messages are no longer muted.");
    expect((await attention.view()).mutedUntil).toBe(null);
    // The button that had the focus is gone.
    await polled(() => focused(page)).toBe("Mute for 3 hours");
    await button("Mute until midnight").press("Enter");
    await polled(async () => (await attention.view()).mutedUntil?.getTime()).toBeGreaterThan(NOON);
    const midnight = await page.evaluate((now) => new Date(now).setHours(24, 0, 0, 0), NOON);
    expect((await attention.view()).mutedUntil?.getTime()).toBe(midnight);
    expect(complaints).toEqual([]);
  });

  it("lets have less of a type, and as much as before; of what was asked for there is no button", async () => {
    const { page, t, attention, say, look, types, status } = await openAssistant();
    await say("Rain", "weather");
    await say("Offer", "parcel");
    await say("Drink water", "reminder", { requested: true });
    await look();
    await polled(() => types.locator("strong").allTextContents()).toEqual(["parcel", "weather"]);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("Less of this: weather").press("Enter");
    await polled(status).toBe("You will get fewer messages of the type weather.");
    await polled(() => types.nth(1).locator(".state").textContent()).toBe("asked for less 1×");
    expect(await focused(page)).toBe("Less of this: weather");
    await page.keyboard.press("Enter");
    await polled(async () => (await attention.view()).less).toEqual({ weather: 2 });
    await button("As before: weather").press("Enter");
    await polled(status).toBe("You will get as many messages of the type weather as before.");
    await polled(async () => (await attention.view()).less).toEqual({});
    await polled(() => focused(page)).toBe("Less of this: weather");
    // What is said meanwhile is in the list without a reload.
    await t.clock.advance(HOUR);
    await say("More rain", "weather");
    await polled(() => page.locator("#attention-decided").innerText()).toContain("More rain");
  });

  it("shows a user their own and lets an owner choose whose", async () => {
    const { attention, page, say, look, decided } = await openAssistant();
    await attention.notify({ user: "http:ada", text: "For Ada", id: "ada" });
    await say("For the owner");
    await look();
    await polled(() => decided.locator("p").first().textContent()).toBe("For the owner");
    const whose = page.locator("#attention-user");
    expect(await whose.locator("option").allTextContents()).toEqual(["@owner (mine)", "http:ada"]);
    await whose.selectOption("http:ada");
    await polled(() => decided.locator("p").first().textContent()).toBe("For Ada");
    await page.getByRole("button", { name: "Mute for 3 hours" }).click();
    await polled(async () => (await attention.view({ user: "http:ada" })).mutedUntil).not.toBe(null);
    expect((await attention.view()).mutedUntil).toBe(null);
    // It stays with whom was chosen.
    await polled(() => page.locator("#attention-muted").textContent()).toContain("Muted until");
    expect(await whose.inputValue()).toBe("http:ada");
  });

  it("shows a user's token nothing of others", async () => {
    const { attention, page, say, look, decided } = await openAssistant({ token: ADA });
    await say("For the owner");
    await attention.notify({ user: "http:ada", text: "For Ada", id: "ada" });
    await look();
    await polled(() => decided.locator("p:not(.why)").allTextContents()).toEqual(["For Ada"]);
    expect(await page.locator("#attention-whose").isVisible()).toBe(false);
    await page.getByRole("button", { name: "Mute for 3 hours" }).click();
    await polled(async () => (await attention.view({ user: "http:ada" })).mutedUntil).not.toBe(null);
  });

  it("leaves the keyboard where it goes on when notices are put away, which other tabs hear of", async () => {
    const { page, say, origin } = await openAssistant();
    const other = await page.context().newPage();
    await other.goto(origin);
    await other.locator("#text").waitFor();
    for (const text of ["One", "Two", "Three"]) await say(text, text.toLowerCase());
    for (const one of [page, other]) await polled(() => one.title()).toBe("(3) Wakeful");
    await page.getByRole("button", { name: "Notices: 3" }).press("Enter");
    await page.locator("#told-list > li > button").first().press("Enter");
    for (const left of [2, 1]) {
      await polled(() => page.title()).toBe(`(${left}) Wakeful`);
      expect(await focused(page)).toBe("Dismiss");
      await page.keyboard.press("Enter");
    }
    await polled(() => page.title()).toBe("Wakeful");
    await polled(() => page.evaluate(() => document.activeElement?.id)).toBe("text");
    await other.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await polled(() => other.title()).toBe("Wakeful");
  });

  it("tells by the browser what comes while nobody looks at the page, if it may", async () => {
    const { page, say } = await openAssistant();
    const told = await page.evaluateHandle(() => {
      const shown: string[] = [];
      class Told extends EventTarget {
        static permission = "denied";
        constructor(_title: string, { body = "" }: NotificationOptions = {}) {
          super();
          shown.push(body);
        }
      }
      Object.assign(window, { Notification: Told });
      return { shown, Told };
    });
    const look = (permission: string, isHidden: boolean) =>
      told.evaluate(
        ({ Told }, given) => {
          Told.permission = given.permission;
          Object.defineProperty(document, "hidden", { configurable: true, value: given.isHidden });
        },
        { permission, isHidden },
      );
    for (const [index, [text, permission, isHidden]] of (
      [
        ["Forbidden", "denied", true],
        ["Looked at", "granted", false],
        ["**Tea**", "granted", true],
      ] as const
    ).entries()) {
      await look(permission, isHidden);
      await say(text, ["one", "two", "three"][index]);
      await polled(() => page.title()).toBe(`(${index + 1}) Wakeful`);
    }
    expect(await told.evaluate(({ shown }) => shown)).toEqual(["Tea"]);
  });

  it("says a notice in plain words where its marks would be read out, and only its beginning", async () => {
    const { page, say } = await openAssistant();
    await say("Good morning", "greeting");
    await polled(() => page.title()).toBe("(1) Wakeful");
    await say(`# Weather\n\n**Rain** in \`Oslo\`, ${"and rain ".repeat(30)}`, "weather", { id: "weather" });
    const said = page.locator("#status").getByText("Weather");
    await said.waitFor();
    const text = (await said.textContent()) ?? "";
    expect(text).toContain("Weather Rain in Oslo, and rain and rain");
    expect(text).toMatch(/^[^#*`]{200,250}…$/);
  });

  it("answers what is asked under a notice with its buttons, by keyboard", async () => {
    const { page, t, attention, complaints } = await openAssistant();
    await askUnasked(t, { user: "web" });
    await page.getByRole("button", { name: "Notices: 1" }).press("Enter");
    const item = page.locator("#told-list li");
    const buttons = item.locator(".answers").getByRole("button");
    await polled(() => buttons.allTextContents()).toEqual(["Yes", "Not now", "Less of this"]);
    await shoot(page, "attention-asked");
    expect(await lowContrast(page)).toEqual([]);
    await item.getByRole("button", { name: "Less of this" }).press("Enter");
    await item.locator(".outcome").waitFor();
    expect(await item.locator(".outcome").textContent()).not.toBe("");
    expect((await attention.view({ user: "web" })).less).toEqual({ pattern: 1 });
    expect(await buttons.count()).toBe(0);
    await polled(() => focused(page)).toBe("Dismiss");
    await page.keyboard.press("Enter");
    await polled(() => item.count()).toBe(0);
    expect(complaints.filter((one) => !one.includes("404"))).toEqual([]);

    // Too late, it says so and stays.
    await askUnasked(t, { user: "web", id: "late", text: "Shall I?" });
    await page.getByRole("button", { name: "Notices: 1" }).waitFor();
    await t.clock.advance(8 * 24 * HOUR);
    await page.getByRole("button", { name: "Notices: 1" }).press("Enter");
    await item.getByRole("button", { name: "Less of this" }).press("Enter");
    await item.locator(".outcome").waitFor();
    expect((await attention.view({ user: "web" })).less).toEqual({ pattern: 1 });
  });

  it.each(["light", "dark"] as const)(
    "fits a phone and can be read in %s mode, in Chinese too",
    async (colorScheme) => {
      const { page, attention, say, look, held, complaints } = await openAssistant({ language: "zh-CN", now: NIGHT });
      await say(`${"long".repeat(40)} <img src=x onerror=alert(1)>`, "parcel");
      await say("着火了", "alarm", { urgent: true });
      await say("牛奶便宜", "offer", { expiresAt: new Date(NIGHT) });
      await attention.less({ type: "a_type_of_thirty_two_characters_" });
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await look("打扰");
      await polled(() => held.locator(".why").allTextContents()).toEqual(["当时是安静时段。"]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      const box = await page.locator("#attention-view").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(box[0]).toBeLessThanOrEqual(box[1] ?? 0);
      expect(await lowContrast(page)).toEqual([]);
      await shoot(page, `attention-phone-${colorScheme}`);
      await page.setViewportSize({ width: 900, height: 800 });
      await shoot(page, `attention-chinese-${colorScheme}`);
      expect(complaints).toEqual([]);
    },
  );
});
