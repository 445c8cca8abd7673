import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { isBrowserMissing, lowContrast, pagesInBrowser } from "./browser-pages.ts";
import { fails, says } from "../../src/testing/scripted-model.ts";
import { type TestAssistantOptions, testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { ADA, OWNER } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];
const MINUTE = 60_000;

describe.skipIf(isBrowserMissing)("jobs on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openAssistant(
    opening: { token?: string; language?: string } = {},
    options: TestAssistantOptions = {},
  ) {
    const t = await testAssistant({
      script: () => says("Drink a glass of water"),
      channels: [],
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
      ...options,
    });
    const opened = await open((request) => t.assistant.fetch(request), opening);
    const { page } = opened;
    // The browser has the server's time, and it stands still. Until it does it goes on, and is never set back: so it begins a minute early.
    await page.clock.install({ time: t.clock.now() - MINUTE });
    await page.clock.pauseAt(t.clock.now());
    const rows = page.locator("#jobs-list details");
    return {
      ...opened,
      t,
      rows,
      row: (name: string) => rows.filter({ has: page.locator("strong", { hasText: name }) }),
      async look() {
        await page.getByRole("button", { name: "Jobs" }).press("Enter");
        await polled(() => rows.count()).toBeGreaterThan(0);
      },
      /** Both clocks. */
      async pass(ms: number) {
        await t.clock.advance(ms);
        await page.clock.runFor(ms);
      },
    };
  }

  const summaryOf = (row: ReturnType<Page["locator"]>) => polled(() => row.locator("summary").innerText());
  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };

  it("counts down to each, the next first, and shows how a run ended when it has, without a reload", async () => {
    const { page, t, rows, row, look, pass, complaints } = await openAssistant();
    await t.assistant.jobs.create({ schedule: "every 2 hours", task: "Look at the news", name: "News", user: "web" });
    await t.assistant.jobs.create({ schedule: "in 2 minutes", task: "Drink water", name: "Water", user: "web" });
    await look();
    expect(await rows.locator("strong").allTextContents()).toEqual(["Water", "News"]);
    await summaryOf(row("Water")).toBe("Water active in 2 min");
    await summaryOf(row("News")).toBe("News active in 2 hr");
    await pass(5000);
    await summaryOf(row("Water")).toBe("Water active in 1 min 55 sec");
    await row("Water").locator("summary").press("Enter");
    await row("Water").getByText("There are no runs yet.").waitFor();
    await shoot(page, "jobs");
    await pass(2 * MINUTE);
    await until(t.clock, async () => (await t.assistant.jobs.list()).some(({ job }) => job.status === "done"));
    await summaryOf(row("Water")).toBe("Water done");
    await polled(() => row("Water").locator(".runs").innerText()).toContain("Drink a glass of water");
    await polled(() => page.locator("#jobs-status").textContent()).toBe("Water: done");
    // Still open, and now the last.
    expect(await row("Water").getAttribute("open")).toBe("");
    expect(await rows.locator("strong").allTextContents()).toEqual(["News", "Water"]);
    await shoot(page, "jobs-ended");
    expect(complaints).toEqual([]);
  });

  it("pauses, resumes, runs and removes, by keyboard alone", async () => {
    const { page, t, rows, row, look, complaints } = await openAssistant();
    const made = { schedule: "every 2 hours", user: "web" };
    const { job } = await t.assistant.jobs.create({ ...made, task: "Look at the news", name: "News" });
    await t.assistant.jobs.create({ ...made, task: "Look at the weather", name: "Weather" });
    await look();
    const status = page.locator("#jobs-status");
    const stateOf = async () => (await t.assistant.jobs.get(job.id)).job.status;
    const button = (name: string) => row("News").getByRole("button", { name });
    await row("News").locator("summary").press("Enter");
    await button("Pause").press("Enter");
    await polled(() => status.textContent()).toBe("The job is paused.");
    await summaryOf(row("News")).toBe("News paused");
    expect(await stateOf()).toBe("paused");
    // The list has another order now; the focus is where it was.
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Resume");
    await button("Resume").press("Enter");
    await polled(stateOf).toBe("active");
    await summaryOf(row("News")).toBe("News active in 2 hr");
    await button("Run now").press("Enter");
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id))[0]?.status === "success");
    await polled(() => row("News").locator(".runs li").count()).toBe(1);
    await polled(() => row("News").locator(".runs").innerText()).toMatch(/done\s+Drink a glass of water/);

    await button("Delete").press("Enter");
    expect(await rows.count()).toBe(2);
    await button("Delete permanently?").press("Enter");
    await polled(() => rows.count()).toBe(1);
    expect(await status.textContent()).toBe("The job is deleted.");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Weather");
    expect((await t.assistant.jobs.list()).map((one) => one.job.name)).toEqual(["Weather"]);
    await page.keyboard.press("Escape");
    await polled(() => page.locator("#jobs-view").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("jobs");
    expect(complaints).toEqual([]);
  });

  it("keeps a question that a button asks when the order changes under it", async () => {
    const { page, t, rows, row, look, pass } = await openAssistant();
    const user = "web";
    await t.assistant.jobs.create({ schedule: "every 2 hours", task: "Look at the news", name: "News", user });
    await t.assistant.jobs.create({ schedule: "in 2 minutes", task: "Drink water", name: "Water", user });
    await t.assistant.jobs.create({ schedule: "every 3 hours", task: "Look at the mail", name: "Mail", user });
    await look();
    await row("News").locator("summary").press("Enter");
    await row("News").getByRole("button", { name: "Delete" }).press("Enter");
    await pass(2 * MINUTE);
    await polled(() => rows.locator("strong").allTextContents()).toEqual(["News", "Mail", "Water"]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Delete permanently?");
    await page.keyboard.press("Enter");
    await polled(() => rows.locator("strong").allTextContents()).toEqual(["Mail", "Water"]);
  });

  it("says why a run failed, and leaves jobs of the configuration as they are", async () => {
    const { page, t, row, look } = await openAssistant(
      {},
      {
        script: () => fails(400),
        scheduler: { triggers: [{ name: "digest", schedule: "0 9 * * *", task: "Say what is new", user: "http:ada" }] },
      },
    );
    const { job } = await t.assistant.jobs.create({
      schedule: "every 2 hours",
      task: "Look",
      name: "News",
      user: "web",
    });
    await look();
    await row("News").locator("summary").click();
    await row("News").getByRole("button", { name: "Run now" }).click();
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id))[0]?.status === "failed");
    await summaryOf(row("News")).toContain("active · last run failed");
    const [run] = await t.assistant.jobs.runs(job.id);
    expect(run?.error).toBeTruthy();
    await polled(() => row("News").locator(".runs").innerText()).toContain(run?.error);
    await row("digest").locator("summary").click();
    await row("digest").getByText("the configuration; change it there").waitFor();
    expect(await row("digest").getByRole("button").allTextContents()).toEqual(["Run now"]);
    await shoot(page, "jobs-failed");
  });

  it.each([
    { title: "a user their own", token: ADA, shown: ["http:ada"], terms: ["When", "Next"] },
    {
      title: "the owner all, and whose each is",
      token: OWNER,
      shown: ["http:ada", "http:bob"],
      terms: ["When", "Next", "User"],
    },
  ])("shows $title", async ({ token, shown, terms }) => {
    const { t, rows, look } = await openAssistant({ token });
    for (const user of ["http:ada", "http:bob"]) {
      await t.assistant.jobs.create({ schedule: "in 2 hours", task: "Look", name: user, user });
      await t.clock.advance(1000);
    }
    await look();
    expect(await rows.locator("strong").allTextContents()).toEqual(shown);
    await rows.first().locator("summary").click();
    expect(await rows.first().locator("dt").allTextContents()).toEqual(terms);
  });

  it("has no button where no jobs are kept", async () => {
    const { page } = await openAssistant({}, { scheduler: { enabled: false } });
    await page.locator("#memory").waitFor();
    expect(await page.locator("#jobs").isVisible()).toBe(false);
  });

  it.each(["light", "dark"] as const)(
    "fits a phone and can be read in %s mode, in Chinese too",
    async (colorScheme) => {
      const { page, t, rows, complaints } = await openAssistant({ language: "zh-CN" });
      const task = `${"long".repeat(40)} <img src=x onerror=alert(1)>`;
      await t.assistant.jobs.create({ schedule: "0 9 * * 1-5", task, name: task.slice(0, 60), user: "web" });
      await t.assistant.jobs.create({ schedule: "in 2 minutes", task: "喝水", name: "喝水", user: "web" });
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      await shoot(page, `jobs-phone-header-${colorScheme}`);
      await page.getByRole("button", { name: "任务" }).click();
      await polled(() => rows.count()).toBe(2);
      await summaryOf(rows.first()).toBe("喝水 启用 2分钟后");
      for (const summary of await rows.locator("summary").all()) await summary.click();
      await polled(() => rows.locator(".runs li").count()).toBe(2);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      const box = await page.locator("#jobs-view").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(box[0]).toBeLessThanOrEqual(box[1] ?? 0);
      expect(await lowContrast(page)).toEqual([]);
      await shoot(page, `jobs-phone-${colorScheme}`);
      expect(complaints).toEqual([]);
    },
  );
});
