import { expect, it } from "vitest";
import { lowContrast, pagesInBrowser } from "./browser-pages.ts";
import { fakeWorkflows, runView, stepView, STARTED_AT } from "../support/fake-workflows.ts";
import { fakeAssistant } from "./support.ts";
import { describe } from "vitest";

describe("x", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();
  it("looks", async () => {
    const fake = fakeWorkflows();
    fake.define("weekly-report", {
      description: "Collects what happened, writes a report and sends it when it is approved.",
      inputs: {
        topic: { type: "string", description: "What it is about" },
        words: { type: "number", default: 300 },
        urgent: { type: "boolean", default: true },
        sources: { type: "list", required: false },
        more: { required: false },
      },
      steps: 7,
    });
    fake.define("invoice", { source: "built-in", description: "Pays." });
    const at = (s: number) => new Date(STARTED_AT + s * 1000);
    const steps = [
      stepView({
        id: "collect",
        run: "tool",
        what: "web_fetch",
        status: "done",
        attempt: 1,
        startedAt: at(0),
        endedAt: at(12),
        output: { a: 1 },
        toolCalls: 1,
      }),
      stepView({
        id: "read",
        run: "tool",
        what: "file_read",
        status: "done",
        attempt: 2,
        startedAt: at(0),
        endedAt: at(3),
        tokens: 1200,
      }),
      stepView({
        id: "summarise",
        needs: ["collect", "read"],
        status: "done",
        attempt: 1,
        startedAt: at(12),
        endedAt: at(31),
        what: "Summarise what is in these sources in five sentences at most",
        tokens: 8120,
        items: { done: 3, failed: 0, total: 3 },
      }),
      stepView({ id: "check", needs: ["summarise", "collect"], status: "running", attempt: 1, startedAt: at(31) }),
      stepView({
        id: "paid",
        run: "wait",
        needs: ["read"],
        status: "waiting",
        attempt: 1,
        what: "paid",
        waitsFor: { event: "paid", until: at(86400) },
      }),
      stepView({
        id: "translate",
        needs: ["summarise"],
        status: "failed",
        attempt: 3,
        error: { code: "TIMEOUT", message: "It took longer than 60 seconds" },
      }),
      stepView({ id: "skip-me", needs: ["translate"], status: "skipped" }),
      stepView({ id: "send", run: "tool", what: "message", needs: ["check", "paid", "translate"] }),
    ];
    fake.put(
      runView({
        id: "run-1",
        name: "invoice",
        status: "done",
        steps: [stepView({ id: "a", status: "done" })],
        endedAt: at(4),
      }),
    );
    fake.put(
      runView({
        id: "run-2",
        name: "weekly-report",
        status: "failed",
        steps,
        inputs: { topic: "oats" },
        spent: { tokens: 200_100, toolCalls: 12, seconds: 333.2, cost: 0.1234 },
        error: { code: "BUDGET_EXCEEDED", message: "It used 200,100 of 200,000 tokens" },
        summary: "Done: collect, read, summarise.\nFailed: translate (TIMEOUT).\nResume with a larger budget.",
        endedAt: at(400),
      }),
    );
    fake.put(
      runView({
        id: "run-3",
        name: "weekly-report",
        status: "waiting",
        steps,
        spent: { tokens: 9320, toolCalls: 2, seconds: 33 },
      }),
    );
    const { app } = fakeAssistant({ parts: { workflows: fake.workflows } });
    const { page, complaints } = await open((request) => app.fetch(request), {});
    await page.setViewportSize({ width: 1000, height: 900 });
    await page.getByRole("button", { name: "Workflows" }).click();
    await page.locator("#workflows-runs li").first().waitFor();
    await page.screenshot({ path: "/tmp/h/q3-list.png" });
    await page.locator("#workflows-definitions summary").first().click();
    await page.locator("#workflows-definitions pre").first().waitFor();
    await page.screenshot({ path: "/tmp/h/q3-def.png" });
    await page.locator("#workflows-runs button").nth(1).click();
    await page.locator(".graph button").first().waitFor();
    await page.waitForTimeout(200);
    await page.screenshot({ path: "/tmp/h/q3-run.png" });
    console.log(await lowContrast(page));
    await page.locator("#workflows-view").evaluate((one) => one.scrollTo(0, 10000));
    await page.screenshot({ path: "/tmp/h/q3-run2.png" });
    await page.emulateMedia({ colorScheme: "dark" });
    await page.setViewportSize({ width: 400, height: 800 });
    await page.locator("#workflows-view").evaluate((one) => one.scrollTo(0, 0));
    await page.waitForTimeout(200);
    await page.screenshot({ path: "/tmp/h/q3-phone.png" });
    await page.locator("#workflows-view").evaluate((one) => one.scrollTo(0, 700));
    await page.screenshot({ path: "/tmp/h/q3-phone2.png" });
    console.log(await lowContrast(page));
    console.log(await page.locator("#workflows-view").evaluate((one) => [one.scrollWidth, one.clientWidth]));
    console.log(complaints);
    expect(1).toBe(1);
  });
});
