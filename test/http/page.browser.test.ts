import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { AssistantError } from "../../src/errors.ts";
import { isBrowserMissing, lowContrast, startBrowser } from "./browser-pages.ts";
import { ADA, type FakeAssistant, OWNER, type Script, echo, fakeAssistant, milestone, replyOf } from "./support.ts";

describe.skipIf(isBrowserMissing)("the page in a browser — needs chromium", { timeout: 60_000 }, () => {
  let browser: Awaited<ReturnType<typeof startBrowser>>;
  let close = async () => {};

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    await close();
    await browser.clear();
    close = async () => {};
  });
  afterAll(() => browser.close());

  /** A server with a page that is open, and what the browser complained of. */
  async function open(
    script: Script = echo,
  ): Promise<{ page: Page; fake: FakeAssistant; origin: string; complaints: string[]; cut(): void }> {
    const fake = fakeAssistant({ script });
    const server = serve({ fetch: (request) => fake.app.fetch(request), port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const cut = () => void ("closeAllConnections" in server && server.closeAllConnections());
    close = async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    };
    const page = await browser.context.newPage();
    page.setDefaultTimeout(20_000); // a machine that runs other suites beside this one takes its time
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    page.on(
      "request",
      (request) =>
        void (
          new URL(request.url()).origin === origin ||
          request.url().startsWith("data:") ||
          complaints.push(request.url())
        ),
    );
    await page.goto(origin);
    return { page, fake, origin, complaints, cut };
  }

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel("Access token").fill(OWNER);
    await page.keyboard.press("Enter");
    await page.getByLabel("Message").waitFor();
  }

  const log = (page: Page) => page.getByRole("log", { name: "Conversation" });
  const said = (page: Page, text: string) => log(page).getByText(text).first().waitFor();
  const answered = (page: Page) => page.getByRole("status").getByText("The assistant has answered.").waitFor();

  it("links the addresses that it shows, to nothing but what is read", async () => {
    const text =
      "See https://a.example/x_(y)?q=1, [docs](https://b.example/d) (http://c.example). **https://d.example/** `https://code.example` javascript:alert(1) 见https://e.example/路，好";
    const { page, complaints } = await open(function* () {
      yield { type: "text-delta", text };
    });
    await signIn(page);
    await page.keyboard.type("links");
    await page.keyboard.press("Enter");
    await answered(page);
    const links = log(page).getByRole("link");
    const shown = await links.allTextContents();
    expect(shown).toEqual([
      "https://a.example/x_(y)?q=1",
      "https://b.example/d",
      "http://c.example",
      "https://d.example/",
      "https://e.example/路",
    ]);
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual(shown);
    expect(await log(page).locator(".assistant .text").innerText()).toBe(text.replaceAll(/[*`]/g, ""));
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await lowContrast(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it("keeps what was said last in sight when it says that the server cannot be reached", async () => {
    const { page } = await open();
    await page.setViewportSize({ width: 360, height: 480 });
    await signIn(page);
    for (const text of ["one\n".repeat(20), "two"]) {
      await page.getByLabel("Message").fill(text);
      await page.keyboard.press("Enter");
      await answered(page);
    }
    await page.route("**/api/v1/chat", (route) => route.abort());
    await page.getByLabel("Message").fill("three");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    const hidden = await log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    expect(hidden).toBeLessThan(2);
  });

  it("signs in, streams text and a tool call, and keeps the conversation over a reload, with the keyboard alone", async () => {
    const tool = milestone();
    const end = milestone();
    const { page, fake, complaints } = await open(async function* (input) {
      yield { type: "text-delta", text: "I look" };
      await tool.reached;
      yield { type: "tool-start", callId: "t.0.0", name: "file_read", input: { path: "plan.md" } };
      await end.reached;
      yield { type: "tool-end", callId: "t.0.0", name: "file_read", output: { text: "sleep" }, durationMs: 1 };
      yield { type: "text-delta", text: `About ${input.text.length} characters: **sleep**\n\n\`\`\`\nzzz\n\`\`\`` };
    });
    // The token's box takes the focus by itself; what is typed before that is lost.
    await page.locator("input:focus").waitFor();
    await page.keyboard.type(OWNER);
    await page.keyboard.press("Enter");
    await page.getByLabel("Message").waitFor();
    await page.keyboard.type("What is");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("my plan?");
    await page.keyboard.press("Enter");
    await said(page, "I look");
    expect(await log(page).getAttribute("aria-busy")).toBe("true");
    expect(await page.getByRole("status").textContent()).toBe("The assistant is working…");
    tool.reach();
    const summary = log(page).locator("summary");
    await summary.getByText("running").waitFor();
    end.reach();
    await answered(page);
    expect(await log(page).getAttribute("aria-busy")).toBe("false");
    expect(fake.inputs[0]?.text).toBe("What is\nmy plan?");
    expect(await log(page).locator("pre", { hasText: "zzz" }).isVisible()).toBe(true);
    expect(await log(page).locator("strong").textContent()).toBe("sleep");

    const shown = async () => (await log(page).innerText()).replaceAll(/\s+/g, " ");
    const before = await shown();
    expect(before).toBe("You What is my plan? Assistant I look file_read done About 16 characters: sleep zzz");
    await page.reload();
    await said(page, "my plan?");
    // Texts before a tool are part of the turn's steps, not of its reply: the transcript has the reply.
    expect(await shown()).toBe("You What is my plan? Assistant file_read done About 16 characters: sleep zzz");

    // From the message box back to the tool call, and open it.
    for (
      let count = 0;
      count < 10 && !(await summary.evaluate((element) => element === document.activeElement));
      count++
    )
      await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    expect(await log(page).locator("details").getAttribute("open")).toBe("");
    expect(await log(page).locator("details pre").allTextContents()).toEqual([
      '{\n  "path": "plan.md"\n}',
      '{\n  "text": "sleep"\n}',
    ]);
    expect(complaints).toEqual([]);
  });

  it("begins a new conversation, and signs out", async () => {
    const { page, fake, complaints } = await open();
    await signIn(page);
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await answered(page);
    await page.getByRole("button", { name: "New conversation" }).press("Enter");
    expect(await page.getByLabel("Message").evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await log(page).innerText()).toMatch(/^Write a message to begin/);
    await page.keyboard.type("two");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(new Set(fake.inputs.map(({ session }) => session)).size).toBe(2);
    await page.getByRole("button", { name: "Sign out" }).press("Enter");
    await page.getByLabel("Access token").waitFor();
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    expect(await browser.context.cookies()).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("is signed out in every tab of the browser at once, whose drafts and conversations go with it", async () => {
    const { page, origin } = await open();
    await signIn(page);
    const other = await browser.context.newPage();
    await other.goto(origin);
    await other.getByLabel("Message").pressSequentially("A secret");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").waitFor();
    await other.getByLabel("Access token").waitFor({ timeout: 20_000 });
    expect(await other.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  });

  it("shows markup of a reply as text and runs none of it", async () => {
    const text = '<img src=x onerror="document.title=1"><script>document.title=2</script> [a](javascript:alert(1))';
    const { page, complaints } = await open(() => [{ type: "reply", reply: replyOf({ text }) }]);
    await signIn(page);
    await page.keyboard.type("<b>hi</b>");
    await page.keyboard.press("Enter");
    await answered(page);
    expect(await log(page).locator(".assistant .text").innerText()).toBe(text);
    expect(await log(page).locator("img, script, b, a").count()).toBe(0);
    expect(await page.title()).toBe("Wakeful");
    expect(complaints).toEqual([]);
  });

  it("picks up an answer that was under way when the page was left, and asks for nothing twice", async () => {
    const end = milestone();
    const { page, fake } = await open(async function* () {
      yield { type: "text-delta", text: "Begun" };
      await end.reached;
      yield { type: "text-delta", text: " and ended" };
    });
    await signIn(page);
    await page.keyboard.type("go");
    await page.keyboard.press("Enter");
    await said(page, "Begun");
    await page.reload();
    await page.getByRole("status").getByText("The assistant is working…").waitFor();
    end.reach();
    await answered(page);
    expect((await log(page).innerText()).replaceAll(/\s+/g, " ")).toBe("You go Assistant Begun and ended");
    expect(fake.turns()).toBe(1);
  });

  it("says that the server cannot be reached, keeps the message, and sends it when asked again", async () => {
    const { page, fake } = await open();
    await signIn(page);
    await browser.context.setOffline(true);
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await browser.context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await answered(page);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect((await log(page).innerText()).replaceAll(/\s+/g, " ")).toBe("You hello Assistant You said: hello");
    expect(fake.turns()).toBe(1);
  });

  it("gives back what never arrived when the server is there again, and shows it no more", async () => {
    const { page, cut } = await open();
    await signIn(page);
    await page.route("**/api/v1/chat", (route) => route.abort());
    await page.keyboard.type("hello");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await page.unroute("**/api/v1/chat");
    cut();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "hello");
    expect(await log(page).locator(".user").count()).toBe(0);
    await page.keyboard.press("Enter");
    await answered(page);
    expect((await log(page).innerText()).replaceAll(/\s+/g, " ")).toBe("You hello Assistant You said: hello");
  });

  it("gives back what never arrived after a reload, also where the same was said before", async () => {
    const { page, fake } = await open();
    await signIn(page);
    for (const text of ["yes", "and"]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Enter");
      await said(page, `You said: ${text}`);
    }
    await page.route("**/api/v1/chat", (route) => route.abort());
    await page.keyboard.type("yes");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
    await page.unroute("**/api/v1/chat");
    await page.reload();
    await said(page, "You said: and");
    expect(await page.getByLabel("Message").inputValue()).toBe("yes");
    expect(fake.turns()).toBe(2);
  });

  it("knows what arrived after a reload, also where the same was said so long before that it is shown no more", async () => {
    const end = milestone();
    let turn = 0;
    const { page, fake } = await open(async function* () {
      yield { type: "text-delta", text: `Answer ${(turn += 1)}` };
      if (turn > 1) await end.reached;
    });
    await signIn(page);
    await page.keyboard.type("yes");
    await page.keyboard.press("Enter");
    await answered(page);
    const [entries] = fake.transcripts.values();
    for (let seq = entries!.length + 1; seq <= 200; seq += 1)
      entries!.push({ type: "user", seq, atMs: 0, text: `${seq}`, user: "owner" });
    await page.reload();
    await said(page, "Answer 1");
    await page.getByLabel("Message").fill("yes");
    await page.keyboard.press("Enter");
    await said(page, "Answer 2");
    await page.reload();
    await page.getByRole("status").getByText("The assistant is working…").waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("");
    end.reach();
    await answered(page);
    expect(fake.turns()).toBe(2);
  });

  it("shows what is written from right to left in its direction", async () => {
    const { page } = await open();
    await signIn(page);
    await page.getByLabel("Message").fill("مرحبا (ok)");
    const from = () =>
      page.evaluate(() => {
        const text = document.querySelector(".user p")!.firstChild!;
        const leftOf = (at: number) => {
          const range = document.createRange();
          range.setStart(text, at);
          range.setEnd(text, at + 1);
          return range.getBoundingClientRect().left;
        };
        return leftOf(0) > leftOf(7) ? "right" : "left";
      });
    await page.keyboard.press("Enter");
    await answered(page);
    expect(await from()).toBe("right");
    await page.getByLabel("Message").fill("hello (مرحبا)");
    expect(await page.getByLabel("Message").evaluate((box) => getComputedStyle(box).unicodeBidi)).toBe("plaintext");
  });

  it("keeps the conversation of each tab over a reload", async () => {
    const { page, origin } = await open();
    await signIn(page);
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await said(page, "You said: one");
    const other = await browser.context.newPage();
    await other.goto(origin);
    await said(other, "You said: one");
    await other.getByRole("button", { name: "New conversation" }).press("Enter");
    await other.keyboard.type("two");
    await other.keyboard.press("Enter");
    await said(other, "You said: two");
    await page.reload();
    await said(page, "You said: one");
    expect(await log(page).innerText()).not.toContain("two");
  });

  it("shows what was said before the newest 200 entries when asked, also when an answer comes", async () => {
    const end = milestone();
    const { page, fake, complaints } = await open(async function* () {
      yield { type: "text-delta", text: "Begun" };
      await end.reached;
      yield { type: "text-delta", text: " and ended" };
    });
    await signIn(page);
    end.reach();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await answered(page);
    const earlier = log(page).getByRole("button", { name: "Older" });
    await page.reload();
    await said(page, "Begun and ended");
    expect(await earlier.count()).toBe(0);
    const [entries] = fake.transcripts.values();
    for (let seq = entries!.length + 1; seq <= 450; seq += 1)
      entries!.push({ type: "user", seq, atMs: 0, text: `said ${seq}`, user: "owner" });
    await page.reload();
    await said(page, "said 450");
    const shown = log(page).locator("article");
    expect([await shown.count(), await log(page).getByText("said 250").count()]).toEqual([200, 0]);
    const place = () => log(page).getByText("said 251").boundingBox();

    await earlier.focus();
    const before = await place();
    await page.keyboard.press("Enter");
    await said(page, "said 51");
    expect(await shown.count()).toBe(400);
    expect((await place())!.y - before!.y).toBeCloseTo(0, 0);
    const second = milestone();
    Object.assign(end, second);
    await page.getByLabel("Message").fill("go on");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("The assistant is working…").waitFor();
    // They come behind the answer that is under way.
    await earlier.press("Enter");
    second.reach();
    await earlier.waitFor({ state: "detached" });
    expect(await log(page).evaluate((element) => element === document.activeElement)).toBe(true);
    expect((await shown.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
      "You one",
      "Assistant Begun and ended",
      ...Array.from({ length: 448 }, (_, index) => `You said ${index + 3}`),
      "You go on",
      "Assistant Begun and ended",
    ]);
    expect(complaints).toEqual([]);
  });

  it("keeps what is in the box when the sign-in ends meanwhile", async () => {
    const { page } = await open();
    await signIn(page);
    await page.getByLabel("Message").fill("a long draft");
    await browser.context.clearCookies();
    await page.getByRole("button", { name: "Attention" }).click();
    await page.getByLabel("Access token").waitFor();
    await signIn(page);
    expect(await page.getByLabel("Message").inputValue()).toBe("a long draft");
    await page.getByLabel("Message").press("Enter");
    await said(page, "You said: a long draft");
    await page.reload();
    await said(page, "You said: a long draft");
    expect(await page.getByLabel("Message").inputValue()).toBe("");
  });

  it("asks for the answer again when the server stopped in the middle of it", async () => {
    const stopping = { now: true };
    const { page, fake } = await open(function* () {
      yield { type: "text-delta", text: "Half" };
      if (stopping.now) throw new AssistantError("STOPPED", "The assistant has stopped");
      yield { type: "text-delta", text: " and whole" };
    });
    await signIn(page);
    await page.keyboard.type("go");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("The assistant has stopped").waitFor();
    stopping.now = false;
    fake.restart();
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await answered(page);
    expect((await log(page).innerText()).replaceAll(/\s+/g, " ")).toBe("You go Assistant Half and whole");
    expect(new Set(fake.inputs.map(({ id }) => id)).size).toBe(1);
  });

  it("says what went wrong in a turn, to the owner why, and why a sign-in failed", async () => {
    const error = { code: "MODEL_UNAVAILABLE", message: "All models failed" };
    const { page } = await open(() => [{ type: "reply", reply: replyOf({ text: "I cannot answer now", error }) }]);
    await page.getByLabel("Access token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("That is not a token of this server").waitFor();
    await signIn(page);
    await page.keyboard.type("hi");
    await page.keyboard.press("Enter");
    await log(page).locator(".failed", { hasText: "All models failed" }).waitFor();
    expect(await log(page).getByText("I cannot answer now").count()).toBe(1);
    await page.reload();
    await log(page).locator(".failed", { hasText: "All models failed" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Access token").fill(ADA);
    await page.keyboard.press("Enter");
    await page.getByLabel("Message").waitFor();
    await page.keyboard.type("hi");
    await page.keyboard.press("Enter");
    await log(page).locator(".failed", { hasText: "I cannot answer now" }).waitFor();
    expect(await page.content()).not.toContain("All models failed");
  });

  it.each(["light", "dark"] as const)(
    "has names, roles and a contrast of 4.5 : 1 in %s mode, and fits 320 pixels",
    async (colorScheme) => {
      const { page } = await open(function* () {
        yield { type: "tool-start", callId: "t.0.0", name: "time", input: { zone: "a".repeat(200) } };
        yield { type: "tool-end", callId: "t.0.0", name: "time", error: { code: "X", message: "y" }, durationMs: 1 };
        yield {
          type: "text-delta",
          text: `Plain \`code\` ${"long".repeat(60)}\n\n\`\`\`\n${"block ".repeat(60)}\n\`\`\``,
        };
      });
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: 320, height: 600 });
      expect(await lowContrast(page)).toEqual([]);
      await signIn(page);
      await page.keyboard.type("hello");
      expect(await lowContrast(page)).toEqual([]);
      await page.keyboard.press("Enter");
      await answered(page);
      await log(page).locator("summary").click();
      expect(await lowContrast(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
        colorScheme === "dark" ? "rgb(22, 21, 20)" : "rgb(250, 248, 245)",
      );

      expect(await page.getByRole("main").count()).toBe(1);
      expect(await page.getByRole("heading", { level: 1, name: "Wakeful" }).count()).toBe(1);
      expect(await page.getByRole("article").count()).toBe(2);
      const names = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("button, textarea, a, [tabindex='0']")]
          .filter((element) => element.checkVisibility())
          .map((element) => {
            const labels =
              element instanceof HTMLTextAreaElement
                ? [...(element.labels ?? [])].map((label) => label.textContent)
                : [];
            return element.getAttribute("aria-label") ?? labels[0] ?? element.textContent ?? "";
          }),
      );
      expect(names.length).toBeGreaterThan(5);
      for (const name of names) expect(name.trim()).not.toBe("");
      await page.keyboard.press("Tab");
      const skip = page.getByRole("link", { name: "Skip to the message box" });
      await skip.focus();
      expect((await skip.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    },
  );

  it("speaks Chinese to a browser that prefers it", async () => {
    const { page, origin } = await open();
    await page.setExtraHTTPHeaders({ "accept-language": "zh-CN,zh;q=0.9" });
    await page.goto(origin);
    await page.getByLabel("访问令牌").fill(OWNER);
    await page.keyboard.press("Enter");
    await page.getByLabel("消息").waitFor();
    await page.keyboard.type("你好");
    await page.getByRole("button", { name: "发送" }).click();
    await page.getByRole("status").getByText("助手已回复。").waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("zh");
  });
});
