import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../../entry.host.ts";
import { AssistantError } from "../../src/errors.ts";
import type { GuardedFetchOptions } from "../../src/guard/index.ts";
import { fakeClock } from "../../src/testing/index.ts";

interface Asked {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
  readonly redirect: string | undefined;
}

/** A web of answers by URL, as a host's own `fetch`. */
function web(answers: Readonly<Record<string, () => Response | Promise<Response>>>) {
  const asked: Asked[] = [];
  const stub: typeof fetch = async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init.headers));
    asked.push({ url, method: init.method ?? "GET", headers, body: init.body, redirect: init.redirect });
    const answer = answers[url];
    if (answer === undefined) throw new TypeError(`Nobody answers at ${url}`);
    return answer();
  };
  return { fetch: stub, asked };
}

const PUBLIC = ["93.184.216.34"];

function guarded(answers: Parameters<typeof web>[0], options: Partial<GuardedFetchOptions> = {}) {
  const { fetch, asked } = web(answers);
  const clock = fakeClock();
  const get = createGuardedFetch({ fetch, lookup: async () => PUBLIC, clock, ...options });
  return { get, asked, clock };
}

const text =
  (body: string, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { headers });
const to =
  (location: string, status = 302) =>
  () =>
    new Response("moved", { status, headers: { location } });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: unknown) => (AssistantError.is(error) ? error.code : `no code: ${String(error)}`),
  );

describe("createGuardedFetch()", () => {
  it("gives the answer with the address it came from", async () => {
    const { get, asked } = guarded({ "https://a.example/": text("hello", { "content-type": "text/plain" }) });
    const response = await get("https://a.example/");
    expect([response.status, response.url, response.redirected, await response.text()]).toEqual([
      200,
      "https://a.example/",
      false,
      "hello",
    ]);
    expect(asked[0]).toMatchObject({
      redirect: "manual",
      headers: { "user-agent": expect.stringContaining("Wakeful") },
    });
  });

  it.each(["http://127.0.0.1/", "http://localhost/", "file:///etc/passwd", "https://a:b@a.example/"])(
    "does not ask for %s",
    async (url) => {
      const { get, asked } = guarded({ [url]: text("secret") });
      expect(await codeOf(get(url))).toBe("URL_REFUSED");
      expect(asked).toEqual([]);
    },
  );

  it("does not ask a name with a private address among its addresses", async () => {
    const { get, asked } = guarded(
      { "https://a.example/": text("secret") },
      { lookup: async () => ["93.184.216.34", "192.168.0.1"] },
    );
    expect(await codeOf(get("https://a.example/"))).toBe("URL_REFUSED");
    expect(asked).toEqual([]);
  });

  it("follows redirects and says where they led", async () => {
    const { get, asked } = guarded({
      "https://a.example/": to("/b", 301),
      "https://a.example/b": to("https://c.example/d?e"),
      "https://c.example/d?e": text("there"),
    });
    const response = await get("https://a.example/");
    expect([response.url, response.redirected, await response.text()]).toEqual([
      "https://c.example/d?e",
      true,
      "there",
    ]);
    expect(asked.map(({ redirect }) => redirect)).toEqual(["manual", "manual", "manual"]);
  });

  it.each([
    "http://127.0.0.1/",
    "http://[::ffff:7f00:1]/",
    "//169.254.169.254/latest/",
    "http://0x7f.1/",
    "file:///etc/passwd",
    "https://ada:secret@a.example/",
    "http://localhost:8787/",
  ])("does not follow a redirect to %s", async (location) => {
    const { get, asked } = guarded({ "http://a.example/": to(location) });
    expect(await codeOf(get("http://a.example/"))).toBe("URL_REFUSED");
    expect(asked).toHaveLength(1);
  });

  it("resolves the name of every hop anew", async () => {
    const answers = [PUBLIC, PUBLIC, ["10.0.0.1"]];
    const { get, asked } = guarded(
      { "https://a.example/": to("/1"), "https://a.example/1": to("/2"), "https://a.example/2": text("secret") },
      { lookup: async () => answers.shift() ?? [] },
    );
    expect(await codeOf(get("https://a.example/"))).toBe("URL_REFUSED");
    expect(asked).toHaveLength(2);
  });

  it.each([
    [5, "none"],
    [6, "FETCH_FAILED"],
  ])("follows at most 5 redirects: %d of them", async (count, code) => {
    const answers = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`https://a.example/${index}`, to(`/${index + 1}`)]),
    );
    const { get, asked } = guarded({ ...answers, [`https://a.example/${count}`]: text("end") });
    expect(await codeOf(get("https://a.example/0"))).toBe(code);
    expect(asked).toHaveLength(6);
  });

  it("refuses a redirect where the caller wants none, and hands it over where he wants to see it", async () => {
    const { get, asked } = guarded({ "https://a.example/": to("/b"), "https://a.example/b": text("b") });
    expect(await codeOf(get("https://a.example/", { redirect: "error" }))).toBe("FETCH_FAILED");
    expect((await get("https://a.example/", { redirect: "manual" })).status).toBe(302);
    expect(asked).toHaveLength(2);
  });

  it("refuses the answer of a fetch that followed a redirect by itself", async () => {
    const { get } = guarded({
      "https://a.example/": () => Object.defineProperty(new Response("secret"), "redirected", { value: true }),
    });
    expect(await codeOf(get("https://a.example/"))).toBe("FETCH_FAILED");
  });

  it("refuses a redirect to something that is no URL", async () => {
    const { get } = guarded({ "https://a.example/": to("http://[") });
    expect(await codeOf(get("https://a.example/"))).toBe("FETCH_FAILED");
  });
});

