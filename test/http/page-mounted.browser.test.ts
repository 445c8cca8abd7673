import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { isBrowserMissing, pagesInBrowser } from "./browser-pages.ts";
import { OWNER, fakeAssistant } from "./support.ts";

describe.skipIf(isBrowserMissing)(
  "the page where a host program mounted it — needs chromium",
  { timeout: 60_000 },
  () => {
    const { open } = pagesInBrowser();

    it("signs in, talks and signs out at a path without a slash that it is not told of", async () => {
      const { app } = fakeAssistant();
      // As Express does, this cuts the path off: /assistant and /assistant/ are the same to the assistant.
      const host = new Hono().mount("/assistant", (request) => app.fetch(request));
      const { page, origin, complaints } = await open((request) => host.fetch(request), { path: "/assistant" });
      await page.keyboard.type("hello");
      await page.keyboard.press("Enter");
      await page.getByRole("log").getByText("You said: hello").waitFor();
      await page.reload();
      await page.getByRole("log").getByText("You said: hello").waitFor();
      expect(complaints).toEqual([]);

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.locator("#token").fill("a-wrong-token-0123456789");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("That is not a token of this server").waitFor();
      await page.locator("#token").fill(OWNER);
      await page.keyboard.press("Enter");
      await page.locator("#text").waitFor();
      expect(page.url().startsWith(`${origin}/assistant`)).toBe(true);
    });
  },
);
