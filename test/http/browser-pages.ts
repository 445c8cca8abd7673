import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { type Page, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { OWNER } from "./support.ts";

/** The engine without the windows of a whole browser takes half the work. */
const executablePath = [process.env["CHROMIUM_PATH"], "/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(
  (path) => path !== undefined && existsSync(path),
);

export const isBrowserMissing = executablePath === undefined;

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // One process draws all tabs: to start one for each takes longer than most tests.
  "--renderer-process-limit=1",
];

/** A browser with a profile of its own, which goes with it. */
export async function startBrowser() {
  const folder = await mkdtemp(join(tmpdir(), "wakeful-page-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: executablePath!,
    args: ARGUMENTS,
    headless: true,
  });
  return {
    context,
    /** Closes what a test opened. */
    async clear() {
      for (const page of context.pages().slice(1)) await page.close(); // with the last one the window goes, and a new one costs
      await context.clearCookies();
    },
    async close() {
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Browser = Awaited<ReturnType<typeof startBrowser>>;

/** One browser for the tests of a `describe`, to be called in it; each test's server and tabs are closed behind it. */
export function pagesInBrowser() {
  let browser: Browser;
  let close = async () => {};

  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterEach(async () => {
    await browser.clear();
    await close();
    close = async () => {};
  });
  afterAll(() => browser.close());

  type Fetch = (request: Request) => Response | Promise<Response>;

  interface Opening {
    readonly token?: string;
    readonly path?: string;
    /** As `Accept-Language` has it. */
    readonly language?: string;
    readonly stop?: () => Promise<void>;
  }

  async function open(fetch: Fetch, options: Opening = {}) {
    const server = serve({ fetch, port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    close = async () => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await options.stop?.();
    };
    return { origin, ...(await signedIn(origin + (options.path ?? ""), options.token, options.language)) };
  }

  async function signedIn(address: string, token = OWNER, language?: string) {
    const page = await browser.context.newPage();
    if (language !== undefined) await page.setExtraHTTPHeaders({ "accept-language": language });
    page.setDefaultTimeout(20_000);
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
    // As the form sends it. The form itself, which takes as long to show as the page, is filled in by page.browser.test.ts and page-mounted.browser.test.ts.
    await page.request.post(address, {
      form: { token },
      headers: { origin: new URL(address).origin },
      maxRedirects: 0,
    });
    await page.goto(address);
    await page.locator("#text").waitFor();
    return { page, complaints };
  }

  return { open, signedIn };
}

/** Texts whose colour stands out less than 4.5 : 1 from what is behind them (WCAG 2.2, 1.4.3). */
export function lowContrast(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const parse = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [red = 0, green = 0, blue = 0] = parse(color)
        .slice(0, 3)
        .map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: Element | null): string => {
      if (!element) return "rgb(255, 255, 255)";
      const color = getComputedStyle(element).backgroundColor;
      return (parse(color)[3] ?? 1) === 0 ? behind(element.parentElement) : color;
    };
    const found: string[] = [];
    for (const element of document.body.querySelectorAll("*")) {
      const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
      const isBox = element instanceof HTMLTextAreaElement || element instanceof HTMLInputElement;
      if (!(own || isBox) || !element.checkVisibility() || element.matches("script, noscript, noscript *")) continue;
      const [light = 0, dark = 0] = [luminance(getComputedStyle(element).color), luminance(behind(element))].toSorted(
        (a, b) => b - a,
      );
      const ratio = (light + 0.05) / (dark + 0.05);
      if (ratio < 4.5) found.push(`${element.outerHTML.slice(0, 80)}: ${ratio.toFixed(2)}`);
    }
    return found;
  });
}
