import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { hostPlatform } from "../../adapters/platform/host/index.ts";
import { createGuardedFetch } from "../../entry.host.ts";
import { systemClock } from "../../src/clock.ts";
import { STAND_IN } from "./canary.ts";
import { codeOf, guarded, serve, textOf } from "./real-network.ts";

describe("a guarded fetch on a real network", () => {
  it("reaches a page by the checked address, under its own name", async () => {
    const page = await serve((request, response) => void response.end(`you asked for ${request.headers.host}`));
    const get = await guarded();
    expect(await textOf(get(`http://page.test:${page.port}/`))).toBe(`you asked for page.test:${page.port}`);
  });

  it("never reaches loopback, in any spelling", async () => {
    const inner = await serve();
    const get = createGuardedFetch({ clock: systemClock(), timeoutMs: 5000 });
    const hosts =
      "127.0.0.1 localhost localhost. a.localhost 127.1 0x7f.1 2130706433 0 0.0.0.0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] 127。0。0。1";
    for (const host of hosts.split(" ")) expect(await codeOf(get(`http://${host}:${inner.port}/`))).toBe("URL_REFUSED");
    expect(inner.hits).toEqual([]);
  });

  it("never reaches loopback by a name that the machine's own resolver knows", async () => {
    const inner = await serve();
    const { network } = hostPlatform;
    const get = createGuardedFetch({
      clock: systemClock(),
      timeoutMs: 5000,
      // The resolver is real; the name is one that every machine has.
      lookup: async () => (await network?.lookup("localhost")) ?? [],
    });
    expect(await codeOf(get(`http://a-public-name.test:${inner.port}/`))).toBe("URL_REFUSED");
    expect(inner.hits).toEqual([]);
  });

  it("never reaches loopback by a name that turns to it after the check", async () => {
    const inner = await serve();
    const { network } = hostPlatform;
    const answers = [["192.0.2.1"], ["127.0.0.1"], ["127.0.0.1"]];
    const connected: string[] = [];
    const get = await guarded({
      lookup: async () => {
        answers.shift();
        // First public, from then on loopback.
        return answers.length === 2 ? [STAND_IN] : ["127.0.0.1"];
      },
      connect: (url, init, addresses) => {
        connected.push(...addresses);
        // A public address where nobody is: the connection fails, rather than going where the name leads now.
        return network?.fetchAt(url, init, ["127.0.0.2"]) ?? Promise.reject(new Error("no network"));
      },
    });
    expect(await codeOf(textOf(get(`http://rebind.test:${inner.port}/`)))).toBe("FETCH_FAILED");
    expect(await codeOf(textOf(get(`http://rebind.test:${inner.port}/`)))).toBe("URL_REFUSED");
    expect(connected).toEqual([STAND_IN]);
    expect(inner.hits).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])("never follows a %d to loopback", async (status) => {
    const inner = await serve();
    const targets = [
      `http://127.0.0.1:${inner.port}/`,
      `http://localhost:${inner.port}/`,
      `http://[::ffff:7f00:1]:${inner.port}/`,
    ];
    const page = await serve((request, response) => {
      response.writeHead(status, { location: targets[Number(request.url?.slice(1))] ?? "" }).end();
    });
    const get = await guarded();
    for (const index of targets.keys())
      expect(await codeOf(textOf(get(`http://page.test:${page.port}/${index}`)))).toBe("URL_REFUSED");
    expect(page.hits).toHaveLength(3);
    expect(inner.hits).toEqual([]);
  });

  it("never follows a redirect to a name that leads to loopback", async () => {
    const inner = await serve();
    const page = await serve((_, response) => {
      response.writeHead(302, { location: `http://inner.test:${inner.port}/` }).end();
    });
    const get = await guarded({ lookup: async (host) => (host === "page.test" ? [STAND_IN] : ["127.0.0.1"]) });
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("URL_REFUSED");
    expect([page.hits.length, inner.hits.length]).toEqual([1, 0]);
  });

  it("gives up after five redirects", async () => {
    const page = await serve((request, response) => {
      response.writeHead(302, { location: `/${Number(request.url?.slice(1)) + 1}` }).end();
    });
    const get = await guarded();
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/0`)))).toBe("FETCH_FAILED");
    expect(page.hits).toHaveLength(6);
  });

  it("keeps credentials from another origin", async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => {
      seen.push(request.headers.authorization, request.headers.cookie, request.headers["x-api-key"]);
      response.end("other");
    });
    const page = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(302, { location: `http://other.test:${other.port}/` }).end();
    });
    const get = await guarded();
    const headers = { authorization: "Bearer secret", cookie: "id=secret", "x-api-key": "secret" };
    expect(await textOf(get(`http://page.test:${page.port}/`, { headers }))).toBe("other");
    expect(seen).toEqual(["Bearer secret", undefined, undefined, undefined]);
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["deflate", deflateSync],
  ])("unpacks %s", async (encoding, pack) => {
    const page = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(pack("Grüße"));
    });
    const get = await guarded();
    expect(await textOf(get(`http://page.test:${page.port}/`))).toBe("Grüße");
  });

  it("stops at the limit in a body that never ends", async () => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const page = await serve((request, response) => {
      request.socket.on("close", closed);
      const piece = new Uint8Array(64 * 1024);
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on("drain", more);
      more();
    });
    const get = await guarded({ maxBytes: 300_000 });
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("BODY_TOO_LARGE");
    await gone;
  });

  it("gives up on a body that comes too slowly, and closes the connection", async () => {
    let closed = (): void => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const page = await serve((request, response) => {
      request.socket.on("close", closed);
      response.write("a beginning");
    });
    const get = await guarded({ timeoutMs: 200 });
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("FETCH_FAILED");
    await gone;
  });

  it("gives up on a server that never answers", async () => {
    const page = await serve(() => {});
    const get = await guarded({ timeoutMs: 200 });
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("FETCH_FAILED");
  });

  it("fails where nobody listens, and where a body breaks off", async () => {
    const page = await serve((request, response) => {
      response.writeHead(200, { "content-length": 1000 });
      response.write("part", () => request.socket.destroy());
    });
    const get = await guarded();
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("FETCH_FAILED");
    await page.close();
    expect(await codeOf(textOf(get(`http://page.test:${page.port}/`)))).toBe("FETCH_FAILED");
  });

  it("tells of a connection that broke before its body is read only when it is read", async () => {
    let gone: Promise<unknown> = Promise.resolve();
    const page = await serve((request, response) => {
      gone = new Promise((resolve) => request.socket.on("close", resolve));
      response.writeHead(200, { "content-length": 1000 });
      response.write("part");
    });
    const get = await guarded();
    const response = await get(`http://page.test:${page.port}/`);
    await page.close();
    await gone;
    // The runtime hears of it in a later turn of its loop.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await codeOf(response.text())).toBe("FETCH_FAILED");
  });

  it("sends data and gives answers without a body", async () => {
    const page = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        if (request.method === "DELETE") response.writeHead(204).end();
        else response.end(`${request.method} ${Buffer.concat(chunks).toString()} ${request.headers["content-type"]}`);
      });
    });
    const get = await guarded();
    const url = `http://page.test:${page.port}/`;
    expect(await textOf(get(url, { method: "POST", body: new URLSearchParams({ a: "b" }) }))).toBe(
      "POST a=b application/x-www-form-urlencoded;charset=UTF-8",
    );
    expect((await get(url, { method: "DELETE" })).status).toBe(204);
    expect((await get(url, { method: "HEAD" })).body).toBe(null);
  });
});
