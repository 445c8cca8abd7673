import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isBrowserMissing, pagesInBrowser } from "./browser-pages.ts";
import { createAssistant } from "../../entry.host.ts";
import { hangs, says, scriptedModel } from "../../src/testing/index.ts";
import { OWNER } from "./support.ts";

/** A folder for pictures, when somebody wants to look. */
const SCREENSHOTS = process.env["WAKEFUL_SCREENSHOTS"];

describe.skipIf(isBrowserMissing)("Stop on the page — needs chromium", { timeout: 60_000 }, () => {
  const { open } = pagesInBrowser();

  async function openAssistant() {
    // Waits for ever for what begins with "slow"; else says what it was asked.
    const model = scriptedModel(
      (prompt) => {
        const text = JSON.stringify(prompt.at(-1)?.content);
        return text.includes("slow") ? hangs("Thinking") : says(`Heard: ${/say (\w+)/.exec(text)?.[1] ?? "nothing"}`);
      },
      { record: true },
    );
    const assistant = await createAssistant({ model, server: { token: OWNER } });
    const opened = await open((request) => assistant.fetch(request), { stop: () => assistant.stop({ graceMs: 0 }) });
    const { page } = opened;
    const stop = page.getByRole("button", { name: "Stop" });
    const status = page.getByRole("status");
    const log = page.getByRole("log");
    const type = async (text: string) => {
      await page.locator("#text").fill(text);
      await page.keyboard.press("Enter");
    };
    return { ...opened, assistant, model, stop, status, log, type };
  }

  it("is there while a turn works, ends it, and gives the field back", async () => {
    const { page, stop, status, log, type, complaints } = await openAssistant();
    expect(await stop.isVisible()).toBe(false);
    await type("slow: delete the photos");
    await stop.waitFor();
    await log.getByText("Thinking").waitFor();
    if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, "stop.png") });
    await stop.press("Enter");
    await log.getByText("Stopped by a person").waitFor();
    await stop.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("text");
    await type("say hello");
    await log.getByText("Heard: hello").waitFor();
    expect(await status.textContent()).toBe("The assistant has answered.");
    expect(complaints).toEqual([]);
  });

  it("leaves Send as it is: messages go out meanwhile, and are answered after it", async () => {
    const { stop, log, type, model, complaints } = await openAssistant();
    await type("slow one");
    await log.getByText("Thinking").waitFor();
    await type("say two");
    await log.getByText("say two").waitFor();
    expect(model.callCount).toBe(1);
    await stop.click();
    await log.getByText("Stopped by a person").first().waitFor();
    // Both were said before it.
    await stop.waitFor({ state: "hidden" });
    await type("say three");
    await log.getByText("Heard: three").waitFor();
    expect(complaints).toEqual([]);
  });

  it("answers what was said meanwhile, once, also after a reload", async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const model = scriptedModel(async (prompt) => {
      const text = JSON.stringify(prompt.at(-1)?.content);
      if (text.includes("first")) await held;
      return says(text.includes("second") ? "Heard the second and the third" : "Heard the first");
    });
    const assistant = await createAssistant({ model, server: { token: OWNER } });
    const { page, complaints } = await open((request) => assistant.fetch(request), {
      stop: () => assistant.stop({ graceMs: 0 }),
    });
    const log = page.getByRole("log");
    for (const text of ["first", "second", "third"]) {
      await page.locator("#text").fill(text);
      await page.keyboard.press("Enter");
      await log.getByText(text, { exact: true }).waitFor();
    }
    await page.reload();
    await log.getByText("third", { exact: true }).waitFor();
    release();
    await log.getByText("Heard the second and the third").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "hidden" });
    expect(await log.getByText("Heard the first").count()).toBe(1);
    expect(await log.getByText("Heard the second and the third").count()).toBe(1);
    expect(await log.getByText("second", { exact: true }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe("DELETE /api/v1/chat/:id/stream", () => {
  it("stops the caller's own conversation, and nobody else's", async () => {
    const model = scriptedModel(() => hangs(), { record: true });
    const ADA = "ada-token-0123456789";
    const assistant = await createAssistant({
      model,
      server: { token: OWNER, tokens: [{ token: ADA, role: "user", user: "http:ada" }] },
    });
    const call = (token: string, method: string, path: string, body?: unknown) =>
      assistant.fetch(
        new Request(`http://localhost/api/v1${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
    const message = { id: "m1", role: "user", parts: [{ type: "text", text: "hello" }] };
    const answer = await call(OWNER, "POST", "/chat", { id: "c", messages: [message] });
    const text = answer.text();
    while (model.callCount === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    expect((await call(ADA, "DELETE", "/chat/c/stream")).status).toBe(204);
    expect((await assistant.sessions.show("agent:main:web:direct:c"))?.entries.at(-1)?.type).toBe("user");
    expect((await call(OWNER, "DELETE", "/chat/c/stream")).status).toBe(204);
    expect(await text).toContain("Stopped by a person");
    expect((await call("nobody", "DELETE", "/chat/c/stream")).status).toBe(401);
    await assistant.stop();
  });
});
