import { describe, expect, it } from "vitest";
import { memoryStore } from "../../src/store/index.ts";
import { inMemoryChannel } from "../../src/testing/in-memory-channel.ts";
import { type HttpFixture, ADA, METRICS, OWNER, bodyOf, call, fakeAssistant } from "./support.ts";

const from = (remoteAddress: string) => ({ remoteAddress });

function limited(parts: Partial<HttpFixture> = {}, channels: Parameters<typeof fakeAssistant>[0] = {}) {
  return fakeAssistant({ ...channels, parts: { rateLimit: { perSource: 5, perToken: 3 }, ...parts } });
}

async function statuses(requests: number, ask: () => Promise<Response> | Response): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: requests }, async () => (await ask()).status));
  return Object.fromEntries(
    [...new Set(answers)].map((status) => [status, answers.filter((one) => one === status).length]),
  );
}

describe("a limit", () => {
  it.each([3_600_000, 365 * 86_400_000])(
    "holds when the clock is set back by %i ms, and nobody is told to wait for longer than a minute",
    async (ms) => {
      const shared = memoryStore();
      const store = { ...shared, caps: { ...shared.caps, cas: "global" as const } };
      for (const parts of [{}, { store }]) {
        const { app, clock } = limited({ ...parts, rateLimit: { perSource: 5, perToken: 3 } });
        const byToken = () => app.request(call("/api/v1/sessions"));
        const bySource = () => app.request("/", undefined, from("203.0.113.9"));
        expect(await statuses(2, byToken)).toEqual({ 200: 2 });
        expect(await statuses(4, bySource)).toEqual({ 200: 4 });
        clock.step(-ms);
        expect(await statuses(4, byToken)).toEqual({ 200: 1, 429: 3 });
        expect(await statuses(4, bySource)).toEqual({ 200: 1, 429: 3 });
        expect(Number((await byToken()).headers.get("retry-after"))).toBeLessThanOrEqual(60);
        clock.step(60_000);
        expect(await statuses(4, byToken)).toEqual({ 200: 3, 429: 1 });
        expect(await statuses(6, bySource)).toEqual({ 200: 5, 429: 1 });
      }
    },
  );
});

