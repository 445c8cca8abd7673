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

const TRIP = `name: trip
description: Plans a trip and books it
inputs:
  city: { type: string, description: Where it goes }
  nights: { type: number, default: 2 }
steps:
  - { id: plan, run: prompt, prompt: "Plan \${inputs.nights} nights in \${inputs.city}" }
  - { id: paid, run: wait, with: { event: paid } }
  - { id: agree, run: approve, needs: [plan], with: { text: Shall I book it? } }
  - { id: book, run: prompt, needs: [agree, paid], prompt: "Book: \${steps.plan.output}" }
`;
const CHECK = `name: check
steps:
  - { id: look, run: prompt, prompt: Look }
  - { id: report, run: prompt, needs: [look], prompt: Report }
`;

describe.skipIf(isBrowserMissing)("workflows on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openAssistant(
    opening: { token?: string; language?: string } = {},
    options: TestAssistantOptions = {},
    before: (request: Request) => Promise<void> | undefined = () => undefined,
  ) {
    const t = await testAssistant({
      script: () => says("Two nights by the sea"),
      channels: [],
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
      ...options,
    });
    for (const yaml of [TRIP, CHECK]) await t.assistant.workflows.save(yaml);
    const answer = async (request: Request) => {
      await before(request);
      return await t.assistant.fetch(request);
    };
    const opened = await open(answer, opening);
    const { page } = opened;
    const view = page.locator("#workflows-view");
    const step = (id: string) => page.locator(".graph button.step", { has: page.locator("strong", { hasText: id }) });
    return {
      ...opened,
      t,
      view,
      step,
      runs: page.locator("#workflows-runs button"),
      status: () => page.locator("#workflows-status").textContent(),
      stateOf: (id: string) => step(id).locator(".state").innerText(),
      button: (name: string) => view.getByRole("button", { name, exact: true }),
      newest: async () => (await t.assistant.workflows.list({ limit: 1 }))[0]!,
      /** Lets the newest run come to a state. */
      async becomes(state: string) {
        await until(t.clock, async () => (await t.assistant.workflows.list({ limit: 1 }))[0]?.status === state);
      },
    };
  }

  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  it("runs a workflow by its form, and follows it to its end as it happens, by keyboard alone", async () => {
    const { page, view, step, button, stateOf, status, newest, becomes, complaints } = await openAssistant();
    await page.getByRole("button", { name: "Workflows" }).press("Enter");
    const trip = page.locator("#workflows-definitions details", { has: page.locator("strong", { hasText: "trip" }) });
    await trip.locator("summary").press("Enter");
    expect(await trip.getByLabel("nights").inputValue()).toBe("2");
    expect(await trip.getByLabel("city *").getAttribute("aria-describedby")).toBeTruthy();
    await trip.getByLabel("city *").fill("Oslo");
    await trip.getByLabel("city *").press("Enter");
    await step("book").waitFor();
    await polled(() => focused(page)).toContain("trip");
    await becomes("waiting");
    expect((await newest()).inputs).toEqual({ city: "Oslo", nights: 2 });
    await polled(() => stateOf("plan")).toBe("✓ done");
    await polled(() => stateOf("agree")).toBe("… waiting");
    expect(await stateOf("book")).toBe("○ not begun");
    expect(await step("book").textContent()).toContain(", after agree, paid");

    await step("paid").press("Enter");
    expect(await step("paid").getAttribute("aria-pressed")).toBe("true");
    await view.getByLabel("Data of the event").fill('{"sum": 40}');
    await button("Send “paid”").press("Enter");
    await polled(() => stateOf("paid")).toBe("✓ done");
    expect((await newest()).steps.find(({ id }) => id === "paid")?.output).toEqual({ sum: 40 });

    await step("agree").press("Enter");
    await view.locator(".approval").getByText("Shall I book it?").waitFor();
    await shoot(page, "workflow-waits");
    await view.locator(".approval").getByRole("button", { name: "Approve once" }).press("Enter");
    await becomes("done");
    await polled(status).toBe("trip: done");
    await polled(() => stateOf("book")).toBe("✓ done");
    expect(await view.locator("#workflows-run h3").first().textContent()).toBe("trip done · 4 of 4 steps");
    await expect
      .poll(() => view.locator("#workflows-run > section > div").allInnerTexts())
      .toContainEqual(expect.stringContaining("Two nights by the sea"));
    await shoot(page, "workflow-done");
    await button("‹ All workflows").press("Enter");
    await polled(() => focused(page)).toContain("4 of 4 steps");
    await page.keyboard.press("Escape");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("workflows");
    expect(complaints).toEqual([]);
  });

  it("shows what a run has cost so far", async () => {
    const { page, view, t, runs, becomes } = await openAssistant(
      {},
      // 10 tokens in and 5 out a step, at prices for a million.
      { modelInfo: { "scripted/scripted": { price: { input: 100, output: 200 } } } },
    );
    await t.assistant.workflows.run("check");
    await becomes("done");
    await page.getByRole("button", { name: "Workflows" }).press("Enter");
    await runs.first().click();
    await view.getByText("Cost so far").waitFor();
    await polled(() => view.locator("#workflows-run dl").first().innerText()).toMatch(/Cost so far\s+0\.004/);
  });

  it("counts one step as one", async () => {
    const { page, t, view, runs, becomes } = await openAssistant();
    await t.assistant.workflows.save("name: single\nsteps:\n  - { id: look, run: prompt, prompt: Look }\n");
    await t.assistant.workflows.run("single");
    await becomes("done");
    await page.getByRole("button", { name: "Workflows" }).press("Enter");
    await polled(() => runs.first().innerText()).toMatch(/^single done\n1 of 1 step · /);
    const states = await view.locator("#workflows-definitions summary").allInnerTexts();
    expect(states).toEqual(expect.arrayContaining(["single 1 step", "check 2 steps"]));
  });

  it("says what failed and what was done, resumes with more, does a step again, and cancels when it is sure", async () => {
    const answers = [says("Seen"), fails(400), says("Reported"), says("Reported again")];
    const { page, t, runs, step, button, stateOf, newest, becomes, complaints } = await openAssistant(
      {},
      { script: (_, index) => answers[index] ?? says("ok") },
    );
    await t.assistant.workflows.run("check");
    await becomes("failed");
    await page.getByRole("button", { name: "Workflows" }).press("Enter");
    await polled(() => runs.first().innerText()).toMatch(/^check failed\n2 of 2 steps/);
    await runs.first().press("Enter");
    await polled(() => stateOf("report")).toBe("✕ failed");
    const { summary = "", steps } = await newest();
    const { code, message } = steps[1]?.error ?? {};
    const shown = page.locator("#workflows-run");
    await polled(() => shown.innerText()).toContain(`${code}: ${message}`);
    expect(summary.split("\n").length).toBeGreaterThan(1);
    expect(await shown.innerText()).toContain(summary);
    expect(await shown.locator(".bars tr").first().innerText()).toMatch(/Tokens\s+\d+ \/ 200,000/);
    await shoot(page, "workflow-failed");

    await shown.getByLabel("Tokens").fill("300000");
    await button("Resume").press("Enter");
    await becomes("done");
    expect((await newest()).budget).toMatchObject({ maxTokens: 300_000, maxSeconds: 3600 });
    await polled(() => stateOf("report")).toMatch(/^✓ done · attempt \d$/);
    expect(await button("Resume").isVisible()).toBe(false);

    await step("report").press("Enter");
    await button("Again from here").press("Enter");
    await button("Run this step and the steps that depend on it again?").press("Enter");
    await until(t.clock, async () => (await newest()).output === "Reported again");
    await polled(() => shown.innerText()).toContain("Reported again");

    const { runId } = await t.assistant.workflows.run("trip", { inputs: { city: "Oslo" } });
    await button("‹ All workflows").press("Enter");
    await polled(() => runs.count()).toBe(2);
    await runs.first().press("Enter");
    await button("Cancel").press("Enter");
    expect((await newest()).status).not.toBe("cancelled");
    await button("End this run?").press("Enter");
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "cancelled");
    await polled(() => shown.locator("h3").first().textContent()).toContain("cancelled");
    // The button that had the focus is gone.
    await polled(() => focused(page)).toContain("trip");
    expect(complaints).toEqual([]);
  });

  it("ends a run for whoever is quicker than the answer that shows it", async () => {
    let show = () => {};
    const shown = new Promise<void>((resolve) => (show = resolve));
    const { page, t, runs, step, button } = await openAssistant({}, {}, ({ url }) =>
      /workflows\/[^/?]+$/.test(url) ? shown : undefined,
    );
    const { runId } = await t.assistant.workflows.run("trip", { inputs: { city: "Oslo" } });
    await page.getByRole("button", { name: "Workflows" }).press("Enter");
    await runs.first().press("Enter");
    await button("Cancel").press("Enter");
    show();
    await step("plan").waitFor();
    expect(await focused(page)).toBe("End this run?");
    await button("End this run?").press("Enter");
    await until(t.clock, async () => (await t.assistant.workflows.get(runId)).status === "cancelled");
  });

  it("lets an owner write, edit and delete a workflow, with the line of a mistake", async () => {
    const { page, t, view, button, status } = await openAssistant();
    await page.getByRole("button", { name: "Workflows" }).click();
    await button("Write a workflow").click();
    await view.getByRole("textbox", { name: "Write a workflow" }).fill("name: mine\nstep: []\n");
    await button("Save").click();
    await polled(() => view.getByRole("alert").textContent()).toContain("mine.yaml:2");
    await view.getByRole("textbox", { name: "Write a workflow" }).fill(CHECK.replace("check", "mine"));
    await button("Save").click();
    await polled(status).toBe("The workflow is saved.");
    await button("Write a workflow").click();
    await view.getByRole("textbox", { name: "Write a workflow" }).fill("name: mine\nsteps: []\n");
    await button("Save").click();
    await polled(() => view.getByRole("alert").textContent()).toBe("The name mine is taken.");
    await button("Cancel").click();
    const mine = page.locator("#workflows-definitions details", { has: page.locator("strong", { hasText: "mine" }) });
    await mine.locator("summary").click();
    await button("Edit").click();
    await mine.getByRole("textbox").fill(CHECK.replace("check", "mine").replace("Look }", "Look around }"));
    // Folded away meanwhile, it is there again.
    await mine.locator("summary").click();
    await mine.locator("summary").click();
    // What would be read again is asked for before this, and answered.
    await page.evaluate(async () => {
      for (let count = 0; count < 5; count++) await fetch("readyz");
    });
    await button("Save").press("Enter");
    await mine.getByText("Look around").waitFor();
    expect(await focused(page)).toBe("Edit");
    expect((await t.assistant.workflows.definition("mine")).yaml).toContain("Look around");
    await button("Delete").click();
    await button("Delete permanently?").click();
    await polled(() => mine.count()).toBe(0);
    await expect(t.assistant.workflows.definition("mine")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("shows a user their own runs, and lets them change no definition and answer no request", async () => {
    const { page, t, view, step, runs, becomes } = await openAssistant({ token: ADA });
    const inputs = { city: "Oslo" };
    await t.assistant.workflows.run("check");
    await t.assistant.workflows.run("trip", { inputs, user: "http:ada" });
    await becomes("waiting");
    await page.getByRole("button", { name: "Workflows" }).click();
    await polled(() => runs.locator("strong").allTextContents()).toEqual(["trip"]);
    await page.locator("#workflows-definitions summary").first().click();
    await page.locator("#workflows-definitions pre").first().waitFor();
    expect(await view.getByRole("button", { name: /Edit|Delete|Write/ }).count()).toBe(0);
    await runs.first().click();
    await step("agree").click();
    await view.getByText(/^Waits for the owner's approval, code \w+$/).waitFor();
    expect(await view.locator(".approval").count()).toBe(0);
  });

  it("fits a phone and can be read in light and dark, in Chinese too", async () => {
    const { page, t, view, step, runs, becomes, complaints } = await openAssistant({ language: "zh-CN" });
    await t.assistant.workflows.run("trip", { inputs: { city: `${"long".repeat(40)} <img src=x onerror=alert(1)>` } });
    await becomes("waiting");
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await page.getByRole("button", { name: "工作流" }).click();
    await runs.first().waitFor();
    for (const summary of await page.locator("#workflows-definitions summary").all()) await summary.click();
    const fits = async (colorScheme: "light" | "dark", name: string) => {
      await page.emulateMedia({ colorScheme });
      const box = await view.evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(box[0]).toBeLessThanOrEqual(box[1] ?? 0);
      expect(await lowContrast(page)).toEqual([]);
      await shoot(page, `workflow-phone-${name}-${colorScheme}`);
    };
    for (const colorScheme of ["light", "dark"] as const) await fits(colorScheme, "list");
    await runs.first().click();
    await step("agree").click();
    await view.locator(".approval").waitFor();
    // The word for what signs in means something else.
    expect(await view.locator(".bars tr").first().innerText()).toMatch(/^token 数/);
    for (const colorScheme of ["light", "dark"] as const) await fits(colorScheme, "run");
    expect(complaints).toEqual([]);
  });
});
