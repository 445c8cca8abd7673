import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { fakeSkills, skillText } from "../support/fake-skills.ts";
import { isBrowserMissing, lowContrast, pagesInBrowser } from "./browser-pages.ts";
import { ADA, fakeAssistant } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];
const ADA_USER = "app:Ada";

describe.skipIf(isBrowserMissing)("skills on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openSkills(
    prepare: (fake: ReturnType<typeof fakeSkills>) => void | Promise<void>,
    opening: { token?: string; language?: string } = {},
  ) {
    const fake = fakeSkills();
    await prepare(fake);
    const { app } = fakeAssistant({ parts: { skills: fake.skills } });
    const opened = await open((request) => app.fetch(request), opening);
    const { page } = opened;
    const rows = page.locator("#skills-list details");
    // The page moves the focus to the message once it has loaded, so a key may go there.
    await expect
      .poll(async () => {
        await page.locator("#skills").press("Enter");
        return page.locator("#skills-view").isVisible();
      })
      .toBe(true);
    return {
      ...opened,
      ...fake,
      rows,
      row: (name: string) => rows.filter({ has: page.locator("summary strong", { hasText: name }) }),
      said: () => polled(() => page.locator("#skills-status").textContent()),
    };
  }

  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

  it("shows where each is from, how it did, its text, and why one is not offered", async () => {
    const { page, rows, row, complaints } = await openSkills(async ({ add, came, skills }) => {
      add({ name: "news", hasTriggers: true, files: ["scripts/run.py"], text: `${skillText("news")}<img src=x>` });
      add({ name: "printer", place: "given", missing: ["the program lpr is not on the path"] });
      add({ name: "research", place: "built-in" });
      came("news", "@owner");
      came("news", "@owner");
      await skills.feedback("news", { user: "@owner", helpful: true });
    });
    await polled(() => rows.count()).toBe(3);
    expect(await rows.locator("summary").allTextContents()).toEqual([
      "news workspace · 2×, helpful 1 of 1",
      "printer not offered",
      "research built in",
    ]);
    for (const name of ["news", "printer"]) await row(name).locator("summary").press("Enter");
    await polled(() => row("news").locator("pre").textContent()).toContain("Do it step by step.\n<img src=x>");
    expect(await row("news").locator("dl").innerText()).toMatch(/automatically, when it fits[^]*scripts\/run\.py/);
    expect(await row("printer").locator("dl").innerText()).toContain("the program lpr is not on the path");
    await shoot(page, "skills");
    expect(complaints).toEqual([]);
  });

  it("takes feedback by keyboard alone, only for what came", async () => {
    const { page, row, said, skills, complaints } = await openSkills(({ add, came }) => {
      add({ name: "news" });
      add({ name: "quiet" });
      came("news", "@owner");
    });
    await row("news").locator("summary").press("Enter");
    await row("news").getByRole("button", { name: "It did not help" }).press("Enter");
    await said().toBe("Your feedback is saved.");
    await polled(() => row("news").locator("summary").textContent()).toContain("helpful 0 of 1");
    expect(await focused(page)).toBe("👎 It did not help");
    await row("news").getByRole("button", { name: "It helped" }).press("Enter");
    await polled(() => row("news").locator("summary").textContent()).toContain("helpful 1 of 1");
    expect(await skills.stats()).toMatchObject([{ helpful: 1, notHelpful: 0 }]);
    await row("quiet").locator("summary").press("Enter");
    await row("quiet").getByRole("button", { name: "Edit" }).waitFor();
    expect(await row("quiet").getByRole("button", { name: "It helped" }).count()).toBe(0);
    await page.keyboard.press("Escape");
    await polled(() => page.locator("#skills-view").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("skills");
    expect(complaints).toEqual([]);
  });

  it("makes a skill of a suggestion, or does not", async () => {
    const { page, rows, said, skills, complaints } = await openSkills(({ suggest }) => {
      suggest("a", "@owner");
      suggest("b", "@owner");
    });
    const items = page.locator("#skills-suggestions li");
    await polled(() => items.count()).toBe(2);
    expect(await items.first().innerText()).toContain("web_fetch → file_write · 4×");
    await shoot(page, "skills-suggested");
    await items.first().getByRole("button", { name: "Make it" }).press("Enter");
    await said().toBe("The skill suggested-a is created.");
    await polled(() => rows.locator("strong").allTextContents()).toEqual(["suggested-a"]);
    await items.first().getByRole("button", { name: "Never" }).press("Enter");
    await said().toBe("This skill will not be suggested again.");
    await polled(() => page.locator("#skills-suggested").isVisible()).toBe(false);
    expect((await skills.suggestions()).map(({ state }) => state)).toEqual(["accepted", "declined"]);
    expect(complaints).toEqual([]);
  });

  it("writes, edits and removes, and says in which line a mistake is", async () => {
    const { page, rows, row, said, skills } = await openSkills(({ add }) => {
      add({ name: "research", place: "built-in" });
    });
    await page.getByRole("button", { name: "New skill" }).press("Enter");
    const box = page.locator("#skills-new textarea");
    expect(await box.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await box.fill("---\nname: news\n---\n");
    await page.locator("#skills-new").getByRole("button", { name: "Save" }).press("Enter");
    await expect
      .poll(() => page.locator("#skills-new").getByRole("alert").textContent())
      .toBe("Line 2: description: Expected description, but it is missing: add description: … to the frontmatter");
    await shoot(page, "skills-mistake");
    await box.fill(skillText("research"));
    await page.locator("#skills-new").getByRole("button", { name: "Save" }).press("Enter");
    await polled(() => page.locator("#skills-new").getByRole("alert").textContent()).toBe(
      "The name research is taken.",
    );
    await box.fill(skillText("news"));
    await page.locator("#skills-new").getByRole("button", { name: "Save" }).press("Enter");
    await said().toBe("The skill is saved.");
    expect(await focused(page)).toBe("New skill");
    await polled(() => rows.count()).toBe(2);

    await row("news").locator("summary").press("Enter");
    await row("news").getByRole("button", { name: "Edit" }).press("Enter");
    await row("news").locator("textarea").fill(skillText("research"));
    await row("news").getByRole("button", { name: "Save" }).press("Enter");
    await polled(() => row("news").getByRole("alert").textContent()).toBe("The name research is taken.");
    await row("news").locator("textarea").fill(skillText("news", "Reads the news"));
    await row("news").getByRole("button", { name: "Save" }).press("Enter");
    await polled(() => row("news").locator(".body > p").textContent()).toBe("Reads the news");

    await row("research").locator("summary").press("Enter");
    await row("research").getByRole("button", { name: "Edit a copy" }).waitFor();
    expect(await row("research").getByRole("button", { name: "Delete" }).count()).toBe(0);

    await row("news").getByRole("button", { name: "Delete" }).press("Enter");
    await row("news").getByRole("button", { name: "Delete permanently?" }).press("Enter");
    await said().toBe("The skill is deleted.");
    await polled(() => rows.count()).toBe(1);
    expect(await focused(page)).toContain("research");
    expect((await skills.list()).map(({ name }) => name)).toEqual(["research"]);
  });

  it("installs from a registry with its verdict, enables and verifies", async () => {
    const { page, row, said, edit } = await openSkills(({ registry, failed }) => {
      registry.push({
        ...{ slug: "ann/storm", name: "storm", description: "Storms of a place", version: "1.0.0", score: 1 },
        registry: "hub",
        verdict: "suspicious",
      });
      failed.push({ registry: "far", reason: "it did not answer" });
    });
    await page.locator("#skills-words").fill("Storms");
    await page.locator("#skills-words").press("Enter");
    await said().toBe("1 shown · far could not be searched: it did not answer.");
    await page.getByRole("button", { name: "Install: storm" }).press("Enter");
    const told = page.locator("#skills-found [role=status]");
    await expect
      .poll(() => told.innerText())
      .toMatch(
        /storm 1\.0\.0 is installed\. The registry calls it suspicious\.[^]*scripts\/run\.sh:3 downloads and runs/,
      );
    await polled(() => row("storm").locator("summary").textContent()).toBe("storm waits for your consent");
    await shoot(page, "skills-installed");
    await row("storm").locator("summary").press("Enter");
    await row("storm").getByRole("button", { name: "Enable" }).press("Enter");
    await said().toBe("The skill is enabled.");
    await polled(() => row("storm").locator("summary").textContent()).toBe("storm workspace");
    await row("storm").getByRole("button", { name: "Verify" }).press("Enter");
    await said().toBe("storm: unchanged since it was installed");
    edit("storm");
    await row("storm").getByRole("button", { name: "Verify" }).press("Enter");
    await said().toBe("storm: changed since it was installed: SKILL.md");
    await row("storm").getByRole("button", { name: "Update" }).press("Enter");
    await said().toBe("storm: already the newest version");
  });

  it("shows a user what they are offered, to read and to judge", async () => {
    const { page, rows, row } = await openSkills(
      ({ add, came, suggest }) => {
        add({ name: "news" });
        add({ name: "of-bob", people: ["app:Bob"] });
        came("news", ADA_USER);
        suggest("a", "app:Bob");
      },
      { token: ADA },
    );
    await polled(() => rows.count()).toBe(1);
    await row("news").locator("summary").press("Enter");
    await expect
      .poll(() => row("news").getByRole("button").allTextContents())
      .toEqual(["👍 It helped", "👎 It did not help"]);
    for (const id of ["#skills-suggested", "#skills-registry", "#skills-new button"])
      expect(await page.locator(id).isVisible()).toBe(false);
  });

  it("has no button where there are no skills", async () => {
    const { app } = fakeAssistant({ parts: { skills: undefined } });
    const { page } = await open((request) => app.fetch(request));
    await page.locator("#memory").waitFor();
    expect(await page.locator("#skills").isVisible()).toBe(false);
  });

  it.each(["light", "dark"] as const)(
    "fits a phone and can be read in %s mode, in Chinese too",
    async (colorScheme) => {
      const { page, rows, complaints } = await openSkills(
        ({ add, suggest, came }) => {
          add({ name: "x".repeat(64), description: "long".repeat(60), source: "/srv/".repeat(30), place: "given" });
          add({ name: "printer", missing: ["the program lpr is not on the path"] });
          came("printer", "@owner");
          suggest("a", "@owner");
        },
        { language: "zh-CN" },
      );
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 640 });
      await polled(() => rows.count()).toBe(2);
      for (const summary of await rows.locator("summary").all()) await summary.click();
      await polled(() => rows.locator("pre").count()).toBe(2);
      await page.getByRole("button", { name: "新建技能" }).click();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      const box = await page.locator("#skills-view").evaluate((one) => [one.scrollWidth, one.clientWidth]);
      expect(box[0]).toBeLessThanOrEqual(box[1] ?? 0);
      expect(await lowContrast(page)).toEqual([]);
      await shoot(page, `skills-phone-${colorScheme}`);
      await page.keyboard.press("Escape");
      await shoot(page, `skills-phone-header-${colorScheme}`);
      expect(complaints).toEqual([]);
    },
  );
});