describe("createGuardedFetch(), what its refusals tell", () => {
  const messageOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => "none",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );

  it.each([
    { title: "a private address", location: "http://10.11.12.13/admin" },
    { title: "loopback in another spelling", location: "http://0x7f.1:8080/" },
    { title: "an IPv6 address", location: "http://[fd12:3456::7]/" },
    { title: "a name of the network", location: "http://db.internal/" },
    { title: "a name that leads inside", location: "https://inside.example/" },
    { title: "a user name", location: "https://root:10.11.12.13@a.example/" },
  ])("is the address that was asked for, when it redirects to $title", async ({ location }) => {
    const { get } = guarded(
      { "https://a.example/x?key=1": to("https://b.example/"), "https://b.example/": to(location) },
      { lookup: async (host) => (host === "inside.example" ? ["10.11.12.13"] : PUBLIC) },
    );
    expect(await messageOf(get("https://a.example/x?key=1"))).toBe(
      "Cannot fetch https://a.example/x: it redirects to a refused address",
    );
  });

  it("is no address of a connection that failed", async () => {
    for (const [said, shown] of [
      ["connect ECONNREFUSED 10.11.12.13:3128", "connect ECONNREFUSED (an address)"],
      ["connect ECONNREFUSED ::1:3128", "connect ECONNREFUSED (an address)"],
      ["tcp connect error: [fd12:3456::7]:443 refused", "tcp connect error: [(an address)]:443 refused"],
      ["no route to 192.168.0.1.", "no route to (an address)"],
      ["at 12:30:45 std::io of version 1.2.3 said no", "at 12:30:45 std::io of version 1.2.3 said no"],
    ] as const) {
      const fail = () => Promise.reject(new TypeError("fetch failed", { cause: new Error(said) }));
      const { get } = guarded({ "https://a.example/": fail });
      expect(await messageOf(get("https://a.example/"))).toBe(`Cannot fetch https://a.example/: ${shown}`);
    }
  });

  it("is no origin that the data of a request must not go to", async () => {
    const { get } = guarded({ "https://a.example/": to("http://10.11.12.13/", 307) });
    const message = await messageOf(get("https://a.example/", { method: "POST", body: "x" }));
    expect(message).toBe(
      "Cannot fetch https://a.example/: it redirects to another origin, which must not receive the data of the request",
    );
  });
});

