import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { toNodeHandler } from "../../adapters/runtimes/node/index.ts";

describe("toNodeHandler()", () => {
  it("answers inside a server of the host, and leaves the global Request alone", async () => {
    const before = globalThis.Request;
    const handler = toNodeHandler({
      fetch: async (request) => Response.json({ path: new URL(request.url).pathname, text: await request.text() }),
    });
    const server = createServer((request, response) => {
      if (request.url === "/own") response.end("host");
      else handler(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const base = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`;
    expect(await (await fetch(`${base}/own`)).text()).toBe("host");
    expect(await (await fetch(`${base}/api`, { method: "POST", body: "hi" })).json()).toEqual({
      path: "/api",
      text: "hi",
    });
    expect(globalThis.Request).toBe(before);
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });
});