describe("the limit by token", () => {
  it("lets in exactly the limit of a burst, and as many a minute later", async () => {
    const { app, clock } = limited({ rateLimit: { perToken: 10, perSource: 1000 } });
    const ask = () => app.request(call("/api/v1/sessions"));
    expect(await statuses(100, ask)).toEqual({ 200: 10, 429: 90 });
    clock.step(60_000);
    expect(await statuses(100, ask)).toEqual({ 200: 10, 429: 90 });
  });

  it("answers a problem that says when to come back, and tells allowed callers what is left", async () => {
    const { app, clock, parts } = limited();
    const first = await app.request(call("/api/v1/sessions"));
    expect(first.headers.get("ratelimit-policy")).toBe('"token";q=3;w=60');
    expect(first.headers.get("ratelimit")).toBe('"token";r=2;t=60');
    await app.request(call("/api/v1/sessions"));
    clock.step(18_500);
    await app.request(call("/api/v1/sessions"));
    const refused = await app.request(call("/api/v1/sessions"));
    expect(refused.status).toBe(429);
    expect(refused.headers.get("content-type")).toBe("application/problem+json");
    expect(refused.headers.get("retry-after")).toBe("42");
    expect(refused.headers.get("ratelimit")).toBe('"token";r=0;t=42');
    expect(refused.headers.get("cache-control")).toBe("no-store");
    expect(await bodyOf(refused)).toMatchObject({
      type: "urn:wakeful:error:RATE_LIMITED",
      code: "RATE_LIMITED",
      detail: "More than 3 requests a minute with one token: try again in 42 seconds",
    });
    expect(parts.metrics.text()).toContain('http_rate_limited_total{limit="token"} 1');
  });

  it("counts each token apart, and a browser's cookie with its token", async () => {
    const { app } = limited();
    const form = { method: "POST", body: new URLSearchParams({ token: OWNER }) };
    const cookie = (await app.request("/login", form)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const withCookie = () => call("/api/v1/sessions", { token: null, headers: { cookie } });
    expect(await statuses(2, () => app.request(call("/api/v1/sessions")))).toEqual({ 200: 2 });
    expect((await app.request(withCookie())).status).toBe(200);
    expect((await app.request(withCookie())).status).toBe(429);
    expect((await app.request(call("/api/v1/openapi.json", { token: ADA }))).status).toBe(200);
  });

  it("is not for the owner on this machine, who may poll", async () => {
    const { app } = limited();
    const ask = (token: string, at: string) => app.request(call("/api/v1/jobs", { token }), undefined, from(at));
    expect(await statuses(9, () => ask(OWNER, "127.0.0.1"))).toEqual({ 200: 9 });
    expect(await statuses(9, () => ask(ADA, "127.0.0.1"))).toEqual({ 200: 3, 429: 6 });
    expect(await statuses(4, () => ask(OWNER, "203.0.113.9"))).toEqual({ 200: 3, 429: 1 });
  });

  it("counts what a token's role may not do", async () => {
    const { app } = limited();
    expect(await statuses(5, () => app.request(call("/api/v1/openapi.json", { token: METRICS })))).toEqual({
      403: 3,
      429: 2,
    });
    expect((await app.request(call("/metrics", { token: METRICS }))).status).toBe(429);
  });

  it("does not count what another site's page sends with a browser's cookie", async () => {
    const { app } = limited();
    const form = { method: "POST", body: new URLSearchParams({ token: OWNER }) };
    const cookie = (await app.request("/login", form)).headers.get("set-cookie")?.split(";")[0] ?? "";
    const ask = (headers: Record<string, string>) =>
      app.request(call("/api/v1/sessions", { token: null, headers: { cookie, ...headers } }));
    expect(await statuses(9, () => ask({ origin: "https://other.example" }))).toEqual({ 403: 9 });
    expect((await ask({})).status).toBe(200);
  });

  it("is counted for all processes where the store is one for all, without the token in it", async () => {
    const kept = memoryStore();
    const store = { ...kept, caps: { ...kept.caps, cas: "global" } } as const;
    const rateLimit = { perToken: 10, perSource: 1000 };
    const first = limited({ store, rateLimit });
    const second = limited({ store, rateLimit }, { clock: first.clock });
    let turn = 0;
    const ask = () => (turn++ % 2 ? first : second).app.request(call("/api/v1/sessions"));
    expect(await statuses(100, ask)).toEqual({ 200: 10, 429: 90 });
    const documents = [];
    for await (const { key } of kept.list("")) documents.push(key, JSON.stringify((await kept.get(key))?.value));
    expect(documents).toHaveLength(2);
    expect(documents[0]).toMatch(/^rate\/http\/[0-9a-f]{16}$/);
    expect(documents.join()).not.toContain(OWNER);
  });

  it("writes nothing to a store of one process", async () => {
    const store = memoryStore();
    const { app } = limited({ store });
    expect(await statuses(5, () => app.request(call("/api/v1/sessions")))).toEqual({ 200: 3, 429: 2 });
    for await (const { key } of store.list("")) expect(key).toBe("nothing");
  });
});

describe("the limit by address", () => {
  it("stands before the token, for the API and the page", async () => {
    const { app } = limited();
    const ask = (path: string, options: Parameters<typeof call>[1] = {}) =>
      app.request(call(path, options), undefined, from("203.0.113.9"));
    expect([(await ask("/")).status, (await ask("/api/v1/sessions", { token: null })).status]).toEqual([200, 401]);
    expect([(await ask("/metrics", { token: "wrong" })).status, (await ask("/")).status]).toEqual([401, 200]);
    expect((await ask("/logout", { method: "POST" })).status).toBe(303);
    const refused = await ask("/api/v1/sessions");
    expect([refused.status, await bodyOf(refused)]).toMatchObject([429, { code: "RATE_LIMITED" }]);
    expect(refused.headers.get("ratelimit-policy")).toBe('"source";q=5;w=60');
    expect((await ask("/login", { method: "POST" })).status).toBe(429);
    expect((await app.request(call("/api/v1/sessions"), undefined, from("203.0.113.10"))).status).toBe(200);
  });

  it("counts a network of 64 bits as one", async () => {
    const { app } = limited();
    let host = 0;
    const ask = () => app.request("/", undefined, from(`2001:db8::${(host++).toString(16)}`));
    expect(await statuses(8, ask)).toEqual({ 200: 5, 429: 3 });
  });

  it.each(["/healthz", "/readyz"])("never stands before %s", async (path) => {
    const { app } = limited();
    expect(await statuses(20, () => app.request(path, undefined, from("203.0.113.9")))).toEqual({ 200: 20 });
  });

  it("never answers 429 to a platform, whose addresses are shared", async () => {
    const channel = inMemoryChannel();
    const { app, inputs } = limited({}, { channels: [channel] });
    expect(await statuses(50, () => app.request(channel.request([{}]), undefined, from("203.0.113.9")))).toEqual({
      200: 50,
    });
    expect(inputs).toHaveLength(50);
    const forged = () => app.request(channel.request([{}], { secret: "guessed" }), undefined, from("203.0.113.9"));
    expect(await statuses(50, forged)).toEqual({ 401: 50 });
  });

  it.each([
    { title: "this machine", address: "127.0.0.1", headers: {} },
    { title: "a trusted proxy itself", address: "10.0.0.1", headers: {} },
    { title: "a source that nobody told", address: "", headers: {} },
  ])("does not count $title", async ({ address, headers }) => {
    const { app } = limited({ trustedProxies: ["10.0.0.0/8"] });
    expect(await statuses(20, () => app.request("/", { headers }, from(address)))).toEqual({ 200: 20 });
  });

  it("counts clients behind a trusted proxy apart", async () => {
    const { app } = limited({ trustedProxies: ["10.0.0.0/8"] });
    const ask = (client: string) => () =>
      app.request("/", { headers: { "x-forwarded-for": client } }, from("10.0.0.1"));
    expect(await statuses(8, ask("203.0.113.9"))).toEqual({ 200: 5, 429: 3 });
    expect(await statuses(8, ask("203.0.113.10"))).toEqual({ 200: 5, 429: 3 });
  });
});

describe("rateLimit.enabled", () => {
  it("switches both limits off", async () => {
    const { app } = limited({ rateLimit: { enabled: false, perSource: 1, perToken: 1 } });
    expect(await statuses(9, () => app.request(call("/api/v1/sessions"), undefined, from("203.0.113.9")))).toEqual({
      200: 9,
    });
  });
});