describe("createGuardedFetch(), credentials", () => {
  const headers = {
    authorization: "Bearer secret",
    cookie: "id=secret",
    "x-api-key": "secret",
    "proxy-authorization": "Basic secret",
    accept: "text/html",
  };

  it.each([
    ["another host", "https://b.example/"],
    ["another port", "https://a.example:8443/"],
    ["a sub-domain", "https://sub.a.example/"],
    ["the same host without TLS", "http://a.example/x"],
  ])("never go to %s, also not on the way back", async (_, other) => {
    const { get, asked } = guarded({
      "https://a.example/": to(other),
      [other]: to("https://a.example/back"),
      "https://a.example/back": text("end"),
    });
    await get("https://a.example/", { headers });
    expect(asked[0]?.headers).toMatchObject(headers);
    for (const { headers: sent } of asked.slice(1)) {
      expect(JSON.stringify(sent)).not.toContain("secret");
      expect(sent).toMatchObject({ accept: "text/html" });
    }
  });

  it("stay within an origin", async () => {
    const { get, asked } = guarded({ "https://a.example/": to("/b"), "https://a.example/b": text("end") });
    await get("https://a.example/", { headers });
    expect(asked[1]?.headers).toMatchObject(headers);
  });

  it.each([307, 308])("and the data of a request do not follow a %d to another origin", async (status) => {
    const { get, asked } = guarded({ "https://a.example/": to("https://b.example/", status) });
    expect(await codeOf(get("https://a.example/", { method: "POST", body: "secret" }))).toBe("FETCH_FAILED");
    expect(asked).toHaveLength(1);
  });

  it("the data follow a 307 within an origin, and a 303 becomes a GET without them", async () => {
    const { get, asked } = guarded({
      "https://a.example/": to("/b", 307),
      "https://a.example/b": to("/c", 303),
      "https://a.example/c": text("end"),
    });
    await get("https://a.example/", { method: "POST", body: "data", headers: { "content-type": "text/x" } });
    expect(asked.map(({ method, body }) => [method, body])).toEqual([
      ["POST", "data"],
      ["POST", "data"],
      ["GET", undefined],
    ]);
    expect(asked[2]?.headers).not.toHaveProperty("content-type");
  });

  it("of a Host header are not taken: the name asked for is the one that was checked", async () => {
    const { get, asked } = guarded({ "https://a.example/": text("end") });
    await get("https://a.example/", { headers: { host: "internal" } });
    expect(asked[0]?.headers).not.toHaveProperty("host");
  });
});

describe("createGuardedFetch(), limits", () => {
  const endless = (size = 64 * 1024) => {
    const state = { sent: 0, cancelled: false };
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          state.sent += size;
          controller.enqueue(new Uint8Array(size));
        },
        cancel() {
          state.cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    return { state, answer: () => new Response(body) };
  };

  it("stops reading as soon as there are too many bytes", async () => {
    const { state, answer } = endless();
    const { get } = guarded({ "https://a.example/": answer });
    const response = await get("https://a.example/", { maxBytes: 200_000 });
    expect(await codeOf(response.arrayBuffer())).toBe("BODY_TOO_LARGE");
    expect(state.sent).toBeLessThan(400_000);
    expect(state.cancelled).toBe(true);
  });

  it("takes a body of exactly the limit", async () => {
    const { get } = guarded({ "https://a.example/": text("12345") }, { maxBytes: 5 });
    expect(await (await get("https://a.example/")).text()).toBe("12345");
    expect(await codeOf(get("https://a.example/", { maxBytes: 4 }).then((answer) => answer.text()))).toBe(
      "BODY_TOO_LARGE",
    );
  });

  it("does not read a body that says that it is too large", async () => {
    const { state, answer } = endless();
    const declared = () => new Response(answer().body, { headers: { "content-length": "99999999" } });
    const { get } = guarded({ "https://a.example/": declared });
    expect(await codeOf(get("https://a.example/"))).toBe("BODY_TOO_LARGE");
    expect(state.sent).toBe(0);
  });

  it("gives up when no answer comes in time, also on a fetch that does not listen", async () => {
    const { get, clock } = guarded({ "https://a.example/": () => new Promise<Response>(() => {}) });
    const code = codeOf(get("https://a.example/", { timeoutMs: 3000 }));
    await clock.advance(2999);
    expect(clock.pending).toBe(1);
    await clock.advance(1);
    expect(await code).toBe("FETCH_FAILED");
    expect(clock.pending).toBe(0);
  });

  it("counts the time of all hops and of the body together", async () => {
    const slow = () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }));
    const { get, clock } = guarded({ "https://a.example/": to("/b"), "https://a.example/b": slow });
    const code = codeOf(get("https://a.example/", { timeoutMs: 3000 }).then((answer) => answer.text()));
    await clock.advance(3000);
    expect(await code).toBe("FETCH_FAILED");
    expect(clock.pending).toBe(0);
  });

  it("gives up when the name is not resolved in time", async () => {
    const { get, clock } = guarded({}, { lookup: () => new Promise(() => {}) });
    const code = codeOf(get("https://a.example/"));
    await clock.advance(20_000);
    expect(await code).toBe("FETCH_FAILED");
  });

  it("stops with the caller's reason, before and within the body", async () => {
    const { get, clock } = guarded({ "https://a.example/": endless().answer });
    const controller = new AbortController();
    const response = await get("https://a.example/", { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(response.text()).rejects.toThrow("enough");
    await expect(get("https://a.example/", { signal: controller.signal })).rejects.toThrow("enough");
    expect(clock.pending).toBe(0);
  });

  it("leaves no timer behind when all went well", async () => {
    const { get, clock } = guarded({
      "https://a.example/": text("hello"),
      "https://a.example/none": () => new Response(null, { status: 204 }),
    });
    await (await get("https://a.example/")).text();
    await get("https://a.example/none");
    expect(await codeOf(get("https://a.example/missing"))).toBe("FETCH_FAILED");
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["text/html; charset=utf-8", "none"],
    ["TEXT/Plain", "none"],
    ["application/ld+json", "none"],
    ["image/png", "FETCH_FAILED"],
    ["application/octet-stream", "FETCH_FAILED"],
    ["application/jsonx", "FETCH_FAILED"],
  ])("reads only the types that are wanted: %s", async (type, code) => {
    const { get } = guarded({ "https://a.example/": text("x", { "content-type": type }) });
    const types = ["text/*", "application/json", "application/*+json"];
    expect(await codeOf(get("https://a.example/", { types }))).toBe(code);
  });
});

