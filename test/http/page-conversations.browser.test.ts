import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { isBrowserMissing, pagesInBrowser } from "./browser-pages.ts";
import { type AssistantOptions, createAssistant } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import { says, scriptedModel } from "../../src/testing/index.ts";
import { appOf, OWNER, call, fakeAssistant } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];

const ADA = "ada-token-0123456789";

describe.skipIf(isBrowserMissing)("conversations on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open, signedIn } = pagesInBrowser();

  async function openAssistant(token?: string, options: Partial<AssistantOptions> = {}) {
    const assistant = await createAssistant({
      ...options,
      model: scriptedModel((prompt) => says(`Answered: ${prompt.filter(({ role }) => role === "user").length}`)),
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
    });
    const opened = await open((request) => assistant.fetch(request), {
      ...(token !== undefined && { token }),
      stop: () => assistant.stop({ graceMs: 0 }),
    });
    return { assistant, ...opened };
  }

  async function say(page: Page, text: string): Promise<void> {
    await page.locator("#text").fill(text);
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("The assistant has answered.").waitFor();
  }

  const side = (page: Page) => page.getByRole("navigation", { name: "Conversations" });
  const titles = (page: Page) => side(page).locator(".title span").allTextContents();
  const toggle = (page: Page) => page.getByRole("button", { name: "Conversations" });
  const begin = (page: Page) => page.getByRole("button", { name: "New conversation" }).click();
  const log = (page: Page) => page.getByRole("log");
  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };

  it("are listed newest first, chosen, and begun anew", async () => {
    const { page, complaints } = await openAssistant();
    await say(page, "Plan the trip to Lisbon");
    await side(page).getByRole("button", { name: "Plan the trip to Lisbon" }).first().waitFor();
    await begin(page);
    expect(await side(page).locator("[aria-current]").count()).toBe(0);
    await say(page, "Water the plants");
    await side(page).getByRole("button", { name: "Water the plants" }).first().waitFor();
    expect(await titles(page)).toEqual(["Water the plants", "Plan the trip to Lisbon"]);
    expect(await side(page).locator("[aria-current] span").textContent()).toBe("Water the plants");
    await shoot(page, "conversations-light");

    await side(page).getByRole("button", { name: "Plan the trip to Lisbon" }).first().press("Enter");
    await log(page).getByText("Plan the trip to Lisbon").waitFor();
    expect(await log(page).getByText("Water the plants").count()).toBe(0);
    expect(await side(page).locator("[aria-current] span").textContent()).toBe("Plan the trip to Lisbon");
    await say(page, "And the way back");
    // What is said in it makes it the newest.
    await side(page).locator("li").first().getByText("Plan the trip to Lisbon").waitFor();
    await page.reload();
    await log(page).getByText("And the way back").waitFor();
    await side(page).getByRole("button", { name: "Water the plants" }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("say in words of the page that one could not be read, as the server is not reached", async () => {
    const { page } = await openAssistant();
    await say(page, "Plan the trip to Lisbon");
    await begin(page);
    await page.route("**/api/v1/sessions/**", (route) => route.abort());
    await side(page).getByRole("button", { name: "Plan the trip to Lisbon" }).first().click();
    const alert = page.getByRole("alert").locator("span");
    await polled(() => alert.innerText()).toBe(
      "The conversation could not be loaded. The server cannot be reached. Nothing was changed.",
    );
  });

  it("are kept on the server: another browser has them, another person does not", async () => {
    const { page, origin } = await openAssistant();
    await say(page, "Only for the owner");
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await side(page).getByRole("button", { name: "Only for the owner" }).first().click();
    await log(page).getByText("Answered: 1").waitFor();
    await page.context().clearCookies();
    const other = await signedIn(origin, ADA);
    await say(other.page, "Ada's own");
    await side(other.page).getByRole("button", { name: "Ada's own" }).first().waitFor();
    expect(await titles(other.page)).toEqual(["Ada's own"]);
  });

  it("are nobody else's who signs in in the same tab, nor is what stood in the box", async () => {
    const { page } = await openAssistant();
    const signInAs = async (token: string) => {
      await page.context().clearCookies();
      await page.reload();
      await page.locator("#token").fill(token);
      await page.keyboard.press("Enter");
      await page.locator("#text").waitFor();
    };
    await say(page, "Only for the owner");
    await page.getByLabel("Message").fill("The owner's draft");
    await signInAs(ADA);
    await side(page).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("");
    await say(page, "Ada's own");
    expect(await log(page).locator(".message").count()).toBe(2);
    await signInAs(OWNER);
    await log(page).getByText("Only for the owner").waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("The owner's draft");
  });

  it("are the same in two tabs: each shows what is said in the other", async () => {
    const { page, origin, complaints } = await openAssistant();
    const other = await page.context().newPage();
    other.on("pageerror", (error) => complaints.push(error.message));
    // What was said before it is told of anything would not come.
    const told = other.waitForResponse((response) => response.url().endsWith("/api/v1/events"));
    await other.goto(origin);
    await told;
    // Nothing was said yet when both were opened.
    await say(page, "said in the first tab");
    await log(other).getByText("Answered: 1").waitFor();
    expect(await log(other).getByText("said in the first tab").count()).toBe(1);
    await say(other, "said in the second tab");
    await log(page).getByText("Answered: 2").waitFor();
    expect(await log(page).locator(".message").count()).toBe(4);
    expect(await log(other).locator(".message").count()).toBe(4);
    // The list is read again, and who is in it stays where they are.
    const remove = side(page).getByRole("button", { name: "Delete: said in the first tab" });
    await remove.focus();
    await say(other, "said in the second tab again");
    await log(page).getByText("Answered: 3").waitFor();
    await page.evaluate(() => fetch("readyz"));
    expect(await remove.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(complaints).toEqual([]);
  });

  it("are downloaded as Markdown", async () => {
    const { page, complaints } = await openAssistant();
    await say(page, "Remember **this**");
    const link = side(page).getByRole("link", { name: "Download: Remember" });
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toMatch(/\.md$/);
    const text = await readFile(await download.path(), "utf8");
    expect(text).toContain("Remember **this**");
    expect(text).toContain("Answered: 1");
    expect(complaints).toEqual([]);
  });

  it("are deleted after a question, with the keyboard alone", async () => {
    const { page, complaints } = await openAssistant();
    await say(page, "first one");
    await begin(page);
    await say(page, "second one");
    const remove = side(page).getByRole("button", { name: "Delete: second one" });
    await remove.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Delete this conversation?" });
    await dialog.getByText("second one").waitFor();
    await shoot(page, "conversations-delete");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(await remove.evaluate((element) => element === document.activeElement)).toBe(true);
    await remove.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("The conversation is deleted.").waitFor();
    expect(await titles(page)).toEqual(["first one"]);
    // It was the one on the screen: a new one is begun.
    expect(await log(page).innerText()).toMatch(/^Write a message to begin/);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("first one");
    const listed = await page.evaluate(async () => (await fetch("api/v1/conversations")).json());
    expect(listed).toMatchObject({ conversations: [{ title: "first one" }] });
    expect(complaints).toEqual([]);
  });

  it("lie over the chat on a small screen, and are put away by Escape and by choosing", async () => {
    const { page } = await openAssistant();
    await page.setViewportSize({ width: 320, height: 640 });
    await say(page, "a title of many words that does not fit into one line of a small screen");
    expect(await side(page).isVisible()).toBe(false);
    expect(await toggle(page).getAttribute("aria-expanded")).toBe("false");
    await toggle(page).press("Enter");
    expect(await side(page).isVisible()).toBe(true);
    expect(await toggle(page).getAttribute("aria-expanded")).toBe("true");
    await shoot(page, "conversations-narrow");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    expect((await page.locator("header").boundingBox())?.height).toBeLessThan(80);
    await page.keyboard.press("Escape");
    expect(await side(page).isVisible()).toBe(false);
    expect(await toggle(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await toggle(page).press("Enter");
    await toggle(page).press("Escape");
    expect(await side(page).isVisible()).toBe(false);
    await toggle(page).press("Enter");
    await side(page).locator("li").first().waitFor();
    await side(page).locator("button.title").first().press("Enter");
    expect(await side(page).isVisible()).toBe(false);
    expect(await page.locator("#text").evaluate((element) => element === document.activeElement)).toBe(true);
    await page.setViewportSize({ width: 1200, height: 800 });
    await page.reload();
    await side(page).locator("li").first().waitFor();
    await toggle(page).press("Enter");
    expect(await side(page).isVisible()).toBe(false);
    expect(await toggle(page).getAttribute("aria-expanded")).toBe("false");
  });

  it("go on when a proxy had answered in the server's place, with all that happened meanwhile", async () => {
    const assistant = await createAssistant({ model: scriptedModel(() => says("Answered")), server: { token: OWNER } });
    let isAway = true;
    const { page } = await open(
      (request) =>
        isAway && new URL(request.url).pathname === "/api/v1/events"
          ? new Response("Bad gateway", { status: 502 })
          : assistant.fetch(request),
      { stop: () => assistant.stop({ graceMs: 0 }) },
    );
    await say(page, "one");
    const id = await page.evaluate(() => (JSON.parse(localStorage["wakeful.conversation"]) as { id: string }).id);
    const messages = [{ id: "m", role: "user", parts: [{ type: "text", text: "from elsewhere" }] }];
    const elsewhere = await assistant.fetch(call("/api/v1/chat", { body: { id, messages } }));
    expect(await elsewhere.text()).toContain("Answered");
    await assistant.attention.notify({ user: "web", text: "The oven is hot", type: "note", urgent: true });
    expect(await log(page).getByText("from elsewhere").count()).toBe(0);
    isAway = false;
    await log(page).getByText("from elsewhere").waitFor();
    await page.getByRole("button", { name: "Notices: 1" }).waitFor();
  });

  it("are shown no longer to whoever is not signed in any more when the connection is lost", async () => {
    const assistant = await createAssistant({ model: scriptedModel(() => says("Answered")), server: { token: OWNER } });
    const { page } = await open(
      (request) =>
        new URL(request.url).pathname === "/api/v1/events"
          ? new Response("Not signed in", { status: 401 })
          : assistant.fetch(request),
      { stop: () => assistant.stop({ graceMs: 0 }) },
    );
    await page.context().clearCookies();
    await page.getByLabel("Access token").waitFor();
  });

  it("have what a job was told folded, also where it said nothing, and what came of one open", async () => {
    const fake = fakeAssistant();
    fake.transcripts.set("agent:main:web:direct:old", []);
    const note = { type: "note", atMs: 0, source: "job water" } as const;
    const show = async (key: string) => ({
      key,
      entries: [
        { ...note, seq: 1, text: "The job is due now", origin: "job" },
        { ...note, seq: 2, text: "Water was drunk" },
        { type: "user", seq: 3, atMs: 0, text: "go on", user: "sdk" } as const,
      ],
    });
    const old = { id: "old", title: "old talk", lastAt: new Date(0), entries: 3 };
    const conversations = async () => ({ conversations: [old] });
    const app = appOf({ ...fake.parts, sessions: { ...fake.parts.sessions, show, conversations } });
    const { page } = await open((request) => app.fetch(request));
    await side(page).getByRole("button", { name: "old talk" }).first().click();
    await log(page).getByText("go on").waitFor();
    expect(await log(page).getByText("The job is due now").isVisible()).toBe(false);
    expect(await log(page).getByText("Water was drunk").isVisible()).toBe(true);
  });

  it("are one, kept in the browser, where the server has no list", async () => {
    const fake = fakeAssistant();
    const { page } = await open((request) =>
      new URL(request.url).pathname === "/api/v1/conversations"
        ? new Response(null, { status: 404 })
        : fake.app.fetch(request),
    );
    await say(page, "hello");
    expect([await side(page).count(), await toggle(page).count()]).toEqual([0, 0]);
    await page.reload();
    await log(page).getByText("You said: hello").waitFor();
  });

  describe("with a summary", () => {
    async function openSummary(options: { token?: string; fails?: boolean } = {}) {
      const fake = fakeAssistant();
      const entry = { seq: 1, atMs: 0 };
      const prefix = options.token === ADA ? "app%3aada/" : "";
      fake.transcripts.set(`agent:main:web:direct:${prefix}old`, [
        { type: "summary", ...entry, text: "An **older** one", turns: 40, edited: true },
        { type: "summary", ...entry, seq: 2, text: "- likes tea\n- <b>travels</b>", turns: 12, edited: false },
        { type: "user", ...entry, seq: 3, text: "go on", user: "sdk" },
      ]);
      const written: string[] = [];
      const app = appOf({
        ...fake.parts,
        sessions: {
          ...fake.parts.sessions,
          show: async (key) => ({ key, entries: [...fake.transcripts.values()][0] ?? [] }),
          conversations: async () => ({
            conversations: [{ id: "old", title: "old talk", lastAt: new Date(0), entries: 3 }],
          }),
          async editSummary(_key, text) {
            if (options.fails) throw new AssistantError("CONFLICT", "It was written anew meanwhile");
            written.push(text);
            return { seq: 4, atMs: 0, text, edited: true, turns: 12 } as never;
          },
        },
      });
      const opened = await open((request) => app.fetch(request), options);
      await side(opened.page).getByRole("button", { name: "old talk" }).first().click();
      await log(opened.page).getByText("go on").waitFor();
      return { ...opened, written };
    }

    it("show it closed, marked C, and the newest is edited by the owner", async () => {
      const { page, written, complaints } = await openSummary();
      const summaries = log(page).locator("details.summary");
      expect(await summaries.locator("summary").allInnerTexts()).toEqual([
        "C 40 older turns as a summary (edited)",
        "C 12 older turns as a summary",
      ]);
      expect(
        await summaries
          .locator(".mark")
          .first()
          .evaluate((one) => getComputedStyle(one).backgroundColor),
      ).toBe("rgb(107, 63, 160)");
      expect(await log(page).getByText("likes tea").isVisible()).toBe(false);
      await summaries.nth(0).locator("summary").click();
      expect(await summaries.nth(0).getByRole("button", { name: "Edit" }).count()).toBe(0);
      await summaries.nth(1).locator("summary").press("Enter");
      await log(page).getByText("likes tea").waitFor();
      expect(await log(page).locator("b").count()).toBe(0);
      await shoot(page, "summary-light");
      await page.emulateMedia({ colorScheme: "dark" });
      await shoot(page, "summary-dark");
      await summaries.nth(1).getByRole("button", { name: "Edit" }).press("Enter");
      await page.getByLabel("Summary").fill("  likes coffee  ");
      await summaries.nth(1).getByRole("button", { name: "Save" }).press("Enter");
      await log(page).getByText("likes coffee").waitFor();
      expect(written).toEqual(["likes coffee"]);
      expect(await summaries.nth(1).locator("summary").innerText()).toBe("C 12 older turns as a summary (edited)");
      expect(complaints).toEqual([]);
    });

    it("keep what is being written when something is said, and are not written over when there is a newer one", async () => {
      const { page, assistant } = await openAssistant(undefined, { compaction: { keepLastTurns: 1 } });
      for (const place of ["Oslo", "Bergen", "Tromsø"]) await say(page, `We may go to ${place}`);
      await say(page, "/compact");
      await page.reload();
      const key = (await assistant.sessions.list())[0]!.key;
      const newest = async () => (await assistant.sessions.summaries(key)).at(-1)?.summary;
      const summary = log(page).locator("details.summary").first();
      const text = page.getByLabel("Summary");
      const other = await page.context().newPage();
      await other.goto(page.url());
      const inAnotherTab = async (said: string) => {
        await say(other, said);
        await log(page).getByText(said, { exact: true }).last().waitFor();
      };
      await summary.locator("summary").click();
      await summary.getByRole("button", { name: "Edit" }).click();
      await text.fill("Lofoten");
      await inAnotherTab("And then?");
      expect(await text.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.type(", in May");
      await summary.getByRole("button", { name: "Save" }).click();
      await summary.locator(".text", { hasText: "Lofoten, in May" }).waitFor();
      expect(await newest()).toBe("Lofoten, in May");

      await summary.getByRole("button", { name: "Edit" }).click();
      await text.fill("mine");
      await inAnotherTab("/compact");
      const newer = await newest();
      expect(newer).not.toBe("Lofoten, in May");
      await polled(() => log(page).locator("details.summary").count()).toBe(3);
      await log(page).getByRole("button", { name: "Save" }).click();
      await log(page).getByRole("alert").getByText("A newer summary was written in the meantime").waitFor();
      expect(await text.inputValue()).toBe("mine");
      expect(await newest()).toBe(newer);
    });

    it("say why it could not be saved, and keep what was written", async () => {
      const { page } = await openSummary({ fails: true });
      await log(page).locator("details.summary summary").nth(1).click();
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Summary").fill("mine");
      await page.getByRole("button", { name: "Save" }).click();
      await log(page).getByRole("alert").getByText("It was written anew meanwhile").waitFor();
      expect(await page.getByLabel("Summary").inputValue()).toBe("mine");
      await page.getByRole("button", { name: "Cancel" }).click();
      await log(page).getByText("likes tea").waitFor();
    });

    it("let nobody but the owner edit it", async () => {
      const { page } = await openSummary({ token: ADA });
      await log(page).locator("details.summary summary").nth(1).click();
      await log(page).getByText("likes tea").waitFor();
      expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
    });
  });
});
