import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { OWNER, fakeAssistant } from "./support.ts";

const ORIGIN = "http://localhost:8787";
type Fetch = (request: Request) => Response | Promise<Response>;

/** How host programs mount the assistant. The last two cut the path off before they hand the request on. */
const HOSTS: Readonly<Record<string, (app: Hono) => Fetch>> = {
  "at the root": (app) => (request) => app.fetch(request),
  "by app.route": (app) => new Hono().route("/assistant", app).fetch,
  "by app.mount": (app) => new Hono().mount("/assistant", (request) => app.fetch(request)).fetch,
  "as Express does": (app) => (request) => {
    const { pathname, search } = new URL(request.url);
    if (!/^\/assistant(\/|$)/.test(pathname)) return new Response("Not the assistant's", { status: 404 });
    return app.fetch(new Request(ORIGIN + (pathname.slice("/assistant".length) || "/") + search, request));
  },
};

/** As much of a browser as a sign-in takes: it resolves what it is told against where it is, and keeps the cookie. */
function browser(fetch: Fetch) {
  let cookie = "";
  async function visit(url: URL, init: RequestInit = {}): Promise<{ url: URL; html: string; status: number }> {
    const headers = { ...(cookie !== "" && { cookie }), origin: ORIGIN };
    const response = await fetch(new Request(url, { ...init, headers }));
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    const location = response.headers.get("location");
    if (location !== null) return visit(new URL(location, url));
    return { url, html: await response.text(), status: response.status };
  }
  return {
    open: (path: string) => visit(new URL(path, ORIGIN)),
    /** Sends the one form of a page. Without an action it goes to where the page is. */
    send(page: { url: URL; html: string }, fields: Record<string, string>) {
      const [form = ""] = /<form method="post"[^>]*>/.exec(page.html) ?? [];
      const [, action] = /action="([^"]*)"/.exec(form) ?? [];
      const url = new URL(action || page.url, page.url);
      return visit(url, { method: "POST", body: new URLSearchParams(fields) });
    },
  };
}

describe("the page of a host program", () => {
  it.each([
    ["at the root", "/"],
    // Hono's own router knows a path with a slash at its end as another one.
    ["by app.route", "/assistant"],
    ["by app.mount", "/assistant"],
    ["by app.mount", "/assistant/"],
    ["as Express does", "/assistant"],
    ["as Express does", "/assistant/"],
  ])("signs in where it is mounted %s, opened at %s", async (host, path) => {
    const { open, send } = browser(HOSTS[host]!(fakeAssistant().app));
    const asked = await open(path);
    expect(asked.html).toContain('id="token"');
    const refused = await send(asked, { token: "a-wrong-token-0123456789" });
    expect([refused.status, refused.url.pathname]).toEqual([401, path]);
    const chat = await send(refused, { token: OWNER });
    expect([chat.status, chat.url.pathname]).toEqual([200, path]);
    expect(chat.html).toContain('data-role="owner"');
    expect((await open(path)).html).toContain('data-role="owner"');
  });
});
