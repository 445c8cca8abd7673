import { describe, expect, it } from "vitest";
import { createThrottle } from "../../src/http/throttle.ts";
import { fakeClock } from "../../src/testing/fake-clock.ts";
import { appOf, ADA, METRICS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const ORIGIN = "http://localhost:8787";

/** A sign-in as the page's form sends it. */
function signIn(token: string, headers: Record<string, string> = {}): Request {
  return new Request(`${ORIGIN}/`, {
    method: "POST",
    headers: { origin: ORIGIN, "content-type": "application/x-www-form-urlencoded", ...headers },
    body: new URLSearchParams({ token }),
  });
}

async function cookieFrom(response: Response): Promise<string> {
  const cookie = response.headers.get("set-cookie") ?? "";
  return cookie.split(";")[0] ?? "";
}

describe("tokens", () => {
  it.each([
    { title: "no header", header: undefined },
    { title: "another scheme", header: "Basic dXNlcjpwYXNz" },
    { title: "a wrong token", header: "Bearer nope" },
    { title: "a token with something before it", header: `Bearer x${OWNER}` },
    { title: "the beginning of a token", header: `Bearer ${OWNER.slice(0, -1)}` },
    { title: "an empty token", header: "Bearer " },
  ])("answers 401 to $title", async ({ header }) => {
    const { app } = fakeAssistant();
    const response = await app.request(
      "/api/v1/sessions",
      header === undefined ? {} : { headers: { authorization: header } },
    );
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="wakeful"');
    expect(await bodyOf(response)).toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("takes the scheme in any case", async () => {
    const { app } = fakeAssistant();
    expect((await app.request("/api/v1/sessions", { headers: { authorization: `bearer ${OWNER}` } })).status).toBe(200);
  });

  it.each(["/api/v1/messages", "/api/v1/chat", "/api/v1/sessions", "/api/v1/openapi.json", "/metrics"])(
    "answers 401 at %s when the server has no token, and says how to set one",
    async (path) => {
      const { app } = fakeAssistant({ parts: { tokens: [{ token: "", role: "owner" }] } });
      const method = path.endsWith("messages") || path.endsWith("chat") ? "POST" : "GET";
      for (const token of ["", "x", null]) {
        const response = await app.request(call(path, { method, token }));
        expect([response.status, await bodyOf(response)]).toMatchObject([
          401,
          { detail: expect.stringContaining("server.token") as string },
        ]);
      }
    },
  );

  it("writes an audit line for a wrong token, without the token", async () => {
    const { app, parts } = fakeAssistant();
    await app.request(call("/api/v1/sessions", { token: "my-secret-guess" }), undefined, {
      remoteAddress: "203.0.113.9",
    });
    await parts.audit.settled();
    const lines = await parts.audit.read();
    expect(lines).toMatchObject([
      { who: "203.0.113.9", what: "http.sign-in", target: "/api/v1/sessions", verdict: "refused" },
    ]);
    expect(JSON.stringify(lines)).not.toContain("my-secret-guess");
  });

  it("answers only to its host names when it has some", async () => {
    const { app } = fakeAssistant({ parts: { hosts: ["localhost", "[::1]"] } });
    const at = async (origin: string, path: string) =>
      (await app.request(new Request(origin + path, { headers: { authorization: `Bearer ${OWNER}` } }))).status;
    expect([await at("http://localhost:8787", "/api/v1/sessions"), await at("http://[::1]:8787", "/")]).toEqual([
      200, 200,
    ]);
    expect([await at("http://rebound.example", "/api/v1/sessions"), await at("http://rebound.example", "/")]).toEqual([
      421, 421,
    ]);
    expect(await at("http://10.0.0.7", "/healthz")).toBe(200);
  });
});

describe("failed sign-ins", () => {
  const from = (remoteAddress: string) => ({ remoteAddress });

  it("are answered 429 after twenty from one source, a right token too, and one more is let through each three seconds", async () => {
    const { app, clock, parts } = fakeAssistant();
    const attempt = async (token: string, address = "203.0.113.9") =>
      app.request(call("/api/v1/sessions", { token }), undefined, from(address));
    for (let count = 0; count < 20; count++) expect((await attempt(`wrong-${count}`)).status).toBe(401);
    const blocked = await attempt("wrong");
    expect([blocked.status, blocked.headers.get("retry-after"), await bodyOf(blocked)]).toMatchObject([
      429,
      "3",
      { code: "TOO_MANY_ATTEMPTS" },
    ]);
    expect((await attempt(OWNER)).status).toBe(429);
    expect((await attempt(OWNER, "203.0.113.10")).status).toBe(200);
    await clock.advance(3000);
    expect((await attempt(OWNER)).status).toBe(200);
    await parts.audit.settled();
    expect((await parts.audit.read()).length).toBe(20);
  });

  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])(
    "of this machine (%s), where a proxy may stand that nobody named, never shut out a right token and are slowed all the same",
    async (address) => {
      const { app, parts } = fakeAssistant();
      const attempt = async (token: string) =>
        (await app.request(call("/api/v1/sessions", { token }), undefined, from(address))).status;
      const wrong: number[] = [];
      for (let count = 0; count < 22; count++) wrong.push(await attempt(`wrong-${count}`));
      expect(wrong.slice(19)).toEqual([401, 429, 429]);
      expect([await attempt(OWNER), await attempt("wrong")]).toEqual([200, 429]);
      expect((await app.request(signIn(OWNER), undefined, from(address))).status).toBe(303);
      await parts.audit.settled();
      expect((await parts.audit.read()).length).toBe(20);
    },
  );

  it("of a trusted proxy that does not say for whom never shut out a right token", async () => {
    const { app } = fakeAssistant({ parts: { trustedProxies: ["10.0.0.0/8"] } });
    const attempt = async (token: string) =>
      (await app.request(call("/api/v1/sessions", { token }), undefined, from("10.0.0.7"))).status;
    for (let count = 0; count < 20; count++) await attempt("wrong");
    expect([await attempt("wrong"), await attempt(OWNER)]).toEqual([429, 200]);
  });

  it("of unknown sources never shut out a right token", async () => {
    const { app } = fakeAssistant();
    for (let count = 0; count < 20; count++) await app.request(call("/api/v1/sessions", { token: "wrong" }));
    expect((await app.request(call("/api/v1/sessions", { token: "wrong" }))).status).toBe(429);
    expect((await app.request(call("/api/v1/sessions"))).status).toBe(200);
  });

  it("of the form count like those of the API", async () => {
    const { app } = fakeAssistant();
    for (let count = 0; count < 20; count++)
      expect((await app.request(signIn("wrong"), undefined, from("a"))).status).toBe(401);
    const response = await app.request(signIn(OWNER), undefined, from("a"));
    expect(response.status).toBe(429);
    expect(await response.text()).toContain("Too many failed attempts");
  });

  it("do not shut out whoever is signed in already", async () => {
    const { app } = fakeAssistant();
    const cookie = await cookieFrom(await app.request(signIn(OWNER), undefined, from("a")));
    for (let count = 0; count < 21; count++) await app.request(signIn("wrong"), undefined, from("a"));
    const response = await app.request(
      new Request(`${ORIGIN}/api/v1/sessions`, { headers: { cookie } }),
      undefined,
      from("a"),
    );
    expect(response.status).toBe(200);
  });
});

describe("createThrottle()", () => {
  it("forgets the source that failed longest ago when it remembers too many", () => {
    const throttle = createThrottle({ clock: fakeClock(), capacity: 1, maxSources: 2 });
    for (const source of ["a", "b", "c"]) throttle.fail(source);
    expect(["a", "b", "c"].map((source) => throttle.waitMs(source) > 0)).toEqual([false, true, true]);
  });

  it.each([60_000, 3_600_000, 365 * 86_400_000])(
    "holds when the clock is set back by %i ms, and locks nobody out for longer than for one try",
    (ms) => {
      const clock = fakeClock();
      const throttle = createThrottle({ clock, capacity: 2 });
      throttle.fail("a");
      throttle.fail("a");
      clock.step(-ms);
      expect(throttle.waitMs("a")).toBe(3000);
      expect(throttle.fail("a")).toBe(3000);
      clock.step(2999);
      expect(throttle.waitMs("a")).toBe(1);
      clock.step(1);
      expect([throttle.fail("a"), throttle.fail("a")]).toEqual([0, 3000]);
      clock.step(6000);
      expect([throttle.fail("a"), throttle.fail("a"), throttle.fail("a")]).toEqual([0, 0, 3000]);
    },
  );
});

describe("the page's cookie", () => {
  it("is set by the form, cannot be read by scripts or sent along by other sites, and leads back to the page", async () => {
    const { app } = fakeAssistant();
    const response = await app.request(signIn(` ${OWNER}\n`));
    expect([response.status, response.headers.get("location")]).toEqual([303, "?"]);
    expect(response.headers.get("set-cookie")).toMatch(
      /^wakeful_session=[0-9]+\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/,
    );
    expect(response.headers.get("set-cookie")).not.toContain(OWNER);
  });

  it("is for TLS only when it was set over TLS", async () => {
    const { app } = fakeAssistant();
    const request = new Request("https://bot.example/login", {
      method: "POST",
      body: new URLSearchParams({ token: OWNER }),
    });
    expect((await app.request(request)).headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it("holds over a restart while the token is the same, and not after it changed or 30 days", async () => {
    const { app, parts, clock } = fakeAssistant();
    const cookie = await cookieFrom(await app.request(signIn(OWNER)));
    const status = async (target: typeof app) =>
      (await target.request(new Request(`${ORIGIN}/api/v1/sessions`, { headers: { cookie } }))).status;
    expect(await status(appOf(parts))).toBe(200);
    expect(await status(appOf({ ...parts, tokens: [{ token: "another", role: "owner" }] }))).toBe(401);
    clock.step(30 * 86_400_000 + 1000);
    expect(await status(app)).toBe(401);
  });

  it.each([
    { title: "a forged signature", cookie: `wakeful_session=1767600000.${"0".repeat(64)}` },
    { title: "a token as it is", cookie: `wakeful_session=${OWNER}` },
    { title: "nothing", cookie: "wakeful_session=" },
  ])("is refused with $title", async ({ cookie }) => {
    const { app } = fakeAssistant();
    expect((await app.request(new Request(`${ORIGIN}/api/v1/sessions`, { headers: { cookie } }))).status).toBe(401);
  });

  it("does not stand in for a wrong bearer token", async () => {
    const { app } = fakeAssistant();
    const cookie = await cookieFrom(await app.request(signIn(OWNER)));
    expect((await app.request(call("/api/v1/sessions", { token: "wrong", headers: { cookie } }))).status).toBe(401);
  });

  it.each([
    { title: "the page itself", headers: { "sec-fetch-site": "same-origin" }, get: 200, post: 200 },
    { title: "the page itself in a browser without fetch metadata", headers: { origin: ORIGIN }, get: 200, post: 200 },
    { title: "another site", headers: { "sec-fetch-site": "cross-site" }, get: 403, post: 403 },
    {
      title: "a neighbour on the same site",
      headers: { "sec-fetch-site": "same-site", origin: ORIGIN },
      get: 403,
      post: 403,
    },
    { title: "another origin", headers: { origin: "http://localhost:9999" }, get: 403, post: 403 },
    { title: "a page without an origin", headers: { origin: "null" }, get: 403, post: 403 },
    { title: "something that does not say where it comes from", headers: {}, get: 200, post: 403 },
  ])("lets $title read: $get, write: $post", async ({ headers, get, post }) => {
    const { app } = fakeAssistant();
    const cookie = await cookieFrom(await app.request(signIn(OWNER)));
    const reading = new Request(`${ORIGIN}/api/v1/sessions`, {
      headers: { cookie, ...headers } as Record<string, string>,
    });
    const writing = call("/api/v1/messages", {
      token: null,
      body: { text: "hi" },
      headers: { cookie, ...headers },
    });
    expect([(await app.request(reading)).status, (await app.request(writing)).status]).toEqual([get, post]);
  });

  it("cannot be set or removed by another site's form", async () => {
    const { app } = fakeAssistant();
    const foreign = { origin: "https://evil.example" };
    expect((await app.request(signIn(OWNER, foreign))).status).toBe(403);
    expect((await app.request(new Request(`${ORIGIN}/logout`, { method: "POST", headers: foreign }))).status).toBe(403);
  });

  it("is removed by signing out", async () => {
    const { app } = fakeAssistant();
    const response = await app.request(
      new Request(`${ORIGIN}/logout`, { method: "POST", headers: { origin: ORIGIN } }),
    );
    expect(response.headers.get("set-cookie")).toMatch(/^wakeful_session=; .*Max-Age=0$/);
  });

  it.each([
    { title: "a wrong token", token: "wrong", status: 401, text: "That is not a token of this server" },
    { title: "a token for metrics", token: METRICS, status: 403, text: "can only read metrics" },
  ])("is not given for $title", async ({ token, status, text }) => {
    const { app } = fakeAssistant();
    const response = await app.request(signIn(token));
    expect([response.status, response.headers.get("set-cookie")]).toEqual([status, null]);
    expect(await response.text()).toContain(text);
  });

  it("lets a user in as that user", async () => {
    const { app, inputs } = fakeAssistant();
    const cookie = await cookieFrom(await app.request(signIn(ADA)));
    await app.request(
      call("/api/v1/messages", { token: null, body: { text: "hi" }, headers: { cookie, origin: ORIGIN } }),
    );
    expect(inputs).toMatchObject([{ user: "app:Ada" }]);
    expect(inputs[0]?.asOwner).toBeUndefined();
  });
});