describe("createGuardedFetch(), the way out", () => {
  it("connects to the addresses that were checked, and asks only once for them", async () => {
    const connected: (readonly string[])[] = [];
    const answers = [PUBLIC, ["127.0.0.1"]];
    const get = createGuardedFetch({
      clock: fakeClock(),
      lookup: async () => answers.shift() ?? [],
      async connect(url, _, addresses) {
        connected.push(addresses);
        return new Response(url.href);
      },
    });
    expect(await (await get("https://a.example/x")).text()).toBe("https://a.example/x");
    expect(connected).toEqual([PUBLIC]);
    expect(await codeOf(get("https://a.example/x"))).toBe("URL_REFUSED");
    expect(connected).toHaveLength(1);
  });

  it("connects to an address that stands in the URL without asking for it", async () => {
    const connected: (readonly string[])[] = [];
    const get = createGuardedFetch({
      clock: fakeClock(),
      async connect(_url, _init, addresses) {
        connected.push(addresses);
        return new Response("");
      },
    });
    await get("https://1.1.1.1/");
    expect(connected).toEqual([["1.1.1.1"]]);
  });

  it("uses the host's own fetch for every hop, never another way", async () => {
    const { get, asked } = guarded(
      { "https://a.example/": to("https://b.example/"), "https://b.example/": text("end") },
      { connect: () => Promise.reject(new Error("went another way")) },
    );
    expect(await (await get("https://a.example/")).text()).toBe("end");
    expect(asked).toHaveLength(2);
  });

  it("fetches an origin of the configuration unchecked, but nothing that it redirects to", async () => {
    const { get, asked } = guarded(
      { "http://127.0.0.1:9000/a": text("mine"), "http://127.0.0.1:9000/b": to("http://127.0.0.1:9001/") },
      { trustedOrigins: ["http://127.0.0.1:9000"] },
    );
    expect(await (await get("http://127.0.0.1:9000/a")).text()).toBe("mine");
    expect(await codeOf(get("http://127.0.0.1:9000/b"))).toBe("URL_REFUSED");
    expect(asked).toHaveLength(2);
  });

  it("takes a Request, with its method, headers and data", async () => {
    const { get, asked } = guarded({ "https://a.example/": text("end") });
    await get(new Request("https://a.example/", { method: "POST", body: "data", headers: { "x-a": "b" } }));
    expect(asked[0]).toMatchObject({ method: "POST", headers: { "x-a": "b" } });
    expect(new TextDecoder().decode(asked[0]?.body as Uint8Array)).toBe("data");
  });

  it("says what went wrong without the query, which may hold a key", async () => {
    const { get } = guarded({ "https://a.example/path?key=secret": to("http://[") });
    const error = await get("https://a.example/path?key=secret").catch((reason: unknown) => reason);
    expect(String(error)).toContain("https://a.example/path");
    expect(String(error)).not.toContain("secret");
  });
});
