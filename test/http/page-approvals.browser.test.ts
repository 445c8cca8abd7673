import { join } from "node:path";
import type { Page } from "playwright-core";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { polled } from "../support/within.ts";
import { createAssistant, defineTool } from "../../entry.host.ts";
import { calls, says, scriptedModel } from "../../src/testing/scripted-model.ts";
import { isBrowserMissing, pagesInBrowser } from "./browser-pages.ts";

const OWNER = "the-owners-token";
const ADA = "adas-token";
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];

describe.skipIf(isBrowserMissing)("a call that waits, on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open: openPage } = pagesInBrowser();

  /** A server with a tool that needs an approval, and a page that is signed in. */
  async function open(options: { token?: string; language?: string; fails?: boolean; leaves?: boolean } = {}) {
    const ran: string[] = [];
    const model = scriptedModel((prompt) => {
      const text = JSON.stringify(prompt.at(-1)?.content);
      if (text.includes("wakeful-note")) return says(text.includes("Denied") ? "As you wish" : "It is **done**");
      const wanted = /wipe (\w+)/.exec(text);
      if (wanted) return calls(["wipe", { disk: wanted[1], script: `first\n${"long ".repeat(900)}\u202Elast` }]);
      return says("I asked");
    });
    const wipe = defineTool({
      description: "wipes",
      inputSchema: v.looseObject({ disk: v.string() }),
      execute({ disk }) {
        ran.push(disk);
        if (options.fails) throw new Error("The disk is \u202Estuck");
        return { wiped: disk };
      },
      meta: { dangerous: true, boundTo: () => ({ folder: "/srv/disks" }) },
    });
    const assistant = await createAssistant({
      model,
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
      ...(!options.leaves && { tools: { wipe } }),
    });
    const comes = () => assistant.tools.register("wipe", wipe);
    const leaves = options.leaves ? comes() : () => {};
    const { token = OWNER, language } = options;
    const { page, complaints } = await openPage((request) => assistant.fetch(request), {
      token,
      ...(language !== undefined && { language }),
      stop: () => assistant.stop({ graceMs: 0 }),
    });
    return { page, assistant, ran, complaints, comes, leaves };
  }

  const say = async (page: Page, text: string) => {
    await page.locator("#text").fill(text);
    await page.keyboard.press("Enter");
  };
  const card = (page: Page) => page.getByRole("group", { name: "Approval needed: wipe" });
  const shoot = async (page: Page, name: string) => {
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  };

  it("stays on the page when something is said in another tab", async () => {
    const { page, complaints } = await open();
    await say(page, "wipe sda");
    await card(page).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await card(other).waitFor();
    await say(page, "hello");
    await other.getByText("hello", { exact: true }).waitFor();
    await card(other).waitFor();
    expect(await card(other).count()).toBe(1);
    expect(await card(page).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("keeps the reason that is being written when something is said in another tab", async () => {
    const { page, assistant, complaints } = await open();
    await say(page, "wipe sda");
    const call = page.locator("details.tool");
    await call.locator("summary").click();
    const reason = card(page).getByLabel("Reason, if you deny it");
    await reason.fill("not that");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await card(other).waitFor();
    await say(other, "hello");
    await page.getByText("hello", { exact: true }).waitFor();
    expect(await card(page).count()).toBe(1);
    expect(await reason.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await call.getAttribute("open")).toBe("");
    await page.keyboard.type(" one");
    await card(page).getByRole("button", { name: "Deny" }).click();
    await card(page).getByRole("status").getByText("Denied. It does not run. not that one").waitFor();
    expect(await assistant.approvals.list({ all: true })).toMatchObject([{ outcome: { reason: "not that one" } }]);
    await call.locator("summary").focus();
    await say(other, "hello again");
    await page.getByText("hello again", { exact: true }).waitFor();
    await page.keyboard.press("Enter");
    expect(await call.getAttribute("open")).toBeNull();
    expect(complaints).toEqual([]);
  });

  it("is shown whole, approved with the keyboard, and followed by its result and what the assistant says", async () => {
    const { page, ran, complaints } = await open();
    await say(page, "wipe sda");
    await card(page).waitFor();
    const shown = (await card(page).locator("pre").first().textContent()) ?? "";
    expect(shown).toBe(
      `input\n  disk: sda\n  script: first\n      ${"long ".repeat(900)}\\u{202e}last\nwhere\n  folder: /srv/disks`,
    );
    const box = await card(page)
      .locator("pre")
      .first()
      .evaluate((element) => ({
        isWhole: element.scrollHeight <= element.clientHeight + 1 && element.scrollWidth <= element.clientWidth,
        whiteSpace: getComputedStyle(element).whiteSpace,
      }));
    expect(box).toEqual({ isWhole: true, whiteSpace: "pre-wrap" });
    await page.locator("summary", { hasText: "waits for approval" }).waitFor();
    expect(ran).toEqual([]);
    await shoot(page, "approval-asked");
    const once = card(page).getByRole("button", { name: "Approve once" });
    await once.focus();
    await page.keyboard.press("Enter");
    await card(page).getByRole("status").getByText("Approved, and done.").waitFor();
    expect(await card(page).locator("pre").last().textContent()).toBe('{\n  "wiped": "sda"\n}');
    await page.locator(".message.assistant strong", { hasText: "done" }).waitFor();
    for (const name of ["Approve once", "Always", "Deny"])
      expect(await card(page).getByRole("button", { name }).isDisabled()).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("role"))).toBe("status");
    expect(ran).toEqual(["sda"]);
    await shoot(page, "approval-done");
    expect(complaints).toEqual([]);
  });

  it("leaves what the assistant was told of it folded after a reload, before what it said", async () => {
    const { page } = await open();
    await say(page, "wipe sda");
    await card(page).getByRole("button", { name: "Approve once" }).click();
    await page.locator(".message.assistant strong", { hasText: "done" }).waitFor();
    await page.reload();
    const note = page.locator(".message.note details");
    await note.waitFor();
    expect(await note.locator("summary").innerText()).toMatch(/^approval \w+$/);
    expect(await note.locator("p").isVisible()).toBe(false);
    await note.locator("summary").press("Enter");
    expect(await note.locator("p").isVisible()).toBe(true);
  });

  it("has no buttons any more once it was answered in another tab or in a chat", async () => {
    const { page, assistant, complaints } = await open();
    await say(page, "wipe sda");
    await card(page).waitFor();
    await say(page, "wipe sdb");
    await card(page).nth(1).waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await card(other).first().getByRole("button", { name: "Approve once" }).click();
    await card(other).first().getByRole("status").getByText("Approved, and done.").waitFor();
    const gone = "Already answered elsewhere, or expired.";
    await card(page).first().getByRole("status").getByText(gone).waitFor();
    for (const name of ["Approve once", "Always", "Deny"]) {
      expect(await card(page).first().getByRole("button", { name }).isDisabled()).toBe(true);
      expect(await card(page).nth(1).getByRole("button", { name }).isDisabled()).toBe(false);
    }
    const [waiting] = await assistant.approvals.list();
    await assistant.approvals.answer(waiting?.code ?? "", { answer: "deny", user: "cli" });
    for (const one of [page, other]) await card(one).nth(1).getByRole("status").getByText(gone).waitFor();
    expect(complaints).toEqual([]);
  });

  it("and the views can be reached when the server had too much to do as the page was opened", async () => {
    const { page } = await open();
    await say(page, "wipe sda");
    await card(page).waitFor();
    const busy = { status: 429, json: { detail: "Too many requests" } };
    await page.route(/api\/v1\/(approvals|jobs|memory|skills|workflows)/, (route) => route.fulfill(busy));
    await page.reload();
    for (const name of ["Jobs", "Workflows", "Skills", "Memory"])
      await page.getByRole("button", { name, exact: true }).waitFor();
    await page.getByRole("alert").getByText("Too many requests").waitFor();
    expect(await card(page).count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole("button", { name: "Try again" }).click();
    await card(page).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("is denied with a reason, which is shown and reaches the assistant", async () => {
    const { page, ran, assistant } = await open();
    await say(page, "wipe sda");
    await card(page).getByLabel("Reason, if you deny it").fill("not that one");
    await card(page).getByRole("button", { name: "Deny" }).click();
    await card(page).getByRole("status").getByText("Denied. It does not run. not that one").waitFor();
    await page.getByText("As you wish").waitFor();
    expect(ran).toEqual([]);
    expect(await assistant.approvals.list({ all: true })).toMatchObject([{ outcome: { reason: "not that one" } }]);
  });

  it("whose tool is not there stays approved, also after a reload, and can be denied until the tool is back", async () => {
    const { page, ran, comes, leaves, complaints } = await open({ leaves: true });
    await say(page, "wipe sda");
    await card(page).waitFor();
    await say(page, "wipe sdb");
    await card(page).nth(1).waitFor();
    leaves();
    const waits = "Approved. The call runs when a program that has this tool starts";
    for (const at of [0, 1]) {
      await card(page).nth(at).getByRole("button", { name: "Approve once" }).click();
      await card(page).nth(at).getByRole("status").getByText(waits).waitFor();
    }
    await page.reload();
    const first = card(page).filter({ hasText: "disk: sda" });
    await first.getByRole("status").getByText(waits).waitFor();
    for (const name of ["Approve once", "Always"])
      expect(await first.getByRole("button", { name }).isDisabled()).toBe(true);
    await first.getByRole("button", { name: "Deny" }).click();
    await first.getByRole("status").getByText("Denied. It does not run.").waitFor();
    comes();
    await polled(() => ran, { timeout: 20_000 }).toEqual(["sdb"]);
    expect(complaints).toEqual([]);
  });

  it("can be allowed for good, and then asks no more", async () => {
    const { page, ran, assistant } = await open();
    await say(page, "wipe sda");
    await card(page).getByRole("button", { name: "Always" }).click();
    await card(page).getByRole("status").getByText("Approved, and done.").waitFor();
    await page.locator(".message.assistant strong", { hasText: "done" }).waitFor();
    expect(await assistant.approvals.rules()).toMatchObject([{ tool: "wipe", for: "owner" }]);
    await say(page, "wipe sda");
    // The page shows the same words from before, so what ran is waited for itself.
    await polled(() => ran, { timeout: 20_000 }).toEqual(["sda", "sda"]);
  });

  it("is there again after a reload, wherever it was asked, and only once", async () => {
    const { page, ran, assistant } = await open();
    await say(page, "wipe sda");
    await card(page).waitFor();
    await assistant.send({ text: "wipe sdb", user: "app:bob" });
    await page.reload();
    await card(page).nth(1).waitFor();
    expect(await card(page).count()).toBe(2);
    const other = card(page).filter({ hasText: "Asked by app:bob" });
    await other.getByRole("button", { name: "Approve once" }).click();
    await other.getByRole("status").getByText("Approved, and done.").waitFor();
    expect(ran).toEqual(["sdb"]);
    await page.reload();
    await card(page).waitFor();
    expect(await card(page).count()).toBe(1);
  });

  it("says why an answer does not count, and why a call failed", async () => {
    const { page, assistant } = await open({ fails: true });
    // It does not hear of the answer.
    await page.route(/api\/v1\/events/, (route) => route.abort());
    await page.reload();
    await say(page, "wipe sda");
    await card(page).waitFor();
    const [waiting] = await assistant.approvals.list();
    await assistant.approvals.answer(waiting?.code ?? "", { answer: "deny", user: "cli" });
    await card(page).getByRole("button", { name: "Approve once" }).click();
    await card(page).getByRole("status").getByText("was already answered by cli").waitFor();
    expect(await card(page).getByRole("button", { name: "Approve once" }).isDisabled()).toBe(true);
    await say(page, "wipe sdb");
    const next = card(page).nth(1);
    await next.getByRole("button", { name: "Approve once" }).click();
    await next.getByRole("status").getByText("Approved, but it failed.").waitFor();
    expect(await next.locator("pre").last().textContent()).toContain("The disk is \\u{202e}stuck");
  });

  it("is only a code for somebody who is not the owner", async () => {
    const { page, complaints } = await open({ token: ADA });
    await say(page, "wipe sda");
    await page.getByText(/wipe: Waits for the owner's approval, code [A-Z0-9]{6}/).waitFor();
    expect(await page.getByRole("button", { name: "Approve once" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("speaks Chinese, and fits 320 pixels", async () => {
    const { page } = await open({ language: "zh-CN" });
    await page.setViewportSize({ width: 320, height: 700 });
    await say(page, "wipe sda");
    const asked = page.getByRole("group", { name: "需要批准: wipe" });
    await asked.waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await shoot(page, "approval-narrow");
    await asked.getByRole("button", { name: "拒绝" }).click();
    await asked.getByRole("status").getByText("已拒绝，不会执行。").waitFor();
  });
});
