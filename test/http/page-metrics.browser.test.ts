import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { isBrowserMissing, lowContrast, pagesInBrowser } from "./browser-pages.ts";
import { silentLogger } from "../../src/telemetry/index.ts";
import { calls, fails, says } from "../../src/testing/scripted-model.ts";
import { testAssistant } from "../support/assistant.ts";
import { until } from "../support/until.ts";
import { ADA, OWNER } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];

describe.skipIf(isBrowserMissing)("metrics on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openAssistant(opening: { token?: string; language?: string } = {}) {
    const t = await testAssistant({
      logger: silentLogger,
      queue: { debounceMs: 0 },
      owner: { ids: ["memory:42"] },
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
      script: (prompt) => {
        const last = JSON.stringify(prompt.at(-1));
        if (last.includes("this fails")) return fails(400);
        return last.includes("what time") ? calls(["time", {}]) : says("Marta lives in Bergen, near the harbour");
      },
    });
    await t.assistant.memory.save({
      userId: "memory:42",
      content: "Marta, my sister, lives in Bergen near the harbour",
    });
    for (const text of ["what time is it?", "where does Marta live?", "thanks", "this fails"]) await t.say(text);
    const { job } = await t.assistant.jobs.create({ schedule: "in 3 days", task: "this fails", user: "memory:42" });
    await t.assistant.jobs.run(job.id);
    await until(t.clock, async () => (await t.assistant.jobs.runs(job.id))[0]?.status === "failed");
    const opened = await open((request) => t.assistant.fetch(request), opening);
    return {
      ...opened,
      t,
      job,
      row: (name: string) =>
        opened.page
          .locator("#metrics-body tr")
          .filter({ has: opened.page.getByRole("rowheader", { name, exact: true }) })
          .first(),
    };
  }

  it("shows an owner how turns, memory, tools and jobs did, by keyboard alone and in reach of screen readers", async () => {
    const { page, t, job, row, complaints } = await openAssistant();
    await page.getByRole("button", { name: "Metrics" }).press("Enter");
    await row("answered").waitFor();
    const figure = (name: string) => row(name).locator(".figure").innerText();
    expect(await figure("answered")).toBe("3");
    expect(await figure("failed")).toBe("2");
    expect(await figure("of these, used in the reply")).toBe("1 · 100%");
    expect(await figure("time")).toBe("1");
    expect(await row(job.id).locator(".figure").innerText()).toBe("1");
    expect(await figure("with proactive behaviour")).toBe("75% (4)");
    expect(await page.locator("#metrics-status").innerText()).toMatch(/^Counted since Jan 5, 2026/);
    const chart = page.locator("#metrics-body figure svg");
    expect(await chart.getAttribute("aria-label")).toMatch(
      /^Half of the turns took less than [\d.]+ sec, and 95% less/,
    );
    expect(await chart.locator("polyline").getAttribute("points")).toMatch(/^0,\S+( \S+){14}$/);
    // The longest bar is as long as there is room, and one of nothing is not there.
    const width = (name: string) => row(name).locator("rect").getAttribute("width");
    expect([await width("answered"), await width("stopped")]).toEqual(["100", "0"]);
    expect(
      await row("failed")
        .locator("svg")
        .evaluate((one) => getComputedStyle(one).fill),
    ).not.toBe(
      await row("answered")
        .locator("svg")
        .evaluate((one) => getComputedStyle(one).fill),
    );
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, "metrics.png") });
    expect(await lowContrast(page)).toEqual([]);

    await t.say("thanks again");
    await page.getByRole("button", { name: "Refresh" }).press("Enter");
    await polled(() => figure("answered")).toBe("4");
    await page.keyboard.press("Escape");
    await polled(() => page.locator("#metrics-view").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("metrics");
    expect(complaints).toEqual([]);
  });

  it("speaks Chinese, fits a telephone, and says what went wrong", async () => {
    const { page, row, t } = await openAssistant({ language: "zh-CN" });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "指标" }).press("Enter");
    await row("已回答").waitFor();
    expect(await page.locator("#metrics-body h3").allTextContents()).toEqual([
      "轮次",
      "记忆",
      "主动发出的消息",
      "工具和任务",
    ]);
    const overflows = await page.evaluate(() => document.querySelector("#metrics-view")!.scrollWidth > innerWidth);
    expect(overflows).toBe(false);
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, "metrics-zh.png") });
    expect(t.model.callCount).toBeGreaterThan(0);
    await page.route("**/api/v1/metrics/summary", (route) => route.abort());
    await page.getByRole("button", { name: "刷新" }).press("Enter");
    await polled(() => page.locator("#metrics-status").innerText()).toBe("无法连接服务器，没有更改。");
    expect(await row("已回答").count()).toBe(1);
  });

  it("is not for those who are no owner", async () => {
    const { page } = await openAssistant({ token: ADA });
    expect(await page.locator("#metrics").isVisible()).toBe(false);
  });
});
