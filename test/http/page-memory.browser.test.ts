import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { isBrowserMissing, pagesInBrowser } from "./browser-pages.ts";
import { fakeMemory } from "../support/fake-memory.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { ADA, fakeAssistant } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];

describe.skipIf(isBrowserMissing)("memory on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openMemory(token?: string, language?: string) {
    const clock = fakeClock();
    const memory = fakeMemory({ clock });
    await memory.save({
      userId: "@owner",
      id: "a",
      content: "Prefers oat milk in coffee",
      keywords: ["milk"],
      slots: { type: "statement" },
    });
    await clock.advance(60_000);
    await memory.save({ userId: "@owner", id: "b", content: "Lives in Oslo <img src=x onerror=alert(1)>" });
    await memory.save({ userId: "app:Ada", id: "c", content: "Ada likes tea" });
    await memory.files.write("@owner", "MEMORY.md", "- tea\n");
    await memory.files.write("@owner", "2026-01-04", "- a day\n");
    const { app } = fakeAssistant({ clock, parts: { memory } });
    const opened = await open((request) => app.fetch(request), {
      ...(token !== undefined && { token }),
      ...(language !== undefined && { language }),
    });
    await opened.page.locator("#memory").click();
    await opened.page.locator("#memory-view").waitFor();
    return { ...opened, memory, clock };
  }

  it("lists, finds and says why", async () => {
    const { page, complaints } = await openMemory();
    const rows = page.locator("#memory-found details");
    await polled(() => rows.count()).toBe(2);
    expect(await rows.first().locator("summary").textContent()).toContain("Lives in Oslo <img src=x");
    await page.locator("#memory-words").fill("milk");
    await page.keyboard.press("Enter");
    await polled(() => rows.count()).toBe(1);
    await rows.first().locator("summary").click();
    const text = await rows.first().locator(".body").textContent();
    expect(text).toContain("Why it was found");
    expect(text).toContain("an entry · score 1.00 · words 2.00");
    expect(text).toContain("statement");
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, "memory.png") });
    expect(complaints).toEqual([]);
  });

  it("edits, archives, restores and removes, by keyboard alone", async () => {
    const { page, memory, complaints } = await openMemory();
    const rows = page.locator("#memory-found details");
    await polled(() => rows.count()).toBe(2);
    await rows.first().locator("summary").focus();
    await page.keyboard.press("Enter");
    await rows.first().getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    const box = rows.first().locator("textarea");
    await polled(() => box.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await box.fill("Lives in Bergen");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await polled(async () => (await memory.get("@owner", "b"))?.content).toBe("Lives in Bergen");
    await polled(() => page.locator("#memory-status").textContent()).toBe("Saved.");

    await rows.first().getByRole("button", { name: "Archive" }).press("Enter");
    await polled(() => rows.count()).toBe(1);
    await page.locator("#memory-archived").check();
    await polled(() => rows.first().locator("summary").textContent()).toContain("Lives in Bergen");
    await rows.first().locator("summary").press("Enter");
    await rows.first().getByRole("button", { name: "Restore" }).press("Enter");
    await polled(async () => (await memory.counts("@owner")).archived).toBe(0);

    await page.locator("#memory-archived").uncheck();
    await polled(() => rows.count()).toBe(2);
    await rows.first().locator("summary").press("Enter");
    const remove = rows.first().getByRole("button", { name: "Delete" });
    await remove.press("Enter");
    expect((await memory.counts("@owner")).entries).toBe(2);
    await rows.first().getByRole("button", { name: "Delete permanently?" }).press("Enter");
    await polled(async () => (await memory.counts("@owner")).entries).toBe(1);
    await page.keyboard.press("Escape");
    await polled(() => page.locator("#memory-view").isVisible()).toBe(false);
    await expect
      .poll(() => page.locator("#memory").evaluate((one) => one === one.ownerDocument.activeElement))
      .toBe(true);
    expect(complaints).toEqual([]);
  });

  it("does not write over an entry that somebody else wrote, which is what is edited next", async () => {
    const { page, memory, clock } = await openMemory();
    const row = page.locator("#memory-found details").first();
    const button = (name: string) => row.getByRole("button", { name });
    await row.locator("summary").press("Enter");
    await button("Edit").press("Enter");
    await clock.advance(1000);
    await memory.update("@owner", "b", { content: "Lives in Oslo" });
    await row.locator("textarea").fill("Lives in Voss");
    await button("Save").press("Enter");
    await polled(() => row.getByRole("alert").textContent()).toContain("changed in the meantime");
    await button("Cancel").press("Enter");
    await polled(() => row.locator("p").first().textContent()).toBe("Lives in Oslo");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Edit");
    await page.keyboard.press("Enter");
    await row.locator("textarea").fill("Lives in Bergen");
    await button("Save").press("Enter");
    await polled(async () => (await memory.get("@owner", "b"))?.content).toBe("Lives in Bergen");
  });

  it("reads and writes files, and does not write over what somebody else wrote", async () => {
    const { page, memory } = await openMemory();
    const file = page.locator("#memory-files details").first();
    await expect
      .poll(() => page.locator("#memory-files summary").allTextContents())
      .toEqual(["MEMORY.md", "2026-01-04"]);
    await file.locator("summary").click();
    await polled(() => file.locator("pre").textContent()).toBe("- tea\n");
    await file.getByRole("button", { name: "Edit" }).click();
    await file.locator("textarea").fill("- tea\n- coffee\n");
    // Folded away or closed meanwhile, it is there again.
    await file.locator("summary").click();
    await file.locator("summary").click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Memory" }).click();
    // What would be read again is asked for before this, and answered.
    await page.evaluate(async () => {
      for (let count = 0; count < 5; count++) await fetch("readyz");
    });
    expect(await file.locator("textarea").inputValue()).toBe("- tea\n- coffee\n");
    await file.getByRole("button", { name: "Save" }).click();
    await polled(async () => (await memory.files.read("@owner", "MEMORY.md"))?.text).toBe("- tea\n- coffee\n");
    await memory.files.write("@owner", "MEMORY.md", "- by hand\n");
    await file.getByRole("button", { name: "Edit" }).click();
    await file.locator("textarea").fill("- lost");
    await file.getByRole("button", { name: "Save" }).click();
    await polled(() => file.getByRole("alert").textContent()).toContain("changed in the meantime");
    expect(await file.locator("textarea").inputValue()).toBe("- lost");
    // What somebody else wrote is what is edited next.
    await file.getByRole("button", { name: "Cancel" }).press("Enter");
    await polled(() => file.locator("pre").textContent()).toBe("- by hand\n");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Edit");
    await page.keyboard.press("Enter");
    expect(await file.locator("textarea").inputValue()).toBe("- by hand\n");
    expect((await memory.files.read("@owner", "MEMORY.md"))?.text).toBe("- by hand\n");
    if (SCREENSHOTS) await page.screenshot({ path: join(SCREENSHOTS, "memory-files.png") });
  });

  it("shows the owner everybody's", async () => {
    const { page } = await openMemory();
    const rows = page.locator("#memory-found details");
    const offered = page.locator("#memory-user option");
    await polled(() => offered.allTextContents()).toEqual(["mine (2)", "app:Ada (1)"]);
    await page.locator("#memory-user").selectOption("app:Ada");
    await polled(() => rows.allTextContents()).toEqual([expect.stringContaining("Ada likes tea")]);
  });

  it("says in the page's language what the server refuses", async () => {
    const { page, memory } = await openMemory(undefined, "zh-CN");
    const row = page.locator("#memory-found details").first();
    await row.locator("summary").press("Enter");
    await memory.remove("@owner", ["b"]);
    await row.getByRole("button", { name: "归档" }).click();
    await polled(() => page.locator("#memory-status").textContent()).toBe("没有找到。");
  });

  it("shows a user their own, and offers no other", async () => {
    const own = await openMemory(ADA);
    await polled(() => own.page.locator("#memory-found details").count()).toBe(1);
    expect(await own.page.locator("#memory-user").isVisible()).toBe(false);
    expect(own.complaints).toEqual([]);
  });
});
