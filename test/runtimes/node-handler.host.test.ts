import { type RequestListener, createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { OWNER, fakeAssistant } from "../http/support.ts";
import { toNodeHandler } from "../../adapters/runtimes/node/index.ts";

/** Runs a server on a free port of this machine while `work` does. */
async function serving(listener: RequestListener, work: (base: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const address = server.address();
    await work(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`);
  } finally {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }
}

describe("toNodeHandler()", () => {
  it("lets the page sign in where Express mounts it, without a slash at the end", async () => {
    const handler = toNodeHandler(fakeAssistant().app);
    const listener: RequestListener = (request, response) => {
      request.url = request.url?.replace(/^\/assistant\/?/, "/");
      handler(request, response);
    };
    await serving(listener, async (base) => {
      const page = `${base}/assistant`;
      expect(await (await fetch(page)).text()).toContain('<form method="post">');
      const body = new URLSearchParams({ token: OWNER });
      const signedIn = await fetch(page, { method: "POST", body, redirect: "manual" });
      const next = new URL(signedIn.headers.get("location") ?? "", page);
      expect([signedIn.status, next.pathname]).toEqual([303, "/assistant"]);
      const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
      expect(await (await fetch(next, { headers: { cookie } })).text()).toContain('data-role="owner"');
    });
  });

  it("says what is wrong where the host has read the body before", async () => {
    const handler = toNodeHandler({
      fetch: async (request) => new Response(`${request.method} ${await request.text()}`),
    });
    const listener: RequestListener = (request, response) => {
      request.on("end", () => handler(request, response)).resume();
    };
    await serving(listener, async (base) => {
      const refused = await fetch(base, { method: "POST", body: "{}" });
      expect([refused.status, await refused.text()]).toEqual([500, expect.stringContaining("before express.json()")]);
      expect(await (await fetch(base)).text()).toBe("GET ");
    });
    await serving(handler, async (base) => {
      expect(await (await fetch(base, { method: "POST" })).text()).toBe("POST ");
    });
  });

  it("answers inside a server of the host, and leaves the global Request alone", async () => {
    const before = globalThis.Request;
    const handler = toNodeHandler({
      fetch: async (request) => Response.json({ path: new URL(request.url).pathname, text: await request.text() }),
    });
    const listener: RequestListener = (request, response) => {
      if (request.url === "/own") response.end("host");
      else handler(request, response);
    };
    await serving(listener, async (base) => {
      expect(await (await fetch(`${base}/own`)).text()).toBe("host");
      expect(await (await fetch(`${base}/api`, { method: "POST", body: "hi" })).json()).toEqual({
        path: "/api",
        text: "hi",
      });
      expect(globalThis.Request).toBe(before);
    });
  });
});
