import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { OWNER } from "./support.ts";

const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

export const isBrowserMissing = !existsSync(executablePath);

/** One browser for the tests of a `describe`, to be called in it; each test's server and tabs are closed behind it. */
export function pagesInBrowser() {
  let folder = "";
  let context: BrowserContext;
  let close = async () => {};

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wakeful-page-"));
    context = await chromium.launchPersistentContext(folder, {
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
      headless: true,
    });
  });
  afterEach(async () => {
    for (const page of context.pages().slice(1)) await page.close(); // with the last one the window goes, and a new one costs
    await context.clearCookies();
    await close();
    close = async () => {};
  });
  afterAll(async () => {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  });

  type Fetch = (request: Request) => Response | Promise<Response>;

  async function open(fetch: Fetch, options: { token?: string; path?: string; stop?: () => Promise<void> } = {}) {
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await options.stop?.();
    };
    return { origin, ...(await signedIn(origin + (options.path ?? ""), options.token)) };
  }

  async function signedIn(address: string, token = OWNER) {
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    await page.goto(address);
    await page.locator("#token").fill(token);
    await page.keyboard.press("Enter");
    await page.locator("#text").waitFor();
    return { page, complaints };
  }

  return { open, signedIn };
}
