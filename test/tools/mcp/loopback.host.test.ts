import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { afterEach, describe, expect, it } from "vitest";
import { polled } from "../../support/within.ts";
import { systemClock } from "../../../src/clock.ts";
import { guardUrl } from "../../../src/guard/index.ts";
import { type Managed, managed, served, servedWithSessions } from "./support.ts";

const CANARY = "canary-secret-0123456789";
const search = { name: "search", description: "Searches", run: () => "found" };

const open = new Set<Managed>();
const servers = new Set<Server>();

afterEach(async () => {
  await Promise.all([...open].map(({ manager }) => manager.close()));
  open.clear();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers.clear();
});

async function listening(fetch: (request: Request) => Promise<Response> | Response): Promise<string> {
  // The runtime's own Response and Request stay as they are, for the tests that share this process; so what comes is made one of its own.
  const server = createServer(
    getRequestListener(
      ({ url, method, headers, body, signal }) =>
        fetch(new Request(url, { method, headers, body, signal, duplex: "half" } as RequestInit)),
      { overrideGlobalObjects: false },
    ),
  );
  servers.add(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function start(url: string, more: object = {}) {
  // No fetch is given: the runtime's own, as in the program.
  const made = managed({ docs: { url, allowPrivate: true, ...more } }, { clock: systemClock() });
  open.add(made);
  made.manager.start();
  return made;
}

describe("an MCP server on loopback", () => {
  it("is used when the configuration means it", async () => {
    const origin = await listening(served([search]).fetch);
    const made = start(`${origin}/mcp`);
    await polled(() => made.status().state, { timeout: 5000 }).toBe("connected");
    expect(await made.run("mcp__docs__search")).toBe("found");
  });

  it("keeps a session, hears of new tools, and ends the session", async () => {
    const server = servedWithSessions([search]);
    const origin = await listening(server.fetch);
    const made = start(`${origin}/mcp`);
    await polled(() => made.status().state, { timeout: 5000 }).toBe("connected");
    await polled(() => server.requests.some(({ method }) => method === "GET"), { timeout: 5000 }).toBe(true);
    expect(await made.run("mcp__docs__search")).toBe("found");
    const [session] = [...server.sessions.values()];
    session?.server.registerTool("sneaked", {}, (() => ({ content: [] })) as never);
    await polled(() => made.approvals, { timeout: 5000 }).toMatchObject([{ tool: "sneaked" }]);
    await made.manager.close();
    expect(server.sessions.size).toBe(0);
  });

  it("that redirects to another place on this machine gets no further, and the place gets nothing", async () => {
    const seen: string[] = [];
    const target = await listening((request) => {
      seen.push(JSON.stringify([...request.headers]));
      return new Response("secret");
    });
    const origin = await listening(() => new Response(null, { status: 307, headers: { location: `${target}/mcp` } }));
    const made = start(`${origin}/mcp`, { headers: { authorization: `Bearer ${CANARY}` } });
    await polled(() => made.status().state, { timeout: 5000 }).toBe("waiting");
    expect([seen, made.status().detail]).toEqual([[], expect.stringContaining("redirect")]);
    expect((await guardUrl(target)).ok).toBe(false);
  });

  it("that closes in the middle of an answer is asked again by the next call", async () => {
    const server = served([search]);
    const origin = await listening(server.fetch);
    const made = start(`${origin}/mcp`, { timeoutMs: 2000 });
    await polled(() => made.status().state, { timeout: 5000 }).toBe("connected");
    server.intercept = () => {
      for (const one of servers) one.closeAllConnections();
      return new Promise<Response>(() => {});
    };
    await expect(made.run("mcp__docs__search")).rejects.toMatchObject({ code: "MCP_ERROR" });
    server.intercept = () => undefined;
    expect(await made.run("mcp__docs__search")).toBe("found");
  });
});
