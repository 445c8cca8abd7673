import { describe, expect, it } from "vitest";
import { createSecretCheck } from "../../src/guard/timing-safe.ts";
import { appOf, METRICS, OWNER as OWNER_TOKEN, call, fakeAssistant } from "../http/support.ts";
import { ADA, HOOK_SECRET, OWNER, wholeAssistant } from "./support.ts";

const ORIGIN = "http://localhost:8787";

async function signedIn(app: ReturnType<typeof appOf>, token = OWNER_TOKEN): Promise<string> {
  const form = { method: "POST", headers: { origin: ORIGIN }, body: new URLSearchParams({ token }) };
  const response = await app.request(`${ORIGIN}/login`, form);
  return response.headers.get("set-cookie")?.split(";")[0] ?? "";
}

describe("a token", () => {
  it.each([
    { title: "the query as token", path: `/api/v1/sessions?token=${OWNER_TOKEN}`, headers: {} },
    { title: "the query as access_token", path: `/api/v1/sessions?access_token=${OWNER_TOKEN}`, headers: {} },
    {
      title: "the query as authorization",
      path: `/api/v1/sessions?authorization=Bearer%20${OWNER_TOKEN}`,
      headers: {},
    },
    {
      title: "the user part of the URL",
      path: `/api/v1/sessions`,
      headers: { authorization: `Basic ${btoa(`owner:${OWNER_TOKEN}`)}` },
    },
    {
      title: "another header",
      path: `/api/v1/sessions`,
      headers: { "x-api-key": OWNER_TOKEN, "x-auth-token": OWNER_TOKEN },
    },
    { title: "the header without its scheme", path: `/api/v1/sessions`, headers: { authorization: OWNER_TOKEN } },
    {
      title: "the page's cookie as it is",
      path: `/api/v1/sessions`,
      headers: { cookie: `wakeful_session=${OWNER_TOKEN}` },
    },
    { title: "another cookie", path: `/api/v1/sessions`, headers: { cookie: `token=${OWNER_TOKEN}` } },
    {
      title: "a list of two",
      path: `/api/v1/sessions`,
      headers: { authorization: `Bearer wrong, Bearer ${OWNER_TOKEN}` },
    },
  ])("is not taken from $title", async ({ path, headers }) => {
    const { app } = fakeAssistant();
    expect((await app.request(path, { headers })).status).toBe(401);
  });

  it("is not taken from a body", async () => {
    const { app, inputs } = fakeAssistant();
    const body = { text: "hi", token: OWNER_TOKEN, authorization: `Bearer ${OWNER_TOKEN}` };
    expect((await app.request(call("/api/v1/messages", { token: null, body }))).status).toBe(401);
    expect(inputs).toEqual([]);
  });

  it("is compared by hashes of one length, every configured one, so that time tells nothing", async () => {
    const digests: number[] = [];
    const { subtle } = crypto;
    const digest = subtle.digest;
    subtle.digest = async (algorithm, data) => {
      digests.push(data.byteLength);
      return digest.call(subtle, algorithm, data);
    };
    try {
      const { app } = fakeAssistant();
      for (const token of [OWNER_TOKEN, `${OWNER_TOKEN.slice(0, -1)}x`, METRICS, "w"]) {
        digests.length = 0;
        await app.request(call("/api/v1/sessions", { token }));
        // Five tokens are configured: each is compared, whichever fits.
        expect(digests).toHaveLength(10);
      }
      digests.length = 0;
      expect(await createSecretCheck("secret")("secret-and-more")).toBe(false);
      expect(digests).toHaveLength(2);
    } finally {
      subtle.digest = digest;
    }
  });

  it("that was taken out of the configuration opens nothing any more, nor does its cookie", async () => {
    const { app, parts } = fakeAssistant();
    const cookie = await signedIn(app);
    const ask = (one: ReturnType<typeof appOf>) =>
      Promise.all(
        [call("/api/v1/sessions"), call("/api/v1/sessions", { token: null, headers: { cookie } })].map(
          async (request) => (await one.request(request)).status,
        ),
      );
    expect(await ask(app)).toEqual([200, 200]);
    const tokens = [{ token: "another-token-0123456789", role: "owner" as const }];
    expect(await ask(appOf({ ...parts, tokens }))).toEqual([401, 401]);
  });

  it("that lost its role has lost it for its cookie too", async () => {
    const { app, parts } = fakeAssistant();
    const cookie = await signedIn(app);
    const tokens = [{ token: OWNER_TOKEN, role: "user" as const, user: "app:guest" }];
    const after = appOf({ ...parts, tokens });
    expect((await after.request(call("/api/v1/sessions"))).status).toBe(403);
    expect((await after.request(call("/api/v1/sessions", { token: null, headers: { cookie } }))).status).toBe(403);
  });

  it("cannot be guessed quickly, from whatever addresses a header names", async () => {
    const { app } = fakeAssistant();
    const statuses = [];
    for (let guess = 0; guess < 25; guess++) {
      const headers = {
        "x-forwarded-for": `198.51.100.${guess}`,
        "x-real-ip": "::1",
        forwarded: `for=10.0.0.${guess}`,
      };
      const request = call("/api/v1/sessions", { token: `guess-${guess}`, headers });
      statuses.push((await app.request(request, undefined, { remoteAddress: "203.0.113.9" })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it("cannot be guessed quickly from the addresses of one IPv6 network", async () => {
    const { app } = fakeAssistant();
    const statuses = [];
    for (let guess = 0; guess < 25; guess++) {
      const remoteAddress = `2001:db8::${guess.toString(16)}`;
      statuses.push(
        (await app.request(call("/api/v1/sessions", { token: "guess" }), undefined, { remoteAddress })).status,
      );
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });
});

describe("the page's cookie", () => {
  const flags = async (url: string, env?: unknown, headers: Record<string, string> = {}, trustedProxies?: string[]) => {
    const { app } = fakeAssistant({ parts: trustedProxies ? { trustedProxies } : {} });
    const form = { method: "POST", headers, body: new URLSearchParams({ token: OWNER_TOKEN }) };
    const value = (await app.request(new Request(url, form), undefined, env)).headers.get("set-cookie") ?? "";
    return value.split("; ").slice(1).toSorted();
  };
  const always = ["HttpOnly", "Max-Age=2592000", "Path=/", "SameSite=Strict"];

  it("is hidden from scripts, from other sites, and from connections without TLS", async () => {
    expect(await flags(`${ORIGIN}/login`)).toEqual(always);
    expect(await flags("https://localhost/login")).toEqual([...always, "Secure"].toSorted());
  });

  it("is kept to TLS when a trusted proxy ended it, and only then", async () => {
    const proto = { "x-forwarded-proto": "https" };
    const env = { remoteAddress: "10.0.0.1" };
    expect(await flags(`${ORIGIN}/login`, env, proto, ["10.0.0.0/8"])).toContain("Secure");
    expect(await flags(`${ORIGIN}/login`, env, proto)).not.toContain("Secure");
  });

  it("holds nothing of the token, and opens nothing when a character is another", async () => {
    const { app } = fakeAssistant();
    const cookie = await signedIn(app);
    expect(cookie).not.toContain(OWNER_TOKEN);
    const ask = async (value: string) =>
      (await app.request(call("/api/v1/sessions", { token: null, headers: { cookie: value } }))).status;
    expect(await ask(cookie)).toBe(200);
    const [name = "", value = ""] = cookie.split("=");
    const [time = "", signature = ""] = value.split(".");
    const flipped = signature.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    for (const forged of [
      `${time}.${flipped}`,
      `${Number(time) + 1}.${signature}`,
      `${time}.`,
      signature,
      `${time}.${signature}0`,
    ])
      expect(await ask(`${name}=${forged}`)).toBe(401);
  });
});

describe("a canary token", () => {
  it("that is sent everywhere it does not belong is in no log, audit line, metric, answer or prompt", async () => {
    const canary = "canary-5f3c9a7e1b2d4860";
    const { assistant, lines, model, store } = await wholeAssistant({
      server: { token: canary, tokens: [{ token: ADA, role: "user", user: "app:ada" }] },
    });
    const routes = [
      ["GET", "/"],
      ["POST", "/"],
      ["POST", "/login"],
      ["POST", "/logout"],
      ["POST", "/webhooks/webhook"],
      ["GET", `/webhooks/${canary}`],
      ["POST", "/api/v1/messages"],
      ["POST", "/api/v1/chat"],
      ["GET", "/api/v1/sessions"],
      ["DELETE", `/api/v1/sessions/${canary}`],
      ["GET", `/api/v1/sessions/${canary}/context`],
      ["GET", "/api/v1/openapi.json"],
      ["GET", "/metrics"],
      ["GET", "/readyz"],
      ["PUT", `/${canary}`],
    ] as const;
    const bearers = [`Bearer ${canary}x`, `Bearer x${canary}`, `Basic ${canary}`, canary, `Bearer ${canary}`];
    const answers: string[] = [];
    for (const [method, path] of routes) {
      for (const authorization of bearers) {
        const headers = {
          authorization,
          "x-signature": canary,
          "x-timestamp": canary,
          cookie: `wakeful_session=${canary}`,
          origin: ORIGIN,
        };
        const body = method === "POST" ? { body: JSON.stringify({ text: 1, token: canary, [canary]: canary }) } : {};
        const request = new Request(`${ORIGIN}${path}?token=${canary}`, { method, headers, ...body });
        const response = await assistant.fetch(request, { remoteAddress: "203.0.113.9" });
        const text = await response.text();
        // What a caller wrote may come back to that caller; never with the right to use it.
        if (!path.includes(canary) && !text.includes("Expected no field of this name")) answers.push(text);
        answers.push(response.headers.get("set-cookie") ?? "", response.headers.get("location") ?? "");
      }
    }
    const metrics = await assistant.fetch(
      new Request(`${ORIGIN}/metrics`, { headers: { authorization: `Bearer ${canary}` } }),
    );
    await assistant.stop();
    const kept: string[] = [];
    for await (const { key } of store.list("")) {
      kept.push(key);
      // The documents; the rest are logs.
      if (/^(?:health|\.index)\//.test(key)) kept.push(JSON.stringify(await store.get(key)));
      else for await (const { record } of store.read(key)) kept.push(JSON.stringify(record));
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(kept.join("\n")).toContain("http.sign-in");
    for (const text of [...lines, ...kept, ...answers, await metrics.text(), JSON.stringify(model.requests)])
      expect(text).not.toContain(canary);
  });

  it("of a channel is in no refusal", async () => {
    const { assistant, lines } = await wholeAssistant();
    const headers = { "x-signature": HOOK_SECRET, "x-timestamp": "1", authorization: `Bearer ${OWNER}` };
    const response = await assistant.fetch(
      new Request(`${ORIGIN}/webhooks/webhook`, { method: "POST", headers, body: HOOK_SECRET }),
    );
    expect(response.status).toBe(401);
    for (const text of [await response.text(), ...lines]) expect(text).not.toMatch(/hook-secret|owner-token/);
    await assistant.stop();
  });
});
